// Performance counters: the model's stats, and where each engine's time went.
//
// A DMA engine is busy while a segment moves, and otherwise waits for memory while a descriptor is under way; the array is busy while a
// matmul is between its first load or stream and its end. An engine without work waits for what its stream waits for.
//
// Latency:       1 cycle.
// Throughput:    every cycle.
// Back-pressure: none.
module accel_counters #(
  parameter int Rows = 8,
  parameter int Cols = 8,
  parameter int Stats = 9
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                start_i,
  input  logic                running_i,
  input  logic [3:0]          issued_i,
  input  logic [4*64-1:0]     size_i,
  input  logic [3:0]          in_dram_i,
  input  logic                rang_i,
  input  logic [1:0]          array_begins_i,
  input  logic                array_completes_i,
  input  logic [3:0]          moves_i,
  input  logic [3:0]          under_way_i,
  input  logic [15:0]         waits_for_i,
  input  logic [7:0]          waits_at_i,
  output logic [64*Stats-1:0] stat_o,
  output logic [64*32-1:0]    time_o,
  output logic [63:0]         cycles_o
);
  // The contract's cycle of a matmul's begin is one before the streamer's, and its end is seen two cycles late here, so that the
  // span has its right length.
  logic [3:0] array_work_q;
  logic       array_ends;
  accel_delay #(.Width(1), .Stages(2)) u_ends (.clk_i, .rst_ni, .data_i(array_completes_i), .data_o(array_ends));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) array_work_q <= '0;
    else array_work_q <= array_work_q + 4'(array_begins_i) - 4'(array_ends);
  end

  logic [63:0] step [0:Stats-1];
  always_comb begin
    for (int i = 0; i < Stats; i++) step[i] = '0;
    step[accel_config_pkg::StatCommands] = 64'(issued_i[0]) + 64'(issued_i[1]) + 64'(issued_i[2]) + 64'(issued_i[3]);
    step[accel_config_pkg::StatMacs] = issued_i[1] ? size_i[64 +: 64] : '0;
    step[accel_config_pkg::StatMacSlots] = array_work_q != '0 ? 64'(Rows * Cols) : '0;
    step[accel_config_pkg::StatLoad] = issued_i[0] ? size_i[0 +: 64] : '0;
    step[accel_config_pkg::StatStore] = issued_i[3] ? size_i[192 +: 64] : '0;
    step[accel_config_pkg::StatDram] = (issued_i[0] && in_dram_i[0] ? size_i[0 +: 64] : '0) +
        (issued_i[3] && in_dram_i[3] ? size_i[192 +: 64] : '0);
    step[accel_config_pkg::StatSignals] = 64'(rang_i);
  end
  for (genvar i = 0; i < Stats; i++) begin : gen_stat
    logic [63:0] value_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || start_i) value_q <= '0;
      else value_q <= value_q + step[i];
    end
    assign stat_o[64*i +: 64] = value_q;
  end

  logic [63:0] cycles_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_i) cycles_q <= '0;
    else if (running_i) cycles_q <= cycles_q + 64'd1;
  end
  assign cycles_o = cycles_q;

  for (genvar e = 0; e < 4; e++) begin : gen_engine
    logic [7:0] now;
    always_comb begin
      now = '0;
      if (e == 1 ? array_work_q != '0 : moves_i[e]) now[accel_csr_pkg::TimeBusy] = 1'b1;
      else if (e != 1 && under_way_i[e]) now[accel_csr_pkg::TimeWaitMemory] = 1'b1;
      else if (waits_for_i[4*e]) now[accel_csr_pkg::TimeWaitLoad] = 1'b1;
      else if (waits_for_i[4*e+1]) now[accel_csr_pkg::TimeWaitArray] = 1'b1;
      else if (waits_for_i[4*e+2]) now[accel_csr_pkg::TimeWaitVector] = 1'b1;
      else if (waits_for_i[4*e+3]) now[accel_csr_pkg::TimeWaitStore] = 1'b1;
      else if (waits_at_i[2*e]) now[accel_csr_pkg::TimeWaitDependency] = 1'b1;
      else if (waits_at_i[2*e+1]) now[accel_csr_pkg::TimeWaitHost] = 1'b1;
    end
    for (genvar t = 0; t < 8; t++) begin : gen_time
      logic [63:0] value_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni || start_i) value_q <= '0;
        else if (running_i && now[t]) value_q <= value_q + 64'd1;
      end
      assign time_o[64*(8*e+t) +: 64] = value_q;
    end
  end

  logic unused;
  assign unused = ^{size_i, in_dram_i, under_way_i[1], moves_i[1]};
endmodule
