trace
import
README.md
-o
x.trace
