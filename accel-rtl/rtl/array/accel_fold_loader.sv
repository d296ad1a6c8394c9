// Loads the weights of stationary-weight folds into the shadow registers, fold after fold: n outside, k inside.
//
// Latency:       Rows cycles a fold; the fold may start in the cycle after. It begins in the cycle in which the fold before starts
//                (release_i), or in which a command is there.
// Throughput:    a fold every Rows cycles; every max(Rows, Cols) cycles if w is transposed.
// Back-pressure: it waits for release_i.
module accel_fold_loader #(
  parameter int Rows = 8,
  parameter int Cols = 8,
  parameter int AddressWidth = 16,
  parameter int CountWidth = $clog2((Rows > Cols ? Rows : Cols) + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    command_valid_i,
  output logic                    command_done_o,
  input  logic [AddressWidth-1:0] w_i,
  input  logic [31:0]             k_i,
  input  logic [31:0]             n_i,
  input  logic [AddressWidth-1:0] w_pitch_i,
  input  logic                    transpose_i,

  output logic                    begins_o,   // its first fold
  output logic                    loaded_o,   // the shadow registers hold the next fold
  input  logic                    release_i,  // which starts now

  output logic                    step_o,       // a row of weights, or if transposed a column, enters
  output logic                    read_o,       // and is read from here
  output logic [AddressWidth-1:0] address_o,
  output logic [CountWidth-1:0]   index_o,      // of it
  output logic [CountWidth-1:0]   bytes_o,      // of it that count; the others are 0
  output logic                    last_row_o    // the last row enters lane 0
);
  localparam int Longest = Rows > Cols ? Rows : Cols;

  logic                    fresh_q, busy_q, occupied_q, loaded_q;
  logic [CountWidth-1:0]   step_q, step, hold, rows, columns;
  logic [31:0]             k_left_q, k_left, n_left_q, n_left;
  logic [AddressWidth-1:0] column_base_q, column_base, fold_base_q, fold_base, pointer_q, address, next_address;
  logic                    start, active, ends, in_row, in_column;

  assign start = !busy_q && command_valid_i && (!occupied_q || release_i);
  assign active = start || busy_q;
  assign step = busy_q ? step_q : '0;
  assign hold = transpose_i ? CountWidth'(Longest) : CountWidth'(Rows);
  assign ends = active && step == hold - CountWidth'(1);

  assign k_left = fresh_q ? k_i : k_left_q;
  assign n_left = fresh_q ? n_i : n_left_q;
  assign column_base = fresh_q ? w_i : column_base_q;
  assign fold_base = fresh_q ? w_i : fold_base_q;
  assign address = step == '0 ? fold_base : pointer_q;
  assign next_address = address + w_pitch_i;
  assign rows = k_left < Rows ? CountWidth'(k_left) : CountWidth'(Rows);
  assign columns = n_left < Cols ? CountWidth'(n_left) : CountWidth'(Cols);
  assign in_row = step < rows;
  assign in_column = step < columns;

  assign begins_o = start && fresh_q;
  assign step_o = active && step < (transpose_i ? CountWidth'(Cols) : CountWidth'(Rows));
  assign read_o = active && (transpose_i ? in_column : in_row);
  assign address_o = address;
  assign index_o = step;
  assign bytes_o = !read_o ? '0 : transpose_i ? rows : columns;
  assign last_row_o = active && step == CountWidth'(Rows - 1);
  assign loaded_o = loaded_q;
  assign command_done_o = ends && k_left <= Rows && n_left <= Cols;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fresh_q <= 1'b1;
      busy_q <= 1'b0;
      occupied_q <= 1'b0;
      loaded_q <= 1'b0;
      step_q <= '0;
    end else begin
      if (start) occupied_q <= 1'b1;
      else if (release_i) occupied_q <= 1'b0;
      if (last_row_o) loaded_q <= 1'b1;
      else if (release_i) loaded_q <= 1'b0;
      if (active) begin
        busy_q <= !ends;
        step_q <= ends ? '0 : step + CountWidth'(1);
        if (ends) fresh_q <= command_done_o;
        else fresh_q <= 1'b0;
      end
    end
    if (active) begin
      pointer_q <= next_address;
      k_left_q <= k_left;
      n_left_q <= n_left;
      column_base_q <= column_base;
      fold_base_q <= fold_base;
      if (ends && k_left > Rows) begin
        k_left_q <= k_left - 32'(Rows);
        fold_base_q <= transpose_i ? fold_base + AddressWidth'(Rows) : next_address;
      end else if (ends) begin
        k_left_q <= k_i;
        n_left_q <= n_left - 32'(Cols);
        column_base_q <= column_base + (transpose_i ? AddressWidth'(Cols * 32'(w_pitch_i)) : AddressWidth'(Cols));
        fold_base_q <= column_base + (transpose_i ? AddressWidth'(Cols * 32'(w_pitch_i)) : AddressWidth'(Cols));
      end
    end
  end
endmodule
