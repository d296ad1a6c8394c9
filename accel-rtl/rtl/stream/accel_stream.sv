// One command stream: fetch, loops, checks, issue.
//
// Latency:       4 cycles from a command's arrival to its issue, which hide behind the commands before it.
// Throughput:    a command a cycle; a jump costs the fetch of what follows.
// Back-pressure: three commands wait in it, besides the QueueDepth that are fetched ahead.
module accel_stream #(
  parameter int Engine = 0,  // 0 load, 1 array, 2 vector, 3 store
  parameter int ScratchpadBytes = 65536,
  parameter int AccumulatorBytes = 16384,
  parameter int QueueDepth = 4,
  parameter int Semaphores = 2,
  parameter int Regions = 4,
  parameter int Bits = 608
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     start_i,
  input  logic                     from_host_i,
  input  logic                     stop_i,
  input  logic [97*Regions-1:0]    region_i,
  input  logic [4*32-1:0]          progress_i,
  input  logic [32*Semaphores-1:0] semaphore_i,

  output logic                     ask_valid_o,
  input  logic                     ask_ready_i,
  output logic [31:0]              ask_index_o,
  input  logic                     answer_valid_i,
  input  logic [1023:0]            answer_i,
  input  logic                     push_i,
  input  logic [1023:0]            pushed_i,
  output logic                     overflow_o,
  output logic [31:0]              overflow_index_o,

  output logic                     work_valid_o,
  input  logic                     work_ready_i,
  output logic [Bits-1:0]          command_o,
  output logic [31:0]              index_o,
  output logic                     in_dram_o,
  output logic [63:0]              size_o,  // bytes in memory, or multiplications
  output logic                     rows_touch_o,
  output logic                     planes_touch_o,
  output logic                     local_rows_touch_o,
  output logic                     local_planes_touch_o,
  output logic [63:0]              plane_bytes_o,
  input  logic                     complete_i,

  output logic                     error_valid_o,
  output logic [7:0]               error_code_o,
  output logic                     signal_valid_o,
  input  logic                     signal_ready_i,
  output logic [15:0]              signal_semaphore_o,
  output logic [15:0]              signal_first_o,
  output logic [15:0]              signal_count_o,
  output logic                     signal_to_host_o,
  output logic                     issued_o,
  output logic                     busy_o,
  output logic [3:0]               waits_for_o,
  output logic [1:0]               waits_at_o,
  output logic                     halted_o
);
  localparam int WorkOpcode = Engine == 1 ? accel_command_pkg::OpcodeMatmul :
      Engine == 2 ? accel_command_pkg::OpcodeVector : accel_command_pkg::OpcodeDma;

  logic          fetched_valid, fetched_ready, jump, stop;
  logic [31:0]   jump_index;
  logic [1023:0] fetched;
  accel_prefetch #(.Depth(QueueDepth)) u_prefetch (
    .clk_i,
    .rst_ni,
    .start_i,
    .from_host_i,
    .jump_i(jump),
    .jump_index_i(jump_index),
    .stop_i(stop),
    .ask_valid_o,
    .ask_ready_i,
    .ask_index_o,
    .answer_valid_i,
    .answer_i,
    .push_i,
    .pushed_i,
    .overflow_o,
    .overflow_index_o,
    .valid_o(fetched_valid),
    .ready_i(fetched_ready),
    .command_o(fetched)
  );

  logic            resolved_valid, resolved_ready, resolved_illegal;
  logic [Bits-1:0] resolved;
  logic [31:0]     resolved_index;
  accel_sequencer #(.OutBits(Bits)) u_sequencer (
    .clk_i,
    .rst_ni,
    .start_i,
    .from_host_i,
    .command_valid_i(fetched_valid),
    .command_ready_o(fetched_ready),
    .command_i(fetched),
    .jump_o(jump),
    .jump_index_o(jump_index),
    .stop_o(stop),
    .valid_o(resolved_valid),
    .ready_i(resolved_ready),
    .command_o(resolved),
    .index_o(resolved_index),
    .illegal_o(resolved_illegal)
  );

  logic checked_valid, checked_ready, illegal, bad_address;
  if (Engine == 1) begin : gen_matmul
    accel_matmul_check #(
      .ScratchpadBytes(ScratchpadBytes),
      .AccumulatorBytes(AccumulatorBytes),
      .Bits(Bits)
    ) u_check (
      .clk_i,
      .rst_ni,
      .valid_i(resolved_valid),
      .ready_o(resolved_ready),
      .command_i(resolved),
      .index_i(resolved_index),
      .illegal_i(resolved_illegal),
      .valid_o(checked_valid),
      .ready_i(checked_ready),
      .command_o,
      .index_o,
      .illegal_o(illegal),
      .bad_address_o(bad_address),
      .macs_o(size_o)
    );
    assign in_dram_o = 1'b0;
    assign rows_touch_o = 1'b0;
    assign planes_touch_o = 1'b0;
    assign local_rows_touch_o = 1'b0;
    assign local_planes_touch_o = 1'b0;
    assign plane_bytes_o = '0;
    logic unused;
    assign unused = ^region_i;
  end else begin : gen_dma
    accel_dma_check #(
      .ScratchpadBytes(ScratchpadBytes),
      .AccumulatorBytes(AccumulatorBytes),
      .IsStore(Engine == 3),
      .Regions(Regions),
      .Bits(Bits)
    ) u_check (
      .clk_i,
      .rst_ni,
      .region_i,
      .valid_i(resolved_valid),
      .ready_o(resolved_ready),
      .command_i(resolved),
      .index_i(resolved_index),
      .illegal_i(resolved_illegal),
      .valid_o(checked_valid),
      .ready_i(checked_ready),
      .command_o,
      .index_o,
      .illegal_o(illegal),
      .bad_address_o(bad_address),
      .in_dram_o,
      .memory_bytes_o(size_o),
      .rows_touch_o,
      .planes_touch_o,
      .plane_bytes_o,
      .local_rows_touch_o,
      .local_planes_touch_o
    );
  end

  accel_issue #(
    .WorkOpcode(WorkOpcode),
    .Semaphores(Semaphores),
    .Bits(Bits)
  ) u_issue (
    .clk_i,
    .rst_ni,
    .start_i,
    .stop_i,
    .progress_i,
    .semaphore_i,
    .valid_i(checked_valid),
    .ready_o(checked_ready),
    .command_i(command_o),
    .illegal_i(illegal),
    .bad_address_i(bad_address),
    .work_valid_o,
    .work_ready_i,
    .complete_i,
    .busy_o,
    .error_valid_o,
    .error_code_o,
    .signal_valid_o,
    .signal_ready_i,
    .signal_semaphore_o,
    .signal_first_o,
    .signal_count_o,
    .signal_to_host_o,
    .issued_o,
    .waits_for_o,
    .waits_at_o,
    .halted_o
  );
endmodule
