trace
info
traces/workloads/tiny.yaml
