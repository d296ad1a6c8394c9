check
configs/soc/edge_lpddr5.yaml
--set
npu.rows
