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
  assign irq_o = 1'b0;
  assign complete_o = 4'b0000;
  assign m_axi_arid_o = 4'd0;
  assign m_axi_araddr_o = '0;
  assign m_axi_arlen_o = '0;
  assign m_axi_arsize_o = '0;
  assign m_axi_arburst_o = 2'b01;
  assign m_axi_arvalid_o = 1'b0;
  assign m_axi_rready_o = 1'b0;
  assign m_axi_awid_o = 4'd1;
  assign m_axi_awaddr_o = '0;
  assign m_axi_awlen_o = '0;
  assign m_axi_awsize_o = '0;
  assign m_axi_awburst_o = 2'b01;
  assign m_axi_awvalid_o = 1'b0;
  assign m_axi_wdata_o = '0;
  assign m_axi_wstrb_o = '0;
  assign m_axi_wlast_o = 1'b0;
  assign m_axi_wvalid_o = 1'b0;
  assign m_axi_bready_o = 1'b0;
  assign s_axil_awready_o = 1'b0;
  assign s_axil_wready_o = 1'b0;
  assign s_axil_bresp_o = 2'b00;
  assign s_axil_bvalid_o = 1'b0;
  assign s_axil_arready_o = 1'b0;
  assign s_axil_rdata_o = '0;
  assign s_axil_rresp_o = 2'b00;
  assign s_axil_rvalid_o = 1'b0;
  assign cmd_ar_valid_o = 1'b0;
  assign cmd_ar_stream_o = 2'd0;
  assign cmd_ar_index_o = '0;
  assign cmd_r_ready_o = 1'b0;
endmodule
