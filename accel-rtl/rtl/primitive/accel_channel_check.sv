// What every valid/ready channel keeps to: valid stays, and the data with it, until ready. Simulated by Verilator only.
//
// Latency:       none, it only looks.
// Throughput:    every cycle.
// Back-pressure: none.
module accel_channel_check #(
  parameter int Width = 1
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             valid_i,
  input logic             ready_i,
  input logic [Width-1:0] data_i
);
`ifdef VERILATOR
  a_valid_stays: assert property (@(posedge clk_i) disable iff (!rst_ni) valid_i && !ready_i |=> valid_i);
  a_data_stays: assert property (@(posedge clk_i) disable iff (!rst_ni) valid_i && !ready_i |=> $stable(data_i));
`else
  logic unused;
  assign unused = ^{clk_i, rst_ni, valid_i, ready_i, data_i};
`endif
endmodule
