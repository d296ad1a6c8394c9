sweep
configs/sweeps/bandwidth_vs_sram.yaml
--jobs
0
