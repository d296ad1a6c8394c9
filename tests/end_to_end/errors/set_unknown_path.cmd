check
configs/soc/edge_lpddr5.yaml
--set
npu.rowz=128
--set
nqu.rows=128
