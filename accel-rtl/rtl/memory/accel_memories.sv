// The tile's two SRAMs, and which of them a local address means: scratchpad, or accumulator SRAM if bit 31 is set.
//
// Latency:       accel_sram.
// Throughput:    a window a cycle through each port: operands, streams and weights ahead, results, loads and stores.
// Back-pressure: none.
module accel_memories #(
  parameter int Rows = 8,
  parameter int Cols = 8,
  parameter int ScratchpadBytes = 65536,
  parameter int ScratchpadBanks = 4,
  parameter int PortBytes = 16,
  parameter int AccumulatorBytes = 16384,
  parameter int ScratchpadWidth = $clog2(ScratchpadBytes),
  parameter int AccumulatorWidth = $clog2(AccumulatorBytes),
  parameter int Half = Rows > Cols ? Rows : Cols
) (
  input  logic                        clk_i,

  // DMA.
  input  logic [31:0]                 write_local_i,
  input  logic [PortBytes-1:0]        write_strobe_i,
  input  logic [8*PortBytes-1:0]      write_data_i,
  input  logic                        read_i,
  input  logic [31:0]                 read_local_i,
  output logic [8*PortBytes-1:0]      read_data_o,

  // Array: a, w, and the weights of the fold ahead.
  input  logic                        a_read_i,
  input  logic [ScratchpadWidth-1:0]  a_address_i,
  output logic [16*Half-1:0]          a_data_o,
  input  logic                        w_read_i,
  input  logic [ScratchpadWidth-1:0]  w_address_i,
  output logic [16*Half-1:0]          w_data_o,
  input  logic                        load_read_i,
  input  logic [ScratchpadWidth-1:0]  load_address_i,
  output logic [8*Half-1:0]           load_data_o,
  input  logic                        out_read_i,
  input  logic [AccumulatorWidth-1:0] out_read_address_i,
  output logic [32*Cols-1:0]          out_read_data_o,
  input  logic [4*Cols-1:0]           out_write_strobe_i,
  input  logic [AccumulatorWidth-1:0] out_write_address_i,
  input  logic [32*Cols-1:0]          out_write_data_i
);
  localparam int ScratchpadWindow = 2 * Half > PortBytes ? 2 * Half : PortBytes;
  localparam int AccumulatorWords = Cols > PortBytes / 4 + 1 ? Cols : PortBytes / 4 + 1;
  localparam int AccumulatorBanks = 1 << $clog2(AccumulatorWords);
  localparam int AccumulatorWindow = 4 * Cols > PortBytes ? 4 * Cols : PortBytes;

  logic                             to_accumulator, from_accumulator_q;
  logic [4*8*ScratchpadWindow-1:0]  scratchpad_data;
  logic [2*8*AccumulatorWindow-1:0] accumulator_data;
  assign to_accumulator = write_local_i[31];
  accel_sram #(
    .Bytes(ScratchpadBytes),
    .Banks(ScratchpadBanks),
    .BankBytes(PortBytes),
    .Window(ScratchpadWindow),
    .Reads(4),
    .Writes(1)
  ) u_scratchpad (
    .clk_i,
    .read_i({read_i && !read_local_i[31], load_read_i, w_read_i, a_read_i}),
    .read_address_i({read_local_i[ScratchpadWidth-1:0], load_address_i, w_address_i, a_address_i}),
    .read_data_o(scratchpad_data),
    .write_strobe_i(to_accumulator ? '0 : ScratchpadWindow'(write_strobe_i)),
    .write_address_i(write_local_i[ScratchpadWidth-1:0]),
    .write_data_i((8*ScratchpadWindow)'(write_data_i))
  );
  accel_sram #(
    .Bytes(AccumulatorBytes),
    .Banks(AccumulatorBanks),
    .BankBytes(4),
    .Window(AccumulatorWindow),
    .Reads(2),
    .Writes(2),
    .WriteFirst(1'b1)
  ) u_accumulator (
    .clk_i,
    .read_i({read_i && read_local_i[31], out_read_i}),
    .read_address_i({read_local_i[AccumulatorWidth-1:0], out_read_address_i}),
    .read_data_o(accumulator_data),
    .write_strobe_i({AccumulatorWindow'(out_write_strobe_i),
                     to_accumulator ? AccumulatorWindow'(write_strobe_i) : AccumulatorWindow'(0)}),
    .write_address_i({out_write_address_i, write_local_i[AccumulatorWidth-1:0]}),
    .write_data_i({(8*AccumulatorWindow)'(out_write_data_i), (8*AccumulatorWindow)'(write_data_i)})
  );
  assign a_data_o = scratchpad_data[0 +: 16*Half];
  assign w_data_o = scratchpad_data[8*ScratchpadWindow +: 16*Half];
  assign load_data_o = scratchpad_data[2*8*ScratchpadWindow +: 8*Half];
  assign out_read_data_o = accumulator_data[32*Cols-1:0];
  always_ff @(posedge clk_i) from_accumulator_q <= read_local_i[31];
  assign read_data_o = from_accumulator_q ? accumulator_data[8*AccumulatorWindow +: 8*PortBytes]
                                          : scratchpad_data[3*8*ScratchpadWindow +: 8*PortBytes];

  logic unused;
  assign unused = ^{scratchpad_data, accumulator_data, read_local_i, write_local_i};
endmodule
