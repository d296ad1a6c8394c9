probe
noc
--traffic
transpose
--columns
4
--rows
2
