ppa
--config
configs/soc/edge_lpddr5.yaml
--tech
n3
