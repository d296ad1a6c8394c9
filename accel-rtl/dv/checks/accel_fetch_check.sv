// The program memory's port: at most QueueDepth commands of a stream are asked for, and none comes that was not.
module accel_fetch_check #(
  parameter int QueueDepth = 4
) (
  input logic          clk_i,
  input logic          rst_ni,
  input logic          ar_valid_i,
  input logic          ar_ready_i,
  input logic [1:0]    ar_stream_i,
  input logic [31:0]   ar_index_i,
  input logic          r_valid_i,
  input logic          r_ready_i,
  input logic [1:0]    r_stream_i,
  input logic [1023:0] r_data_i
);
  accel_channel_check #(.Width(34)) u_ar (
    .clk_i, .rst_ni, .excused_i(1'b0), .valid_i(ar_valid_i), .ready_i(ar_ready_i), .data_i({ar_stream_i, ar_index_i})
  );
  accel_channel_check #(.Width(1026)) u_r (
    .clk_i, .rst_ni, .excused_i(1'b0), .valid_i(r_valid_i), .ready_i(r_ready_i), .data_i({r_stream_i, r_data_i})
  );

  logic [31:0] asked_q [0:3];
  logic [31:0] ar_asked, r_asked;
  assign ar_asked = asked_q[ar_stream_i];
  assign r_asked = asked_q[r_stream_i];
  for (genvar s = 0; s < 4; s++) begin : gen_stream
    always_ff @(posedge clk_i) begin
      if (!rst_ni) asked_q[s] <= '0;
      else asked_q[s] <= asked_q[s] + 32'(ar_valid_i && ar_ready_i && ar_stream_i == 2'(s)) -
          32'(r_valid_i && r_ready_i && r_stream_i == 2'(s));
    end
  end
  a_queue: assert property (@(posedge clk_i) disable iff (!rst_ni) ar_valid_i |-> ar_asked < 32'(QueueDepth));
  a_asked_for: assert property (@(posedge clk_i) disable iff (!rst_ni) r_valid_i |-> r_asked != '0);
endmodule
