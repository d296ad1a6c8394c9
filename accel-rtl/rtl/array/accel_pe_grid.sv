// Rows x Cols processing elements. What comes in is skewed already: row r, column c see a vector r + c cycles after row 0, column 0.
//
// Latency:       Rows cycles from a vector at column c's top to sum_o of column c (stationary weights); 1 cycle from the last
//                vector at PE(r, c) to sum_o of column c (stationary outputs), one row after the other.
// Throughput:    one vector a cycle; one sum a column and cycle.
// Back-pressure: none.
module accel_pe_grid #(
  parameter int Rows = 8,
  parameter int Cols = 8
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [4*Rows-1:0]  token_i,  // a row
  input  logic [8*Rows-1:0]  a_i,      // a row, from the left
  input  logic [8*Cols-1:0]  w_i,      // a column, from above
  input  logic [8*Cols-1:0]  chain_i,  // a column, from below
  input  logic [Cols-1:0]    load_i,
  output logic [32*Cols-1:0] sum_o
);
  logic        [3:0]  token [0:Rows-1][0:Cols];
  logic signed [7:0]  a [0:Rows-1][0:Cols];
  logic signed [7:0]  w [0:Rows][0:Cols-1];
  logic signed [7:0]  chain [0:Rows][0:Cols-1];
  logic        [31:0] sum [0:Rows][0:Cols-1];
  logic        [Rows-1:0] has_result [0:Cols-1];

  for (genvar r = 0; r < Rows; r++) begin : gen_row
    assign token[r][0] = token_i[4*r +: 4];
    assign a[r][0] = a_i[8*r +: 8];
    for (genvar c = 0; c < Cols; c++) begin : gen_pe
      accel_pe u_pe (
        .clk_i,
        .rst_ni,
        .token_i(token[r][c]),
        .a_i(a[r][c]),
        .token_o(token[r][c+1]),
        .a_o(a[r][c+1]),
        .w_i(w[r][c]),
        .w_o(w[r+1][c]),
        .chain_i(chain[r+1][c]),
        .chain_o(chain[r][c]),
        .load_i(load_i[c]),
        .sum_i(sum[r][c]),
        .sum_o(sum[r+1][c]),
        .result_o(has_result[c][r])
      );
    end
  end

  for (genvar c = 0; c < Cols; c++) begin : gen_column
    assign w[0][c] = w_i[8*c +: 8];
    assign chain[Rows][c] = chain_i[8*c +: 8];
    assign sum[0][c] = '0;
    // At most one row of a column has its result now.
    logic [31:0] result;
    always_comb begin
      result = has_result[c] == '0 ? sum[Rows][c] : '0;
      for (int r = 0; r < Rows; r++) begin
        if (has_result[c][r]) result = result | sum[r+1][c];
      end
    end
    assign sum_o[32*c +: 32] = result;
  end

  logic unused;
  always_comb begin
    unused = 1'b0;
    for (int r = 0; r < Rows; r++) unused ^= ^{token[r][Cols], a[r][Cols]};
    for (int c = 0; c < Cols; c++) unused ^= ^{w[Rows][c], chain[0][c]};
  end
endmodule
