// Both DMA engines and their AXI4 memory port. Index 0 is the load engine, 1 the store engine.
//
// Latency:       accel_load, accel_store; accel_write_port for doorbells.
// Throughput:    one burst request a cycle and direction; one beat a cycle on R and on W.
// Back-pressure: commands wait at valid_i until ready_o; every AXI channel may stall at any time.
module accel_dma #(
  parameter int PortBytes = 16,
  parameter int BurstBytes = 64,
  parameter int Outstanding = 4,
  parameter int SetupCycles = 8,
  parameter int Descriptors = 8,
  parameter int Bits = 608
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  // Commands.
  input  logic [1:0]             valid_i,
  output logic [1:0]             ready_o,
  output logic [1:0]             complete_o,
  input  logic [2*Bits-1:0]      command_i,
  input  logic [63:0]            index_i,
  input  logic [127:0]           size_i,
  input  logic [127:0]           plane_bytes_i,
  input  logic [1:0]             rows_touch_i,
  input  logic [1:0]             planes_touch_i,
  input  logic [1:0]             local_rows_touch_i,
  input  logic [1:0]             local_planes_touch_i,
  output logic [1:0]             moves_o,  // a segment moves
  output logic                   load_error_o,
  output logic [31:0]            load_error_index_o,
  output logic                   store_error_o,
  output logic [31:0]            store_error_index_o,
  output logic                   write_idle_o,

  // Doorbells.
  input  logic                   bell_valid_i,
  output logic                   bell_ready_o,
  input  logic [47:0]            bell_address_i,
  output logic                   bell_error_o,

  // Local SRAMs.
  output logic [31:0]            write_local_o,
  output logic [PortBytes-1:0]   write_strobe_o,
  output logic [8*PortBytes-1:0] write_data_o,
  output logic                   read_o,
  output logic [31:0]            read_local_o,
  input  logic [8*PortBytes-1:0] read_data_i,

  // AXI4.
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
  output logic                     m_axi_bready_o
);
  logic [47:0] address [2];
  logic [47:0] run_bytes [2];
  logic [31:0] run_rows [2];
  logic [31:0] run_planes [2];
  logic [47:0] memory_row_pitch [2];
  logic [47:0] memory_plane_pitch [2];
  logic [31:0] local_address [2];
  logic [31:0] row_bytes [2];
  logic [31:0] rows [2];
  logic [31:0] planes [2];
  logic [31:0] local_row_pitch [2];
  logic [31:0] local_plane_pitch [2];

  for (genvar d = 0; d < 2; d++) begin : gen_fields
    accel_dma_fields #(.Bits(Bits)) u_fields (
      .command_i(command_i[Bits*d +: Bits]),
      .size_i(size_i[64*d +: 64]),
      .plane_bytes_i(plane_bytes_i[64*d +: 64]),
      .rows_touch_i(rows_touch_i[d]),
      .planes_touch_i(planes_touch_i[d]),
      .local_rows_touch_i(local_rows_touch_i[d]),
      .local_planes_touch_i(local_planes_touch_i[d]),
      .address_o(address[d]),
      .run_bytes_o(run_bytes[d]),
      .run_rows_o(run_rows[d]),
      .run_planes_o(run_planes[d]),
      .memory_row_pitch_o(memory_row_pitch[d]),
      .memory_plane_pitch_o(memory_plane_pitch[d]),
      .local_o(local_address[d]),
      .row_bytes_o(row_bytes[d]),
      .rows_o(rows[d]),
      .planes_o(planes[d]),
      .local_row_pitch_o(local_row_pitch[d]),
      .local_plane_pitch_o(local_plane_pitch[d])
    );
  end

  accel_load #(
    .PortBytes(PortBytes),
    .BurstBytes(BurstBytes),
    .Outstanding(Outstanding),
    .SetupCycles(SetupCycles),
    .Descriptors(Descriptors)
  ) u_load (
    .clk_i,
    .rst_ni,
    .valid_i(valid_i[0]),
    .ready_o(ready_o[0]),
    .index_i(index_i[31:0]),
    .address_i(address[0]),
    .run_bytes_i(run_bytes[0]),
    .run_rows_i(run_rows[0]),
    .run_planes_i(run_planes[0]),
    .memory_row_pitch_i(memory_row_pitch[0]),
    .memory_plane_pitch_i(memory_plane_pitch[0]),
    .local_i(local_address[0]),
    .row_bytes_i(row_bytes[0]),
    .rows_i(rows[0]),
    .planes_i(planes[0]),
    .local_row_pitch_i(local_row_pitch[0]),
    .local_plane_pitch_i(local_plane_pitch[0]),
    .repeats_i(memory_row_pitch[0] == '0 && rows[0] != 32'd1),
    .complete_o(complete_o[0]),
    .moves_o(moves_o[0]),
    .error_o(load_error_o),
    .error_index_o(load_error_index_o),
    .araddr_o(m_axi_araddr_o),
    .arlen_o(m_axi_arlen_o),
    .arvalid_o(m_axi_arvalid_o),
    .arready_i(m_axi_arready_i),
    .rdata_i(m_axi_rdata_i),
    .rerror_i(m_axi_rresp_i != 2'b00),
    .rlast_i(m_axi_rlast_i),
    .rvalid_i(m_axi_rvalid_i),
    .rready_o(m_axi_rready_o),
    .write_local_o,
    .write_strobe_o,
    .write_data_o
  );
  assign m_axi_arid_o = 4'd0;
  assign m_axi_arsize_o = 3'($clog2(PortBytes));
  assign m_axi_arburst_o = 2'b01;

  logic        aw_valid, aw_ready, w_valid, w_ready, w_last, answer, answer_error;
  logic [47:0] aw_address;
  logic [7:0]  aw_length;
  logic [PortBytes-1:0]   w_strobe;
  logic [8*PortBytes-1:0] w_data;
  accel_store #(
    .PortBytes(PortBytes),
    .BurstBytes(BurstBytes),
    .Outstanding(Outstanding),
    .SetupCycles(SetupCycles),
    .Descriptors(Descriptors)
  ) u_store (
    .clk_i,
    .rst_ni,
    .valid_i(valid_i[1]),
    .ready_o(ready_o[1]),
    .index_i(index_i[63:32]),
    .address_i(address[1]),
    .run_bytes_i(run_bytes[1]),
    .run_rows_i(run_rows[1]),
    .run_planes_i(run_planes[1]),
    .memory_row_pitch_i(memory_row_pitch[1]),
    .memory_plane_pitch_i(memory_plane_pitch[1]),
    .local_i(local_address[1]),
    .row_bytes_i(row_bytes[1]),
    .rows_i(rows[1]),
    .planes_i(planes[1]),
    .local_row_pitch_i(local_row_pitch[1]),
    .local_plane_pitch_i(local_plane_pitch[1]),
    .requantize_i(command_i[Bits+accel_command_pkg::DmaConvert +: 2] == 2'(accel_command_pkg::ConvertRequantize)),
    .multiplier_i(command_i[Bits+accel_command_pkg::DmaMultiplier +: 32]),
    .shift_i(command_i[Bits+accel_command_pkg::DmaShift +: 6]),
    .complete_o(complete_o[1]),
    .moves_o(moves_o[1]),
    .error_o(store_error_o),
    .error_index_o(store_error_index_o),
    .awaddr_o(aw_address),
    .awlen_o(aw_length),
    .awvalid_o(aw_valid),
    .awready_i(aw_ready),
    .wdata_o(w_data),
    .wstrb_o(w_strobe),
    .wlast_o(w_last),
    .wvalid_o(w_valid),
    .wready_i(w_ready),
    .bvalid_i(answer),
    .berror_i(answer_error),
    .read_o,
    .read_local_o,
    .read_data_i
  );
  accel_write_port #(.PortBytes(PortBytes), .Depth(Outstanding + 4)) u_write_port (
    .clk_i,
    .rst_ni,
    .store_valid_i(aw_valid),
    .store_ready_o(aw_ready),
    .store_address_i(aw_address),
    .store_length_i(aw_length),
    .store_w_valid_i(w_valid),
    .store_w_ready_o(w_ready),
    .store_w_data_i(w_data),
    .store_w_strobe_i(w_strobe),
    .store_w_last_i(w_last),
    .store_answer_o(answer),
    .bell_valid_i,
    .bell_ready_o,
    .bell_address_i,
    .bell_error_o,
    .answer_error_o(answer_error),
    .idle_o(write_idle_o),
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

  logic unused;
  assign unused = ^{m_axi_rid_i, command_i};
endmodule
