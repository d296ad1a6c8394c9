probe
sram
--pattern
stride:x
--banks
0
