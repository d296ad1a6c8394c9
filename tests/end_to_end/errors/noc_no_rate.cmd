probe
noc
--rate
0
