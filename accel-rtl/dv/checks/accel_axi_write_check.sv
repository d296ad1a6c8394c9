// AW, W and B as the core uses them: bursts as on AR, at most Outstanding stores and Bells doorbells; data in the order of the
// addresses and not before them, WLAST with the last beat, no strobe outside of the burst; an answer for what has been written.
module accel_axi_write_check #(
  parameter int PortBytes = 16,
  parameter int BurstBytes = 64,
  parameter int Outstanding = 16,
  parameter int Bells = 8
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic [3:0]             awid_i,
  input logic [47:0]            awaddr_i,
  input logic [7:0]             awlen_i,
  input logic [2:0]             awsize_i,
  input logic [1:0]             awburst_i,
  input logic                   awvalid_i,
  input logic                   awready_i,
  input logic [8*PortBytes-1:0] wdata_i,
  input logic [PortBytes-1:0]   wstrb_i,
  input logic                   wlast_i,
  input logic                   wvalid_i,
  input logic                   wready_i,
  input logic [3:0]             bid_i,
  input logic [1:0]             bresp_i,
  input logic                   bvalid_i,
  input logic                   bready_i
);
  localparam logic [3:0] StoreId = 4'd1;
  localparam logic [3:0] BellId = 4'd2;
  localparam int PlaceWidth = $clog2(Outstanding + Bells + 1);
  localparam int OffsetWidth = $clog2(PortBytes);

  accel_channel_check #(.Width(65)) u_aw (
    .clk_i, .rst_ni, .excused_i(1'b0), .valid_i(awvalid_i), .ready_i(awready_i),
    .data_i({awid_i, awaddr_i, awlen_i, awsize_i, awburst_i})
  );
  accel_channel_check #(.Width(9*PortBytes+1)) u_w (
    .clk_i, .rst_ni, .excused_i(1'b0), .valid_i(wvalid_i), .ready_i(wready_i), .data_i({wdata_i, wstrb_i, wlast_i})
  );
  accel_channel_check #(.Width(6)) u_b (
    .clk_i, .rst_ni, .excused_i(1'b0), .valid_i(bvalid_i), .ready_i(bready_i), .data_i({bid_i, bresp_i})
  );
  accel_burst_check #(.PortBytes(PortBytes), .BurstBytes(BurstBytes)) u_burst (
    .clk_i, .rst_ni, .valid_i(awvalid_i), .address_i(awaddr_i), .length_i(awlen_i), .size_i(awsize_i), .burst_i(awburst_i)
  );

  // Bursts from when their address is first offered until their last beat has gone.
  logic [7:0]             length_q [0:(1<<PlaceWidth)-1];
  logic [OffsetWidth-1:0] offset_q [0:(1<<PlaceWidth)-1];
  logic [PlaceWidth-1:0]  in_q, out_q;
  logic                   offered_q, is_new, is_known, asked, moved;
  logic [7:0]             beat_q, length;
  logic [OffsetWidth-1:0] offset;
  assign is_new = awvalid_i && !offered_q;
  assign is_known = in_q != out_q || is_new;
  assign length = in_q != out_q ? length_q[out_q] : awlen_i;
  assign offset = in_q != out_q ? offset_q[out_q] : awaddr_i[OffsetWidth-1:0];
  assign asked = awvalid_i && awready_i;
  assign moved = wvalid_i && wready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_q <= '0;
      out_q <= '0;
      beat_q <= '0;
      offered_q <= 1'b0;
    end else begin
      offered_q <= awvalid_i && !awready_i;
      if (is_new) in_q <= in_q + PlaceWidth'(1);
      if (moved) beat_q <= wlast_i ? 8'd0 : beat_q + 8'd1;
      if (moved && wlast_i) out_q <= out_q + PlaceWidth'(1);
    end
    if (is_new) begin
      length_q[in_q] <= awlen_i;
      offset_q[in_q] <= awaddr_i[OffsetWidth-1:0];
    end
  end

  // What is unanswered.
  logic [31:0] stores_q, bells_q, written_q;
  logic        answered;
  assign answered = bvalid_i && bready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      stores_q <= '0;
      bells_q <= '0;
      written_q <= '0;
    end else begin
      stores_q <= stores_q + 32'(asked && awid_i == StoreId) - 32'(answered && bid_i == StoreId);
      bells_q <= bells_q + 32'(asked && awid_i == BellId) - 32'(answered && bid_i == BellId);
      written_q <= written_q + 32'(moved && wlast_i) - 32'(answered);
    end
  end

  logic [PortBytes-1:0] below;
  assign below = beat_q == '0 ? ~({PortBytes{1'b1}} << offset) : '0;
  a_aw_id: assert property (@(posedge clk_i) disable iff (!rst_ni) awvalid_i |-> awid_i == StoreId || awid_i == BellId);
  a_aw_window: assert property (@(posedge clk_i) disable iff (!rst_ni)
      awvalid_i |-> awid_i == BellId ? bells_q < 32'(Bells) : stores_q < 32'(Outstanding));
  a_aw_bell: assert property (@(posedge clk_i) disable iff (!rst_ni)
      awvalid_i && awid_i == BellId |-> awlen_i == 8'd0 && awaddr_i[1:0] == 2'b00);
  a_w_address: assert property (@(posedge clk_i) disable iff (!rst_ni) wvalid_i |-> is_known);
  a_w_last: assert property (@(posedge clk_i) disable iff (!rst_ni) wvalid_i && is_known |-> wlast_i == (beat_q == length));
  a_w_strobe: assert property (@(posedge clk_i) disable iff (!rst_ni) wvalid_i |-> wstrb_i != '0 && (wstrb_i & below) == '0);
  a_w_whole: assert property (@(posedge clk_i) disable iff (!rst_ni) wvalid_i && beat_q != '0 && !wlast_i |-> wstrb_i == '1);
  a_b_asked_for: assert property (@(posedge clk_i) disable iff (!rst_ni)
      bvalid_i |-> written_q != '0 && (bid_i == BellId ? bells_q != '0 : bid_i == StoreId && stores_q != '0));
  a_b_response: assert property (@(posedge clk_i) disable iff (!rst_ni) bvalid_i |-> bresp_i != 2'b01);
endmodule
