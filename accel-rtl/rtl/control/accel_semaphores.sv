// The bank of semaphores.
//
// Latency:       a signal of the core itself shows in the same cycle, one through the registers in the next.
// Throughput:    one of each a cycle.
// Back-pressure: none.
module accel_semaphores #(
  parameter int Semaphores = 2
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     self_i,
  input  logic [15:0]              self_index_i,
  input  logic                     bell_i,
  input  logic [15:0]              bell_index_i,
  output logic [32*Semaphores-1:0] value_o
);
  for (genvar s = 0; s < Semaphores; s++) begin : gen_semaphore
    logic [31:0] value_q, value;

    assign value = value_q + 32'(self_i && 32'(self_index_i) == s);
    assign value_o[32*s +: 32] = value;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) value_q <= accel_command_pkg::CounterStart;
      else value_q <= value + 32'(bell_i && 32'(bell_index_i) == s);
    end
  end
endmodule
