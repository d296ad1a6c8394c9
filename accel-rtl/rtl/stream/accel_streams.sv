// The four command streams: fetching, issue, progress counters, signals and semaphores.
//
// Latency:       accel_stream; a completion counts in `progress_o` from the next cycle on; accel_signals for doorbells.
// Throughput:    a command a cycle and stream; one fetch a cycle for all of them.
// Back-pressure: a command waits at work_valid_o until work_ready_i; doorbells to others wait for bell_ready_i.
module accel_streams #(
  parameter int ScratchpadBytes = 65536,
  parameter int AccumulatorBytes = 16384,
  parameter int QueueDepth = 4,
  parameter int Semaphores = 9,
  parameter int Bits = 608  // of a command that any engine here reads
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     start_i,
  input  logic [3:0]               from_host_i,
  input  logic                     stop_i,
  input  logic [15:0]              self_i,
  input  logic [97*4-1:0]          region_i,
  input  logic [48*Semaphores-1:0] base_i,
  input  logic                     bell_i,  // a doorbell at this tile, and whose
  input  logic [15:0]              bell_index_i,
  input  logic [3:0]               push_i,
  input  logic [1023:0]            pushed_i,

  // To and from the engines, by engine.
  output logic [3:0]               work_valid_o,
  input  logic [3:0]               work_ready_i,
  input  logic [3:0]               complete_i,
  output logic [4*Bits-1:0]        command_o,
  output logic [127:0]             index_o,
  output logic [255:0]             size_o,         // bytes or multiplications
  output logic [255:0]             plane_bytes_o,  // of a DMA's plane
  output logic [3:0]               in_dram_o,
  output logic [3:0]               rows_touch_o,
  output logic [3:0]               planes_touch_o,
  output logic [3:0]               local_rows_touch_o,
  output logic [3:0]               local_planes_touch_o,

  // Doorbells at others.
  output logic                     bell_valid_o,
  input  logic                     bell_ready_i,
  output logic [47:0]              bell_address_o,

  // Program memory.
  output logic                     cmd_ar_valid_o,
  input  logic                     cmd_ar_ready_i,
  output logic [1:0]               cmd_ar_stream_o,
  output logic [31:0]              cmd_ar_index_o,
  input  logic                     cmd_r_valid_i,
  output logic                     cmd_r_ready_o,
  input  logic [1:0]               cmd_r_stream_i,
  input  logic [1023:0]            cmd_r_data_i,

  // For registers and counters.
  output logic [127:0]             progress_o,
  output logic [32*Semaphores-1:0] semaphore_o,
  output logic [3:0]               issued_o,
  output logic [3:0]               busy_o,
  output logic [3:0]               halted_o,
  output logic [3:0]               overflow_o,
  output logic [127:0]             overflow_index_o,
  output logic [3:0]               error_o,
  output logic [31:0]              error_code_o,
  output logic [15:0]              waits_for_o,
  output logic [7:0]               waits_at_o,
  output logic                     rang_o,
  output logic                     signals_idle_o
);
  logic [3:0]   ask_valid, ask_ready, answer_valid, signal_valid, signal_ready, signal_to_host;
  logic [127:0] ask_index;
  logic [63:0]  signal_semaphore, signal_first, signal_count;

  for (genvar e = 0; e < 4; e++) begin : gen_stream
    accel_stream #(
      .Engine(e),
      .ScratchpadBytes(ScratchpadBytes),
      .AccumulatorBytes(AccumulatorBytes),
      .QueueDepth(QueueDepth),
      .Semaphores(Semaphores),
      .Regions(4),
      .Bits(Bits)
    ) u_stream (
      .clk_i,
      .rst_ni,
      .start_i,
      .from_host_i(from_host_i[e]),
      .stop_i,
      .region_i,
      .progress_i(progress_o),
      .semaphore_i(semaphore_o),
      .ask_valid_o(ask_valid[e]),
      .ask_ready_i(ask_ready[e]),
      .ask_index_o(ask_index[32*e +: 32]),
      .answer_valid_i(answer_valid[e]),
      .answer_i(cmd_r_data_i),
      .push_i(push_i[e]),
      .pushed_i,
      .overflow_o(overflow_o[e]),
      .overflow_index_o(overflow_index_o[32*e +: 32]),
      .work_valid_o(work_valid_o[e]),
      .work_ready_i(work_ready_i[e]),
      .command_o(command_o[Bits*e +: Bits]),
      .index_o(index_o[32*e +: 32]),
      .in_dram_o(in_dram_o[e]),
      .size_o(size_o[64*e +: 64]),
      .rows_touch_o(rows_touch_o[e]),
      .planes_touch_o(planes_touch_o[e]),
      .local_rows_touch_o(local_rows_touch_o[e]),
      .local_planes_touch_o(local_planes_touch_o[e]),
      .plane_bytes_o(plane_bytes_o[64*e +: 64]),
      .complete_i(complete_i[e]),
      .error_valid_o(error_o[e]),
      .error_code_o(error_code_o[8*e +: 8]),
      .signal_valid_o(signal_valid[e]),
      .signal_ready_i(signal_ready[e]),
      .signal_semaphore_o(signal_semaphore[16*e +: 16]),
      .signal_first_o(signal_first[16*e +: 16]),
      .signal_count_o(signal_count[16*e +: 16]),
      .signal_to_host_o(signal_to_host[e]),
      .issued_o(issued_o[e]),
      .busy_o(busy_o[e]),
      .waits_for_o(waits_for_o[4*e +: 4]),
      .waits_at_o(waits_at_o[2*e +: 2]),
      .halted_o(halted_o[e])
    );
    logic [31:0] progress_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) progress_q <= accel_command_pkg::CounterStart;
      else progress_q <= progress_q + 32'(complete_i[e]);
    end
    assign progress_o[32*e +: 32] = progress_q;
  end

  accel_fetch_arbiter u_fetch (
    .clk_i,
    .rst_ni,
    .ask_valid_i(ask_valid),
    .ask_ready_o(ask_ready),
    .ask_index_i(ask_index),
    .answer_valid_o(answer_valid),
    .cmd_ar_valid_o,
    .cmd_ar_ready_i,
    .cmd_ar_stream_o,
    .cmd_ar_index_o,
    .cmd_r_valid_i,
    .cmd_r_ready_o,
    .cmd_r_stream_i
  );

  logic        rings_self;
  logic [15:0] self_semaphore;
  accel_signals #(.Semaphores(Semaphores)) u_signals (
    .clk_i,
    .rst_ni,
    .self_i,
    .base_i,
    .valid_i(signal_valid),
    .ready_o(signal_ready),
    .semaphore_i(signal_semaphore),
    .first_i(signal_first),
    .count_i(signal_count),
    .to_host_i(signal_to_host),
    .rings_self_o(rings_self),
    .self_semaphore_o(self_semaphore),
    .rang_o,
    .bell_valid_o,
    .bell_ready_i,
    .bell_address_o,
    .idle_o(signals_idle_o)
  );
  accel_semaphores #(.Semaphores(Semaphores)) u_semaphores (
    .clk_i,
    .rst_ni,
    .self_i(rings_self),
    .self_index_i(self_semaphore),
    .bell_i,
    .bell_index_i,
    .value_o(semaphore_o)
  );
endmodule
