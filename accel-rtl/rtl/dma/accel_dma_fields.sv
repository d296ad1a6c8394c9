// What a DMA engine takes from its command: runs of touching bytes in memory, rows that touch on the local side.
//
// Latency:       none, combinational.
// Throughput:    a command a cycle.
// Back-pressure: none.
module accel_dma_fields #(
  parameter int Bits = 608
) (
  input  logic [Bits-1:0] command_i,
  input  logic [63:0]     size_i,         // bytes of the command
  input  logic [63:0]     plane_bytes_i,  // bytes of a plane
  input  logic            rows_touch_i,
  input  logic            planes_touch_i,
  input  logic            local_rows_touch_i,
  input  logic            local_planes_touch_i,
  output logic [47:0]     address_o,
  output logic [47:0]     run_bytes_o,
  output logic [31:0]     run_rows_o,
  output logic [31:0]     run_planes_o,
  output logic [47:0]     memory_row_pitch_o,
  output logic [47:0]     memory_plane_pitch_o,
  output logic [31:0]     local_o,
  output logic [31:0]     row_bytes_o,
  output logic [31:0]     rows_o,
  output logic [31:0]     planes_o,
  output logic [31:0]     local_row_pitch_o,
  output logic [31:0]     local_plane_pitch_o
);
  assign address_o = command_i[accel_command_pkg::DmaMemoryAddress +: 48];
  assign memory_row_pitch_o = command_i[accel_command_pkg::DmaMemoryRowPitch +: 48];
  assign memory_plane_pitch_o = command_i[accel_command_pkg::DmaMemoryPlanePitch +: 48];
  assign local_o = command_i[accel_command_pkg::DmaLocal +: 32];
  assign local_row_pitch_o = command_i[accel_command_pkg::DmaLocalRowPitch +: 32];
  assign local_plane_pitch_o = command_i[accel_command_pkg::DmaLocalPlanePitch +: 32];

  // Local rows and planes that touch are one row.
  always_comb begin
    row_bytes_o = command_i[accel_command_pkg::DmaRowBytes +: 32];
    rows_o = command_i[accel_command_pkg::DmaRows +: 32];
    planes_o = command_i[accel_command_pkg::DmaPlanes +: 32];
    if (local_planes_touch_i) begin
      row_bytes_o = size_i[31:0];
      rows_o = 32'd1;
      planes_o = 32'd1;
    end else if (local_rows_touch_i) begin
      row_bytes_o = plane_bytes_i[31:0];
      rows_o = 32'd1;
    end
  end

  // Runs of touching bytes.
  always_comb begin
    run_rows_o = command_i[accel_command_pkg::DmaRows +: 32];
    run_planes_o = command_i[accel_command_pkg::DmaPlanes +: 32];
    run_bytes_o = 48'(command_i[accel_command_pkg::DmaRowBytes +: 32]);
    if (rows_touch_i) begin
      run_rows_o = 32'd1;
      run_bytes_o = plane_bytes_i[47:0];
    end
    if (planes_touch_i) begin
      run_planes_o = 32'd1;
      run_bytes_o = size_i[47:0];
    end
  end

  logic unused;
  assign unused = ^{command_i, size_i, plane_bytes_i};
endmodule
