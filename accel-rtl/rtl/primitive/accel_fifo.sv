// A queue.
//
// Latency:       1 cycle from push to front.
// Throughput:    one push and one pop a cycle.
// Back-pressure: in_ready_o is low while it is full, also in a cycle that pops.
module accel_fifo #(
  parameter int Width = 8,
  parameter int Depth = 2
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             flush_i,
  input  logic             in_valid_i,
  output logic             in_ready_o,
  input  logic [Width-1:0] in_data_i,
  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [Width-1:0] out_data_o
);
  localparam int PointerWidth = Depth > 1 ? $clog2(Depth) : 1;
  localparam int CountWidth = $clog2(Depth + 1);

  logic [Width-1:0]        entry_q [0:Depth-1];
  logic [PointerWidth-1:0] write_q, read_q;
  logic [CountWidth-1:0]   count_q;
  logic                    push, pop;

  assign in_ready_o = count_q != CountWidth'(Depth);
  assign out_valid_o = count_q != '0;
  assign out_data_o = entry_q[read_q];
  assign push = in_valid_i && in_ready_o;
  assign pop = out_valid_o && out_ready_i;

  always_ff @(posedge clk_i) begin
    if (push) entry_q[write_q] <= in_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i) begin
      write_q <= '0;
      read_q <= '0;
      count_q <= '0;
    end else begin
      if (push) write_q <= write_q == PointerWidth'(Depth - 1) ? '0 : write_q + PointerWidth'(1);
      if (pop) read_q <= read_q == PointerWidth'(Depth - 1) ? '0 : read_q + PointerWidth'(1);
      if (push && !pop) count_q <= count_q + CountWidth'(1);
      if (pop && !push) count_q <= count_q - CountWidth'(1);
    end
  end
endmodule
