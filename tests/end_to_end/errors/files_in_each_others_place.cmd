run
--config
traces/workloads/tiny.yaml
--trace
configs/soc/edge_lpddr5.yaml
