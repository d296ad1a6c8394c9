// A small program on the core, for simulators that the harness does not use: two matmuls of one pair of operands (weights
// stationary on top of a bias, outputs stationary), results stored in a loop and requantized. Expected numbers are computed here.
// Prints PASS with the checksum of memory, or FAIL.
module accel_smoke_tb;
  localparam int M = 11;
  localparam int K = 19;
  localparam int N = 10;
  localparam int Latency = 12;
  localparam logic [47:0] Base = 48'h8000_0000;
  localparam int Bytes = 8192;
  localparam int AtA = 64;
  localparam int AtW = 1024;
  localparam int AtBias = 2051;
  localparam int AtOut = 3000;    // and M * N * 4 bytes behind it again
  localparam int AtSmall = 6003;
  localparam int Multiplier = 1357;
  localparam int Shift = 14;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  always #5 clk = !clk;

  // Core.
  logic irq;
  logic [3:0] complete, arid, awid;
  logic [47:0] araddr, awaddr;
  logic [7:0] arlen, awlen;
  logic [2:0] arsize, awsize;
  logic [1:0] arburst, awburst;
  logic arvalid, rvalid, rready, rlast, awvalid, wvalid, wlast, bvalid, bready;
  logic [127:0] rdata, wdata;
  logic [15:0] wstrb;
  logic [15:0] s_awaddr;
  logic [31:0] s_wdata, s_rdata;
  logic s_valid, s_awready, s_wready, s_bvalid, s_arready, s_rvalid;
  logic [1:0] s_bresp, s_rresp;
  logic cmd_ar_valid, cmd_r_valid, cmd_r_ready;
  logic [1:0] cmd_ar_stream, cmd_r_stream;
  logic [31:0] cmd_ar_index;
  logic [1023:0] cmd_r_data;
  logic [3:0] bid;

  accel_core u_core (
    .clk_i(clk),
    .rst_ni(rst_n),
    .irq_o(irq),
    .complete_o(complete),
    .m_axi_arid_o(arid),
    .m_axi_araddr_o(araddr),
    .m_axi_arlen_o(arlen),
    .m_axi_arsize_o(arsize),
    .m_axi_arburst_o(arburst),
    .m_axi_arvalid_o(arvalid),
    .m_axi_arready_i(1'b1),
    .m_axi_rid_i(4'd0),
    .m_axi_rdata_i(rdata),
    .m_axi_rresp_i(2'b00),
    .m_axi_rlast_i(rlast),
    .m_axi_rvalid_i(rvalid),
    .m_axi_rready_o(rready),
    .m_axi_awid_o(awid),
    .m_axi_awaddr_o(awaddr),
    .m_axi_awlen_o(awlen),
    .m_axi_awsize_o(awsize),
    .m_axi_awburst_o(awburst),
    .m_axi_awvalid_o(awvalid),
    .m_axi_awready_i(1'b1),
    .m_axi_wdata_o(wdata),
    .m_axi_wstrb_o(wstrb),
    .m_axi_wlast_o(wlast),
    .m_axi_wvalid_o(wvalid),
    .m_axi_wready_i(1'b1),
    .m_axi_bid_i(bid),
    .m_axi_bresp_i(2'b00),
    .m_axi_bvalid_i(bvalid),
    .m_axi_bready_o(bready),
    .s_axil_awaddr_i(s_awaddr),
    .s_axil_awvalid_i(s_valid),
    .s_axil_awready_o(s_awready),
    .s_axil_wdata_i(s_wdata),
    .s_axil_wstrb_i(4'b1111),
    .s_axil_wvalid_i(s_valid),
    .s_axil_wready_o(s_wready),
    .s_axil_bresp_o(s_bresp),
    .s_axil_bvalid_o(s_bvalid),
    .s_axil_bready_i(1'b1),
    .s_axil_araddr_i(16'd0),
    .s_axil_arvalid_i(1'b0),
    .s_axil_arready_o(s_arready),
    .s_axil_rdata_o(s_rdata),
    .s_axil_rresp_o(s_rresp),
    .s_axil_rvalid_o(s_rvalid),
    .s_axil_rready_i(1'b1),
    .cmd_ar_valid_o(cmd_ar_valid),
    .cmd_ar_ready_i(1'b1),
    .cmd_ar_stream_o(cmd_ar_stream),
    .cmd_ar_index_o(cmd_ar_index),
    .cmd_r_valid_i(cmd_r_valid),
    .cmd_r_ready_o(cmd_r_ready),
    .cmd_r_stream_i(cmd_r_stream),
    .cmd_r_data_i(cmd_r_data)
  );

  // Program: eight commands a stream at most.
  logic [1023:0] program_q [0:31];
  always_ff @(posedge clk) begin
    cmd_r_valid <= rst_n && cmd_ar_valid;
    cmd_r_stream <= cmd_ar_stream;
    cmd_r_data <= program_q[{cmd_ar_stream, cmd_ar_index[2:0]}];
  end

  // Memory: bursts in order, the last beat Latency cycles after the request at the earliest.
  logic [7:0]  memory [0:Bytes-1];
  logic [47:0] read_address [0:15];
  logic [7:0]  read_length [0:15];
  integer      read_due [0:15];
  logic [3:0]  read_in, read_out;
  integer      now, read_beat, write_beat, answers, i, j, k;
  logic [47:0] write_address [0:15];
  logic [3:0]  write_in, write_out, written, answered;
  integer      write_due [0:15];
  logic [47:0] at;
  integer      array_done, load_done, matmul_cycles;

  always_comb begin
    rvalid = read_in != read_out && now >= read_due[read_out] + read_beat;
    rlast = read_beat == 32'(read_length[read_out]);
    at = {read_address[read_out][47:4], 4'b0000} + 48'(16 * read_beat) - Base;
    for (int b = 0; b < 16; b++) rdata[8*b +: 8] = memory[(32'(at) + b) % Bytes];
    bvalid = written != answered && now >= write_due[answered];
    bid = 4'd1;
  end
  always_ff @(posedge clk) begin
    if (!rst_n) begin
      now <= 0;
      read_in <= '0;
      read_out <= '0;
      read_beat <= 0;
      write_in <= '0;
      write_out <= '0;
      written <= '0;
      answered <= '0;
      write_beat <= 0;
      load_done <= 0;
      array_done <= 0;
    end else begin
      now <= now + 1;
      if (arvalid) begin
        read_address[read_in] <= araddr;
        read_length[read_in] <= arlen;
        read_due[read_in] <= now + Latency - 32'(arlen);
        read_in <= read_in + 4'd1;
      end
      if (rvalid && rready) begin
        read_beat <= rlast ? 0 : read_beat + 1;
        if (rlast) read_out <= read_out + 4'd1;
      end
      if (awvalid) begin
        write_address[write_in] <= awaddr;
        write_in <= write_in + 4'd1;
      end
      if (wvalid) begin
        for (int b = 0; b < 16; b++) begin
          if (wstrb[b]) begin
            memory[(32'({write_in == write_out ? awaddr[47:4] : write_address[write_out][47:4], 4'b0000} - Base) + 16 * write_beat + b) % Bytes]
                <= wdata[8*b +: 8];
          end
        end
        write_beat <= wlast ? 0 : write_beat + 1;
        if (wlast) begin
          write_out <= write_out + 4'd1;
          write_due[written] <= now + Latency;
          written <= written + 4'd1;
        end
      end
      if (bvalid) answered <= answered + 4'd1;
      if (complete[0]) load_done <= now;
      if (complete[1] && array_done == 0) begin
        array_done <= now;
        matmul_cycles <= now - load_done;
      end
    end
  end

  task write_register(input logic [15:0] address, input logic [31:0] value);
    begin
      s_awaddr = address;
      s_wdata = value;
      s_valid = 1'b1;
      @(posedge clk);
      while (!s_awready) @(posedge clk);
      #1 s_valid = 1'b0;
      @(posedge clk);
      #1;
    end
  endtask

  task put_dma(input integer place, input integer address, input logic [31:0] local_address, input integer row_bytes,
               input integer rows, input integer memory_pitch, input integer local_pitch);
    begin
      program_q[place] = '0;
      program_q[place][accel_command_pkg::Opcode +: 8] = 8'(accel_command_pkg::OpcodeDma);
      program_q[place][accel_command_pkg::DmaMemoryAddress +: 48] = Base + 48'(address);
      program_q[place][accel_command_pkg::DmaLocal +: 32] = local_address;
      program_q[place][accel_command_pkg::DmaRowBytes +: 32] = row_bytes;
      program_q[place][accel_command_pkg::DmaRows +: 32] = rows;
      program_q[place][accel_command_pkg::DmaPlanes +: 32] = 32'd1;
      program_q[place][accel_command_pkg::DmaMemoryRowPitch +: 48] = 48'(memory_pitch);
      program_q[place][accel_command_pkg::DmaLocalRowPitch +: 32] = local_pitch;
      program_q[place][accel_command_pkg::DmaMultiplier +: 32] = 32'd1;
    end
  endtask

  task put_matmul(input integer place, input integer out, input logic accumulate, input integer dataflow);
    begin
      program_q[place] = '0;
      program_q[place][accel_command_pkg::Opcode +: 8] = 8'(accel_command_pkg::OpcodeMatmul);
      program_q[place][accel_command_pkg::WaitForLoad +: 32] = accel_command_pkg::CounterStart + 32'd3;
      program_q[place][accel_command_pkg::MatmulA +: 32] = 32'd16;
      program_q[place][accel_command_pkg::MatmulW +: 32] = 32'd4099;
      program_q[place][accel_command_pkg::MatmulOut +: 32] = 32'h8000_0000 + out;
      program_q[place][accel_command_pkg::MatmulM +: 32] = M;
      program_q[place][accel_command_pkg::MatmulK +: 32] = K;
      program_q[place][accel_command_pkg::MatmulN +: 32] = N;
      program_q[place][accel_command_pkg::MatmulAPitch +: 32] = K + 2;
      program_q[place][accel_command_pkg::MatmulWPitch +: 32] = N;
      program_q[place][accel_command_pkg::MatmulOutPitch +: 32] = 4 * N;
      program_q[place][accel_command_pkg::MatmulADtype +: 3] = 3'(accel_command_pkg::DtypeInt8);
      program_q[place][accel_command_pkg::MatmulWDtype +: 3] = 3'(accel_command_pkg::DtypeInt8);
      program_q[place][accel_command_pkg::MatmulAccumulate] = accumulate;
      program_q[place][accel_command_pkg::MatmulDataflow +: 2] = dataflow;
    end
  endtask

  function logic signed [31:0] int32_at(input integer address);
    int32_at = {memory[address+3], memory[address+2], memory[address+1], memory[address]};
  endfunction

  integer wrong, expected_cycles, folds, vectors;
  logic signed [31:0] sum, with_bias;
  logic signed [63:0] scaled;
  logic [7:0]  small_value;
  logic [31:0] checksum;
  localparam int Rows = accel_config_pkg::Rows;
  localparam int Cols = accel_config_pkg::Cols;
  initial begin
    for (i = 0; i < Bytes; i = i + 1) memory[i] = 8'((i * i * 7 + i * 13 + 5) >> 3);
    for (i = 0; i < 32; i = i + 1) program_q[i] = '0;  // halt
    put_dma(0, AtA, 32'd16, K, M, K, K + 2);
    put_dma(1, AtW, 32'd4099, N, K, N, N);
    put_dma(2, AtBias, 32'h8000_0000, 4 * N, M, 0, 4 * N);
    put_matmul(8, 0, 1'b1, accel_command_pkg::DataflowWeightStationary);
    put_matmul(9, 2048, 1'b0, accel_command_pkg::DataflowOutputStationary);
    // Twice the first result, then the second one requantized.
    program_q[24][accel_command_pkg::Opcode +: 8] = 8'(accel_command_pkg::OpcodeLoopBegin);
    program_q[24][accel_command_pkg::LoopBeginCount +: 32] = 32'd2;
    program_q[25][accel_command_pkg::Opcode +: 8] = 8'(accel_command_pkg::OpcodeStride);
    program_q[25][accel_command_pkg::StrideRegisterIndex +: 5] = 5'd7;
    program_q[25][accel_command_pkg::StrideStride +: 48] = 48'(4 * M * N);
    put_dma(26, AtOut, 32'h8000_0000, 4 * N, M, 4 * N, 4 * N);
    program_q[26][accel_command_pkg::DmaAddressRegister +: 5] = 5'd7;
    program_q[26][accel_command_pkg::WaitForArray +: 32] = accel_command_pkg::CounterStart + 32'd1;
    program_q[27][accel_command_pkg::Opcode +: 8] = 8'(accel_command_pkg::OpcodeEndLoop);
    put_dma(28, AtSmall, 32'h8000_0000 + 2048, N, M, N + 3, 4 * N);
    program_q[28][accel_command_pkg::DmaConvert +: 2] = 2'(accel_command_pkg::ConvertRequantize);
    program_q[28][accel_command_pkg::DmaMultiplier +: 32] = Multiplier;
    program_q[28][accel_command_pkg::DmaShift +: 6] = Shift;
    program_q[28][accel_command_pkg::WaitForArray +: 32] = accel_command_pkg::CounterStart + 32'd2;

    s_valid = 1'b0;
    s_awaddr = '0;
    s_wdata = '0;
    repeat (4) @(posedge clk);
    #1 rst_n = 1'b1;
    write_register(accel_csr_pkg::Region, Base[31:0]);
    write_register(accel_csr_pkg::Region + 16'd4, 32'h8000_0000);
    write_register(accel_csr_pkg::Region + 16'd8, Base[31:0] + Bytes);
    write_register(accel_csr_pkg::InterruptEnable, 32'd3);
    write_register(accel_csr_pkg::Control, 32'd1);
    while (!irq && now < 20000) @(posedge clk);

    wrong = irq ? 0 : 1;
    for (i = 0; i < M; i = i + 1) begin
      for (j = 0; j < N; j = j + 1) begin
        sum = 0;
        for (k = 0; k < K; k = k + 1) sum = sum + $signed(memory[AtA+K*i+k]) * $signed(memory[AtW+N*k+j]);
        with_bias = sum + int32_at(AtBias + 4 * j);
        if (int32_at(AtOut + 4 * (N * i + j)) !== with_bias) wrong = wrong + 1;
        if (int32_at(AtOut + 4 * M * N + 4 * (N * i + j)) !== with_bias) wrong = wrong + 1;
        scaled = (64'(sum) * 64'sd1357 + 64'sd8192) >>> Shift;
        small_value = scaled > 127 ? 8'h7f : scaled < -128 ? 8'h80 : scaled[7:0];
        if (memory[AtSmall+(N+3)*i+j] !== small_value) wrong = wrong + 1;
      end
    end
    // The first matmul begins when the last load has ended: folds, each max(M, Rows) apart.
    folds = ((K + Rows - 1) / Rows) * ((N + Cols - 1) / Cols);
    vectors = M > Rows ? M : Rows;
    expected_cycles = Rows + (folds - 1) * vectors + M + Rows + Cols - 2;
    if (matmul_cycles != expected_cycles) wrong = wrong + 1;
    checksum = 32'd0;
    for (i = 0; i < Bytes; i = i + 1) checksum = {checksum[30:0], checksum[31]} ^ {24'd0, memory[i]};
    if (wrong == 0) $display("PASS checksum %h, %0d cycles", checksum, now);
    else $display("FAIL %0d wrong, matmul %0d cycles of %0d, irq %0d, checksum %h", wrong, matmul_cycles, expected_cycles, irq, checksum);
    $finish;
  end
endmodule
