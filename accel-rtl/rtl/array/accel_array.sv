// Matmuls: queue, weights loaded ahead, streams, processing elements, results.
//
// Cycle t of the contract (a matmul issued in cycle t begins there) is cycle t + 1 of loader and streamer, which ask the
// scratchpad; what they ask for is in lane 0 two cycles later.
//
// Latency:       a command completes (complete_o in the last cycle before) as models/accel/timing/array.h says. Its last
//                result is written 4 cycles after the contract's cycle of its last multiplication; nobody can read it earlier.
// Throughput:    a vector a cycle, folds and commands overlapping.
// Back-pressure: ready_o is low while Queue commands wait.
module accel_array #(
  parameter int Rows = 8,
  parameter int Cols = 8,
  parameter int AddressWidth = 16,
  parameter int ResultWidth = 14,
  parameter int Half = Rows > Cols ? Rows : Cols,
  parameter int Queue = 4
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    valid_i,
  output logic                    ready_o,
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
  output logic                    complete_o,
  output logic [1:0]              begins_o,  // commands that begin: one may load weights while another one streams
  output logic                    idle_o,  // nothing is queued or under way, everything is written

  output logic                    a_read_o,
  output logic [AddressWidth-1:0] a_address_o,
  input  logic [16*Half-1:0]      a_data_i,
  output logic                    w_read_o,
  output logic [AddressWidth-1:0] w_address_o,
  input  logic [16*Half-1:0]      w_data_i,
  output logic                    load_read_o,
  output logic [AddressWidth-1:0] load_address_o,
  input  logic [8*Half-1:0]       load_data_i,

  output logic                    out_read_o,
  output logic [ResultWidth-1:0]  out_read_address_o,
  input  logic [32*Cols-1:0]      out_read_data_i,
  output logic [4*Cols-1:0]       out_write_strobe_o,
  output logic [ResultWidth-1:0]  out_write_address_o,
  output logic [32*Cols-1:0]      out_write_data_o
);
  localparam int CountWidth = $clog2(Half + 1);
  localparam int StreamBits = 4 * AddressWidth + 2 * ResultWidth + 3 * 32 + 3;
  localparam int LoadBits = 2 * AddressWidth + 2 * 32 + 1;

  // Queues: every matmul streams, those with stationary weights load them first.
  logic                  stream_in_ready, load_in_ready, stream_valid, stream_done, load_valid, load_done;
  logic [StreamBits-1:0] stream_command;
  logic [LoadBits-1:0]   load_command;
  logic [AddressWidth-1:0] s_a, s_w, s_a_pitch, s_w_pitch, l_w, l_w_pitch;
  logic [ResultWidth-1:0]  s_out, s_out_pitch;
  logic [31:0]             s_m, s_k, s_n, l_k, l_n;
  logic                    s_accumulate, s_transpose, s_outputs_stay, l_transpose;

  assign ready_o = stream_in_ready && load_in_ready;
  accel_fifo #(.Width(StreamBits), .Depth(Queue)) u_stream_queue (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .in_valid_i(valid_i && load_in_ready),
    .in_ready_o(stream_in_ready),
    .in_data_i({a_i, w_i, a_pitch_i, w_pitch_i, out_i, out_pitch_i, m_i, k_i, n_i, accumulate_i, transpose_i, outputs_stay_i}),
    .out_valid_o(stream_valid),
    .out_ready_i(stream_done),
    .out_data_o(stream_command)
  );
  accel_fifo #(.Width(LoadBits), .Depth(Queue)) u_load_queue (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .in_valid_i(valid_i && stream_in_ready && !outputs_stay_i),
    .in_ready_o(load_in_ready),
    .in_data_i({w_i, w_pitch_i, k_i, n_i, transpose_i}),
    .out_valid_o(load_valid),
    .out_ready_i(load_done),
    .out_data_o(load_command)
  );
  assign {s_a, s_w, s_a_pitch, s_w_pitch, s_out, s_out_pitch, s_m, s_k, s_n, s_accumulate, s_transpose, s_outputs_stay} =
      stream_command;
  assign {l_w, l_w_pitch, l_k, l_n, l_transpose} = load_command;

  // Control.
  logic                   load_begins, stream_begins, loaded, starts;
  logic                   load_step, load_last_row;
  logic [CountWidth-1:0]  load_index, load_bytes;
  logic [3:0]             token;
  logic                   last;
  logic                   a_spread, a_lane, a_behind, w_spread, w_lane, w_behind;
  logic [CountWidth-1:0]  a_index, a_bytes, w_index, w_bytes, result_columns;
  logic                   result_valid, result_adds;
  logic [ResultWidth-1:0] result_address;

  accel_fold_loader #(
    .Rows(Rows),
    .Cols(Cols),
    .AddressWidth(AddressWidth)
  ) u_loader (
    .clk_i,
    .rst_ni,
    .command_valid_i(load_valid),
    .command_done_o(load_done),
    .w_i(l_w),
    .k_i(l_k),
    .n_i(l_n),
    .w_pitch_i(l_w_pitch),
    .transpose_i(l_transpose),
    .begins_o(load_begins),
    .loaded_o(loaded),
    .release_i(starts),
    .step_o(load_step),
    .read_o(load_read_o),
    .address_o(load_address_o),
    .index_o(load_index),
    .bytes_o(load_bytes),
    .last_row_o(load_last_row)
  );

  accel_fold_streamer #(
    .Rows(Rows),
    .Cols(Cols),
    .Half(Half),
    .AddressWidth(AddressWidth),
    .ResultWidth(ResultWidth)
  ) u_streamer (
    .clk_i,
    .rst_ni,
    .command_valid_i(stream_valid),
    .command_done_o(stream_done),
    .a_i(s_a),
    .w_i(s_w),
    .out_i(s_out),
    .m_i(s_m),
    .k_i(s_k),
    .n_i(s_n),
    .a_pitch_i(s_a_pitch),
    .w_pitch_i(s_w_pitch),
    .out_pitch_i(s_out_pitch),
    .accumulate_i(s_accumulate),
    .transpose_i(s_transpose),
    .outputs_stay_i(s_outputs_stay),
    .begins_o(stream_begins),
    .loaded_i(loaded),
    .release_o(starts),
    .token_o(token),
    .last_o(last),
    .a_spread_o(a_spread),
    .a_lane_o(a_lane),
    .a_behind_o(a_behind),
    .a_read_o,
    .a_address_o,
    .a_index_o(a_index),
    .a_bytes_o(a_bytes),
    .w_spread_o(w_spread),
    .w_lane_o(w_lane),
    .w_behind_o(w_behind),
    .w_read_o,
    .w_address_o,
    .w_index_o(w_index),
    .w_bytes_o(w_bytes),
    .result_valid_o(result_valid),
    .result_address_o(result_address),
    .result_columns_o(result_columns),
    .result_adds_o(result_adds)
  );
  assign begins_o = 2'(load_begins) + 2'(stream_begins);

  // The scratchpad answers one cycle later; what goes with the answer waits for it.
  logic                  a_spread_q, a_lane_q, a_behind_q, a_read_q, w_spread_q, w_lane_q, w_behind_q, w_read_q;
  logic                  load_spread_q, load_lane_q;
  logic [CountWidth-1:0] a_index_q, a_bytes_q, w_index_q, w_bytes_q, load_index_q, load_bytes_q;
  logic [16*Half-1:0]    a_window, w_window;
  logic [8*Half-1:0]     load_window;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      a_spread_q <= 1'b0;
      a_lane_q <= 1'b0;
      w_spread_q <= 1'b0;
      w_lane_q <= 1'b0;
      load_spread_q <= 1'b0;
      load_lane_q <= 1'b0;
    end else begin
      a_spread_q <= a_spread;
      a_lane_q <= a_lane;
      w_spread_q <= w_spread;
      w_lane_q <= w_lane;
      load_spread_q <= load_step && !l_transpose;
      load_lane_q <= load_step && l_transpose;
    end
    a_behind_q <= a_behind;
    w_behind_q <= w_behind;
    a_read_q <= a_read_o;
    w_read_q <= w_read_o;
    a_index_q <= a_index;
    w_index_q <= w_index;
    a_bytes_q <= a_bytes;
    w_bytes_q <= w_bytes;
    load_index_q <= load_index;
    load_bytes_q <= load_bytes;
  end
  for (genvar b = 0; b < 2 * Half; b++) begin : gen_window
    assign a_window[8*b +: 8] = a_spread_q ? (b < 32'(a_bytes_q) ? a_data_i[8*b +: 8] : 8'd0) : a_read_q ? a_data_i[8*b +: 8] : 8'd0;
    assign w_window[8*b +: 8] = w_spread_q ? (b < 32'(w_bytes_q) ? w_data_i[8*b +: 8] : 8'd0) : w_read_q ? w_data_i[8*b +: 8] : 8'd0;
  end
  for (genvar b = 0; b < Half; b++) begin : gen_load_window
    assign load_window[8*b +: 8] = b < 32'(load_bytes_q) ? load_data_i[8*b +: 8] : 8'd0;
  end

  logic [8*Rows-1:0] a_lanes;
  logic [8*Cols-1:0] w_lanes, chain_lanes;
  accel_feeder #(.Lanes(Rows), .Half(Half), .Window(2 * Half), .IndexWidth(CountWidth)) u_a_feeder (
    .clk_i,
    .spread_i(a_spread_q),
    .lane_i(a_lane_q),
    .behind_i(a_behind_q),
    .index_i(a_index_q),
    .data_i(a_window),
    .lane_o(a_lanes)
  );
  accel_feeder #(.Lanes(Cols), .Half(Half), .Window(2 * Half), .IndexWidth(CountWidth)) u_w_feeder (
    .clk_i,
    .spread_i(w_spread_q),
    .lane_i(w_lane_q),
    .behind_i(w_behind_q),
    .index_i(w_index_q),
    .data_i(w_window),
    .lane_o(w_lanes)
  );
  accel_feeder #(.Lanes(Cols), .Half(0), .Window(Half), .IndexWidth(CountWidth)) u_load_feeder (
    .clk_i,
    .spread_i(load_spread_q),
    .lane_i(load_lane_q),
    .behind_i(1'b0),
    .index_i(load_index_q),
    .data_i(load_window),
    .lane_o(chain_lanes)
  );

  // Tokens enter row r, and the shadow registers' strobe column c, r and c cycles after lane 0 has their data.
  logic [4*Rows-1:0]  tokens;
  logic [Cols-1:0]    loads;
  logic [32*Cols-1:0] sums;
  for (genvar r = 0; r < Rows; r++) begin : gen_token
    accel_delay #(.Width(4), .Stages(2 + r)) u_delay (.clk_i, .rst_ni, .data_i(token), .data_o(tokens[4*r +: 4]));
  end
  for (genvar c = 0; c < Cols; c++) begin : gen_load
    accel_delay #(.Width(1), .Stages(2 + c)) u_delay (.clk_i, .rst_ni, .data_i(load_last_row), .data_o(loads[c]));
  end
  accel_pe_grid #(.Rows(Rows), .Cols(Cols)) u_grid (
    .clk_i,
    .rst_ni,
    .token_i(tokens),
    .a_i(a_lanes),
    .w_i(w_lanes),
    .chain_i(chain_lanes),
    .load_i(loads),
    .sum_o(sums)
  );

  accel_results #(
    .Cols(Cols),
    .ResultWidth(ResultWidth),
    .CountWidth(CountWidth)
  ) u_results (
    .clk_i,
    .rst_ni,
    .result_valid_i(result_valid),
    .result_address_i(result_address),
    .result_columns_i(result_columns),
    .result_adds_i(result_adds),
    .sum_i(sums),
    .read_o(out_read_o),
    .read_address_o(out_read_address_o),
    .read_data_i(out_read_data_i),
    .write_strobe_o(out_write_strobe_o),
    .write_address_o(out_write_address_o),
    .write_data_o(out_write_data_o)
  );

  // Completion: the contract's cycle is one earlier than the streamer's.
  localparam int CompleteStages = Rows + Cols > 3 ? Rows + Cols - 3 : 0;
  accel_delay #(.Width(1), .Stages(CompleteStages)) u_complete (.clk_i, .rst_ni, .data_i(last), .data_o(complete_o));

  localparam int DrainWidth = $clog2(2 * Rows + Cols + 8);
  logic [DrainWidth-1:0] drain_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) drain_q <= '0;
    else if (stream_valid) drain_q <= DrainWidth'(2 * Rows + Cols + 6);
    else if (drain_q != '0) drain_q <= drain_q - DrainWidth'(1);
  end
  assign idle_o = !stream_valid && drain_q == '0;
endmodule
