// Which DMA commands are refused (models/accel/timing/legality.h), and what the DMA engines need to know of the others.
//
// Latency:       2 cycles.
// Throughput:    a command a cycle.
// Back-pressure: a stage moves when the one behind it is free.
module accel_dma_check #(
  parameter int ScratchpadBytes = 65536,
  parameter int AccumulatorBytes = 16384,
  parameter bit IsStore = 1'b0,
  parameter int Regions = 4,
  parameter int Bits = 608
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [Regions*97-1:0] region_i,  // {is DRAM, end, base} each

  input  logic                  valid_i,
  output logic                  ready_o,
  input  logic [Bits-1:0]       command_i,
  input  logic [31:0]           index_i,
  input  logic                  illegal_i,

  output logic                  valid_o,
  input  logic                  ready_i,
  output logic [Bits-1:0]       command_o,
  output logic [31:0]           index_o,
  output logic                  illegal_o,
  output logic                  bad_address_o,
  output logic                  in_dram_o,
  output logic [63:0]           memory_bytes_o,
  output logic [63:0]           plane_bytes_o,   // of a plane in memory
  output logic                  rows_touch_o,   // memory rows are one run
  output logic                  planes_touch_o, // and so are the planes
  output logic                  local_rows_touch_o,   // local rows are one, and not repeated
  output logic                  local_planes_touch_o  // and so are local planes
);
  // First stage: products.
  logic            valid_q, illegal_q;
  logic [Bits-1:0] command_q;
  logic [31:0]     index_q;
  logic [63:0]     local_rows_q, local_planes_q, plane_bytes_q;
  logic signed [63:0] memory_rows_q, memory_planes_q;
  logic            stage_ready;
  logic [31:0]     row_bytes, rows, planes, memory_rows;
  logic [47:0]     memory_row_pitch, memory_plane_pitch;
  logic            repeats;

  assign row_bytes = command_i[accel_command_pkg::DmaRowBytes +: 32];
  assign rows = command_i[accel_command_pkg::DmaRows +: 32];
  assign planes = command_i[accel_command_pkg::DmaPlanes +: 32];
  assign memory_row_pitch = command_i[accel_command_pkg::DmaMemoryRowPitch +: 48];
  assign memory_plane_pitch = command_i[accel_command_pkg::DmaMemoryPlanePitch +: 48];
  assign repeats = memory_row_pitch == '0;
  assign memory_rows = repeats ? 32'd1 : rows;
  assign stage_ready = !valid_o || ready_i;
  assign ready_o = !valid_q || stage_ready;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (ready_o) valid_q <= valid_i;
    if (ready_o && valid_i) begin
      command_q <= command_i;
      index_q <= index_i;
      illegal_q <= illegal_i;
      local_rows_q <= {32'd0, rows - 32'd1} * 64'(command_i[accel_command_pkg::DmaLocalRowPitch +: 32]);
      local_planes_q <= {32'd0, planes - 32'd1} * 64'(command_i[accel_command_pkg::DmaLocalPlanePitch +: 32]);
      plane_bytes_q <= 64'(memory_rows) * 64'(row_bytes);
      memory_rows_q <= $signed({32'd0, rows - 32'd1}) * $signed({{16{memory_row_pitch[47]}}, memory_row_pitch});
      memory_planes_q <= $signed({32'd0, planes - 32'd1}) * $signed({{16{memory_plane_pitch[47]}}, memory_plane_pitch});
    end
  end

  // Second stage: verdict.
  logic [31:0] q_local, q_row_bytes, q_rows, q_planes, q_row_pitch, q_plane_pitch;
  logic [47:0] q_address, q_memory_row_pitch, q_memory_plane_pitch;
  logic [1:0]  q_convert;
  logic        q_requantizes, q_work, illegal, bad_local, bad_memory, in_dram, row_repeats, plane_repeats;
  logic [63:0] row, plane, capacity, local_byte, below, above, first, last, total;

  assign q_local = command_q[accel_command_pkg::DmaLocal +: 32];
  assign q_row_bytes = command_q[accel_command_pkg::DmaRowBytes +: 32];
  assign q_rows = command_q[accel_command_pkg::DmaRows +: 32];
  assign q_planes = command_q[accel_command_pkg::DmaPlanes +: 32];
  assign q_row_pitch = command_q[accel_command_pkg::DmaLocalRowPitch +: 32];
  assign q_plane_pitch = command_q[accel_command_pkg::DmaLocalPlanePitch +: 32];
  assign q_address = command_q[accel_command_pkg::DmaMemoryAddress +: 48];
  assign q_memory_row_pitch = command_q[accel_command_pkg::DmaMemoryRowPitch +: 48];
  assign q_memory_plane_pitch = command_q[accel_command_pkg::DmaMemoryPlanePitch +: 48];
  assign q_convert = command_q[accel_command_pkg::DmaConvert +: 2];
  assign q_requantizes = q_convert == 2'(accel_command_pkg::ConvertRequantize);
  assign q_work = command_q[accel_command_pkg::Opcode +: 8] == 8'(accel_command_pkg::OpcodeDma);

  always_comb begin
    illegal = q_row_bytes == '0 || q_rows == '0 || q_planes == '0;
    if (q_convert != 2'(accel_command_pkg::ConvertNone) && !(IsStore && q_requantizes)) illegal = 1'b1;
    if (IsStore && q_memory_row_pitch == '0 && q_rows > 32'd1) illegal = 1'b1;
  end

  assign row = q_requantizes ? {30'd0, q_row_bytes, 2'b00} : {32'd0, q_row_bytes};
  assign plane = local_rows_q + row;
  assign capacity = q_local[31] ? 64'(AccumulatorBytes) : 64'(ScratchpadBytes);
  assign local_byte = {33'd0, q_local[30:0]};
  assign row_repeats = IsStore && q_row_pitch == '0;
  assign plane_repeats = IsStore && q_plane_pitch == '0;
  always_comb begin
    bad_local = local_byte + local_planes_q + plane > capacity || local_byte + plane > capacity;
    if (q_requantizes && (q_local[1:0] != '0 || q_row_pitch[1:0] != '0 || q_plane_pitch[1:0] != '0)) bad_local = 1'b1;
    if (q_rows > 32'd1 && 64'(q_row_pitch) < row && !row_repeats) bad_local = 1'b1;
    if (q_planes > 32'd1 && 64'(q_plane_pitch) < plane && !plane_repeats) bad_local = 1'b1;
  end

  assign below = (memory_rows_q[63] ? memory_rows_q : '0) + (memory_planes_q[63] ? memory_planes_q : '0);
  assign above = (memory_rows_q[63] ? '0 : memory_rows_q) + (memory_planes_q[63] ? '0 : memory_planes_q);
  assign first = 64'(q_address) + below;
  assign last = 64'(q_address) + above + 64'(q_row_bytes) - 64'd1;
  always_comb begin
    bad_memory = 1'b1;
    in_dram = 1'b0;
    for (int r = 0; r < Regions; r++) begin
      if (first >= 64'(region_i[97*r +: 48]) && last < 64'(region_i[97*r+48 +: 48]) && first <= last) begin
        bad_memory = 1'b0;
        in_dram = region_i[97*r+96];
      end
    end
  end
  assign total = 64'(q_planes) * plane_bytes_q;

  logic rows_touch, planes_touch;
  assign rows_touch = q_rows == 32'd1 || q_memory_row_pitch == '0 || q_memory_row_pitch == 48'(q_row_bytes);
  assign planes_touch = rows_touch && (q_planes == 32'd1 || 64'(q_memory_plane_pitch) == plane_bytes_q);

  logic local_rows_touch, local_planes_touch;
  assign local_rows_touch = q_rows == 32'd1 || (64'(q_row_pitch) == row && q_memory_row_pitch != '0);
  assign local_planes_touch = local_rows_touch && (q_planes == 32'd1 || 64'(q_plane_pitch) == plane);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_o <= 1'b0;
    else if (stage_ready) valid_o <= valid_q;
    if (stage_ready && valid_q) begin
      command_o <= command_q;
      index_o <= index_q;
      illegal_o <= illegal_q || (q_work && illegal);
      bad_address_o <= q_work && !illegal_q && !illegal && (bad_local || bad_memory);
      in_dram_o <= in_dram;
      memory_bytes_o <= total;
      rows_touch_o <= rows_touch;
      planes_touch_o <= planes_touch;
      local_rows_touch_o <= local_rows_touch;
      local_planes_touch_o <= local_planes_touch;
      plane_bytes_o <= plane_bytes_q;
    end
  end
endmodule
