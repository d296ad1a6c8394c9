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
  parameter int QueueDepth = 4,
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
  localparam int ScratchpadWindow = 2 * Half > PortBytes ? 2 * Half : PortBytes;
  localparam int AccumulatorWords = Cols > PortBytes / 4 + 1 ? Cols : PortBytes / 4 + 1;
  localparam int AccumulatorBanks = 1 << $clog2(AccumulatorWords);
  localparam int AccumulatorWindow = 4 * Cols > PortBytes ? 4 * Cols : PortBytes;
  localparam int Stats = accel_config_pkg::Stats;

  // Registers.
  logic                     start, error, finished, bell, irq;
  logic [3:0]               from_host, push, halted, overflow;
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
    .irq_o(irq),
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
  assign irq_o = irq;

  // Streams.
  logic [3:0]        ask_valid, ask_ready, answer_valid, work_valid, work_ready, in_dram, rows_touch, planes_touch, complete;
  logic [3:0]        local_rows_touch, local_planes_touch;
  logic [255:0]      plane_bytes;
  logic [127:0]      ask_index, command_index;
  logic [4*Bits-1:0] command;
  logic [255:0]      size;
  logic [3:0]        stream_error, signal_valid, signal_ready, signal_to_host, issued, busy;
  logic [31:0]       stream_error_code;
  logic [63:0]       signal_semaphore, signal_first, signal_count;
  logic [15:0]       waits_for;
  logic [7:0]        waits_at;

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
      .start_i(start),
      .from_host_i(from_host[e]),
      .stop_i(error),
      .region_i(region),
      .progress_i(progress),
      .semaphore_i(semaphore_values),
      .ask_valid_o(ask_valid[e]),
      .ask_ready_i(ask_ready[e]),
      .ask_index_o(ask_index[32*e +: 32]),
      .answer_valid_i(answer_valid[e]),
      .answer_i(cmd_r_data_i),
      .push_i(push[e]),
      .pushed_i(pushed),
      .overflow_o(overflow[e]),
      .work_valid_o(work_valid[e]),
      .work_ready_i(work_ready[e]),
      .command_o(command[Bits*e +: Bits]),
      .index_o(command_index[32*e +: 32]),
      .in_dram_o(in_dram[e]),
      .size_o(size[64*e +: 64]),
      .rows_touch_o(rows_touch[e]),
      .planes_touch_o(planes_touch[e]),
      .local_rows_touch_o(local_rows_touch[e]),
      .local_planes_touch_o(local_planes_touch[e]),
      .plane_bytes_o(plane_bytes[64*e +: 64]),
      .complete_i(complete[e]),
      .error_valid_o(stream_error[e]),
      .error_code_o(stream_error_code[8*e +: 8]),
      .signal_valid_o(signal_valid[e]),
      .signal_ready_i(signal_ready[e]),
      .signal_semaphore_o(signal_semaphore[16*e +: 16]),
      .signal_first_o(signal_first[16*e +: 16]),
      .signal_count_o(signal_count[16*e +: 16]),
      .signal_to_host_o(signal_to_host[e]),
      .issued_o(issued[e]),
      .busy_o(busy[e]),
      .waits_for_o(waits_for[4*e +: 4]),
      .waits_at_o(waits_at[2*e +: 2]),
      .halted_o(halted[e])
    );
    logic [31:0] progress_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) progress_q <= accel_command_pkg::CounterStart;
      else progress_q <= progress_q + 32'(complete[e]);
    end
    assign progress[32*e +: 32] = progress_q;
  end
  assign complete_o = complete;
  assign work_ready[2] = 1'b0;  // there is no vector unit
  assign complete[2] = 1'b0;

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

  // Signals and semaphores.
  logic        rings_self, rang, bell_valid, bell_ready, signals_idle;
  logic [15:0] self_semaphore;
  logic [47:0] bell_address;
  accel_signals #(.Semaphores(Semaphores)) u_signals (
    .clk_i,
    .rst_ni,
    .self_i(self_index),
    .base_i(base),
    .valid_i(signal_valid),
    .ready_o(signal_ready),
    .semaphore_i(signal_semaphore),
    .first_i(signal_first),
    .count_i(signal_count),
    .to_host_i(signal_to_host),
    .rings_self_o(rings_self),
    .self_semaphore_o(self_semaphore),
    .rang_o(rang),
    .bell_valid_o(bell_valid),
    .bell_ready_i(bell_ready),
    .bell_address_o(bell_address),
    .idle_o(signals_idle)
  );
  accel_semaphores #(.Semaphores(Semaphores)) u_semaphores (
    .clk_i,
    .rst_ni,
    .self_i(rings_self),
    .self_index_i(self_semaphore),
    .bell_i(bell),
    .bell_index_i(bell_index),
    .value_o(semaphore_values)
  );

  // What both DMA engines take from their commands.
  logic [95:0]  memory_address, run_bytes, memory_row_pitch, memory_plane_pitch;
  logic [63:0]  run_rows, run_planes, local_address, row_bytes, rows, planes, local_row_pitch, local_plane_pitch;
  for (genvar d = 0; d < 2; d++) begin : gen_dma_fields
    localparam int Engine = d == 0 ? 0 : 3;
    logic [Bits-1:0] fields;
    logic            unused_bits;
    assign fields = command[Bits*Engine +: Bits];
    assign unused_bits = ^fields;
    assign memory_address[48*d +: 48] = fields[accel_command_pkg::DmaMemoryAddress +: 48];
    assign memory_row_pitch[48*d +: 48] = fields[accel_command_pkg::DmaMemoryRowPitch +: 48];
    assign memory_plane_pitch[48*d +: 48] = fields[accel_command_pkg::DmaMemoryPlanePitch +: 48];
    assign local_address[32*d +: 32] = fields[accel_command_pkg::DmaLocal +: 32];
    // Local rows and planes that touch are one row.
    always_comb begin
      row_bytes[32*d +: 32] = fields[accel_command_pkg::DmaRowBytes +: 32];
      rows[32*d +: 32] = fields[accel_command_pkg::DmaRows +: 32];
      planes[32*d +: 32] = fields[accel_command_pkg::DmaPlanes +: 32];
      if (local_planes_touch[Engine]) begin
        row_bytes[32*d +: 32] = size[64*Engine +: 32];
        rows[32*d +: 32] = 32'd1;
        planes[32*d +: 32] = 32'd1;
      end else if (local_rows_touch[Engine]) begin
        row_bytes[32*d +: 32] = plane_bytes[64*Engine +: 32];
        rows[32*d +: 32] = 32'd1;
      end
    end
    assign local_row_pitch[32*d +: 32] = fields[accel_command_pkg::DmaLocalRowPitch +: 32];
    assign local_plane_pitch[32*d +: 32] = fields[accel_command_pkg::DmaLocalPlanePitch +: 32];
    // Runs of touching bytes.
    always_comb begin
      run_rows[32*d +: 32] = fields[accel_command_pkg::DmaRows +: 32];
      run_planes[32*d +: 32] = fields[accel_command_pkg::DmaPlanes +: 32];
      run_bytes[48*d +: 48] = 48'(fields[accel_command_pkg::DmaRowBytes +: 32]);
      if (rows_touch[Engine]) begin
        run_rows[32*d +: 32] = 32'd1;
        run_bytes[48*d +: 48] = plane_bytes[64*Engine +: 48];
      end
      if (planes_touch[Engine]) begin
        run_planes[32*d +: 32] = 32'd1;
        run_bytes[48*d +: 48] = size[64*Engine +: 48];
      end
    end
  end

  // Load engine.
  logic        load_moves, load_error;
  logic [31:0] load_error_index, load_local;
  logic [PortBytes-1:0]   load_strobe;
  logic [8*PortBytes-1:0] load_data;
  accel_load #(
    .PortBytes(PortBytes),
    .BurstBytes(DmaBurstBytes),
    .Outstanding(DmaOutstanding),
    .SetupCycles(DmaSetupCycles),
    .Descriptors(DmaDescriptors)
  ) u_load (
    .clk_i,
    .rst_ni,
    .valid_i(work_valid[0]),
    .ready_o(work_ready[0]),
    .index_i(command_index[31:0]),
    .address_i(memory_address[47:0]),
    .run_bytes_i(run_bytes[47:0]),
    .run_rows_i(run_rows[31:0]),
    .run_planes_i(run_planes[31:0]),
    .memory_row_pitch_i(memory_row_pitch[47:0]),
    .memory_plane_pitch_i(memory_plane_pitch[47:0]),
    .local_i(local_address[31:0]),
    .row_bytes_i(row_bytes[31:0]),
    .rows_i(rows[31:0]),
    .planes_i(planes[31:0]),
    .local_row_pitch_i(local_row_pitch[31:0]),
    .local_plane_pitch_i(local_plane_pitch[31:0]),
    .repeats_i(memory_row_pitch[47:0] == '0 && rows[31:0] != 32'd1),
    .complete_o(complete[0]),
    .moves_o(load_moves),
    .error_o(load_error),
    .error_index_o(load_error_index),
    .araddr_o(m_axi_araddr_o),
    .arlen_o(m_axi_arlen_o),
    .arvalid_o(m_axi_arvalid_o),
    .arready_i(m_axi_arready_i),
    .rdata_i(m_axi_rdata_i),
    .rerror_i(m_axi_rresp_i != 2'b00),
    .rlast_i(m_axi_rlast_i),
    .rvalid_i(m_axi_rvalid_i),
    .rready_o(m_axi_rready_o),
    .write_local_o(load_local),
    .write_strobe_o(load_strobe),
    .write_data_o(load_data)
  );
  assign m_axi_arid_o = 4'd0;
  assign m_axi_arsize_o = 3'($clog2(PortBytes));
  assign m_axi_arburst_o = 2'b01;

  // Store engine.
  logic        store_moves, store_error, store_aw_valid, store_aw_ready, store_w_valid, store_w_ready, store_w_last;
  logic        store_answer, answer_error, store_read;
  logic [31:0] store_error_index, store_local;
  logic [47:0] store_aw_address;
  logic [7:0]  store_aw_length;
  logic [PortBytes-1:0]   store_w_strobe;
  logic [8*PortBytes-1:0] store_w_data, store_read_data;
  accel_store #(
    .PortBytes(PortBytes),
    .BurstBytes(DmaBurstBytes),
    .Outstanding(DmaOutstanding),
    .SetupCycles(DmaSetupCycles),
    .Descriptors(DmaDescriptors)
  ) u_store (
    .clk_i,
    .rst_ni,
    .valid_i(work_valid[3]),
    .ready_o(work_ready[3]),
    .index_i(command_index[127:96]),
    .address_i(memory_address[95:48]),
    .run_bytes_i(run_bytes[95:48]),
    .run_rows_i(run_rows[63:32]),
    .run_planes_i(run_planes[63:32]),
    .memory_row_pitch_i(memory_row_pitch[95:48]),
    .memory_plane_pitch_i(memory_plane_pitch[95:48]),
    .local_i(local_address[63:32]),
    .row_bytes_i(row_bytes[63:32]),
    .rows_i(rows[63:32]),
    .planes_i(planes[63:32]),
    .local_row_pitch_i(local_row_pitch[63:32]),
    .local_plane_pitch_i(local_plane_pitch[63:32]),
    .requantize_i(command[3*Bits+accel_command_pkg::DmaConvert +: 2] == 2'(accel_command_pkg::ConvertRequantize)),
    .multiplier_i(command[3*Bits+accel_command_pkg::DmaMultiplier +: 32]),
    .shift_i(command[3*Bits+accel_command_pkg::DmaShift +: 6]),
    .complete_o(complete[3]),
    .moves_o(store_moves),
    .error_o(store_error),
    .error_index_o(store_error_index),
    .awaddr_o(store_aw_address),
    .awlen_o(store_aw_length),
    .awvalid_o(store_aw_valid),
    .awready_i(store_aw_ready),
    .wdata_o(store_w_data),
    .wstrb_o(store_w_strobe),
    .wlast_o(store_w_last),
    .wvalid_o(store_w_valid),
    .wready_i(store_w_ready),
    .bvalid_i(store_answer),
    .berror_i(answer_error),
    .read_o(store_read),
    .read_local_o(store_local),
    .read_data_i(store_read_data)
  );

  logic write_idle, bell_error;
  accel_write_port #(.PortBytes(PortBytes), .Depth(DmaOutstanding + 4)) u_write_port (
    .clk_i,
    .rst_ni,
    .store_valid_i(store_aw_valid),
    .store_ready_o(store_aw_ready),
    .store_address_i(store_aw_address),
    .store_length_i(store_aw_length),
    .store_w_valid_i(store_w_valid),
    .store_w_ready_o(store_w_ready),
    .store_w_data_i(store_w_data),
    .store_w_strobe_i(store_w_strobe),
    .store_w_last_i(store_w_last),
    .store_answer_o(store_answer),
    .bell_valid_i(bell_valid),
    .bell_ready_o(bell_ready),
    .bell_address_i(bell_address),
    .bell_error_o(bell_error),
    .answer_error_o(answer_error),
    .idle_o(write_idle),
    .awid_o(m_axi_awid_o),
    .awaddr_o(m_axi_awaddr_o),
    .awlen_o(m_axi_awlen_o),
    .awvalid_o(m_axi_awvalid_o),
    .awready_i(m_axi_awready_i),
    .wdata_o(m_axi_wdata_o),
    .wstrb_o(m_axi_wstrb_o),
    .wlast_o(m_axi_wlast_o),
    .wvalid_o(m_axi_wvalid_o),
    .wready_i(m_axi_wready_i),
    .bid_i(m_axi_bid_i),
    .bresp_i(m_axi_bresp_i),
    .bvalid_i(m_axi_bvalid_i),
    .bready_o(m_axi_bready_o)
  );
  assign m_axi_awsize_o = 3'($clog2(PortBytes));
  assign m_axi_awburst_o = 2'b01;

  // Array.
  logic [Bits-1:0] matmul;
  logic            a_read, w_read, weights_read, out_read, array_idle;
  logic [1:0]      array_begins;
  logic [ScratchpadWidth-1:0]  a_address, w_address, weights_address;
  logic [AccumulatorWidth-1:0] out_read_address, out_write_address;
  logic [4*8*ScratchpadWindow-1:0]  scratchpad_data;
  logic [2*8*AccumulatorWindow-1:0] accumulator_data;
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
    .a_data_i(scratchpad_data[0 +: 16*Half]),
    .w_read_o(w_read),
    .w_address_o(w_address),
    .w_data_i(scratchpad_data[8*ScratchpadWindow +: 16*Half]),
    .load_read_o(weights_read),
    .load_address_o(weights_address),
    .load_data_i(scratchpad_data[2*8*ScratchpadWindow +: 8*Half]),
    .out_read_o(out_read),
    .out_read_address_o(out_read_address),
    .out_read_data_i(accumulator_data[32*Cols-1:0]),
    .out_write_strobe_o(out_strobe),
    .out_write_address_o(out_write_address),
    .out_write_data_o(out_data)
  );

  // Scratchpad: a, w, weights ahead, store; load.
  logic load_to_accumulator, store_from_accumulator_q;
  assign load_to_accumulator = load_local[31];
  accel_sram #(
    .Bytes(ScratchpadBytes),
    .Banks(ScratchpadBanks),
    .BankBytes(PortBytes),
    .Window(ScratchpadWindow),
    .Reads(4),
    .Writes(1)
  ) u_scratchpad (
    .clk_i,
    .read_i({store_read && !store_local[31], weights_read, w_read, a_read}),
    .read_address_i({store_local[ScratchpadWidth-1:0], weights_address, w_address, a_address}),
    .read_data_o(scratchpad_data),
    .write_strobe_i(load_to_accumulator ? '0 : ScratchpadWindow'(load_strobe)),
    .write_address_i(load_local[ScratchpadWidth-1:0]),
    .write_data_i((8*ScratchpadWindow)'(load_data))
  );
  // Accumulator SRAM: array, store; load, array.
  accel_sram #(
    .Bytes(AccumulatorBytes),
    .Banks(AccumulatorBanks),
    .BankBytes(4),
    .Window(AccumulatorWindow),
    .Reads(2),
    .Writes(2),
    .WriteFirst(1'b1)
  ) u_accumulator (
    .clk_i,
    .read_i({store_read && store_local[31], out_read}),
    .read_address_i({store_local[AccumulatorWidth-1:0], out_read_address}),
    .read_data_o(accumulator_data),
    .write_strobe_i({AccumulatorWindow'(out_strobe), load_to_accumulator ? AccumulatorWindow'(load_strobe) : AccumulatorWindow'(0)}),
    .write_address_i({out_write_address, load_local[AccumulatorWidth-1:0]}),
    .write_data_i({(8*AccumulatorWindow)'(out_data), (8*AccumulatorWindow)'(load_data)})
  );
  always_ff @(posedge clk_i) store_from_accumulator_q <= store_local[31];
  assign store_read_data = store_from_accumulator_q ? accumulator_data[8*AccumulatorWindow +: 8*PortBytes]
                                                    : scratchpad_data[3*8*ScratchpadWindow +: 8*PortBytes];

  // The end, errors, counters.
  assign finished = halted == 4'b1111 && !start && array_idle && signals_idle && write_idle;
  always_comb begin
    error_valid = 1'b1;
    error_code = accel_csr_pkg::ErrorBus;
    error_stream = 2'd0;
    error_index = load_error_index;
    if (load_error) begin
      error_stream = 2'd0;
    end else if (store_error) begin
      error_stream = 2'd3;
      error_index = store_error_index;
    end else if (bell_error) begin
      error_index = '1;  // a doorbell is of no command any more
    end else begin
      error_valid = 1'b0;
      for (int e = 3; e >= 0; e--) begin
        if (overflow[e]) begin
          error_valid = 1'b1;
          error_code = accel_csr_pkg::ErrorQueueOverflow;
          error_stream = 2'(e);
          error_index = command_index[32*e +: 32];
        end
      end
      for (int e = 3; e >= 0; e--) begin
        if (stream_error[e]) begin
          error_valid = 1'b1;
          error_code = stream_error_code[8*e +: 8];
          error_stream = 2'(e);
          error_index = command_index[32*e +: 32];
        end
      end
    end
  end

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
    .moves_i({store_moves, 2'b00, load_moves}),
    .under_way_i(busy),
    .waits_for_i(waits_for),
    .waits_at_i(waits_at),
    .stat_o(stat),
    .time_o(times),
    .cycles_o(cycles)
  );

  logic unused;
  assign unused = ^{m_axi_rid_i, scratchpad_data, accumulator_data, matmul, command, command_index, size, rows_touch,
                    planes_touch, local_rows_touch, local_planes_touch, plane_bytes, store_local, load_local, work_valid[2]};

`ifdef VERILATOR
  accel_channel_check #(.Width(56)) u_check_ar (
    .clk_i,
    .rst_ni,
    .valid_i(m_axi_arvalid_o),
    .ready_i(m_axi_arready_i),
    .data_i({m_axi_araddr_o, m_axi_arlen_o})
  );
  accel_channel_check #(.Width(8*PortBytes+7)) u_check_r (
    .clk_i,
    .rst_ni,
    .valid_i(m_axi_rvalid_i),
    .ready_i(m_axi_rready_o),
    .data_i({m_axi_rdata_i, m_axi_rid_i, m_axi_rresp_i, m_axi_rlast_i})
  );
  accel_channel_check #(.Width(1026)) u_check_cmd_r (
    .clk_i,
    .rst_ni,
    .valid_i(cmd_r_valid_i),
    .ready_i(cmd_r_ready_o),
    .data_i({cmd_r_stream_i, cmd_r_data_i})
  );
`endif
endmodule
