--config
configs/soc/edge_lpddr5.yaml
--trace
tests/data/traces/pi0.trace
--set
dram.capacity=1 GiB
