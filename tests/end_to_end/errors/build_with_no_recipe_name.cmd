trace
build
traces/workloads/pi0.yaml
-o
x.trace
--recipe

