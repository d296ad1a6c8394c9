// AR and R as the core uses them: bursts of whole beats that do not cross 4 KiB nor a multiple of BurstBytes, at most Outstanding of
// them, and as many beats as asked for, in order, the last one marked.
module accel_axi_read_check #(
  parameter int PortBytes = 16,
  parameter int BurstBytes = 64,
  parameter int Outstanding = 16
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic [3:0]             arid_i,
  input logic [47:0]            araddr_i,
  input logic [7:0]             arlen_i,
  input logic [2:0]             arsize_i,
  input logic [1:0]             arburst_i,
  input logic                   arvalid_i,
  input logic                   arready_i,
  input logic [3:0]             rid_i,
  input logic [8*PortBytes-1:0] rdata_i,
  input logic [1:0]             rresp_i,
  input logic                   rlast_i,
  input logic                   rvalid_i,
  input logic                   rready_i
);
  localparam int PlaceWidth = $clog2(Outstanding + 1);

  accel_channel_check #(.Width(65)) u_ar (
    .clk_i, .rst_ni, .excused_i(1'b0), .valid_i(arvalid_i), .ready_i(arready_i),
    .data_i({arid_i, araddr_i, arlen_i, arsize_i, arburst_i})
  );
  accel_channel_check #(.Width(8*PortBytes+7)) u_r (
    .clk_i, .rst_ni, .excused_i(1'b0), .valid_i(rvalid_i), .ready_i(rready_i), .data_i({rid_i, rdata_i, rresp_i, rlast_i})
  );
  accel_burst_check #(.PortBytes(PortBytes), .BurstBytes(BurstBytes)) u_burst (
    .clk_i, .rst_ni, .valid_i(arvalid_i), .address_i(araddr_i), .length_i(arlen_i), .size_i(arsize_i), .burst_i(arburst_i)
  );

  // Lengths of the bursts that are under way.
  logic [7:0]            length_q [0:(1<<PlaceWidth)-1];
  logic [PlaceWidth-1:0] in_q, out_q, count;
  logic [7:0]            beat_q, length;
  logic                  asked, moved;
  assign asked = arvalid_i && arready_i;
  assign moved = rvalid_i && rready_i;
  assign count = in_q - out_q;
  assign length = length_q[out_q];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_q <= '0;
      out_q <= '0;
      beat_q <= '0;
    end else begin
      if (asked) in_q <= in_q + PlaceWidth'(1);
      if (moved) beat_q <= rlast_i ? 8'd0 : beat_q + 8'd1;
      if (moved && rlast_i) out_q <= out_q + PlaceWidth'(1);
    end
    if (asked) length_q[in_q] <= arlen_i;
  end

  a_ar_id: assert property (@(posedge clk_i) disable iff (!rst_ni) arvalid_i |-> arid_i == 4'd0);
  a_ar_window: assert property (@(posedge clk_i) disable iff (!rst_ni) arvalid_i |-> 32'(count) < Outstanding);
  a_r_asked_for: assert property (@(posedge clk_i) disable iff (!rst_ni) rvalid_i |-> count != '0 && rid_i == 4'd0);
  a_r_last: assert property (@(posedge clk_i) disable iff (!rst_ni) rvalid_i && count != '0 |-> rlast_i == (beat_q == length));
  a_r_response: assert property (@(posedge clk_i) disable iff (!rst_ni) rvalid_i |-> rresp_i != 2'b01);
endmodule
