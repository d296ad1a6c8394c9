// A shift register.
//
// Latency:       Stages cycles; 0: a wire.
// Throughput:    every cycle.
// Back-pressure: none.
module accel_delay #(
  parameter int Width = 1,
  parameter int Stages = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);
  if (Stages == 0) begin : gen_wire
    logic unused;
    assign unused = clk_i ^ rst_ni;
    assign data_o = data_i;
  end else begin : gen_stages
    logic [Width-1:0] stage_q [0:Stages-1];

    assign data_o = stage_q[Stages-1];

    always_ff @(posedge clk_i) begin
      for (int i = 0; i < Stages; i++) begin
        if (!rst_ni) stage_q[i] <= '0;
        else stage_q[i] <= i == 0 ? data_i : stage_q[i == 0 ? 0 : i-1];
      end
    end
  end
endmodule
