// Of all errors of a cycle the one that is told: the bus's before the streams', the lower stream's before the higher's.
//
// Latency:       none, combinational.
// Throughput:    one error a cycle; the registers keep the first.
// Back-pressure: none.
module accel_error_select (
  input  logic         load_error_i,
  input  logic [31:0]  load_index_i,
  input  logic         store_error_i,
  input  logic [31:0]  store_index_i,
  input  logic         bell_error_i,
  input  logic [3:0]   overflow_i,
  input  logic [127:0] overflow_index_i,  // of the command that has no place in its stream
  input  logic [3:0]   stream_error_i,
  input  logic [31:0]  stream_code_i,   // 8 bits a stream
  input  logic [127:0] stream_index_i,  // of the stream's command, 32 bits each
  output logic         valid_o,
  output logic [7:0]   code_o,
  output logic [1:0]   stream_o,
  output logic [31:0]  index_o
);
  always_comb begin
    valid_o = 1'b1;
    code_o = accel_csr_pkg::ErrorBus;
    stream_o = 2'd0;
    index_o = load_index_i;
    if (load_error_i) begin
      stream_o = 2'd0;
    end else if (store_error_i) begin
      stream_o = 2'd3;
      index_o = store_index_i;
    end else if (bell_error_i) begin
      index_o = '1;  // a doorbell is of no command any more
    end else begin
      valid_o = 1'b0;
      for (int e = 3; e >= 0; e--) begin
        if (overflow_i[e]) begin
          valid_o = 1'b1;
          code_o = accel_csr_pkg::ErrorQueueOverflow;
          stream_o = 2'(e);
          index_o = overflow_index_i[32*e +: 32];
        end
      end
      for (int e = 3; e >= 0; e--) begin
        if (stream_error_i[e]) begin
          valid_o = 1'b1;
          code_o = stream_code_i[8*e +: 8];
          stream_o = 2'(e);
          index_o = stream_index_i[32*e +: 32];
        end
      end
    end
  end
endmodule
