// The program memory's port, shared by the four streams in turn.
//
// Latency:       1 cycle to cmd_ar; none from cmd_r.
// Throughput:    a command a cycle.
// Back-pressure: one request waits for cmd_ar_ready_i; answers are always taken.
module accel_fetch_arbiter (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [3:0]   ask_valid_i,
  output logic [3:0]   ask_ready_o,
  input  logic [127:0] ask_index_i,
  output logic [3:0]   answer_valid_o,

  output logic         cmd_ar_valid_o,
  input  logic         cmd_ar_ready_i,
  output logic [1:0]   cmd_ar_stream_o,
  output logic [31:0]  cmd_ar_index_o,
  input  logic         cmd_r_valid_i,
  output logic         cmd_r_ready_o,
  input  logic [1:0]   cmd_r_stream_i
);
  logic [1:0] chosen;
  logic       free;

  assign free = !cmd_ar_valid_o || cmd_ar_ready_i;
  always_comb begin
    chosen = cmd_ar_stream_o;
    for (int i = 4; i >= 1; i--) begin
      if (ask_valid_i[2'(32'(cmd_ar_stream_o) + i)]) chosen = 2'(32'(cmd_ar_stream_o) + i);
    end
    ask_ready_o = '0;
    ask_ready_o[chosen] = free && ask_valid_i[chosen];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cmd_ar_valid_o <= 1'b0;
      cmd_ar_stream_o <= 2'd3;  // stream 0 is first
    end else if (free) begin
      cmd_ar_valid_o <= ask_valid_i != '0;
      cmd_ar_stream_o <= chosen;
    end
    if (free) cmd_ar_index_o <= ask_index_i[32*chosen +: 32];
  end

  assign cmd_r_ready_o = 1'b1;
  assign answer_valid_o = cmd_r_valid_i ? 4'd1 << cmd_r_stream_i : 4'd0;
endmodule
