simulate
--config
x
