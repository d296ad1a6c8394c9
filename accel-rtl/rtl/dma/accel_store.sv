// The store engine: rows of scratchpad or accumulator SRAM, perhaps requantized, to bursts on AW and W.
//
// Latency:       accel_dma_bursts for AW. The first segment of a descriptor taken in cycle t is read in cycle
//                t + max(SetupCycles - 4, 4), or behind the descriptor before; it is on W 4 cycles later, but not before its AW is offered.
//                A descriptor completes (complete_o) in the cycle in which its last burst is answered on B.
// Throughput:    a segment a cycle: a beat, or four of its bytes a 16-byte port if requantized, or less where a local row ends.
// Back-pressure: reading stops while QueueBeats beats wait for W; descriptors wait while Descriptors are under way.
module accel_store #(
  parameter int PortBytes = 16,
  parameter int BurstBytes = 64,
  parameter int Outstanding = 4,
  parameter int SetupCycles = 8,
  parameter int Descriptors = 8,
  parameter int QueueBeats = 8
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   valid_i,
  output logic                   ready_o,
  input  logic [31:0]            index_i,
  input  logic [47:0]            address_i,
  input  logic [47:0]            run_bytes_i,
  input  logic [31:0]            run_rows_i,
  input  logic [31:0]            run_planes_i,
  input  logic [47:0]            memory_row_pitch_i,
  input  logic [47:0]            memory_plane_pitch_i,
  input  logic [31:0]            local_i,
  input  logic [31:0]            row_bytes_i,
  input  logic [31:0]            rows_i,
  input  logic [31:0]            planes_i,
  input  logic [31:0]            local_row_pitch_i,
  input  logic [31:0]            local_plane_pitch_i,
  input  logic                   requantize_i,
  input  logic [31:0]            multiplier_i,
  input  logic [5:0]             shift_i,
  output logic                   complete_o,
  output logic                   moves_o,  // a segment is read
  output logic                   error_o,
  output logic [31:0]            error_index_o,

  output logic [47:0]            awaddr_o,
  output logic [7:0]             awlen_o,
  output logic                   awvalid_o,
  input  logic                   awready_i,
  output logic [8*PortBytes-1:0] wdata_o,
  output logic [PortBytes-1:0]   wstrb_o,
  output logic                   wlast_o,
  output logic                   wvalid_o,
  input  logic                   wready_i,
  input  logic                   bvalid_i,
  input  logic                   berror_i,

  output logic                   read_o,
  output logic [31:0]            read_local_o,
  input  logic [8*PortBytes-1:0] read_data_i  // in the next cycle
);
  localparam int OffsetWidth = $clog2(PortBytes);
  localparam int BytesWidth = $clog2(BurstBytes + 1);
  localparam int SegmentWidth = $clog2(PortBytes + 1);
  localparam int CountWidth = $clog2(Descriptors + 1);
  localparam int BeatsWidth = $clog2(QueueBeats + 1);
  localparam int ReadDelay = SetupCycles > 8 ? SetupCycles - 4 : 4;

  logic [CountWidth-1:0] under_way_q;
  logic                  may_begin, bursts_ready, descriptor_ready, index_ready, accept;

  assign may_begin = under_way_q != CountWidth'(Descriptors) && descriptor_ready && index_ready;
  assign ready_o = may_begin && bursts_ready;
  assign accept = valid_i && ready_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) under_way_q <= '0;
    else if (accept && !complete_o) under_way_q <= under_way_q + CountWidth'(1);
    else if (!accept && complete_o) under_way_q <= under_way_q - CountWidth'(1);
  end

  logic                    info_valid, info_ready, burst_last, bursts_valid, lasts_ready;
  logic [OffsetWidth-1:0]  info_offset;
  logic [BytesWidth-1:0]   info_bytes;
  accel_dma_bursts #(
    .PortBytes(PortBytes),
    .BurstBytes(BurstBytes),
    .Outstanding(Outstanding),
    .SetupCycles(SetupCycles)
  ) u_bursts (
    .clk_i,
    .rst_ni,
    .valid_i(valid_i && may_begin),
    .ready_o(bursts_ready),
    .address_i,
    .run_bytes_i,
    .run_rows_i,
    .run_planes_i,
    .row_pitch_i(memory_row_pitch_i),
    .plane_pitch_i(memory_plane_pitch_i),
    .burst_valid_o(bursts_valid),
    .burst_ready_i(awready_i),
    .burst_address_o(awaddr_o),
    .burst_length_o(awlen_o),
    .burst_last_o(burst_last),
    .returned_i(bvalid_i),
    .info_valid_o(info_valid),
    .info_ready_i(info_ready),
    .info_offset_o(info_offset),
    .info_bytes_o(info_bytes)
  );
  assign awvalid_o = bursts_valid;

  // Answers: which of the bursts under way is its descriptor's last, and which command that is.
  logic        last_valid, last;
  accel_fifo #(.Width(1), .Depth(Outstanding)) u_lasts (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .in_valid_i(awvalid_o && awready_i),
    .in_ready_o(lasts_ready),
    .in_data_i(burst_last),
    .out_valid_o(last_valid),
    .out_ready_i(bvalid_i),
    .out_data_o(last)
  );
  assign complete_o = bvalid_i && last_valid && last;
  assign error_o = bvalid_i && berror_i;
  logic index_valid;
  accel_fifo #(.Width(32), .Depth(Descriptors)) u_indices (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .in_valid_i(accept),
    .in_ready_o(index_ready),
    .in_data_i(index_i),
    .out_valid_o(index_valid),
    .out_ready_i(complete_o),
    .out_data_o(error_index_o)
  );

  logic        local_valid, local_ready, requantize;
  logic [31:0] local_base, row_bytes, rows, planes, row_pitch, plane_pitch, multiplier;
  logic [5:0]  shift;
  accel_fifo #(.Width(7 * 32 + 7), .Depth(Descriptors)) u_descriptors (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .in_valid_i(accept),
    .in_ready_o(descriptor_ready),
    .in_data_i({local_i, row_bytes_i, rows_i, planes_i, local_row_pitch_i, local_plane_pitch_i, requantize_i, multiplier_i, shift_i}),
    .out_valid_o(local_valid),
    .out_ready_i(local_ready),
    .out_data_o({local_base, row_bytes, rows, planes, row_pitch, plane_pitch, requantize, multiplier, shift})
  );
  // Descriptors whose reading may have begun.
  logic                  readable_now;
  logic [CountWidth-1:0] readable_q;
  accel_delay #(.Width(1), .Stages(ReadDelay)) u_readable (.clk_i, .rst_ni, .data_i(accept), .data_o(readable_now));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) readable_q <= '0;
    else if (readable_now && !local_ready) readable_q <= readable_q + CountWidth'(1);
    else if (!readable_now && local_ready) readable_q <= readable_q - CountWidth'(1);
  end

  logic                    segment_valid, segment_ready, ends_beat, ends_burst, ends_all_unused, goes;
  logic [31:0]             segment_local;
  logic [OffsetWidth-1:0]  segment_offset;
  logic [SegmentWidth-1:0] segment_bytes;
  accel_dma_segments #(
    .PortBytes(PortBytes),
    .BurstBytes(BurstBytes)
  ) u_segments (
    .clk_i,
    .rst_ni,
    .info_valid_i(info_valid),
    .info_ready_o(info_ready),
    .info_offset_i(info_offset),
    .info_bytes_i(info_bytes),
    .local_valid_i(local_valid && (readable_now || readable_q != '0)),
    .local_ready_o(local_ready),
    .local_i(local_base),
    .row_bytes_i(row_bytes),
    .rows_i(rows),
    .planes_i(planes),
    .row_pitch_i(row_pitch),
    .plane_pitch_i(plane_pitch),
    .repeats_i(1'b0),
    .most_i(requantize ? SegmentWidth'(PortBytes / 4) : SegmentWidth'(PortBytes)),
    .times_4_i(requantize),
    .segment_valid_o(segment_valid),
    .segment_ready_i(segment_ready),
    .segment_local_o(segment_local),
    .segment_offset_o(segment_offset),
    .segment_bytes_o(segment_bytes),
    .segment_ends_beat_o(ends_beat),
    .segment_ends_burst_o(ends_burst),
    .segment_ends_all_o(ends_all_unused)
  );
  // Beats that have a place in the queue, from their last segment on.
  logic [BeatsWidth-1:0] beats_q;
  logic                  w_goes;
  assign segment_ready = beats_q != BeatsWidth'(QueueBeats);
  assign goes = segment_valid && segment_ready;
  assign w_goes = wvalid_o && wready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) beats_q <= '0;
    else if (goes && ends_beat && !w_goes) beats_q <= beats_q + BeatsWidth'(1);
    else if (!(goes && ends_beat) && w_goes) beats_q <= beats_q - BeatsWidth'(1);
  end
  assign read_o = goes;
  assign read_local_o = segment_local;

  // Read, register, requantize, gather into beats.
  localparam int TagWidth = 3 + OffsetWidth + SegmentWidth;
  logic [8*PortBytes-1:0]  data_q, moved;
  logic                    requantize_q, requantize_qq;
  logic [31:0]             multiplier_q, multiplier_qq;
  logic [5:0]              shift_q, shift_qq;
  logic [TagWidth-1:0]     tag_q, tag_qq, tag_qqq;
  logic                    tag_valid_q, tag_valid_qq, tag_valid_qqq;
  logic [TagWidth-1:0]     tag;
  assign tag = {goes, ends_beat, ends_burst, segment_offset, segment_bytes};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      tag_valid_q <= 1'b0;
      tag_valid_qq <= 1'b0;
      tag_valid_qqq <= 1'b0;
    end else begin
      tag_valid_q <= goes;
      tag_valid_qq <= tag_valid_q;
      tag_valid_qqq <= tag_valid_qq;
    end
    tag_q <= tag;
    tag_qq <= tag_q;
    tag_qqq <= tag_qq;
    requantize_q <= requantize;
    requantize_qq <= requantize_q;
    multiplier_q <= multiplier;
    multiplier_qq <= multiplier_q;
    shift_q <= shift;
    shift_qq <= shift_q;
    data_q <= read_data_i;
  end
  accel_requantize #(.PortBytes(PortBytes)) u_requantize (
    .clk_i,
    .requantize_i(requantize_qq),
    .multiplier_i(multiplier_qq),
    .shift_i(shift_qq),
    .data_i(data_q),
    .data_o(moved)
  );

  logic                    g_beat, g_burst, g_unused, push, queue_ready;
  logic [OffsetWidth-1:0]  g_offset;
  logic [SegmentWidth-1:0] g_bytes;
  logic [8*PortBytes-1:0]  beat_q, beat, beat_mask;
  logic [PortBytes-1:0]    strobe_q, strobe, strobe_now;
  assign {g_unused, g_beat, g_burst, g_offset, g_bytes} = tag_qqq;
  assign strobe_now = ~({PortBytes{1'b1}} << g_bytes) << g_offset;
  for (genvar b = 0; b < PortBytes; b++) begin : gen_gather
    assign beat_mask[8*b +: 8] = {8{strobe_now[b]}};
  end
  assign beat = (beat_q & ~beat_mask) | ((moved << {g_offset, 3'b000}) & beat_mask);
  assign strobe = strobe_q | strobe_now;
  assign push = tag_valid_qqq && g_beat;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      strobe_q <= '0;
      beat_q <= '0;
    end else if (tag_valid_qqq) begin
      strobe_q <= g_beat ? '0 : strobe;
      beat_q <= g_beat ? '0 : beat;
    end
  end
  accel_fifo #(.Width(9 * PortBytes + 1), .Depth(QueueBeats)) u_beats (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .in_valid_i(push),
    .in_ready_o(queue_ready),
    .in_data_i({g_burst, strobe, beat}),
    .out_valid_o(wvalid_o),
    .out_ready_i(wready_i),
    .out_data_o({wlast_o, wstrb_o, wdata_o})
  );
  assign moves_o = goes;

  logic unused;
  assign unused = ^{ends_all_unused, g_unused, lasts_ready, index_valid, queue_ready};
`ifdef VERILATOR
  a_queue_has_room: assert property (@(posedge clk_i) disable iff (!rst_ni) push |-> queue_ready);
  a_lasts_have_room: assert property (@(posedge clk_i) disable iff (!rst_ni) awvalid_o && awready_i |-> lasts_ready);
`endif
endmodule
