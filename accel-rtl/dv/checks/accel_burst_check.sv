// What AR and AW have in common: incrementing bursts of full size that do not cross 4 KiB nor a multiple of BurstBytes.
module accel_burst_check #(
  parameter int PortBytes = 16,
  parameter int BurstBytes = 64
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        valid_i,
  input logic [47:0] address_i,
  input logic [7:0]  length_i,
  input logic [2:0]  size_i,
  input logic [1:0]  burst_i
);
  localparam int Page = 4096;

  logic [31:0] bytes, in_page, in_burst;
  logic        is_in_a_page;
  assign bytes = (32'(length_i) + 32'd1) * 32'(PortBytes);
  assign in_page = 32'(address_i) % 32'(Page) / 32'(PortBytes) * 32'(PortBytes);
  assign in_burst = 32'(address_i) % 32'(BurstBytes) / 32'(PortBytes) * 32'(PortBytes);
  assign is_in_a_page = in_page + bytes <= 32'(Page);

  a_full_size: assert property (@(posedge clk_i) disable iff (!rst_ni) valid_i |-> size_i == 3'($clog2(PortBytes)) && burst_i == 2'b01);
  a_in_a_page: assert property (@(posedge clk_i) disable iff (!rst_ni) valid_i |-> is_in_a_page);
  a_cut: assert property (@(posedge clk_i) disable iff (!rst_ni) valid_i && is_in_a_page |-> in_burst + bytes <= 32'(BurstBytes));

  logic unused;
  assign unused = ^address_i;
endmodule
