// The head of a stream: waits for progress counters and semaphores, gives work to the engine, keeps signals until they are due.
//
// Latency:       none: a command issues in the cycle in which the last counter that it waits for has its value.
// Throughput:    a command a cycle.
// Back-pressure: ready_o; a signal waits for a place among Signals others.
module accel_issue #(
  parameter int WorkOpcode = 6,
  parameter int Semaphores = 2,
  parameter int Signals = 4,
  parameter int Bits = 608
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     start_i,
  input  logic                     stop_i,  // an error somewhere: nothing issues any more
  input  logic [4*32-1:0]          progress_i,
  input  logic [32*Semaphores-1:0] semaphore_i,

  input  logic                     valid_i,
  output logic                     ready_o,
  input  logic [Bits-1:0]          command_i,
  input  logic                     illegal_i,
  input  logic                     bad_address_i,

  output logic                     work_valid_o,
  input  logic                     work_ready_i,
  input  logic                     complete_i,
  output logic                     busy_o,  // work is under way
  output logic                     error_valid_o,
  output logic [7:0]               error_code_o,

  output logic                     signal_valid_o,
  input  logic                     signal_ready_i,
  output logic [15:0]              signal_semaphore_o,
  output logic [15:0]              signal_first_o,
  output logic [15:0]              signal_count_o,
  output logic                     signal_to_host_o,

  output logic                     issued_o,       // a work command
  output logic [3:0]               waits_for_o,    // engines
  output logic [1:0]               waits_at_o,     // semaphore of an accelerator, of the host
  output logic                     halted_o
);
  localparam int SemaphoreWidth = Semaphores > 1 ? $clog2(Semaphores) : 1;

  logic [7:0]  opcode;
  logic        is_work, is_wait, is_signal, is_halt, illegal, met, free, semaphore_met, may_go, quiet;
  logic [31:0] issued_q, completed_q, semaphore_value;
  logic [15:0] semaphore_index;
  logic [16:0] signal_end;
  logic        halted_q;

  assign opcode = command_i[accel_command_pkg::Opcode +: 8];
  assign is_work = opcode == 8'(WorkOpcode);
  assign is_wait = opcode == 8'(accel_command_pkg::OpcodeWaitSemaphore);
  assign is_signal = opcode == 8'(accel_command_pkg::OpcodeSignal);
  assign is_halt = opcode == 8'(accel_command_pkg::OpcodeHalt);

  for (genvar e = 0; e < 4; e++) begin : gen_wait
    logic [31:0] wanted;
    assign wanted = command_i[accel_command_pkg::WaitForLoad + 32*e +: 32];
    assign waits_for_o[e] = valid_i && !is_halt && wanted != '0 && progress_i[32*e +: 32] < wanted;
  end
  assign met = waits_for_o == '0;

  assign semaphore_index = command_i[accel_command_pkg::WaitSemaphoreSemaphore +: 16];
  assign semaphore_value = semaphore_i[32*32'(SemaphoreWidth'(semaphore_index)) +: 32];
  assign semaphore_met = semaphore_value >= command_i[accel_command_pkg::WaitSemaphoreValue +: 32];
  assign signal_end = {1'b0, command_i[accel_command_pkg::SignalFirst +: 16]} + {1'b0, command_i[accel_command_pkg::SignalCount +: 16]};
  assign waits_at_o = {2{valid_i && met && is_wait && !illegal && !semaphore_met}} &
      {32'(semaphore_index) == Semaphores - 1, 32'(semaphore_index) != Semaphores - 1};

  always_comb begin
    illegal = illegal_i || !(is_work || is_wait || is_signal || is_halt);
    if ((is_wait || is_signal) && 32'(semaphore_index) >= Semaphores) illegal = 1'b1;
    if (is_signal && 32'(signal_end) > Semaphores - 1) illegal = 1'b1;
  end

  // Signals are due once everything issued before them has completed.
  logic        signal_in_ready, signal_waits;
  logic [31:0] signal_due;
  assign quiet = completed_q == issued_q;
  assign may_go = valid_i && !stop_i && !halted_q && met;
  assign work_valid_o = may_go && is_work && !illegal && !bad_address_i;
  assign error_valid_o = may_go && (illegal || bad_address_i);
  assign error_code_o = illegal ? accel_csr_pkg::ErrorIllegalCommand : accel_csr_pkg::ErrorBadAddress;
  assign free = is_work ? work_ready_i : is_wait ? semaphore_met : is_signal ? signal_in_ready : quiet && !signal_waits;
  assign ready_o = may_go && !illegal && !bad_address_i && free;
  assign issued_o = work_valid_o && work_ready_i;
  assign busy_o = !quiet;
  assign halted_o = halted_q;

  accel_fifo #(.Width(32 + 49), .Depth(Signals)) u_signals (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .in_valid_i(may_go && is_signal && !illegal),
    .in_ready_o(signal_in_ready),
    .in_data_i({issued_q, command_i[accel_command_pkg::SignalSemaphore +: 49]}),
    .out_valid_o(signal_waits),
    .out_ready_i(signal_ready_i && signal_valid_o),
    .out_data_o({signal_due, signal_to_host_o, signal_count_o, signal_first_o, signal_semaphore_o})
  );
  assign signal_valid_o = signal_waits && $signed(completed_q - signal_due) >= 0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      issued_q <= '0;
      completed_q <= '0;
      halted_q <= 1'b1;
    end else begin
      if (issued_o) issued_q <= issued_q + 32'd1;
      if (complete_i) completed_q <= completed_q + 32'd1;
      if (start_i) halted_q <= 1'b0;
      else if (ready_o && is_halt) halted_q <= 1'b1;
    end
  end

  logic unused;
  assign unused = ^command_i;
endmodule
