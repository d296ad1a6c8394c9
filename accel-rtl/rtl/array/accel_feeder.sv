// Turns what the scratchpad gives into one byte a lane and cycle, lane l being l cycles late.
//
// spread: byte l of the window goes to lane l, and comes out l cycles after lane 0's.
// lane:   bytes 0, 1, .. of the window go to one lane, and come out one a cycle; `behind` puts them behind the Half bytes
//         that this lane still has to give.
//
// Latency:       1 cycle to lane 0.
// Throughput:    one window a cycle.
// Back-pressure: none; lanes always move.
module accel_feeder #(
  parameter int Lanes = 8,
  parameter int Half = 8,
  parameter int Window = 16,
  parameter int IndexWidth = 4
) (
  input  logic                 clk_i,
  input  logic                 spread_i,
  input  logic                 lane_i,
  input  logic                 behind_i,
  input  logic [IndexWidth-1:0] index_i,
  input  logic [8*Window-1:0]  data_i,
  output logic [8*Lanes-1:0]   lane_o
);
  localparam int Depth = Half + Window;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [8*Depth-1:0] byte_q, byte_d;

    always_comb begin
      byte_d = byte_q >> 8;
      if (spread_i) byte_d[8*l +: 8] = data_i[8*l +: 8];
      if (lane_i && index_i == IndexWidth'(l)) begin
        if (behind_i) byte_d[8*Half +: 8*Window] = data_i;
        else byte_d[0 +: 8*Window] = data_i;
      end
    end
    always_ff @(posedge clk_i) byte_q <= byte_d;
    assign lane_o[8*l +: 8] = byte_q[7:0];
  end
endmodule
