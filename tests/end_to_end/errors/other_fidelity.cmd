run
--config
configs/soc/edge_lpddr5.yaml
--trace
none.trace
--fidelity
sampledd
