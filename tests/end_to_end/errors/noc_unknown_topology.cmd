probe
noc
--topology
meshh
--detailed
