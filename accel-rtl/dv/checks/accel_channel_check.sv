// What every valid/ready channel keeps to: valid stays, and the data with it, until ready.
//
// `excused_i`: the channel is emptied or stopped in this cycle, so nothing holds from it to the next or into it.
module accel_channel_check #(
  parameter int Width = 1
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             excused_i,
  input logic             valid_i,
  input logic             ready_i,
  input logic [Width-1:0] data_i
);
  a_valid_stays: assert property (@(posedge clk_i) disable iff (!rst_ni)
      valid_i && !ready_i && !excused_i |=> valid_i || excused_i);
  a_data_stays: assert property (@(posedge clk_i) disable iff (!rst_ni)
      valid_i && !ready_i && !excused_i |=> $stable(data_i) || excused_i);
endmodule
