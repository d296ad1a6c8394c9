// A bank of SRAM with several ports.
//
// Latency:       1 cycle from a read's address to its data; a write is read from the next cycle on, or with WriteFirst by a read
//                in the same cycle.
// Throughput:    a word a cycle through each port.
// Back-pressure: none. Two writes to one byte in one cycle: the higher port wins.
module accel_bank #(
  parameter int Bytes = 16,
  parameter int Depth = 1024,
  parameter int Reads = 1,
  parameter int Writes = 1,
  parameter bit WriteFirst = 1'b0,
  parameter int AddressWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                           clk_i,
  input  logic [Reads-1:0]               read_i,
  input  logic [Reads*AddressWidth-1:0]  read_address_i,
  output logic [Reads*8*Bytes-1:0]       read_data_o,
  input  logic [Writes*Bytes-1:0]        write_strobe_i,
  input  logic [Writes*AddressWidth-1:0] write_address_i,
  input  logic [Writes*8*Bytes-1:0]      write_data_i
);
  logic [8*Bytes-1:0] word_q [0:Depth-1];

  for (genvar r = 0; r < Reads; r++) begin : gen_read
    logic [8*Bytes-1:0] word;

    always_comb begin
      word = word_q[read_address_i[r*AddressWidth +: AddressWidth]];
      for (int w = 0; w < Writes; w++) begin
        for (int b = 0; b < Bytes; b++) begin
          if (WriteFirst && write_strobe_i[w*Bytes+b] &&
              write_address_i[w*AddressWidth +: AddressWidth] == read_address_i[r*AddressWidth +: AddressWidth]) begin
            word[8*b +: 8] = write_data_i[(w*Bytes+b)*8 +: 8];
          end
        end
      end
    end
    always_ff @(posedge clk_i) begin
      if (read_i[r]) read_data_o[r*8*Bytes +: 8*Bytes] <= word;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int w = 0; w < Writes; w++) begin
      for (int b = 0; b < Bytes; b++) begin
        if (write_strobe_i[w*Bytes+b]) begin
          word_q[write_address_i[w*AddressWidth +: AddressWidth]][8*b +: 8] <= write_data_i[(w*Bytes+b)*8 +: 8];
        end
      end
    end
  end
endmodule
