diff
configs/soc/edge_lpddr5.yaml
none.json
--fail-above
2
