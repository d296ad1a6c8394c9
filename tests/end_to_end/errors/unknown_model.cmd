describe
accel/systolik
