// Which check looks at what. Verilator only: neither Icarus nor Yosys reads this folder.

bind accel_core accel_core_check #(
  .PortBytes(PortBytes),
  .BurstBytes(DmaBurstBytes),
  .Outstanding(DmaOutstanding),
  .QueueDepth(QueueDepth)
) u_check (
  .clk_i(clk_i),
  .rst_ni(rst_ni),
  .arid_i(m_axi_arid_o),
  .araddr_i(m_axi_araddr_o),
  .arlen_i(m_axi_arlen_o),
  .arsize_i(m_axi_arsize_o),
  .arburst_i(m_axi_arburst_o),
  .arvalid_i(m_axi_arvalid_o),
  .arready_i(m_axi_arready_i),
  .rid_i(m_axi_rid_i),
  .rdata_i(m_axi_rdata_i),
  .rresp_i(m_axi_rresp_i),
  .rlast_i(m_axi_rlast_i),
  .rvalid_i(m_axi_rvalid_i),
  .rready_i(m_axi_rready_o),
  .awid_i(m_axi_awid_o),
  .awaddr_i(m_axi_awaddr_o),
  .awlen_i(m_axi_awlen_o),
  .awsize_i(m_axi_awsize_o),
  .awburst_i(m_axi_awburst_o),
  .awvalid_i(m_axi_awvalid_o),
  .awready_i(m_axi_awready_i),
  .wdata_i(m_axi_wdata_o),
  .wstrb_i(m_axi_wstrb_o),
  .wlast_i(m_axi_wlast_o),
  .wvalid_i(m_axi_wvalid_o),
  .wready_i(m_axi_wready_i),
  .bid_i(m_axi_bid_i),
  .bresp_i(m_axi_bresp_i),
  .bvalid_i(m_axi_bvalid_i),
  .bready_i(m_axi_bready_o),
  .csr_awaddr_i(s_axil_awaddr_i),
  .csr_awvalid_i(s_axil_awvalid_i),
  .csr_awready_i(s_axil_awready_o),
  .csr_wdata_i(s_axil_wdata_i),
  .csr_wstrb_i(s_axil_wstrb_i),
  .csr_wvalid_i(s_axil_wvalid_i),
  .csr_wready_i(s_axil_wready_o),
  .csr_bresp_i(s_axil_bresp_o),
  .csr_bvalid_i(s_axil_bvalid_o),
  .csr_bready_i(s_axil_bready_i),
  .csr_araddr_i(s_axil_araddr_i),
  .csr_arvalid_i(s_axil_arvalid_i),
  .csr_arready_i(s_axil_arready_o),
  .csr_rdata_i(s_axil_rdata_o),
  .csr_rresp_i(s_axil_rresp_o),
  .csr_rvalid_i(s_axil_rvalid_o),
  .csr_rready_i(s_axil_rready_i),
  .cmd_ar_valid_i(cmd_ar_valid_o),
  .cmd_ar_ready_i(cmd_ar_ready_i),
  .cmd_ar_stream_i(cmd_ar_stream_o),
  .cmd_ar_index_i(cmd_ar_index_o),
  .cmd_r_valid_i(cmd_r_valid_i),
  .cmd_r_ready_i(cmd_r_ready_o),
  .cmd_r_stream_i(cmd_r_stream_i),
  .cmd_r_data_i(cmd_r_data_i)
);

// Every queue: commands, signals, doorbells, bursts, descriptors, beats.
bind accel_fifo accel_channel_check #(.Width(Width)) u_check (
  .clk_i(clk_i), .rst_ni(rst_ni), .excused_i(flush_i),
  .valid_i(out_valid_o), .ready_i(out_ready_i), .data_i(out_data_o)
);

// A stream: asking for commands, loops done, checked, issued to the engine, signalling.
bind accel_prefetch accel_channel_check #(.Width(32)) u_check_ask (
  .clk_i(clk_i), .rst_ni(rst_ni), .excused_i(start_i || jump_i || stop_i),
  .valid_i(ask_valid_o), .ready_i(ask_ready_i), .data_i(ask_index_o)
);
bind accel_sequencer accel_channel_check #(.Width(OutBits + 33)) u_check (
  .clk_i(clk_i), .rst_ni(rst_ni), .excused_i(start_i),
  .valid_i(valid_o), .ready_i(ready_i), .data_i({command_o, index_o, illegal_o})
);
bind accel_dma_check accel_channel_check #(.Width(Bits + 35 + 128 + 4)) u_check (
  .clk_i(clk_i), .rst_ni(rst_ni), .excused_i(1'b0), .valid_i(valid_o), .ready_i(ready_i),
  .data_i({command_o, index_o, illegal_o, bad_address_o, in_dram_o, memory_bytes_o, plane_bytes_o, rows_touch_o, planes_touch_o,
           local_rows_touch_o, local_planes_touch_o})
);
bind accel_matmul_check accel_channel_check #(.Width(Bits + 34 + 64)) u_check (
  .clk_i(clk_i), .rst_ni(rst_ni), .excused_i(1'b0), .valid_i(valid_o), .ready_i(ready_i),
  .data_i({command_o, index_o, illegal_o, bad_address_o, macs_o})
);
bind accel_issue accel_channel_check #(.Width(Bits)) u_check_work (
  .clk_i(clk_i), .rst_ni(rst_ni), .excused_i(stop_i), .valid_i(work_valid_o), .ready_i(work_ready_i), .data_i(command_i)
);
bind accel_issue accel_channel_check #(.Width(49)) u_check_signal (
  .clk_i(clk_i), .rst_ni(rst_ni), .excused_i(1'b0), .valid_i(signal_valid_o), .ready_i(signal_ready_i),
  .data_i({signal_semaphore_o, signal_first_o, signal_count_o, signal_to_host_o})
);

// DMA: bursts that wait for the memory port, segments that wait for a beat or for room.
bind accel_dma_bursts accel_channel_check #(.Width(57)) u_check (
  .clk_i(clk_i), .rst_ni(rst_ni), .excused_i(1'b0), .valid_i(burst_valid_o), .ready_i(burst_ready_i),
  .data_i({burst_address_o, burst_length_o, burst_last_o})
);
bind accel_dma_segments accel_channel_check #(.Width(32 + OffsetWidth + SegmentWidth + 3)) u_check (
  .clk_i(clk_i), .rst_ni(rst_ni), .excused_i(1'b0), .valid_i(segment_valid_o), .ready_i(segment_ready_i),
  .data_i({segment_local_o, segment_offset_o, segment_bytes_o, segment_ends_beat_o, segment_ends_burst_o, segment_ends_all_o})
);
