run
--config
configs/soc/edge_lpddr5.yaml
--trace
x.trace
--progress
maybe
