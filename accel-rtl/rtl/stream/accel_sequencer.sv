// Executes a stream's loop commands and hands out the others in turn, with the loop registers added in.
//
// Strides stand right behind their loop_begin and come by again in each iteration: in the first one a stride remembers what its
// register held, in the others it adds. When a loop ends, its registers get back what they held, one a cycle.
//
// Latency:       1 cycle.
// Throughput:    a command a cycle; the end of a loop takes a cycle for each of its strides, and what follows a jump must be fetched.
// Back-pressure: command_ready_o.
module accel_sequencer #(
  parameter int LoopDepth = 8,
  parameter int Strides = 32,
  parameter int OutBits = 608
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               start_i,
  input  logic               from_host_i,

  input  logic               command_valid_i,
  output logic               command_ready_o,
  input  logic [1023:0]      command_i,
  output logic               jump_o,
  output logic [31:0]        jump_index_o,
  output logic               stop_o,  // halt was taken

  output logic               valid_o,
  input  logic               ready_i,
  output logic [OutBits-1:0] command_o,
  output logic [31:0]        index_o,
  output logic               illegal_o
);
  localparam int FrameWidth = $clog2(LoopDepth + 1);
  localparam int FrameIndexWidth = LoopDepth > 1 ? $clog2(LoopDepth) : 1;
  localparam int StrideWidth = $clog2(Strides + 1);
  localparam int StrideIndexWidth = Strides > 1 ? $clog2(Strides) : 1;

  logic [47:0]             register_q [0:31];
  logic [31:0]             body_q [0:LoopDepth-1];
  logic [31:0]             count_q [0:LoopDepth-1];
  logic [31:0]             iteration_q [0:LoopDepth-1];
  logic [StrideWidth-1:0]  base_q [0:LoopDepth-1];
  logic [4:0]              saved_register_q [0:Strides-1];
  logic [47:0]             saved_value_q [0:Strides-1];
  logic [FrameWidth-1:0]   frames_q;
  logic [StrideWidth-1:0]  strides_q;
  logic [31:0]             index_q;
  logic                    running_q, after_loop_q;

  // Decode.
  logic [7:0]              opcode;
  logic [1023:0]           stray;
  logic                    is_loop, is_stride, is_end, is_halt, is_other, illegal;
  logic [4:0]              stride_register;
  logic [FrameIndexWidth-1:0] top, next_frame;
  logic [31:0]             loop_count;
  logic                    iterates, restores, ends;

  assign opcode = command_i[accel_command_pkg::Opcode +: 8];
  assign loop_count = command_i[accel_command_pkg::LoopBeginCount +: 32];
  assign stride_register = command_i[accel_command_pkg::StrideRegisterIndex +: 5];
  assign is_loop = opcode == 8'(accel_command_pkg::OpcodeLoopBegin);
  assign is_stride = opcode == 8'(accel_command_pkg::OpcodeStride);
  assign is_end = opcode == 8'(accel_command_pkg::OpcodeEndLoop);
  assign is_halt = opcode == 8'(accel_command_pkg::OpcodeHalt);
  assign is_other = !(is_loop || is_stride || is_end);
  assign top = FrameIndexWidth'(frames_q - FrameWidth'(1));
  assign next_frame = FrameIndexWidth'(frames_q);

  always_comb begin
    case (opcode)
      8'(accel_command_pkg::OpcodeHalt): stray = ~accel_command_pkg::HaltMask;
      8'(accel_command_pkg::OpcodeLoopBegin): stray = ~accel_command_pkg::LoopBeginMask;
      8'(accel_command_pkg::OpcodeStride): stray = ~accel_command_pkg::StrideMask;
      8'(accel_command_pkg::OpcodeEndLoop): stray = ~accel_command_pkg::EndLoopMask;
      8'(accel_command_pkg::OpcodeWaitSemaphore): stray = ~accel_command_pkg::WaitSemaphoreMask;
      8'(accel_command_pkg::OpcodeSignal): stray = ~accel_command_pkg::SignalMask;
      8'(accel_command_pkg::OpcodeDma): stray = ~accel_command_pkg::DmaMask;
      8'(accel_command_pkg::OpcodeMatmul): stray = ~accel_command_pkg::MatmulMask;
      default: stray = '1;
    endcase
  end
  always_comb begin
    illegal = (command_i & stray) != '0 || opcode >= 8'(accel_command_pkg::OpcodeLegal);
    if (is_loop && (loop_count == '0 || frames_q == FrameWidth'(LoopDepth))) illegal = 1'b1;
    if (is_loop && from_host_i && loop_count != 32'd1) illegal = 1'b1;
    if (is_stride && (!after_loop_q || stride_register == '0 || strides_q == StrideWidth'(Strides))) illegal = 1'b1;
    if (is_end && frames_q == '0) illegal = 1'b1;
    if (is_halt && frames_q != '0) illegal = 1'b1;
  end

  // Registers added in.
  logic [4:0]         register_index;
  logic [47:0]        register_value;
  logic [OutBits-1:0] resolved;
  always_comb begin
    register_index = '0;
    if (opcode == 8'(accel_command_pkg::OpcodeDma)) register_index = command_i[accel_command_pkg::DmaAddressRegister +: 5];
    if (opcode == 8'(accel_command_pkg::OpcodeWaitSemaphore)) register_index = command_i[accel_command_pkg::WaitSemaphoreRegisterIndex +: 5];
    register_value = register_q[register_index];
    resolved = command_i[OutBits-1:0];
    for (int e = 0; e < 4; e++) begin
      if (command_i[accel_command_pkg::WaitForLoad + 32*e +: 32] != '0) begin
        resolved[accel_command_pkg::WaitForLoad + 32*e +: 32] = command_i[accel_command_pkg::WaitForLoad + 32*e +: 32] +
            register_q[accel_command_pkg::ProgressRegister + e][31:0];
      end
    end
    if (opcode == 8'(accel_command_pkg::OpcodeDma)) begin
      resolved[accel_command_pkg::DmaMemoryAddress +: 48] = command_i[accel_command_pkg::DmaMemoryAddress +: 48] + register_value;
    end
    if (opcode == 8'(accel_command_pkg::OpcodeWaitSemaphore)) begin
      resolved[accel_command_pkg::WaitSemaphoreValue +: 32] = command_i[accel_command_pkg::WaitSemaphoreValue +: 32] + register_value[31:0];
    end
  end

  // A command goes on to the output register, or is executed here.
  logic                  taken, out_ready, executes;
  logic [47:0]           stride;
  logic [StrideIndexWidth-1:0] top_stride, next_stride;
  assign stride = command_i[accel_command_pkg::StrideStride +: 48];
  assign top_stride = StrideIndexWidth'(strides_q - StrideWidth'(1));
  assign next_stride = StrideIndexWidth'(strides_q);
  assign iterates = is_end && iteration_q[top] + 32'd1 != count_q[top];
  assign restores = is_end && !illegal && !iterates && strides_q != base_q[top];
  assign ends = is_end && !iterates && !restores;
  assign out_ready = !valid_o || ready_i;
  assign command_ready_o = running_q && (is_other || illegal ? out_ready : !restores);
  assign taken = command_valid_i && command_ready_o;
  assign executes = running_q && command_valid_i && !is_other && !illegal;
  assign jump_o = taken && iterates && !illegal;
  assign jump_index_o = body_q[top];
  assign stop_o = taken && (is_halt || illegal);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      running_q <= 1'b0;
      valid_o <= 1'b0;
      frames_q <= '0;
      strides_q <= '0;
      index_q <= '0;
      after_loop_q <= 1'b0;
    end else if (start_i) begin
      running_q <= 1'b1;
      valid_o <= 1'b0;
      frames_q <= '0;
      strides_q <= '0;
      index_q <= '0;
      after_loop_q <= 1'b0;
    end else begin
      if (ready_i) valid_o <= 1'b0;
      if (taken && (is_other || illegal)) valid_o <= 1'b1;
      if (stop_o) running_q <= 1'b0;
      if (taken) begin
        index_q <= jump_o ? body_q[top] : index_q + 32'd1;
        after_loop_q <= is_loop || (is_stride && after_loop_q) || jump_o;
      end
      if (executes && is_loop) frames_q <= frames_q + FrameWidth'(1);
      if (executes && ends) frames_q <= frames_q - FrameWidth'(1);
      if (executes && is_stride && iteration_q[top] == '0) strides_q <= strides_q + StrideWidth'(1);
      if (executes && restores) strides_q <= strides_q - StrideWidth'(1);
    end
    if (taken && (is_other || illegal)) begin
      command_o <= resolved;
      index_o <= index_q;
      illegal_o <= illegal;
    end
    if (executes && is_loop) begin
      body_q[next_frame] <= index_q + 32'd1;
      count_q[next_frame] <= loop_count;
      iteration_q[next_frame] <= '0;
      base_q[next_frame] <= strides_q;
    end
    if (executes && iterates) iteration_q[top] <= iteration_q[top] + 32'd1;
    if (executes && is_stride && iteration_q[top] == '0) begin
      saved_register_q[next_stride] <= stride_register;
      saved_value_q[next_stride] <= register_q[stride_register];
    end
  end

  always_ff @(posedge clk_i) begin
    for (int r = 0; r < 32; r++) begin
      if (!rst_ni || start_i) register_q[r] <= '0;
      else if (executes && is_stride && iteration_q[top] != '0 && stride_register == 5'(r)) register_q[r] <= register_q[r] + stride;
      else if (executes && restores && saved_register_q[top_stride] == 5'(r)) register_q[r] <= saved_value_q[top_stride];
    end
  end
endmodule
