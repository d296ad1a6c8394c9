// The channels' rules hold, and whoever breaks one is caught: each rule by pins that keep to all rules but that one, and at the pins
// of a core.
#include <gtest/gtest.h>
#include <unistd.h>
#include <verilated.h>

#include <functional>
#include <memory>

#include "Vaccel_core_check.h"
#include "tests/rtl/beside_functional.h"

namespace archsim {
namespace {

using Pins = Vaccel_core_check;
constexpr int kReset = 2, kEnd = 12;

/// Two beats are read from 0x1008 on.
void drive_reads(Pins& pins, int cycle) {
  pins.arvalid_i = cycle == 2 || cycle == 3;
  pins.arready_i = cycle >= 3;
  pins.araddr_i = 0x1008;
  pins.arlen_i = 1;
  pins.arsize_i = 4;
  pins.arburst_i = 1;
  pins.rvalid_i = cycle >= 4 && cycle <= 6;
  pins.rready_i = cycle >= 5;
  pins.rlast_i = cycle == 6;
}

/// 40 bytes are written from 0x1010 on, their data as early as they may; then a doorbell rings at 0x2004.
void drive_writes(Pins& pins, int cycle) {
  const bool is_bell = cycle >= 8;
  pins.awvalid_i = cycle == 2 || cycle == 3 || cycle == 8;
  pins.awready_i = cycle >= 3;
  pins.awid_i = is_bell ? 2 : 1;
  pins.awaddr_i = is_bell ? 0x2004 : 0x1010;
  pins.awlen_i = is_bell ? 0 : 2;
  pins.awsize_i = 4;
  pins.awburst_i = 1;
  pins.wvalid_i = (cycle >= 2 && cycle <= 5) || cycle == 8;
  pins.wready_i = cycle >= 3;
  pins.wstrb_i = is_bell ? 0x00F0 : cycle == 5 ? 0x00FF : 0xFFFF;
  pins.wlast_i = cycle == 5 || is_bell;
  pins.bvalid_i = cycle == 6 || cycle == 7 || cycle == 9;
  pins.bready_i = cycle >= 7;
  pins.bid_i = is_bell ? 2 : 1;
}

void drive_registers(Pins& pins, int cycle) {
  pins.csr_awvalid_i = cycle >= 2 && cycle <= 4;
  pins.csr_wvalid_i = cycle == 3 || cycle == 4;
  pins.csr_awready_i = pins.csr_wready_i = cycle >= 4;
  pins.csr_bvalid_i = cycle == 5 || cycle == 6;
  pins.csr_bready_i = cycle >= 6;
  pins.csr_arvalid_i = cycle == 2 || cycle == 3;
  pins.csr_arready_i = cycle >= 3;
  pins.csr_rvalid_i = cycle == 4 || cycle == 5;
  pins.csr_rready_i = cycle >= 5;
}

/// Two commands of stream 1.
void drive_commands(Pins& pins, int cycle) {
  pins.cmd_ar_valid_i = cycle >= 2 && cycle <= 4;
  pins.cmd_ar_ready_i = cycle >= 3;
  pins.cmd_ar_stream_i = 1;
  pins.cmd_ar_index_i = cycle <= 3 ? 5 : 6;
  pins.cmd_r_valid_i = cycle >= 5 && cycle <= 7;
  pins.cmd_r_ready_i = cycle >= 6;
  pins.cmd_r_stream_i = 1;
}

/// `change` is what is different from legal pins, in each cycle.
void run(const std::function<void(Pins&, int)>& change) {
  // Verilator says what failed on stdout, and a death test reads stderr.
  dup2(STDERR_FILENO, STDOUT_FILENO);
  VerilatedContext context;
  Pins pins(&context);
  for (int cycle = 0; cycle < kEnd; ++cycle) {
    pins.rst_ni = cycle >= kReset;
    drive_reads(pins, cycle);
    drive_writes(pins, cycle);
    drive_registers(pins, cycle);
    drive_commands(pins, cycle);
    change(pins, cycle);
    for (const int clock : {0, 1}) {
      pins.clk_i = static_cast<CData>(clock);
      pins.eval();
    }
  }
}

struct Crime {
  const char* caught_by;  // a regular expression of the assertion's path
  std::function<void(Pins&, int)> change;
};

void expect_caught(const std::vector<Crime>& crimes) {
  for (const Crime& crime : crimes) {
    EXPECT_DEATH(run(crime.change), std::string("Assertion failed in .*") + crime.caught_by);
  }
}

TEST(RtlChannels, LegalPinsPass) {
  run([](Pins&, int) {});
}

TEST(RtlChannelsDeathTest, Reads) {
  expect_caught({
      {"u_read.u_ar.a_valid_stays", [](Pins& p, int c) { p.arvalid_i = c == 2; }},
      {"u_read.u_ar.a_data_stays", [](Pins& p, int c) { p.araddr_i = c == 2 ? 0x1000 : 0x1008; }},
      {"u_read.u_burst.a_full_size", [](Pins& p, int) { p.arsize_i = 3; }},
      {"u_read.u_burst.a_full_size", [](Pins& p, int) { p.arburst_i = 0; }},
      {"u_read.u_burst.a_in_a_page", [](Pins& p, int) { p.araddr_i = 0x1FF8; }},
      {"u_read.u_burst.a_cut", [](Pins& p, int) { p.araddr_i = 0x1038; }},
      {"u_read.a_ar_id", [](Pins& p, int) { p.arid_i = 1; }},
      {"u_read.a_ar_window", [](Pins& p, int c) { p.arvalid_i = c >= 2; }},
      {"u_read.u_r.a_valid_stays", [](Pins& p, int c) { p.rvalid_i = c == 4 || c == 6; }},
      {"u_read.u_r.a_data_stays", [](Pins& p, int c) { p.rdata_i[3] = c == 4; }},
      {"u_read.a_r_asked_for", [](Pins& p, int c) { p.rvalid_i |= c == 8; }},
      {"u_read.a_r_asked_for", [](Pins& p, int) { p.rid_i = 1; }},
      {"u_read.a_r_last", [](Pins& p, int) { p.rlast_i = 0; }},
      {"u_read.a_r_last", [](Pins& p, int) { p.rlast_i = 1; }},
      {"u_read.a_r_response", [](Pins& p, int) { p.rresp_i = 1; }},
  });
}

TEST(RtlChannelsDeathTest, Writes) {
  expect_caught({
      {"u_write.u_aw.a_valid_stays", [](Pins& p, int c) { p.awvalid_i = c == 2; }},
      {"u_write.u_aw.a_data_stays", [](Pins& p, int c) { p.awlen_i = c == 2 ? 1 : 2; }},
      {"u_write.u_burst.a_full_size", [](Pins& p, int) { p.awsize_i = 2; }},
      {"u_write.u_burst.a_in_a_page", [](Pins& p, int c) { p.awaddr_i = c < 8 ? 0x1FE0 : 0x2004; }},
      {"u_write.u_burst.a_cut", [](Pins& p, int c) { p.awaddr_i = c < 8 ? 0x1020 : 0x2004; }},
      {"u_write.a_aw_id", [](Pins& p, int c) { p.awid_i = c < 8 ? 0 : 2; }},
      {"u_write.a_aw_window", [](Pins& p, int c) { p.awvalid_i |= c <= 7 && c >= 2; }},
      {"u_write.a_aw_bell", [](Pins& p, int c) { p.awlen_i = c < 8 ? 2 : 1; }},
      {"u_write.a_aw_bell", [](Pins& p, int c) { p.awaddr_i = c < 8 ? 0x1010 : 0x2006; }},
      {"u_write.u_w.a_valid_stays", [](Pins& p, int c) { p.wvalid_i = c == 2; }},
      {"u_write.u_w.a_data_stays", [](Pins& p, int c) { p.wdata_i[0] = c; }},
      {"u_write.a_w_address", [](Pins& p, int c) { p.wvalid_i |= c == 7; }},
      {"u_write.a_w_last", [](Pins& p, int c) { p.wlast_i |= c == 4; }},
      {"u_write.a_w_last", [](Pins& p, int c) { p.wlast_i = c == 8, p.wstrb_i = c < 8 ? 0xFFFF : 0x00F0; }},
      {"u_write.a_w_strobe", [](Pins& p, int c) { p.wstrb_i = c == 5 ? 0 : p.wstrb_i; }},
      {"u_write.a_w_strobe", [](Pins& p, int c) { p.awaddr_i = c < 8 ? 0x1018 : 0x2004; }},
      {"u_write.a_w_whole", [](Pins& p, int c) { p.wstrb_i = c == 4 ? 0x0FFF : p.wstrb_i; }},
      {"u_write.u_b.a_valid_stays", [](Pins& p, int c) { p.bvalid_i = c == 6; }},
      {"u_write.u_b.a_data_stays", [](Pins& p, int c) { p.bresp_i = c == 6 ? 2 : 0; }},
      {"u_write.a_b_asked_for", [](Pins& p, int c) { p.bvalid_i |= c == 4; }},
      {"u_write.a_b_asked_for", [](Pins& p, int) { p.bid_i = 2; }},
      {"u_write.a_b_response", [](Pins& p, int) { p.bresp_i = 1; }},
  });
}

TEST(RtlChannelsDeathTest, RegistersAndCommands) {
  expect_caught({
      {"u_csr.u_aw.a_valid_stays", [](Pins& p, int c) { p.csr_awvalid_i = c == 2; }},
      {"u_csr.u_aw.a_data_stays", [](Pins& p, int c) { p.csr_awaddr_i = static_cast<SData>(c); }},
      {"u_csr.u_w.a_valid_stays", [](Pins& p, int c) { p.csr_wvalid_i = c == 3; }},
      {"u_csr.u_w.a_data_stays", [](Pins& p, int c) { p.csr_wdata_i = c; }},
      {"u_csr.u_b.a_valid_stays", [](Pins& p, int c) { p.csr_bvalid_i = c == 5; }},
      {"u_csr.u_b.a_data_stays", [](Pins& p, int c) { p.csr_bresp_i = c == 5 ? 2 : 0; }},
      {"u_csr.a_b_asked_for", [](Pins& p, int c) { p.csr_bvalid_i |= c == 3; }},
      {"u_csr.a_b_response", [](Pins& p, int) { p.csr_bresp_i = 3; }},
      {"u_csr.u_ar.a_valid_stays", [](Pins& p, int c) { p.csr_arvalid_i = c == 2; }},
      {"u_csr.u_ar.a_data_stays", [](Pins& p, int c) { p.csr_araddr_i = static_cast<SData>(c); }},
      {"u_csr.u_r.a_valid_stays", [](Pins& p, int c) { p.csr_rvalid_i = c == 4; }},
      {"u_csr.u_r.a_data_stays", [](Pins& p, int c) { p.csr_rdata_i = c; }},
      {"u_csr.a_r_asked_for", [](Pins& p, int c) { p.csr_rvalid_i |= c == 8; }},
      {"u_csr.a_r_response", [](Pins& p, int) { p.csr_rresp_i = 1; }},
      {"u_fetch.u_ar.a_valid_stays", [](Pins& p, int c) { p.cmd_ar_valid_i = c == 2; }},
      {"u_fetch.u_ar.a_data_stays", [](Pins& p, int c) { p.cmd_ar_index_i = c; }},
      {"u_fetch.u_r.a_valid_stays", [](Pins& p, int c) { p.cmd_r_valid_i = c == 5; }},
      {"u_fetch.u_r.a_data_stays", [](Pins& p, int c) { p.cmd_r_data_i[31] = c; }},
      {"u_fetch.a_queue", [](Pins& p, int c) { p.cmd_ar_valid_i |= c == 5; }},
      {"u_fetch.a_asked_for", [](Pins& p, int) { p.cmd_r_stream_i = 2; }},
  });
}

/// A core under pins that nobody holds to anything.
void run_core(const std::function<void(rtl::CoreInputs&, int)>& drive) {
  dup2(STDERR_FILENO, STDOUT_FILENO);
  const std::unique_ptr<rtl::Core> core = small_core().make();
  for (int cycle = 0; cycle < kEnd; ++cycle) {
    rtl::CoreInputs in{.reset = cycle < kReset};
    drive(in, cycle);
    core->settle(in);
    core->clock();
  }
}

TEST(RtlChannels, AnIdleCorePasses) {
  run_core([](rtl::CoreInputs&, int) {});
}

TEST(RtlChannelsDeathTest, AtTheCoresPins) {
  const std::vector<std::pair<const char*, std::function<void(rtl::CoreInputs&, int)>>> crimes{
      {"u_csr.u_aw.a_valid_stays", [](rtl::CoreInputs& in, int c) { in.axil_aw_valid = c == 4; }},
      {"u_csr.u_w.a_valid_stays", [](rtl::CoreInputs& in, int c) { in.axil_w_valid = c == 4; }},
      {"u_csr.u_ar.a_valid_stays", [](rtl::CoreInputs& in, int c) { in.axil_ar_valid = c == 4 || c == 5; }},
      {"u_read.a_r_asked_for", [](rtl::CoreInputs& in, int c) { in.r_valid = c == 4; }},
      {"u_write.a_b_asked_for", [](rtl::CoreInputs& in, int c) { in.b_valid = c == 4; }},
      {"u_fetch.a_asked_for", [](rtl::CoreInputs& in, int c) { in.command_valid = c == 4; }},
  };
  for (const auto& [caught_by, drive] : crimes) {
    EXPECT_DEATH(run_core(drive), std::string("Assertion failed in .*u_check.") + caught_by);
  }
}

}  // namespace
}  // namespace archsim
