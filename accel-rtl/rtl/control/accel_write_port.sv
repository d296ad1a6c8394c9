// The memory port's write channels, shared by the store engine and doorbells.
//
// Latency:       none. A burst's data may go from the cycle in which its address is offered.
// Throughput:    an address and a beat a cycle.
// Back-pressure: an address that is offered stays; data keep the order of the addresses. At most Bells doorbells are unanswered.
module accel_write_port #(
  parameter int PortBytes = 16,
  parameter int Depth = 8,
  parameter int Bells = 8
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   store_valid_i,
  output logic                   store_ready_o,
  input  logic [47:0]            store_address_i,
  input  logic [7:0]             store_length_i,
  input  logic                   store_w_valid_i,
  output logic                   store_w_ready_o,
  input  logic [8*PortBytes-1:0] store_w_data_i,
  input  logic [PortBytes-1:0]   store_w_strobe_i,
  input  logic                   store_w_last_i,
  output logic                   store_answer_o,

  input  logic                   bell_valid_i,
  output logic                   bell_ready_o,
  input  logic [47:0]            bell_address_i,
  output logic                   bell_error_o,
  output logic                   answer_error_o,
  output logic                   idle_o,  // no doorbell is unanswered

  output logic [3:0]             awid_o,
  output logic [47:0]            awaddr_o,
  output logic [7:0]             awlen_o,
  output logic                   awvalid_o,
  input  logic                   awready_i,
  output logic [8*PortBytes-1:0] wdata_o,
  output logic [PortBytes-1:0]   wstrb_o,
  output logic                   wlast_o,
  output logic                   wvalid_o,
  input  logic                   wready_i,
  input  logic [3:0]             bid_i,
  input  logic [1:0]             bresp_i,
  input  logic                   bvalid_i,
  output logic                   bready_o
);
  localparam logic [3:0] StoreId = 4'd1;
  localparam logic [3:0] BellId = 4'd2;
  localparam int OffsetWidth = $clog2(PortBytes);
  localparam int BellsWidth = $clog2(Bells + 1);

  // Which one is offered stays so until it is taken; its place in the data's order is taken once.
  logic                   offered_q, was_bell_q, is_bell, can_offer, order_ready, new_offer, bell_may;
  logic [BellsWidth-1:0]  bells_q;
  logic                   bell_goes, bell_answer;

  assign bell_may = bell_valid_i && bells_q != BellsWidth'(Bells);
  assign is_bell = offered_q ? was_bell_q : bell_may;
  assign can_offer = offered_q || (order_ready && (bell_may || store_valid_i));
  assign new_offer = can_offer && !offered_q;
  assign awvalid_o = can_offer;
  assign awid_o = is_bell ? BellId : StoreId;
  assign awaddr_o = is_bell ? bell_address_i : store_address_i;
  assign awlen_o = is_bell ? 8'd0 : store_length_i;
  assign store_ready_o = can_offer && !is_bell && awready_i;
  assign bell_goes = can_offer && is_bell && awready_i;
  assign bell_ready_o = bell_goes;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) offered_q <= 1'b0;
    else offered_q <= can_offer && !awready_i;
    was_bell_q <= is_bell;
  end

  // Data in the order of the addresses.
  logic                   order_valid, order_is_bell, head_valid, head_is_bell, w_ends;
  logic [OffsetWidth-1:0] order_offset, head_offset, bell_offset;
  assign bell_offset = bell_address_i[OffsetWidth-1:0];
  accel_fifo #(.Width(1 + OffsetWidth), .Depth(Depth)) u_order (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .in_valid_i(new_offer && !(w_ends && !order_valid)),
    .in_ready_o(order_ready),
    .in_data_i({is_bell, bell_offset}),
    .out_valid_o(order_valid),
    .out_ready_i(w_ends && order_valid),
    .out_data_o({order_is_bell, order_offset})
  );
  assign head_valid = order_valid || new_offer;
  assign head_is_bell = order_valid ? order_is_bell : is_bell;
  assign head_offset = order_valid ? order_offset : bell_offset;
  assign wvalid_o = head_valid && (head_is_bell || store_w_valid_i);
  assign wdata_o = head_is_bell ? '0 : store_w_data_i;
  assign wstrb_o = head_is_bell ? PortBytes'(15) << head_offset : store_w_strobe_i;
  assign wlast_o = head_is_bell || store_w_last_i;
  assign store_w_ready_o = head_valid && !head_is_bell && wready_i;
  assign w_ends = wvalid_o && wready_i && wlast_o;

  // Answers.
  assign bready_o = 1'b1;
  assign store_answer_o = bvalid_i && bid_i == StoreId;
  assign bell_answer = bvalid_i && bid_i == BellId;
  assign answer_error_o = bvalid_i && bresp_i != 2'b00;
  assign bell_error_o = bell_answer && bresp_i != 2'b00;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) bells_q <= '0;
    else bells_q <= bells_q + BellsWidth'(bell_goes) - BellsWidth'(bell_answer);
  end
  assign idle_o = bells_q == '0;
endmodule
