run
--config
