// A processing element: one int8 multiplication a cycle, added in 32 bits to what comes from above (stationary weights) or to
// what it holds (stationary outputs).
//
// `token` travels with `a`: {ws, os, first, last}. With `first`, ws takes its new weight from the shadow register and os starts
// from 0. Weights come up the chain from below, one PE a cycle, and `load_i` copies the chain into the shadow registers.
//
// Latency:       1 cycle from its operands to sum_o; result_o is high with the sum of the vector that had {os, last}.
// Throughput:    one multiplication a cycle.
// Back-pressure: none.
module accel_pe (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic        [3:0]  token_i,
  input  logic signed [7:0]  a_i,
  output logic        [3:0]  token_o,
  output logic signed [7:0]  a_o,
  input  logic signed [7:0]  w_i,
  output logic signed [7:0]  w_o,
  input  logic signed [7:0]  chain_i,
  output logic signed [7:0]  chain_o,
  input  logic               load_i,
  input  logic        [31:0] sum_i,
  output logic        [31:0] sum_o,
  output logic               result_o
);
  logic               ws, os, first, last;
  logic signed [7:0]  shadow_q, active_q, weight;
  logic signed [15:0] product;
  logic        [31:0] addend;

  assign {ws, os, first, last} = token_i;
  assign weight = os ? w_i : first ? shadow_q : active_q;
  assign product = a_i * weight;
  assign addend = !os ? sum_i : first ? 32'd0 : sum_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      token_o <= '0;
      result_o <= 1'b0;
    end else begin
      token_o <= token_i;
      result_o <= os && last;
    end
    a_o <= a_i;
    w_o <= w_i;
    chain_o <= chain_i;
    if (load_i) shadow_q <= chain_i;
    if (ws && first) active_q <= shadow_q;
    if (ws || os) sum_o <= addend + {{16{product[15]}}, product};
  end
endmodule
