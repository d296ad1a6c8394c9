// Takes the columns' sums, lines them up into rows and adds them to the accumulator SRAM.
//
// Latency:       Cols + 2 cycles from a row's result_valid_i to its write, which is the cycle after its last column's sum is there.
// Throughput:    a row a cycle; a row may add to the one before it.
// Back-pressure: none.
module accel_results #(
  parameter int Cols = 8,
  parameter int ResultWidth = 14,
  parameter int CountWidth = 4
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   result_valid_i,
  input  logic [ResultWidth-1:0] result_address_i,
  input  logic [CountWidth-1:0]  result_columns_i,
  input  logic                   result_adds_i,
  input  logic [32*Cols-1:0]     sum_i,

  output logic                   read_o,
  output logic [ResultWidth-1:0] read_address_o,
  input  logic [32*Cols-1:0]     read_data_i,
  output logic [4*Cols-1:0]      write_strobe_o,
  output logic [ResultWidth-1:0] write_address_o,
  output logic [32*Cols-1:0]     write_data_o
);
  logic                   valid, adds, valid_q, adds_q;
  logic [CountWidth-1:0]  columns, columns_q;
  logic [ResultWidth-1:0] address, address_q;

  accel_delay #(
    .Width(ResultWidth + CountWidth + 2),
    .Stages(Cols + 1)
  ) u_row (
    .clk_i,
    .rst_ni,
    .data_i({result_valid_i, result_adds_i, result_columns_i, result_address_i}),
    .data_o({valid, adds, columns, address})
  );

  assign read_o = valid && adds;
  assign read_address_o = address;
  assign write_address_o = address_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= valid;
    adds_q <= adds;
    columns_q <= columns;
    address_q <= address;
  end

  for (genvar c = 0; c < Cols; c++) begin : gen_column
    logic [31:0] sum;

    accel_delay #(
      .Width(32),
      .Stages(Cols - 1 - c)
    ) u_level (
      .clk_i,
      .rst_ni,
      .data_i(sum_i[32*c +: 32]),
      .data_o(sum)
    );
    assign write_data_o[32*c +: 32] = sum + (adds_q ? read_data_i[32*c +: 32] : 32'd0);
    assign write_strobe_o[4*c +: 4] = {4{valid_q && CountWidth'(c) < columns_q}};
  end
endmodule
