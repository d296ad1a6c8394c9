// A descriptor's set-up, and its bursts in order: of every run of touching bytes, cut at multiples of BurstBytes.
//
// Latency:       the first burst of a descriptor taken in cycle t is offered in cycle t + max(SetupCycles, 3), or as soon as the bursts
//                before it have gone. The next descriptor is taken in the cycle in which that first burst goes.
// Throughput:    a burst a cycle.
// Back-pressure: at most Outstanding bursts are under way; what comes behind waits for returned_i.
module accel_dma_bursts #(
  parameter int PortBytes = 16,
  parameter int BurstBytes = 64,
  parameter int Outstanding = 4,
  parameter int SetupCycles = 8,
  parameter int OffsetWidth = $clog2(PortBytes),
  parameter int BytesWidth = $clog2(BurstBytes + 1)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   valid_i,
  output logic                   ready_o,
  input  logic [47:0]            address_i,
  input  logic [47:0]            run_bytes_i,
  input  logic [31:0]            run_rows_i,
  input  logic [31:0]            run_planes_i,
  input  logic [47:0]            row_pitch_i,
  input  logic [47:0]            plane_pitch_i,

  // To the memory.
  output logic                   burst_valid_o,
  input  logic                   burst_ready_i,
  output logic [47:0]            burst_address_o,
  output logic [7:0]             burst_length_o,  // beats - 1
  output logic                   burst_last_o,    // of its descriptor
  input  logic                   returned_i,

  // To whoever moves the data, in the same order, perhaps earlier.
  output logic                   info_valid_o,
  input  logic                   info_ready_i,
  output logic [OffsetWidth-1:0] info_offset_o,
  output logic [BytesWidth-1:0]  info_bytes_o
);
  localparam int TimerWidth = $clog2(SetupCycles + 2);
  localparam int OutstandingWidth = $clog2(Outstanding + 1);
  localparam int BurstWidth = $clog2(BurstBytes);

  // Set-up.
  logic                  setup_q, taken_q;
  logic [TimerWidth-1:0] timer_q;
  logic [47:0]           address_q, run_bytes_q, row_pitch_q, plane_pitch_q;
  logic [31:0]           run_rows_q, run_planes_q;
  logic                  accept, take, first_goes;

  assign ready_o = !setup_q || first_goes;
  assign accept = valid_i && ready_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      setup_q <= 1'b0;
      taken_q <= 1'b0;
      timer_q <= '0;
    end else if (accept) begin
      setup_q <= 1'b1;
      taken_q <= 1'b0;
      timer_q <= SetupCycles > 0 ? TimerWidth'(SetupCycles - 1) : '0;
    end else begin
      if (first_goes) setup_q <= 1'b0;
      if (take) taken_q <= 1'b1;
      if (timer_q != '0) timer_q <= timer_q - TimerWidth'(1);
    end
    if (accept) begin
      address_q <= address_i;
      run_bytes_q <= run_bytes_i;
      run_rows_q <= run_rows_i;
      run_planes_q <= run_planes_i;
      row_pitch_q <= row_pitch_i;
      plane_pitch_q <= plane_pitch_i;
    end
  end

  // Bursts.
  logic                  walking_q, first_q, push, ends_run, ends_row, ends_all, goes_ready, info_in_ready;
  logic [47:0]           at_q, row_q, plane_q, left_q, next_row, next_plane, run_q, row_step_q, plane_step_q;
  logic [31:0]           rows_left_q, planes_left_q, rows_q;
  logic [BytesWidth-1:0] room, bytes;
  logic [BytesWidth:0]   end_byte;
  logic [7:0]            length;

  assign take = setup_q && !taken_q && (!walking_q || (push && ends_all));
  assign room = BytesWidth'(BurstBytes) - BytesWidth'(at_q[BurstWidth-1:0]);
  assign bytes = left_q < 48'(room) ? BytesWidth'(left_q) : room;
  assign end_byte = (BytesWidth+1)'(at_q[OffsetWidth-1:0]) + (BytesWidth+1)'(bytes) - (BytesWidth+1)'(1);
  assign length = 8'(32'(end_byte) / 32'(PortBytes));
  assign ends_run = left_q == 48'(bytes);
  assign ends_row = ends_run && rows_left_q == 32'd1;
  assign ends_all = ends_row && planes_left_q == 32'd1;
  assign next_row = row_q + row_step_q;
  assign next_plane = plane_q + plane_step_q;
  assign push = walking_q && goes_ready && info_in_ready;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) walking_q <= 1'b0;
    else if (take) walking_q <= 1'b1;
    else if (push && ends_all) walking_q <= 1'b0;
    if (take) begin
      first_q <= 1'b1;
      at_q <= address_q;
      row_q <= address_q;
      plane_q <= address_q;
      left_q <= run_bytes_q;
      run_q <= run_bytes_q;
      rows_q <= run_rows_q;
      rows_left_q <= run_rows_q;
      planes_left_q <= run_planes_q;
      row_step_q <= row_pitch_q;
      plane_step_q <= plane_pitch_q;
    end else if (push) begin
      first_q <= 1'b0;
      at_q <= at_q + 48'(bytes);
      left_q <= left_q - 48'(bytes);
      if (ends_row) begin
        at_q <= next_plane;
        row_q <= next_plane;
        plane_q <= next_plane;
        left_q <= run_q;
        rows_left_q <= rows_q;
        planes_left_q <= planes_left_q - 32'd1;
      end else if (ends_run) begin
        at_q <= next_row;
        row_q <= next_row;
        left_q <= run_q;
        rows_left_q <= rows_left_q - 32'd1;
      end
    end
  end

  // Requests wait for the set-up's end and for the window.
  logic                        go_valid, go_first;
  logic [OutstandingWidth-1:0] outstanding_q;
  logic                        goes;
  accel_fifo #(.Width(48 + 8 + 2), .Depth(Outstanding + 4)) u_requests (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .in_valid_i(walking_q && info_in_ready),
    .in_ready_o(goes_ready),
    .in_data_i({at_q, length, first_q, ends_all}),
    .out_valid_o(go_valid),
    .out_ready_i(goes),
    .out_data_o({burst_address_o, burst_length_o, go_first, burst_last_o})
  );
  assign burst_valid_o = go_valid && outstanding_q != OutstandingWidth'(Outstanding) && (!go_first || timer_q == '0);
  assign goes = burst_valid_o && burst_ready_i;
  assign first_goes = goes && go_first;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) outstanding_q <= '0;
    else if (goes && !returned_i) outstanding_q <= outstanding_q + OutstandingWidth'(1);
    else if (!goes && returned_i) outstanding_q <= outstanding_q - OutstandingWidth'(1);
  end

  accel_fifo #(.Width(OffsetWidth + BytesWidth), .Depth(Outstanding + 4)) u_infos (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .in_valid_i(walking_q && goes_ready),
    .in_ready_o(info_in_ready),
    .in_data_i({at_q[OffsetWidth-1:0], bytes}),
    .out_valid_o(info_valid_o),
    .out_ready_i(info_ready_i),
    .out_data_o({info_offset_o, info_bytes_o})
  );
endmodule
