// Banks side by side, words going around them, behind ports that move windows of bytes at any byte address.
//
// A window touches each bank at most once if it ends within Banks * BankBytes bytes of the start of its first word; windows
// are chosen so. Ports do not disturb each other: each bank has one for each.
//
// Latency:       1 cycle from a read's address to its data; a write is read from the next cycle on, or with WriteFirst by a read
//                in the same cycle.
// Throughput:    a window a cycle through each port.
// Back-pressure: none.
module accel_sram #(
  parameter int Bytes = 65536,
  parameter int Banks = 4,
  parameter int BankBytes = 16,
  parameter int Window = 16,
  parameter int Reads = 1,
  parameter int Writes = 1,
  parameter bit WriteFirst = 1'b0,
  parameter int AddressWidth = $clog2(Bytes)
) (
  input  logic                           clk_i,
  input  logic [Reads-1:0]               read_i,
  input  logic [Reads*AddressWidth-1:0]  read_address_i,
  output logic [Reads*8*Window-1:0]      read_data_o,
  input  logic [Writes*Window-1:0]       write_strobe_i,
  input  logic [Writes*AddressWidth-1:0] write_address_i,
  input  logic [Writes*8*Window-1:0]     write_data_i
);
  localparam int Line = Banks * BankBytes;
  localparam int Depth = Bytes / Line;
  localparam int RowWidth = Depth > 1 ? $clog2(Depth) : 1;
  localparam int LineWidth = $clog2(Line);
  localparam int OffsetWidth = $clog2(BankBytes);

  logic [Reads*Banks*RowWidth-1:0]   read_row;
  logic [Reads*8*Line-1:0]           read_line;
  logic [Writes*Banks*RowWidth-1:0]  write_row;
  logic [Writes*Line-1:0]            write_line_strobe;
  logic [Writes*8*Line-1:0]          write_line;

  for (genvar r = 0; r < Reads; r++) begin : gen_read
    logic [AddressWidth-1:0] address;
    logic [LineWidth-1:0]    offset_q;
    logic [2*8*Line-1:0]     turned;
    logic                    unused;

    assign address = read_address_i[r*AddressWidth +: AddressWidth];
    for (genvar b = 0; b < Banks; b++) begin : gen_row
      // Banks in front of the first word hold the line after it.
      assign read_row[(r*Banks+b)*RowWidth +: RowWidth] =
          RowWidth'(address >> LineWidth) + RowWidth'(32'(address[LineWidth-1:0]) >> OffsetWidth > b);
    end
    always_ff @(posedge clk_i) begin
      if (read_i[r]) offset_q <= address[LineWidth-1:0];
    end
    assign turned = {2{read_line[r*8*Line +: 8*Line]}} >> {offset_q, 3'b000};
    assign read_data_o[r*8*Window +: 8*Window] = turned[8*Window-1:0];
    assign unused = ^turned;
  end

  for (genvar w = 0; w < Writes; w++) begin : gen_write
    logic [AddressWidth-1:0] address;
    logic [LineWidth-1:0]    offset;
    logic [2*8*Line-1:0]     turned;
    logic [2*Line-1:0]       turned_strobe;

    assign address = write_address_i[w*AddressWidth +: AddressWidth];
    assign offset = address[LineWidth-1:0];
    assign turned = (2*8*Line)'(write_data_i[w*8*Window +: 8*Window]) << {offset, 3'b000};
    assign turned_strobe = (2*Line)'(write_strobe_i[w*Window +: Window]) << offset;
    assign write_line[w*8*Line +: 8*Line] = turned[8*Line +: 8*Line] | turned[0 +: 8*Line];
    assign write_line_strobe[w*Line +: Line] = turned_strobe[Line +: Line] | turned_strobe[0 +: Line];
    for (genvar b = 0; b < Banks; b++) begin : gen_row
      assign write_row[(w*Banks+b)*RowWidth +: RowWidth] =
          RowWidth'(address >> LineWidth) + RowWidth'(32'(offset) >> OffsetWidth > b);
    end
  end

  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    logic [Reads*RowWidth-1:0]    bank_read_row;
    logic [Reads*8*BankBytes-1:0] bank_read_data;
    logic [Writes*RowWidth-1:0]   bank_write_row;
    logic [Writes*BankBytes-1:0]  bank_write_strobe;
    logic [Writes*8*BankBytes-1:0] bank_write_data;

    for (genvar r = 0; r < Reads; r++) begin : gen_bank_read
      assign bank_read_row[r*RowWidth +: RowWidth] = read_row[(r*Banks+b)*RowWidth +: RowWidth];
      assign read_line[(r*Banks+b)*8*BankBytes +: 8*BankBytes] = bank_read_data[r*8*BankBytes +: 8*BankBytes];
    end
    for (genvar w = 0; w < Writes; w++) begin : gen_bank_write
      assign bank_write_row[w*RowWidth +: RowWidth] = write_row[(w*Banks+b)*RowWidth +: RowWidth];
      assign bank_write_strobe[w*BankBytes +: BankBytes] = write_line_strobe[(w*Banks+b)*BankBytes +: BankBytes];
      assign bank_write_data[w*8*BankBytes +: 8*BankBytes] = write_line[(w*Banks+b)*8*BankBytes +: 8*BankBytes];
    end

    accel_bank #(
      .Bytes(BankBytes),
      .Depth(Depth),
      .Reads(Reads),
      .Writes(Writes),
      .WriteFirst(WriteFirst)
    ) u_bank (
      .clk_i,
      .read_i,
      .read_address_i(bank_read_row),
      .read_data_o(bank_read_data),
      .write_strobe_i(bank_write_strobe),
      .write_address_i(bank_write_row),
      .write_data_i(bank_write_data)
    );
  end
endmodule
