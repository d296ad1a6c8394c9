trace
diff
tests/data/traces/tiny.trace
tests/data/traces/none.trace
