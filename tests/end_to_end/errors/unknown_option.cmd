run
--config
configs/soc/edge_lpddr5.yaml
--trace
x.trace
--sett
npu.rows=8
