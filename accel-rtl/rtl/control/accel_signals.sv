// Carries out signals: one bank a cycle, the own one at once, the others by doorbells.
//
// Latency:       none to the own bank: its semaphore shows the new value in the cycle in which the signal is due; 1 cycle to a doorbell.
// Throughput:    a bank a cycle, of one stream at a time.
// Back-pressure: at most Bells doorbells wait; the streams' signals wait for their turn.
module accel_signals #(
  parameter int Semaphores = 2,
  parameter int Bells = 4
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic [15:0]              self_i,
  input  logic [48*Semaphores-1:0] base_i,  // of each bank

  input  logic [3:0]               valid_i,
  output logic [3:0]               ready_o,
  input  logic [63:0]              semaphore_i,
  input  logic [63:0]              first_i,
  input  logic [63:0]              count_i,
  input  logic [3:0]               to_host_i,

  output logic                     rings_self_o,
  output logic [15:0]              self_semaphore_o,
  output logic                     rang_o,

  output logic                     bell_valid_o,
  input  logic                     bell_ready_i,
  output logic [47:0]              bell_address_o,
  output logic                     idle_o
);
  localparam int BankWidth = Semaphores > 1 ? $clog2(Semaphores) : 1;

  logic        busy_q, to_host_q, to_host, host_now, bank_now, is_self, goes, bell_ready, ends, any;
  logic [15:0] semaphore_q, bank_q, left_q, semaphore_index, bank, left;
  logic [1:0]  chosen;
  logic [47:0] address;
  logic [BankWidth-1:0] bank_index;

  always_comb begin
    chosen = 2'd0;
    for (int s = 3; s >= 0; s--) begin
      if (valid_i[s]) chosen = 2'(s);
    end
  end
  assign any = busy_q || valid_i != '0;
  assign semaphore_index = busy_q ? semaphore_q : semaphore_i[16*chosen +: 16];
  assign bank = busy_q ? bank_q : first_i[16*chosen +: 16];
  assign left = busy_q ? left_q : count_i[16*chosen +: 16];
  assign to_host = busy_q ? to_host_q : to_host_i[chosen];

  assign bank_now = any && left != '0;
  assign host_now = any && left == '0 && to_host;
  assign is_self = bank_now && bank == self_i;
  assign goes = any && (is_self || !(bank_now || host_now) || bell_ready);
  assign ends = left == '0 || (left == 16'd1 && !to_host);
  assign rings_self_o = is_self;
  assign self_semaphore_o = semaphore_index;
  assign rang_o = goes && (bank_now || host_now);
  always_comb begin
    ready_o = '0;
    ready_o[chosen] = goes && !busy_q && valid_i[chosen];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else if (goes) busy_q <= !ends;
    if (goes) begin
      semaphore_q <= semaphore_index;
      bank_q <= bank + 16'd1;
      left_q <= left == '0 ? '0 : left - 16'd1;
      to_host_q <= to_host;
    end
  end

  assign bank_index = host_now ? BankWidth'(Semaphores - 1) : BankWidth'(bank);
  assign address = base_i[48*32'(bank_index) +: 48] + {30'd0, semaphore_index, 2'b00};
  accel_fifo #(.Width(48), .Depth(Bells)) u_bells (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .in_valid_i((bank_now && !is_self) || host_now),
    .in_ready_o(bell_ready),
    .in_data_i(address),
    .out_valid_o(bell_valid_o),
    .out_ready_i(bell_ready_i),
    .out_data_o(bell_address_o)
  );
  assign idle_o = !any && !bell_valid_o;
endmodule
