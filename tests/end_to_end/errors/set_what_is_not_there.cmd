check
configs/soc/edge_lpddr5.yaml
--set
clocks.nqu=2 GHz
--set
npu[].rows=1
--set
blocks.nqu.rows=1
--set
npu[9].rows=1
