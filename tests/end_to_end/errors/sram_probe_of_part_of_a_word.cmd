probe
sram
--capacity
1000 B
