// One accelerator tile: command streams, load and store engine, scratchpad, systolic array, accumulator SRAM, registers.
//
// Latency:       accel-rtl/README.md, the cycle contract.
// Throughput:    one vector a cycle through the array; one beat a cycle on R and on W; one burst request a cycle.
// Back-pressure: every channel may stall at any time; commands are fetched at most QueueDepth ahead a stream.
module accel_core #(
  parameter int Rows = accel_config_pkg::Rows,
  parameter int Cols = accel_config_pkg::Cols,
  parameter int ScratchpadBytes = accel_config_pkg::ScratchpadBytes,
  parameter int ScratchpadBanks = accel_config_pkg::ScratchpadBanks,
  parameter int PortBytes = accel_config_pkg::PortBytes,
  parameter int AccumulatorBytes = accel_config_pkg::AccumulatorBytes,
  parameter int QueueDepth = accel_config_pkg::QueueDepth,
  parameter int DmaOutstanding = accel_config_pkg::DmaOutstanding,
  parameter int DmaBurstBytes = accel_config_pkg::DmaBurstBytes,
  parameter int DmaSetupCycles = accel_config_pkg::DmaSetupCycles,
  parameter int DmaDescriptors = accel_config_pkg::DmaDescriptors,
  parameter int Semaphores = accel_config_pkg::Semaphores
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  output logic                     irq_o,

  // Work commands that complete in this cycle, a bit an engine (load, array, vector, store): for traces.
  output logic [3:0]               complete_o,

  // AXI4 memory port.
  output logic [3:0]               m_axi_arid_o,
  output logic [47:0]              m_axi_araddr_o,
  output logic [7:0]               m_axi_arlen_o,
  output logic [2:0]               m_axi_arsize_o,
  output logic [1:0]               m_axi_arburst_o,
  output logic                     m_axi_arvalid_o,
  input  logic                     m_axi_arready_i,
  input  logic [3:0]               m_axi_rid_i,
  input  logic [8*PortBytes-1:0]   m_axi_rdata_i,
  input  logic [1:0]               m_axi_rresp_i,
  input  logic                     m_axi_rlast_i,
  input  logic                     m_axi_rvalid_i,
  output logic                     m_axi_rready_o,
  output logic [3:0]               m_axi_awid_o,
  output logic [47:0]              m_axi_awaddr_o,
  output logic [7:0]               m_axi_awlen_o,
  output logic [2:0]               m_axi_awsize_o,
  output logic [1:0]               m_axi_awburst_o,
  output logic                     m_axi_awvalid_o,
  input  logic                     m_axi_awready_i,
  output logic [8*PortBytes-1:0]   m_axi_wdata_o,
  output logic [PortBytes-1:0]     m_axi_wstrb_o,
  output logic                     m_axi_wlast_o,
  output logic                     m_axi_wvalid_o,
  input  logic                     m_axi_wready_i,
  input  logic [3:0]               m_axi_bid_i,
  input  logic [1:0]               m_axi_bresp_i,
  input  logic                     m_axi_bvalid_i,
  output logic                     m_axi_bready_o,

  // AXI4-Lite registers: accel_csr_pkg.
  input  logic [15:0]              s_axil_awaddr_i,
  input  logic                     s_axil_awvalid_i,
  output logic                     s_axil_awready_o,
  input  logic [31:0]              s_axil_wdata_i,
  input  logic [3:0]               s_axil_wstrb_i,
  input  logic                     s_axil_wvalid_i,
  output logic                     s_axil_wready_o,
  output logic [1:0]               s_axil_bresp_o,
  output logic                     s_axil_bvalid_o,
  input  logic                     s_axil_bready_i,
  input  logic [15:0]              s_axil_araddr_i,
  input  logic                     s_axil_arvalid_i,
  output logic                     s_axil_arready_o,
  output logic [31:0]              s_axil_rdata_o,
  output logic [1:0]               s_axil_rresp_o,
  output logic                     s_axil_rvalid_o,
  input  logic                     s_axil_rready_i,

  // Program memory: commands by stream and index, answered in order per stream.
  output logic                     cmd_ar_valid_o,
  input  logic                     cmd_ar_ready_i,
  output logic [1:0]               cmd_ar_stream_o,
  output logic [31:0]              cmd_ar_index_o,
  input  logic                     cmd_r_valid_i,
  output logic                     cmd_r_ready_o,
  input  logic [1:0]               cmd_r_stream_i,
  input  logic [1023:0]            cmd_r_data_i
);
  localparam int Bits = 608;  // of a command; the rest is the vector unit's
  localparam int Half = Rows > Cols ? Rows : Cols;
  localparam int ScratchpadWidth = $clog2(ScratchpadBytes);
  localparam int AccumulatorWidth = $clog2(AccumulatorBytes);
  localparam int Stats = accel_config_pkg::Stats;

  // Registers.
  logic                     start, error, finished, bell;
  logic [3:0]               from_host, push, halted, overflow;
  logic [127:0]             overflow_index;
  logic [15:0]              self_index, bell_index;
  logic [97*4-1:0]          region;
  logic [48*Semaphores-1:0] base;
  logic [1023:0]            pushed;
  logic                     error_valid;
  logic [7:0]               error_code;
  logic [1:0]               error_stream;
  logic [31:0]              error_index;
  logic [32*Semaphores-1:0] semaphore_values;
  logic [127:0]             progress;
  logic [64*Stats-1:0]      stat;
  logic [64*32-1:0]         times;
  logic [63:0]              cycles;

  accel_registers #(.Semaphores(Semaphores)) u_registers (
    .clk_i,
    .rst_ni,
    .awaddr_i(s_axil_awaddr_i),
    .awvalid_i(s_axil_awvalid_i),
    .awready_o(s_axil_awready_o),
    .wdata_i(s_axil_wdata_i),
    .wstrb_i(s_axil_wstrb_i),
    .wvalid_i(s_axil_wvalid_i),
    .wready_o(s_axil_wready_o),
    .bresp_o(s_axil_bresp_o),
    .bvalid_o(s_axil_bvalid_o),
    .bready_i(s_axil_bready_i),
    .araddr_i(s_axil_araddr_i),
    .arvalid_i(s_axil_arvalid_i),
    .arready_o(s_axil_arready_o),
    .rdata_o(s_axil_rdata_o),
    .rresp_o(s_axil_rresp_o),
    .rvalid_o(s_axil_rvalid_o),
    .rready_i(s_axil_rready_i),
    .start_o(start),
    .from_host_o(from_host),
    .self_o(self_index),
    .region_o(region),
    .base_o(base),
    .bell_o(bell),
    .bell_index_o(bell_index),
    .push_o(push),
    .pushed_o(pushed),
    .irq_o,
    .finished_i(finished),
    .halted_i(halted),
    .error_valid_i(error_valid),
    .error_code_i(error_code),
    .error_stream_i(error_stream),
    .error_index_i(error_index),
    .error_o(error),
    .semaphore_i(semaphore_values),
    .progress_i(progress),
    .stat_i(stat),
    .time_i(times),
    .cycles_i(cycles)
  );

  // Streams.
  logic [3:0]        work_valid, work_ready, complete, in_dram, rows_touch, planes_touch, local_rows_touch, local_planes_touch;
  logic [255:0]      size, plane_bytes;
  logic [127:0]      command_index;
  logic [4*Bits-1:0] command;
  logic [3:0]        stream_error, issued, busy;
  logic [31:0]       stream_error_code;
  logic [15:0]       waits_for;
  logic [7:0]        waits_at;
  logic              rang, bell_valid, bell_ready, signals_idle;
  logic [47:0]       bell_address;
  accel_streams #(
    .ScratchpadBytes(ScratchpadBytes),
    .AccumulatorBytes(AccumulatorBytes),
    .QueueDepth(QueueDepth),
    .Semaphores(Semaphores),
    .Bits(Bits)
  ) u_streams (
    .clk_i,
    .rst_ni,
    .start_i(start),
    .from_host_i(from_host),
    .stop_i(error),
    .self_i(self_index),
    .region_i(region),
    .base_i(base),
    .bell_i(bell),
    .bell_index_i(bell_index),
    .push_i(push),
    .pushed_i(pushed),
    .work_valid_o(work_valid),
    .work_ready_i(work_ready),
    .complete_i(complete),
    .command_o(command),
    .index_o(command_index),
    .size_o(size),
    .plane_bytes_o(plane_bytes),
    .in_dram_o(in_dram),
    .rows_touch_o(rows_touch),
    .planes_touch_o(planes_touch),
    .local_rows_touch_o(local_rows_touch),
    .local_planes_touch_o(local_planes_touch),
    .bell_valid_o(bell_valid),
    .bell_ready_i(bell_ready),
    .bell_address_o(bell_address),
    .cmd_ar_valid_o, .cmd_ar_ready_i, .cmd_ar_stream_o, .cmd_ar_index_o,
    .cmd_r_valid_i, .cmd_r_ready_o, .cmd_r_stream_i, .cmd_r_data_i,
    .progress_o(progress),
    .semaphore_o(semaphore_values),
    .issued_o(issued),
    .busy_o(busy),
    .halted_o(halted),
    .overflow_o(overflow),
    .overflow_index_o(overflow_index),
    .error_o(stream_error),
    .error_code_o(stream_error_code),
    .waits_for_o(waits_for),
    .waits_at_o(waits_at),
    .rang_o(rang),
    .signals_idle_o(signals_idle)
  );
  assign complete_o = complete;
  assign work_ready[2] = 1'b0;  // there is no vector unit
  assign complete[2] = 1'b0;

  // DMA: engines 0 and 3.
  logic [1:0]  moves;
  logic        load_error, store_error, bell_error, write_idle, store_read;
  logic [31:0] load_error_index, store_error_index, load_local, store_local;
  logic [PortBytes-1:0]   load_strobe;
  logic [8*PortBytes-1:0] load_data, store_data;
  accel_dma #(
    .PortBytes(PortBytes),
    .BurstBytes(DmaBurstBytes),
    .Outstanding(DmaOutstanding),
    .SetupCycles(DmaSetupCycles),
    .Descriptors(DmaDescriptors),
    .Bits(Bits)
  ) u_dma (
    .clk_i,
    .rst_ni,
    .valid_i({work_valid[3], work_valid[0]}),
    .ready_o({work_ready[3], work_ready[0]}),
    .complete_o({complete[3], complete[0]}),
    .command_i({command[3*Bits +: Bits], command[0 +: Bits]}),
    .index_i({command_index[127:96], command_index[31:0]}),
    .size_i({size[255:192], size[63:0]}),
    .plane_bytes_i({plane_bytes[255:192], plane_bytes[63:0]}),
    .rows_touch_i({rows_touch[3], rows_touch[0]}),
    .planes_touch_i({planes_touch[3], planes_touch[0]}),
    .local_rows_touch_i({local_rows_touch[3], local_rows_touch[0]}),
    .local_planes_touch_i({local_planes_touch[3], local_planes_touch[0]}),
    .moves_o(moves),
    .load_error_o(load_error),
    .load_error_index_o(load_error_index),
    .store_error_o(store_error),
    .store_error_index_o(store_error_index),
    .write_idle_o(write_idle),
    .bell_valid_i(bell_valid),
    .bell_ready_o(bell_ready),
    .bell_address_i(bell_address),
    .bell_error_o(bell_error),
    .write_local_o(load_local),
    .write_strobe_o(load_strobe),
    .write_data_o(load_data),
    .read_o(store_read),
    .read_local_o(store_local),
    .read_data_i(store_data),
    .m_axi_arid_o, .m_axi_araddr_o, .m_axi_arlen_o, .m_axi_arsize_o, .m_axi_arburst_o, .m_axi_arvalid_o, .m_axi_arready_i,
    .m_axi_rid_i, .m_axi_rdata_i, .m_axi_rresp_i, .m_axi_rlast_i, .m_axi_rvalid_i, .m_axi_rready_o, .m_axi_awid_o,
    .m_axi_awaddr_o, .m_axi_awlen_o, .m_axi_awsize_o, .m_axi_awburst_o, .m_axi_awvalid_o, .m_axi_awready_i, .m_axi_wdata_o,
    .m_axi_wstrb_o, .m_axi_wlast_o, .m_axi_wvalid_o, .m_axi_wready_i, .m_axi_bid_i, .m_axi_bresp_i, .m_axi_bvalid_i,
    .m_axi_bready_o
  );

  // Array and memories.
  logic [Bits-1:0] matmul;
  logic            a_read, w_read, weights_read, out_read, array_idle;
  logic [1:0]      array_begins;
  logic [ScratchpadWidth-1:0]  a_address, w_address, weights_address;
  logic [AccumulatorWidth-1:0] out_read_address, out_write_address;
  logic [16*Half-1:0] a_data, w_data;
  logic [8*Half-1:0]  weights_data;
  logic [32*Cols-1:0] out_read_data;
  logic [4*Cols-1:0]  out_strobe;
  logic [32*Cols-1:0] out_data;
  assign matmul = command[Bits +: Bits];
  accel_array #(
    .Rows(Rows),
    .Cols(Cols),
    .AddressWidth(ScratchpadWidth),
    .ResultWidth(AccumulatorWidth)
  ) u_array (
    .clk_i,
    .rst_ni,
    .valid_i(work_valid[1]),
    .ready_o(work_ready[1]),
    .a_i(matmul[accel_command_pkg::MatmulA +: ScratchpadWidth]),
    .w_i(matmul[accel_command_pkg::MatmulW +: ScratchpadWidth]),
    .out_i(matmul[accel_command_pkg::MatmulOut +: AccumulatorWidth]),
    .m_i(matmul[accel_command_pkg::MatmulM +: 32]),
    .k_i(matmul[accel_command_pkg::MatmulK +: 32]),
    .n_i(matmul[accel_command_pkg::MatmulN +: 32]),
    .a_pitch_i(matmul[accel_command_pkg::MatmulAPitch +: ScratchpadWidth]),
    .w_pitch_i(matmul[accel_command_pkg::MatmulWPitch +: ScratchpadWidth]),
    .out_pitch_i(matmul[accel_command_pkg::MatmulOutPitch +: AccumulatorWidth]),
    .accumulate_i(matmul[accel_command_pkg::MatmulAccumulate]),
    .transpose_i(matmul[accel_command_pkg::MatmulTransposeW]),
    .outputs_stay_i(matmul[accel_command_pkg::MatmulDataflow +: 2] == 2'(accel_command_pkg::DataflowOutputStationary)),
    .complete_o(complete[1]),
    .begins_o(array_begins),
    .idle_o(array_idle),
    .a_read_o(a_read),
    .a_address_o(a_address),
    .a_data_i(a_data),
    .w_read_o(w_read),
    .w_address_o(w_address),
    .w_data_i(w_data),
    .load_read_o(weights_read),
    .load_address_o(weights_address),
    .load_data_i(weights_data),
    .out_read_o(out_read),
    .out_read_address_o(out_read_address),
    .out_read_data_i(out_read_data),
    .out_write_strobe_o(out_strobe),
    .out_write_address_o(out_write_address),
    .out_write_data_o(out_data)
  );
  accel_memories #(
    .Rows(Rows),
    .Cols(Cols),
    .ScratchpadBytes(ScratchpadBytes),
    .ScratchpadBanks(ScratchpadBanks),
    .PortBytes(PortBytes),
    .AccumulatorBytes(AccumulatorBytes)
  ) u_memories (
    .clk_i,
    .write_local_i(load_local),
    .write_strobe_i(load_strobe),
    .write_data_i(load_data),
    .read_i(store_read),
    .read_local_i(store_local),
    .read_data_o(store_data),
    .a_read_i(a_read),
    .a_address_i(a_address),
    .a_data_o(a_data),
    .w_read_i(w_read),
    .w_address_i(w_address),
    .w_data_o(w_data),
    .load_read_i(weights_read),
    .load_address_i(weights_address),
    .load_data_o(weights_data),
    .out_read_i(out_read),
    .out_read_address_i(out_read_address),
    .out_read_data_o(out_read_data),
    .out_write_strobe_i(out_strobe),
    .out_write_address_i(out_write_address),
    .out_write_data_i(out_data)
  );

  // The end, errors, counters.
  assign finished = halted == 4'b1111 && !start && array_idle && signals_idle && write_idle;
  accel_error_select u_error (
    .load_error_i(load_error),
    .load_index_i(load_error_index),
    .store_error_i(store_error),
    .store_index_i(store_error_index),
    .bell_error_i(bell_error),
    .overflow_i(overflow),
    .overflow_index_i(overflow_index),
    .stream_error_i(stream_error),
    .stream_code_i(stream_error_code),
    .stream_index_i(command_index),
    .valid_o(error_valid),
    .code_o(error_code),
    .stream_o(error_stream),
    .index_o(error_index)
  );
  accel_counters #(.Rows(Rows), .Cols(Cols), .Stats(Stats)) u_counters (
    .clk_i,
    .rst_ni,
    .start_i(start),
    .running_i(!finished),
    .issued_i(issued),
    .size_i(size),
    .in_dram_i(in_dram),
    .rang_i(rang),
    .array_begins_i(array_begins),
    .array_completes_i(complete[1]),
    .moves_i({moves[1], 2'b00, moves[0]}),
    .under_way_i(busy),
    .waits_for_i(waits_for),
    .waits_at_i(waits_at),
    .stat_o(stat),
    .time_o(times),
    .cycles_o(cycles)
  );

  logic unused;
  assign unused = ^{matmul, command, command_index, size, rows_touch, planes_touch, local_rows_touch, local_planes_touch,
                    plane_bytes, work_valid[2]};
endmodule
