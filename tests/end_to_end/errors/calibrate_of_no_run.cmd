calibrate
tests/data/imports/txf2.kineto_like.json
--trace
tests/data/traces/tiny.trace
--measured
tests/data/traces/tiny.info.json
