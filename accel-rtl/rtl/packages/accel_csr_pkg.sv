// The register map of the AXI4-Lite port. Byte addresses; every register has 32 bits; 64-bit ones have their low word first.
/* verilator lint_off UNUSEDPARAM */
package accel_csr_pkg;
  // 0x0000 + 4 * semaphore: the semaphore bank. A write adds 1, whatever it carries; a read gives the value.
  localparam logic [15:0] Semaphore = 16'h0000;

  localparam logic [15:0] Control = 16'h1000;          // w: bit 0 starts; bits 7:4 streams that are fed by the host, not fetched
  localparam logic [15:0] Status = 16'h1004;           // r: bit 0 running, 1 finished, 2 error; bits 11:8 streams halted
  localparam logic [15:0] Error = 16'h1008;            // r: code 7:0, stream 9:8, bit 31 set: there is one
  localparam logic [15:0] ErrorIndex = 16'h100C;       // r: index of the command in its stream
  localparam logic [15:0] InterruptEnable = 16'h1010;  // rw: bit 0 finished, bit 1 error
  localparam logic [15:0] Interrupt = 16'h1014;        // r: pending, same bits; w: ones clear
  localparam logic [15:0] SelfIndex = 16'h1018;        // rw: which accelerator this is
  // 0x1040 + 16 * region, 4 regions: base low, base high (bits 15:0; bit 31: it is DRAM), end low, end high. The end is the
  // first byte behind it; a region whose end is 0 does not exist. A transfer must lie in one region.
  localparam logic [15:0] Region = 16'h1040;
  localparam int Regions = 4;
  // 0x1100 + 8 * bank: where the semaphore bank of accelerator `bank` lies, low and high; the last one is the host's.
  localparam logic [15:0] PeerBase = 16'h1100;
  // 0x2000 + 128 * stream: a command, word by word; the write of its last word pushes it.
  localparam logic [15:0] Window = 16'h2000;
  // 0x3000 + 8 * stat: 64 bits each, in the order of accel_config_pkg.
  localparam logic [15:0] Stat = 16'h3000;
  // 0x3100 + 64 * engine + 8 * time: cycles since the start. The rest of `Cycles` is idle.
  localparam logic [15:0] EngineTime = 16'h3100;
  localparam int TimeBusy = 0;
  localparam int TimeWaitLoad = 1;
  localparam int TimeWaitArray = 2;
  localparam int TimeWaitVector = 3;
  localparam int TimeWaitStore = 4;
  localparam int TimeWaitDependency = 5;
  localparam int TimeWaitHost = 6;
  localparam int TimeWaitMemory = 7;
  localparam logic [15:0] Cycles = 16'h3200;    // 64 bits: from start to finish, or till now
  localparam logic [15:0] Progress = 16'h3210;  // + 4 * engine: its progress counter

  // Error codes.
  localparam logic [7:0] ErrorIllegalCommand = 8'd1;  // opcode, field, stray bit, loop structure
  localparam logic [7:0] ErrorBadAddress = 8'd2;      // range, alignment, overlapping rows, no memory
  localparam logic [7:0] ErrorQueueOverflow = 8'd3;   // a push into a full queue
  localparam logic [7:0] ErrorBus = 8'd4;             // memory answered with an error
endpackage
/* verilator lint_on UNUSEDPARAM */
