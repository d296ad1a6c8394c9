run
--config
configs/soc/none.yaml
--trace
none.trace
