run
--config
configs/soc/edge_lpddr5.yaml
