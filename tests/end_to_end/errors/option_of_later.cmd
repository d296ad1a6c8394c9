run
--config
configs/soc/edge_lpddr5.yaml
--trace
x.trace
--scenario
s.yaml
