// Fetches one stream's commands ahead, or takes those that the host pushes.
//
// Latency:       a command is offered in the cycle after its answer.
// Throughput:    a command a cycle.
// Back-pressure: at most Depth commands are asked for, queued or still to be thrown away; answers are always taken.
module accel_prefetch #(
  parameter int Depth = 4
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          start_i,
  input  logic          from_host_i,  // valid with start_i and from then on
  input  logic          jump_i,       // commands from jump_index_i on; what was fetched is thrown away
  input  logic [31:0]   jump_index_i,
  input  logic          stop_i,       // nothing more

  output logic          ask_valid_o,
  input  logic          ask_ready_i,
  output logic [31:0]   ask_index_o,
  input  logic          answer_valid_i,
  input  logic [1023:0] answer_i,

  input  logic          push_i,
  input  logic [1023:0] pushed_i,
  output logic          overflow_o,        // a push that finds no place,
  output logic [31:0]   overflow_index_o,  // the how manieth since the start or the last halt

  output logic          valid_o,
  input  logic          ready_i,
  output logic [1023:0] command_o
);
  localparam int CountWidth = $clog2(Depth + 1);

  logic                  fetching_q, asked, keep, queue_ready, queue_in, taken;
  logic [31:0]           index_q;
  logic [CountWidth-1:0] asked_q;   // answers to come
  logic [CountWidth-1:0] stale_q;   // of those, the first ones are to be thrown away
  logic [CountWidth-1:0] queued_q;
  logic                  push_in;

  assign ask_valid_o = fetching_q && {1'b0, asked_q} + {1'b0, queued_q} < (CountWidth+1)'(Depth);
  assign ask_index_o = index_q;
  assign asked = ask_valid_o && ask_ready_i;
  assign keep = answer_valid_i && stale_q == '0 && !jump_i && !stop_i;
  assign push_in = push_i && from_host_i && queue_ready;
  assign queue_in = keep || push_in;
  assign taken = valid_o && ready_i;
  assign overflow_o = push_i && !push_in;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fetching_q <= 1'b0;
      index_q <= '0;
      asked_q <= '0;
      stale_q <= '0;
      queued_q <= '0;
      overflow_index_o <= '0;
    end else begin
      if (start_i) fetching_q <= !from_host_i;
      else if (stop_i) fetching_q <= 1'b0;

      if (start_i) index_q <= '0;
      else if (jump_i) index_q <= jump_index_i;
      else if (asked) index_q <= index_q + 32'd1;

      asked_q <= asked_q + CountWidth'(asked) - CountWidth'(answer_valid_i);
      if (jump_i || stop_i) stale_q <= asked_q + CountWidth'(asked) - CountWidth'(answer_valid_i);
      else if (answer_valid_i && stale_q != '0) stale_q <= stale_q - CountWidth'(1);

      if (stop_i) overflow_index_o <= '0;
      else if (push_in) overflow_index_o <= overflow_index_o + 32'd1;

      if (jump_i || stop_i) queued_q <= '0;
      else queued_q <= queued_q + CountWidth'(queue_in) - CountWidth'(taken);
    end
  end

  accel_fifo #(.Width(1024), .Depth(Depth)) u_queue (
    .clk_i,
    .rst_ni,
    .flush_i(jump_i || stop_i),
    .in_valid_i(queue_in),
    .in_ready_o(queue_ready),
    .in_data_i(from_host_i ? pushed_i : answer_i),
    .out_valid_o(valid_o),
    .out_ready_i(ready_i),
    .out_data_o(command_o)
  );

`ifdef VERILATOR
  a_room: assert property (@(posedge clk_i) disable iff (!rst_ni) keep |-> queue_ready);
  a_asked_for: assert property (@(posedge clk_i) disable iff (!rst_ni) answer_valid_i |-> asked_q != '0);
`endif
endmodule
