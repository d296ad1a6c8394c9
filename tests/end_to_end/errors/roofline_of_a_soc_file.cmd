roofline
configs/soc/edge_lpddr5.yaml
-o
roof.svg
