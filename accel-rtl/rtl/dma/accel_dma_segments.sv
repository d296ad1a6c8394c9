// Where memory's bursts and local rows meet: cuts a descriptor's bytes into segments that lie in one beat and in one local row.
//
// A repeated row (memory pitch 0) is given once for each of its copies, beat by beat.
//
// Latency:       none: a segment is offered in the cycle in which a burst and a descriptor are there.
// Throughput:    a segment a cycle.
// Back-pressure: segment_ready_i.
module accel_dma_segments #(
  parameter int PortBytes = 16,
  parameter int BurstBytes = 64,
  parameter int OffsetWidth = $clog2(PortBytes),
  parameter int BytesWidth = $clog2(BurstBytes + 1),
  parameter int SegmentWidth = $clog2(PortBytes + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    info_valid_i,
  output logic                    info_ready_o,
  input  logic [OffsetWidth-1:0]  info_offset_i,
  input  logic [BytesWidth-1:0]   info_bytes_i,

  // The descriptor's local side, in bytes of the memory side; Scale times as many locally.
  input  logic                    local_valid_i,
  output logic                    local_ready_o,
  input  logic [31:0]             local_i,
  input  logic [31:0]             row_bytes_i,
  input  logic [31:0]             rows_i,
  input  logic [31:0]             planes_i,
  input  logic [31:0]             row_pitch_i,
  input  logic [31:0]             plane_pitch_i,
  input  logic                    repeats_i,
  input  logic [SegmentWidth-1:0] most_i,   // bytes of a segment at most
  input  logic                    times_4_i,  // four local bytes for one in memory

  output logic                    segment_valid_o,
  input  logic                    segment_ready_i,
  output logic [31:0]             segment_local_o,
  output logic [OffsetWidth-1:0]  segment_offset_o,  // in the beat
  output logic [SegmentWidth-1:0] segment_bytes_o,
  output logic                    segment_ends_beat_o,
  output logic                    segment_ends_burst_o,
  output logic                    segment_ends_all_o
);
  logic                    in_burst_q, fresh_q;
  logic [OffsetWidth-1:0]  offset_q, offset;
  logic [BytesWidth-1:0]   left_q, left;
  logic [31:0]             at_q, at, row_q, row, plane_q, plane, row_left_q, row_left;
  logic [31:0]             rows_left_q, rows_left, planes_left_q, planes_left, copy_q, copies_left_q, copies_left;
  logic [31:0]             next_row, next_plane;
  logic [SegmentWidth-1:0] bytes;
  logic                    goes, ends_copies, ends_row, ends_plane, ends_beat, ends_burst, copying_q;

  assign offset = in_burst_q ? offset_q : info_offset_i;
  assign left = in_burst_q ? left_q : info_bytes_i;
  assign at = fresh_q ? local_i : at_q;
  assign row = fresh_q ? local_i : row_q;
  assign plane = fresh_q ? local_i : plane_q;
  assign row_left = fresh_q ? row_bytes_i : row_left_q;
  assign rows_left = fresh_q ? rows_i : rows_left_q;
  assign planes_left = fresh_q ? planes_i : planes_left_q;
  assign copies_left = copying_q ? copies_left_q : repeats_i ? rows_i : 32'd1;

  always_comb begin
    bytes = SegmentWidth'(PortBytes) - SegmentWidth'(offset);
    if (32'(left) < 32'(bytes)) bytes = SegmentWidth'(left);
    if (row_left < 32'(bytes)) bytes = SegmentWidth'(row_left);
    if (most_i < bytes) bytes = most_i;
  end
  assign ends_copies = copies_left == 32'd1;
  assign ends_burst = 32'(left) == 32'(bytes);
  assign ends_beat = ends_burst || 32'(offset) + 32'(bytes) == PortBytes;
  assign ends_row = row_left == 32'(bytes);
  assign ends_plane = ends_row && (repeats_i || rows_left == 32'd1);
  assign next_row = row + row_pitch_i;
  assign next_plane = plane + plane_pitch_i;

  assign segment_valid_o = info_valid_i && local_valid_i;
  assign goes = segment_valid_o && segment_ready_i;
  assign segment_local_o = copying_q ? copy_q : at;
  assign segment_offset_o = offset;
  assign segment_bytes_o = bytes;
  assign segment_ends_beat_o = ends_copies && ends_beat;
  assign segment_ends_burst_o = ends_copies && ends_burst;
  assign segment_ends_all_o = ends_copies && ends_plane && planes_left == 32'd1;
  assign info_ready_o = goes && segment_ends_burst_o;
  assign local_ready_o = goes && segment_ends_all_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_burst_q <= 1'b0;
      fresh_q <= 1'b1;
      copying_q <= 1'b0;
    end else if (goes) begin
      in_burst_q <= !segment_ends_burst_o;
      fresh_q <= segment_ends_all_o;
      copying_q <= !ends_copies;
    end
    if (goes) begin
      copies_left_q <= copies_left - 32'd1;
      copy_q <= segment_local_o + row_pitch_i;
      offset_q <= offset;
      left_q <= left;
      at_q <= at;
      row_q <= row;
      plane_q <= plane;
      row_left_q <= row_left;
      rows_left_q <= rows_left;
      planes_left_q <= planes_left;
      if (ends_copies) begin
        offset_q <= offset + OffsetWidth'(bytes);
        left_q <= left - BytesWidth'(bytes);
        at_q <= at + (times_4_i ? 32'({bytes, 2'b00}) : 32'(bytes));
        row_left_q <= row_left - 32'(bytes);
        if (ends_plane) begin
          at_q <= next_plane;
          row_q <= next_plane;
          plane_q <= next_plane;
          row_left_q <= row_bytes_i;
          rows_left_q <= rows_i;
          planes_left_q <= planes_left - 32'd1;
        end else if (ends_row) begin
          at_q <= next_row;
          row_q <= next_row;
          row_left_q <= row_bytes_i;
          rows_left_q <= rows_left - 32'd1;
        end
      end
    end
  end
endmodule
