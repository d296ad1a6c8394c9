// Which matmuls are refused (models/accel/timing/legality.h), and how many multiplications the others ask for.
//
// Latency:       2 cycles.
// Throughput:    a command a cycle.
// Back-pressure: a stage moves when the one behind it is free.
module accel_matmul_check #(
  parameter int ScratchpadBytes = 65536,
  parameter int AccumulatorBytes = 16384,
  parameter int Bits = 608
) (
  input  logic            clk_i,
  input  logic            rst_ni,

  input  logic            valid_i,
  output logic            ready_o,
  input  logic [Bits-1:0] command_i,
  input  logic [31:0]     index_i,
  input  logic            illegal_i,

  output logic            valid_o,
  input  logic            ready_i,
  output logic [Bits-1:0] command_o,
  output logic [31:0]     index_o,
  output logic            illegal_o,
  output logic            bad_address_o,
  output logic [63:0]     macs_o
);
  // First stage: products.
  logic            valid_q, illegal_q, stage_ready;
  logic [Bits-1:0] command_q;
  logic [31:0]     index_q, m, k, n, w_rows;
  logic [63:0]     a_reach_q, w_reach_q, out_reach_q, mk_q;

  assign m = command_i[accel_command_pkg::MatmulM +: 32];
  assign k = command_i[accel_command_pkg::MatmulK +: 32];
  assign n = command_i[accel_command_pkg::MatmulN +: 32];
  assign w_rows = command_i[accel_command_pkg::MatmulTransposeW] ? n : k;
  assign stage_ready = !valid_o || ready_i;
  assign ready_o = !valid_q || stage_ready;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (ready_o) valid_q <= valid_i;
    if (ready_o && valid_i) begin
      command_q <= command_i;
      index_q <= index_i;
      illegal_q <= illegal_i;
      a_reach_q <= {32'd0, m - 32'd1} * 64'(command_i[accel_command_pkg::MatmulAPitch +: 32]);
      w_reach_q <= {32'd0, w_rows - 32'd1} * 64'(command_i[accel_command_pkg::MatmulWPitch +: 32]);
      out_reach_q <= {32'd0, m - 32'd1} * 64'(command_i[accel_command_pkg::MatmulOutPitch +: 32]);
      mk_q <= 64'(m) * 64'(k);
    end
  end

  // Second stage: verdict.
  logic        q_work, q_transpose, illegal, bad;
  logic [31:0] q_a, q_w, q_out, q_m, q_k, q_n, q_w_rows, q_w_columns, q_a_pitch, q_w_pitch, q_out_pitch;
  logic [2:0]  q_a_dtype, q_w_dtype;
  logic [1:0]  q_dataflow;

  assign q_work = command_q[accel_command_pkg::Opcode +: 8] == 8'(accel_command_pkg::OpcodeMatmul);
  assign q_transpose = command_q[accel_command_pkg::MatmulTransposeW];
  assign q_a = command_q[accel_command_pkg::MatmulA +: 32];
  assign q_w = command_q[accel_command_pkg::MatmulW +: 32];
  assign q_out = command_q[accel_command_pkg::MatmulOut +: 32];
  assign q_m = command_q[accel_command_pkg::MatmulM +: 32];
  assign q_k = command_q[accel_command_pkg::MatmulK +: 32];
  assign q_n = command_q[accel_command_pkg::MatmulN +: 32];
  assign q_a_pitch = command_q[accel_command_pkg::MatmulAPitch +: 32];
  assign q_w_pitch = command_q[accel_command_pkg::MatmulWPitch +: 32];
  assign q_out_pitch = command_q[accel_command_pkg::MatmulOutPitch +: 32];
  assign q_a_dtype = command_q[accel_command_pkg::MatmulADtype +: 3];
  assign q_w_dtype = command_q[accel_command_pkg::MatmulWDtype +: 3];
  assign q_dataflow = command_q[accel_command_pkg::MatmulDataflow +: 2];
  assign q_w_rows = q_transpose ? q_n : q_k;
  assign q_w_columns = q_transpose ? q_k : q_n;

  always_comb begin
    illegal = q_m == '0 || q_k == '0 || q_n == '0;
    if (q_a_dtype != 3'(accel_command_pkg::DtypeInt8) || q_w_dtype != 3'(accel_command_pkg::DtypeInt8)) illegal = 1'b1;
    if (q_dataflow != 2'(accel_command_pkg::DataflowWeightStationary) &&
        q_dataflow != 2'(accel_command_pkg::DataflowOutputStationary)) illegal = 1'b1;
    if (q_a[31] || q_w[31] || !q_out[31]) illegal = 1'b1;
  end
  always_comb begin
    bad = 64'(q_a) + a_reach_q + 64'(q_k) > 64'(ScratchpadBytes);
    if (64'(q_w) + w_reach_q + 64'(q_w_columns) > 64'(ScratchpadBytes)) bad = 1'b1;
    if (64'(q_out[30:0]) + out_reach_q + {30'd0, q_n, 2'b00} > 64'(AccumulatorBytes)) bad = 1'b1;
    if (q_out[1:0] != '0 || q_out_pitch[1:0] != '0) bad = 1'b1;
    if (q_m > 32'd1 && q_a_pitch < q_k && q_a_pitch != '0) bad = 1'b1;
    if (q_w_rows > 32'd1 && q_w_pitch < q_w_columns && q_w_pitch != '0) bad = 1'b1;
    if (q_m > 32'd1 && {2'b00, q_out_pitch} < {q_n, 2'b00}) bad = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_o <= 1'b0;
    else if (stage_ready) valid_o <= valid_q;
    if (stage_ready && valid_q) begin
      command_o <= command_q;
      index_o <= index_q;
      illegal_o <= illegal_q || (q_work && illegal);
      bad_address_o <= q_work && !illegal_q && !illegal && bad;
      macs_o <= mk_q * 64'(q_n);
    end
  end
endmodule
