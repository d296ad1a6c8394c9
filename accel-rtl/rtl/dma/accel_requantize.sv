// int32 -> int8: saturate8((x * multiplier + (shift == 0 ? 0 : 1 << (shift - 1))) >> shift), in 64 bits; or bytes as they are.
//
// Latency:       1 cycle.
// Throughput:    a window a cycle.
// Back-pressure: none.
module accel_requantize #(
  parameter int PortBytes = 16
) (
  input  logic                   clk_i,
  input  logic                   requantize_i,
  input  logic [31:0]            multiplier_i,
  input  logic [5:0]             shift_i,
  input  logic [8*PortBytes-1:0] data_i,
  output logic [8*PortBytes-1:0] data_o  // the first quarter, if requantized
);
  localparam int Lanes = PortBytes / 4;

  logic                   requantize_q;
  logic [5:0]             shift_q;
  logic [8*PortBytes-1:0] plain_q, result;

  always_ff @(posedge clk_i) begin
    requantize_q <= requantize_i;
    shift_q <= shift_i;
    plain_q <= data_i;
  end

  assign data_o = requantize_q ? result : plain_q;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic signed [63:0] product, sum_q, shifted;

    assign product = $signed(data_i[32*l +: 32]) * $signed(multiplier_i);
    assign shifted = sum_q >>> shift_q;
    always_ff @(posedge clk_i) begin
      sum_q <= product + (shift_i == 6'd0 ? 64'sd0 : 64'sd1 <<< (shift_i - 6'd1));
    end
    assign result[8*l +: 8] = shifted > 64'sd127 ? 8'h7f : shifted < -64'sd128 ? 8'h80 : shifted[7:0];
  end
  if (PortBytes > Lanes) begin : gen_rest
    assign result[8*PortBytes-1:8*Lanes] = '0;
  end
endmodule
