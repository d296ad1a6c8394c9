trace
import
tests/data/imports/txf2.kineto_like.json
-o
x.trace
