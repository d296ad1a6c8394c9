trace
build
configs/soc/edge_lpddr5.yaml
-o
x.trace
