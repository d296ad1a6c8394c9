// The AXI4-Lite port and the registers behind it: accel_csr_pkg is the map.
//
// Latency:       a write takes effect in the cycle after its address and data are both there, and is answered then; a read is
//                answered in the cycle after its address.
// Throughput:    a write and a read every second cycle.
// Back-pressure: the next one waits until the answer is taken.
module accel_registers #(
  parameter int Semaphores = 2
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic [15:0]              awaddr_i,
  input  logic                     awvalid_i,
  output logic                     awready_o,
  input  logic [31:0]              wdata_i,
  input  logic [3:0]               wstrb_i,
  input  logic                     wvalid_i,
  output logic                     wready_o,
  output logic [1:0]               bresp_o,
  output logic                     bvalid_o,
  input  logic                     bready_i,
  input  logic [15:0]              araddr_i,
  input  logic                     arvalid_i,
  output logic                     arready_o,
  output logic [31:0]              rdata_o,
  output logic [1:0]               rresp_o,
  output logic                     rvalid_o,
  input  logic                     rready_i,

  output logic                     start_o,
  output logic [3:0]               from_host_o,
  output logic [15:0]              self_o,
  output logic [97*4-1:0]          region_o,
  output logic [48*Semaphores-1:0] base_o,
  output logic                     bell_o,
  output logic [15:0]              bell_index_o,
  output logic [3:0]               push_o,
  output logic [1023:0]            pushed_o,
  output logic                     irq_o,

  input  logic                     finished_i,
  input  logic [3:0]               halted_i,
  input  logic                     error_valid_i,
  input  logic [7:0]               error_code_i,
  input  logic [1:0]               error_stream_i,
  input  logic [31:0]              error_index_i,
  output logic                     error_o,
  input  logic [32*Semaphores-1:0] semaphore_i,
  input  logic [127:0]             progress_i,
  input  logic [64*accel_config_pkg::Stats-1:0] stat_i,
  input  logic [64*32-1:0]         time_i,
  input  logic [63:0]              cycles_i
);
  localparam int Stats = accel_config_pkg::Stats;
  localparam int SemaphoreWidth = Semaphores > 1 ? $clog2(Semaphores) : 1;

  // Writes.
  logic        write;
  logic [15:0] write_address;
  logic [31:0] data;
  logic        to_semaphore, to_region, to_peer, to_window, known;
  logic        running_q, was_finished_q;
  logic [1:0]  enable_q, pending_q;
  logic [7:0]  error_code_q;
  logic [1:0]  error_stream_q;
  logic [31:0] error_index_q;
  logic        error_q;
  logic [1023:0] window_q [0:3];

  assign write = awvalid_i && wvalid_i && !bvalid_o;
  assign awready_o = write;
  assign wready_o = write;
  assign write_address = {awaddr_i[15:2], 2'b00};
  assign data = wdata_i;
  assign to_semaphore = 32'(write_address) < 4 * Semaphores;
  assign to_region = write_address[15:6] == accel_csr_pkg::Region[15:6];
  assign to_peer = write_address >= accel_csr_pkg::PeerBase && 32'(write_address) < 32'(accel_csr_pkg::PeerBase) + 8 * Semaphores;
  assign to_window = write_address[15:9] == accel_csr_pkg::Window[15:9];
  assign known = to_semaphore || to_region || to_peer || to_window || write_address == accel_csr_pkg::Control ||
      write_address == accel_csr_pkg::InterruptEnable || write_address == accel_csr_pkg::Interrupt ||
      write_address == accel_csr_pkg::SelfIndex;

  logic [1:0] stream;
  logic [4:0] word;
  logic [1023:0] window_d;
  assign stream = write_address[8:7];
  assign word = write_address[6:2];
  always_comb begin
    window_d = window_q[stream];
    window_d[32*word +: 32] = data;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bvalid_o <= 1'b0;
      bresp_o <= 2'b00;
      start_o <= 1'b0;
      from_host_o <= '0;
      self_o <= '0;
      bell_o <= 1'b0;
      push_o <= '0;
      enable_q <= '0;
    end else begin
      if (write) begin
        bvalid_o <= 1'b1;
        bresp_o <= known && awaddr_i[1:0] == 2'b00 && wstrb_i == 4'b1111 ? 2'b00 : 2'b10;
      end else if (bready_i) begin
        bvalid_o <= 1'b0;
      end
      start_o <= write && write_address == accel_csr_pkg::Control && data[0] && !running_q;
      bell_o <= write && to_semaphore;
      push_o <= write && to_window && word == 5'd31 ? 4'd1 << stream : 4'd0;
      if (write && write_address == accel_csr_pkg::Control && !running_q) from_host_o <= data[7:4];
      if (write && write_address == accel_csr_pkg::SelfIndex) self_o <= data[15:0];
      if (write && write_address == accel_csr_pkg::InterruptEnable) enable_q <= data[1:0];
    end
    bell_index_o <= {2'b00, write_address[15:2]};
    if (write && to_window) window_q[stream] <= window_d;
    pushed_o <= window_d;
  end

  for (genvar r = 0; r < 4; r++) begin : gen_region
    logic [47:0] base_q, end_q;
    logic        dram_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        base_q <= '0;
        end_q <= '0;
        dram_q <= 1'b0;
      end else if (write && to_region && write_address[5:4] == 2'(r)) begin
        case (write_address[3:2])
          2'd0: base_q[31:0] <= data;
          2'd1: {dram_q, base_q[47:32]} <= {data[31], data[15:0]};
          2'd2: end_q[31:0] <= data;
          default: end_q[47:32] <= data[15:0];
        endcase
      end
    end
    assign region_o[97*r +: 97] = {dram_q, end_q, base_q};
  end
  for (genvar s = 0; s < Semaphores; s++) begin : gen_peer
    logic [47:0] base_q;
    logic        here;
    assign here = write && to_peer && 32'(write_address) >> 3 == (32'(accel_csr_pkg::PeerBase) >> 3) + s;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) base_q <= '0;
      else if (here && !write_address[2]) base_q[31:0] <= data;
      else if (here) base_q[47:32] <= data[15:0];
    end
    assign base_o[48*s +: 48] = base_q;
  end

  // State.
  assign error_o = error_q;
  assign irq_o = (pending_q & enable_q) != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      running_q <= 1'b0;
      was_finished_q <= 1'b0;
      pending_q <= '0;
      error_q <= 1'b0;
    end else begin
      if (start_o) running_q <= 1'b1;
      else if (finished_i) running_q <= 1'b0;
      was_finished_q <= !start_o && (was_finished_q || (running_q && finished_i));
      if (write && write_address == accel_csr_pkg::Interrupt) pending_q <= pending_q & ~data[1:0];
      if (running_q && finished_i) pending_q[0] <= 1'b1;
      if (error_valid_i && !error_q) pending_q[1] <= 1'b1;
      if (error_valid_i) error_q <= 1'b1;
    end
    if (error_valid_i && !error_q) begin
      error_code_q <= error_code_i;
      error_stream_q <= error_stream_i;
      error_index_q <= error_index_i;
    end
  end

  // Reads.
  logic        read;
  logic [31:0] read_data;
  logic [13:0] index;
  logic [SemaphoreWidth-1:0] read_semaphore;
  logic [5:0]  read_time;
  logic [3:0]  read_stat;
  assign read = arvalid_i && !rvalid_o;
  assign arready_o = read;
  assign rresp_o = 2'b00;
  assign index = araddr_i[15:2];
  assign read_semaphore = SemaphoreWidth'(index);
  assign read_time = index[5:0];
  assign read_stat = index[4:1];
  always_comb begin
    read_data = '0;
    if (32'(araddr_i) < 4 * Semaphores) read_data = semaphore_i[32*32'(read_semaphore) +: 32];
    case ({index, 2'b00})
      accel_csr_pkg::Status: read_data = {20'd0, halted_i, 5'd0, error_q, was_finished_q, running_q};
      accel_csr_pkg::Control: read_data = {24'd0, from_host_o, 4'd0};
      accel_csr_pkg::Error: read_data = error_q ? {1'b1, 21'd0, error_stream_q, error_code_q} : '0;
      accel_csr_pkg::ErrorIndex: read_data = error_q ? error_index_q : '0;
      accel_csr_pkg::InterruptEnable: read_data = {30'd0, enable_q};
      accel_csr_pkg::Interrupt: read_data = {30'd0, pending_q};
      accel_csr_pkg::SelfIndex: read_data = {16'd0, self_o};
      accel_csr_pkg::Cycles: read_data = cycles_i[31:0];
      accel_csr_pkg::Cycles + 16'd4: read_data = cycles_i[63:32];
      accel_csr_pkg::Progress: read_data = progress_i[31:0];
      accel_csr_pkg::Progress + 16'd4: read_data = progress_i[63:32];
      accel_csr_pkg::Progress + 16'd8: read_data = progress_i[95:64];
      accel_csr_pkg::Progress + 16'd12: read_data = progress_i[127:96];
      default: ;
    endcase
    if (araddr_i[15:8] == accel_csr_pkg::Stat[15:8] && 32'(read_stat) < Stats && araddr_i[7] == 1'b0) begin
      read_data = stat_i[64*read_stat + 32*32'(index[0]) +: 32];
    end
    if (araddr_i[15:8] == accel_csr_pkg::EngineTime[15:8]) read_data = time_i[32*read_time +: 32];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) rvalid_o <= 1'b0;
    else if (read) rvalid_o <= 1'b1;
    else if (rready_i) rvalid_o <= 1'b0;
    if (read) rdata_o <= read_data;
  end
endmodule
