// Streams the folds of matmuls through the array, in the order of the commands, each as early as timing/array.h allows.
//
// Stationary weights: n outside, k inside; a vector is Rows bytes of a row of a. Stationary outputs: m outside, n inside; a row of a
// (and a column of a transposed w) is fetched by lanes: one lane a cycle, 2 * Half bytes each, those behind the first
// Half cycles early, so that the port is free again when the next fold starts.
//
// Latency:       a fold starts in the first cycle in which the one before has taken its last vector, its weights are loaded
//                (stationary weights) and column 0 will be free for its results.
// Throughput:    a vector a cycle. Stationary outputs hold the ports for max(k, Rows) cycles a fold (and Cols if w is transposed).
// Back-pressure: none behind it.
module accel_fold_streamer #(
  parameter int Rows = 8,
  parameter int Cols = 8,
  parameter int Half = 8,
  parameter int AddressWidth = 16,
  parameter int ResultWidth = 14,
  parameter int CountWidth = $clog2(Half + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    command_valid_i,
  output logic                    command_done_o,
  input  logic [AddressWidth-1:0] a_i,
  input  logic [AddressWidth-1:0] w_i,
  input  logic [ResultWidth-1:0]  out_i,
  input  logic [31:0]             m_i,
  input  logic [31:0]             k_i,
  input  logic [31:0]             n_i,
  input  logic [AddressWidth-1:0] a_pitch_i,
  input  logic [AddressWidth-1:0] w_pitch_i,
  input  logic [ResultWidth-1:0]  out_pitch_i,
  input  logic                    accumulate_i,
  input  logic                    transpose_i,
  input  logic                    outputs_stay_i,

  output logic                    begins_o,  // a command whose outputs stay
  input  logic                    loaded_i,
  output logic                    release_o,

  output logic [3:0]              token_o,  // {ws, os, first, last} of the vector that enters
  output logic                    last_o,   // and it is the command's last one

  output logic                    a_spread_o,
  output logic                    a_lane_o,
  output logic                    a_behind_o,
  output logic                    a_read_o,
  output logic [AddressWidth-1:0] a_address_o,
  output logic [CountWidth-1:0]   a_index_o,
  output logic [CountWidth-1:0]   a_bytes_o,  // of a spread window that count; a lane's all count if it is read
  output logic                    w_spread_o,
  output logic                    w_lane_o,
  output logic                    w_behind_o,
  output logic                    w_read_o,
  output logic [AddressWidth-1:0] w_address_o,
  output logic [CountWidth-1:0]   w_index_o,
  output logic [CountWidth-1:0]   w_bytes_o,

  // A row of results: where it goes. Rows - 1 cycles behind the vector for stationary weights.
  output logic                    result_valid_o,
  output logic [ResultWidth-1:0]  result_address_o,
  output logic [CountWidth-1:0]   result_columns_o,
  output logic                    result_adds_o
);
  localparam int PhaseWidth = $clog2(2 * Half);

  logic                    fresh_q, busy_q, start, active, ends, done, os, ws;
  logic [31:0]             step_q, step, vectors, hold, offset, output_left_q;
  logic [PhaseWidth-1:0]   phase_q, phase;
  logic [31:0]             m_left_q, m_left, k_left_q, k_left, n_left_q, n_left;
  logic                    adds_q, adds;
  logic [AddressWidth-1:0] a_base_q, a_base, w_base_q, w_base;
  logic [ResultWidth-1:0]  row_base_q, row_base, out_base_q, out_base;
  logic [CountWidth-1:0]   rows, depth, columns;
  logic                    is_vector, last_vector;

  assign os = outputs_stay_i;
  assign ws = !outputs_stay_i;
  assign vectors = os ? k_i : m_i;
  assign offset = os ? k_i - 32'd1 : 32'(Rows - 1);
  always_comb begin
    hold = vectors;
    if (os && hold < Rows) hold = 32'(Rows);
    if (os && transpose_i && hold < Cols) hold = 32'(Cols);
  end

  assign start = !busy_q && command_valid_i && (os || loaded_i) && offset >= output_left_q;
  assign active = start || busy_q;
  assign step = busy_q ? step_q : '0;
  assign phase = busy_q ? phase_q : '0;
  assign ends = active && step == hold - 32'd1;
  assign is_vector = active && step < vectors;
  assign last_vector = is_vector && step == vectors - 32'd1;

  assign m_left = fresh_q ? m_i : m_left_q;
  assign k_left = fresh_q ? k_i : k_left_q;
  assign n_left = fresh_q ? n_i : n_left_q;
  assign adds = fresh_q ? accumulate_i : adds_q;
  assign a_base = fresh_q ? a_i : a_base_q;
  assign w_base = fresh_q ? w_i : w_base_q;
  assign row_base = fresh_q ? out_i : row_base_q;
  assign out_base = fresh_q ? out_i : out_base_q;
  assign rows = m_left < Rows ? CountWidth'(m_left) : CountWidth'(Rows);
  assign depth = k_left < Rows ? CountWidth'(k_left) : CountWidth'(Rows);
  assign columns = n_left < Cols ? CountWidth'(n_left) : CountWidth'(Cols);
  assign done = n_left <= Cols && (os ? m_left <= Rows : k_left <= Rows);

  assign begins_o = start && fresh_q && os;
  assign release_o = start && ws;
  assign command_done_o = ends && done;
  assign token_o = {ws && is_vector, os && is_vector, is_vector && step == '0, last_vector};
  assign last_o = last_vector && done;

  // Where the streams of vectors and lanes are.
  logic [AddressWidth-1:0] a_pointer_q, w_pointer_q, a_group_q, w_group_q, a_group, w_group, a_address, w_address;
  logic [31:0]             group_k_q, group_k;  // the first k of the latest group of lanes
  logic                    first_group, later_group, lane_step;
  logic [CountWidth-1:0]   lane;

  assign first_group = os && active && step < Half;
  assign later_group = os && active && phase >= PhaseWidth'(Half) && group_k < k_i;
  assign lane_step = first_group || later_group;
  assign lane = first_group ? CountWidth'(phase) : CountWidth'(phase - PhaseWidth'(Half));
  always_comb begin
    a_group = a_group_q;
    w_group = w_group_q;
    group_k = group_k_q;
    if (step == '0) begin
      a_group = a_base;
      w_group = w_base;
      group_k = '0;
    end else if (phase == PhaseWidth'(Half)) begin
      a_group = a_group_q + AddressWidth'(2 * Half);
      w_group = w_group_q + AddressWidth'(2 * Half);
      group_k = group_k_q + 32'(2 * Half);
    end
  end
  assign a_address = os ? (lane == '0 ? a_group : a_pointer_q) : (step == '0 ? a_base : a_pointer_q);
  assign w_address = transpose_i ? (lane == '0 ? w_group : w_pointer_q) : (step == '0 ? w_base : w_pointer_q);

  assign a_spread_o = ws && is_vector;
  assign a_lane_o = lane_step && lane < CountWidth'(Rows);
  assign a_behind_o = later_group;
  assign a_read_o = a_spread_o || (lane_step && lane < rows);
  assign a_address_o = a_address;
  assign a_index_o = lane;
  assign a_bytes_o = depth;
  assign w_spread_o = os && !transpose_i && is_vector;
  assign w_lane_o = os && transpose_i && lane_step && lane < CountWidth'(Cols);
  assign w_behind_o = later_group;
  assign w_read_o = w_spread_o || (w_lane_o && lane < columns);
  assign w_address_o = w_address;
  assign w_index_o = lane;
  assign w_bytes_o = columns;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fresh_q <= 1'b1;
      busy_q <= 1'b0;
      step_q <= '0;
      phase_q <= '0;
      output_left_q <= '0;
    end else begin
      if (start) output_left_q <= os ? k_i + 32'(Rows - 2) : m_i + 32'(Rows - 2);
      else if (output_left_q != '0) output_left_q <= output_left_q - 32'd1;
      if (active) begin
        busy_q <= !ends;
        step_q <= step + 32'd1;
        phase_q <= phase == PhaseWidth'(2 * Half - 1) ? '0 : phase + PhaseWidth'(1);
        fresh_q <= ends && done;
      end
    end
    if (active) begin
      a_pointer_q <= a_address + a_pitch_i;
      w_pointer_q <= w_address + w_pitch_i;
      a_group_q <= a_group;
      w_group_q <= w_group;
      group_k_q <= group_k;
      m_left_q <= m_left;
      k_left_q <= k_left;
      n_left_q <= n_left;
      adds_q <= adds;
      a_base_q <= a_base;
      w_base_q <= w_base;
      row_base_q <= row_base;
      out_base_q <= out_base;
      if (ends && ws && k_left > Rows) begin
        k_left_q <= k_left - 32'(Rows);
        adds_q <= 1'b1;
        a_base_q <= a_base + AddressWidth'(Rows);
      end else if (ends && (ws || n_left > Cols)) begin
        k_left_q <= k_i;
        adds_q <= accumulate_i;
        a_base_q <= ws ? a_i : a_base;
        n_left_q <= n_left - 32'(Cols);
        w_base_q <= w_base + (transpose_i ? AddressWidth'(Cols * 32'(w_pitch_i)) : AddressWidth'(Cols));
        out_base_q <= out_base + ResultWidth'(4 * Cols);
      end else if (ends) begin
        m_left_q <= m_left - 32'(Rows);
        n_left_q <= n_i;
        a_base_q <= a_base + AddressWidth'(Rows * 32'(a_pitch_i));
        w_base_q <= w_i;
        row_base_q <= row_base + ResultWidth'(Rows * 32'(out_pitch_i));
        out_base_q <= row_base + ResultWidth'(Rows * 32'(out_pitch_i));
      end
    end
  end

  // Rows of results. Stationary outputs come out of a column one after another, from the last vector on.
  logic                   draining_q, drain;
  logic [CountWidth-1:0]  drain_left_q, drain_columns_q;
  logic [ResultWidth-1:0] drain_address_q, drain_pitch_q, out_pointer_q, ws_address;
  logic                   drain_adds_q;
  logic                   ws_valid, ws_adds;
  logic [CountWidth-1:0]  ws_columns;

  assign drain = os && last_vector;
  assign ws_address = step == '0 ? out_base : out_pointer_q;
  always_ff @(posedge clk_i) begin
    if (is_vector) out_pointer_q <= ws_address + out_pitch_i;
    if (!rst_ni) begin
      draining_q <= 1'b0;
    end else if (drain) begin
      draining_q <= rows != CountWidth'(1);
    end else if (draining_q) begin
      draining_q <= drain_left_q != CountWidth'(1);
    end
    if (drain) begin
      drain_left_q <= rows - CountWidth'(1);
      drain_address_q <= out_base + out_pitch_i;
      drain_pitch_q <= out_pitch_i;
      drain_columns_q <= columns;
      drain_adds_q <= adds;
    end else begin
      drain_left_q <= drain_left_q - CountWidth'(1);
      drain_address_q <= drain_address_q + drain_pitch_q;
    end
  end

  logic [ResultWidth-1:0] late_address;
  accel_delay #(
    .Width(ResultWidth + CountWidth + 2),
    .Stages(Rows - 1)
  ) u_late (
    .clk_i,
    .rst_ni,
    .data_i({ws && is_vector, adds, columns, ws_address}),
    .data_o({ws_valid, ws_adds, ws_columns, late_address})
  );
  always_comb begin
    result_valid_o = ws_valid || drain || draining_q;
    result_address_o = late_address;
    result_columns_o = ws_columns;
    result_adds_o = ws_adds;
    if (drain) begin
      result_address_o = out_base;
      result_columns_o = columns;
      result_adds_o = adds;
    end else if (draining_q) begin
      result_address_o = drain_address_q;
      result_columns_o = drain_columns_q;
      result_adds_o = drain_adds_q;
    end
  end

`ifdef VERILATOR
  a_one_result: assert property (@(posedge clk_i) disable iff (!rst_ni) 32'(ws_valid) + 32'(drain) + 32'(draining_q) <= 1);
`endif
endmodule
