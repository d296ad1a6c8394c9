// The AXI4-Lite port: an answer for each write whose address and data are in and for each read, in order, okay or slave error.
module accel_axil_check (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [15:0] awaddr_i,
  input logic        awvalid_i,
  input logic        awready_i,
  input logic [31:0] wdata_i,
  input logic [3:0]  wstrb_i,
  input logic        wvalid_i,
  input logic        wready_i,
  input logic [1:0]  bresp_i,
  input logic        bvalid_i,
  input logic        bready_i,
  input logic [15:0] araddr_i,
  input logic        arvalid_i,
  input logic        arready_i,
  input logic [31:0] rdata_i,
  input logic [1:0]  rresp_i,
  input logic        rvalid_i,
  input logic        rready_i
);
  accel_channel_check #(.Width(16)) u_aw (
    .clk_i, .rst_ni, .excused_i(1'b0), .valid_i(awvalid_i), .ready_i(awready_i), .data_i(awaddr_i)
  );
  accel_channel_check #(.Width(36)) u_w (
    .clk_i, .rst_ni, .excused_i(1'b0), .valid_i(wvalid_i), .ready_i(wready_i), .data_i({wdata_i, wstrb_i})
  );
  accel_channel_check #(.Width(2)) u_b (
    .clk_i, .rst_ni, .excused_i(1'b0), .valid_i(bvalid_i), .ready_i(bready_i), .data_i(bresp_i)
  );
  accel_channel_check #(.Width(16)) u_ar (
    .clk_i, .rst_ni, .excused_i(1'b0), .valid_i(arvalid_i), .ready_i(arready_i), .data_i(araddr_i)
  );
  accel_channel_check #(.Width(34)) u_r (
    .clk_i, .rst_ni, .excused_i(1'b0), .valid_i(rvalid_i), .ready_i(rready_i), .data_i({rdata_i, rresp_i})
  );

  // Taken and not answered.
  logic [31:0] addresses_q, data_q, reads_q;
  logic        wrote, read;
  assign wrote = bvalid_i && bready_i;
  assign read = rvalid_i && rready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      addresses_q <= '0;
      data_q <= '0;
      reads_q <= '0;
    end else begin
      addresses_q <= addresses_q + 32'(awvalid_i && awready_i) - 32'(wrote);
      data_q <= data_q + 32'(wvalid_i && wready_i) - 32'(wrote);
      reads_q <= reads_q + 32'(arvalid_i && arready_i) - 32'(read);
    end
  end

  a_b_asked_for: assert property (@(posedge clk_i) disable iff (!rst_ni) bvalid_i |-> addresses_q != '0 && data_q != '0);
  a_b_response: assert property (@(posedge clk_i) disable iff (!rst_ni) bvalid_i |-> bresp_i == 2'b00 || bresp_i == 2'b10);
  a_r_asked_for: assert property (@(posedge clk_i) disable iff (!rst_ni) rvalid_i |-> reads_q != '0);
  a_r_response: assert property (@(posedge clk_i) disable iff (!rst_ni) rvalid_i |-> rresp_i == 2'b00 || rresp_i == 2'b10);
endmodule
