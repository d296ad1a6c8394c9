// The load engine: descriptors to bursts on AR, beats on R to rows in scratchpad or accumulator SRAM.
//
// Latency:       accel_dma_bursts; a descriptor completes (complete_o) in the cycle in which its last beat is taken. What a beat
//                carries is written in the cycle after, and can be read from the one behind that.
// Throughput:    a beat a cycle, but a cycle for each row that a beat has a part of, and for each copy of a repeated row.
// Back-pressure: R waits while a beat has more than one segment; descriptors wait while Descriptors are under way.
module accel_load #(
  parameter int PortBytes = 16,
  parameter int BurstBytes = 64,
  parameter int Outstanding = 4,
  parameter int SetupCycles = 8,
  parameter int Descriptors = 8
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
  input  logic                   repeats_i,
  output logic                   complete_o,
  output logic                   moves_o,  // a segment is written
  output logic                   error_o,
  output logic [31:0]            error_index_o,

  output logic [47:0]            araddr_o,
  output logic [7:0]             arlen_o,
  output logic                   arvalid_o,
  input  logic                   arready_i,
  input  logic [8*PortBytes-1:0] rdata_i,
  input  logic                   rerror_i,
  input  logic                   rlast_i,
  input  logic                   rvalid_i,
  output logic                   rready_o,

  output logic [31:0]            write_local_o,
  output logic [PortBytes-1:0]   write_strobe_o,
  output logic [8*PortBytes-1:0] write_data_o
);
  localparam int OffsetWidth = $clog2(PortBytes);
  localparam int BytesWidth = $clog2(BurstBytes + 1);
  localparam int SegmentWidth = $clog2(PortBytes + 1);
  localparam int CountWidth = $clog2(Descriptors + 1);

  logic [CountWidth-1:0] under_way_q;
  logic                  may_begin, bursts_ready, descriptor_ready, accept;

  assign may_begin = under_way_q != CountWidth'(Descriptors) && descriptor_ready;
  assign ready_o = may_begin && bursts_ready;
  assign accept = valid_i && ready_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) under_way_q <= '0;
    else if (accept && !complete_o) under_way_q <= under_way_q + CountWidth'(1);
    else if (!accept && complete_o) under_way_q <= under_way_q - CountWidth'(1);
  end

  logic                    info_valid, info_ready, returned, last_unused;
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
    .burst_valid_o(arvalid_o),
    .burst_ready_i(arready_i),
    .burst_address_o(araddr_o),
    .burst_length_o(arlen_o),
    .burst_last_o(last_unused),
    .returned_i(returned),
    .info_valid_o(info_valid),
    .info_ready_i(info_ready),
    .info_offset_o(info_offset),
    .info_bytes_o(info_bytes)
  );

  logic        local_valid, local_ready, repeats;
  logic [31:0] index, local_base, row_bytes, rows, planes, row_pitch, plane_pitch;
  accel_fifo #(.Width(7 * 32 + 1), .Depth(Descriptors)) u_descriptors (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .in_valid_i(accept),
    .in_ready_o(descriptor_ready),
    .in_data_i({index_i, local_i, row_bytes_i, rows_i, planes_i, local_row_pitch_i, local_plane_pitch_i, repeats_i}),
    .out_valid_o(local_valid),
    .out_ready_i(local_ready),
    .out_data_o({index, local_base, row_bytes, rows, planes, row_pitch, plane_pitch, repeats})
  );

  logic                    segment_valid, ends_beat, ends_burst, ends_all, goes;
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
    .local_valid_i(local_valid),
    .local_ready_o(local_ready),
    .local_i(local_base),
    .row_bytes_i(row_bytes),
    .rows_i(rows),
    .planes_i(planes),
    .row_pitch_i(row_pitch),
    .plane_pitch_i(plane_pitch),
    .repeats_i(repeats),
    .most_i(SegmentWidth'(PortBytes)),
    .times_4_i(1'b0),
    .segment_valid_o(segment_valid),
    .segment_ready_i(rvalid_i),
    .segment_local_o(segment_local),
    .segment_offset_o(segment_offset),
    .segment_bytes_o(segment_bytes),
    .segment_ends_beat_o(ends_beat),
    .segment_ends_burst_o(ends_burst),
    .segment_ends_all_o(ends_all)
  );
  assign goes = segment_valid && rvalid_i;
  assign rready_o = segment_valid && ends_beat;
  assign returned = goes && ends_burst;
  assign complete_o = goes && ends_all;
  assign moves_o = goes;
  assign error_o = rvalid_i && rready_o && rerror_i;
  assign error_index_o = index;

  logic [PortBytes-1:0] first_bytes;
  for (genvar b = 0; b < PortBytes; b++) begin : gen_strobe
    assign first_bytes[b] = goes && b < 32'(segment_bytes);
  end
  always_ff @(posedge clk_i) begin
    write_strobe_o <= rst_ni ? first_bytes : '0;
    write_local_o <= segment_local;
    write_data_o <= rdata_i >> {segment_offset, 3'b000};
  end

  logic unused;
  assign unused = last_unused ^ rlast_i;
`ifdef VERILATOR
  a_last: assert property (@(posedge clk_i) disable iff (!rst_ni) rvalid_i && rready_o |-> rlast_i == ends_burst);
`endif
endmodule
