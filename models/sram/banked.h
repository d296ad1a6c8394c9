// On-chip SRAM in slices of word-interleaved banks, managed by software (l2).
//
// Models:     interleaving over slices; per slice a read and a write port of one word a cycle; single-ported banks with a
//             cycle time, their conflicts within an access in closed form for any pitch; a fixed access latency.
// Leaves out: arbitration among the requests of one cycle, ECC, power gating. Which banks two accesses meet in is
//             averaged: together they get the banks' throughput.
// Numbers:    defaults are assumed; energy and area from the technology file.
// Checked by: tests/models/sram (closed forms of bursts and strides, bank counts against a word-by-word count).
#pragma once

#include <vector>

#include "arch/block/memory/memory_ports.h"
#include "arch/block/model.h"
#include "arch/block/timing/clock_grid.h"
#include "arch/machine/capabilities.h"
#include "models/sram/banks.h"

namespace archsim {

enum class SramMode : std::uint8_t { software_managed };

struct BankedSramParams {
  Bytes capacity = Bytes(16 << 20);
  unsigned slices = 4;
  unsigned banks = 8;
  Bytes port_width = Bytes(64);
  Cycles latency = Cycles(4);
  Cycles bank_cycle = Cycles(2);
  Bytes interleave = Bytes(1024);
  SramMode mode = SramMode::software_managed;

  static constexpr auto fields() {
    using P = BankedSramParams;
    return fields_of(
        param<&P::capacity>("data held by all slices").between(Bytes(4096), Bytes(std::uint64_t{4} << 30)),
        param<&P::slices>("slices, each an endpoint of the interconnect").between(1, 64),
        param<&P::banks>("banks of a slice; consecutive words go to consecutive banks").between(1, kMostBanks),
        param<&P::port_width>("bytes that a port, and a bank, moves in a cycle: a word")
            .between(Bytes(1), Bytes(1024))
            .power_of_two(),
        param<&P::latency>("from request to data when nothing is in the way").between(Cycles(1), Cycles(1000)),
        param<&P::bank_cycle>("cycles between two accesses of one bank").between(Cycles(1), Cycles(64)),
        param<&P::interleave>("consecutive bytes in one slice before the next one's turn")
            .between(Bytes(16), Bytes(1 << 20))
            .power_of_two(),
        param<&P::mode>("who decides what it holds"));
  }

  static constexpr auto rules() {
    using P = BankedSramParams;
    return rules_of(
        rule<&P::capacity>("`capacity` must be a whole number of `interleave` granules in every slice",
                           [](const P& p) { return p.capacity.value % (p.interleave.value * p.slices) == 0; }));
  }
};

struct BankedSramStats {
  Total<Bytes> read, written;
  Count transactions;
  Total<Cycles> conflict;

  static constexpr auto fields() {
    using S = BankedSramStats;
    return fields_of(stat<&S::read>("bytes read"), stat<&S::written>("bytes written"),
                     stat<&S::transactions>("extents and plain payloads served, each slice's part for itself"),
                     stat<&S::conflict>("port cycles lost because words of one access met in a bank"));
  }
};

struct BankedSramEvents {
  Count word_read, word_written;

  static constexpr auto fields() {
    using E = BankedSramEvents;
    return fields_of(event<&E::word_read>("one word read from one bank", "sram.word_read"),
                     event<&E::word_written>("one word written to one bank", "sram.word_written"));
  }
};

class BankedSram final : public Model<BankedSramParams, BankedSramStats, BankedSramEvents> {
 public:
  static constexpr std::string_view kSummary = "on-chip SRAM in slices of word-interleaved banks";

  BankedSram(const sc_core::sc_module_name& name, const BankedSramParams& params, const BuildContext& context);

  std::vector<TargetPort*> target_ports() override { return ports_.ports(); }
  Traffic served() const override { return ports_.served(); }
  std::uint64_t progress() const override { return ports_.transactions(); }
  BlockReport report(Time elapsed) const override;

  /// `delivered` is what its ports carry; links may carry less. `latency` is its own.
  static MemoryCapabilities memory(const BankedSramParams& params, Frequency clock);

 private:
  MemoryService serve(const MemoryAccess& access);

  ClockGrid grid_;
  Dealing slices_of_;
  std::vector<BankedSlice> slices_;
  MemoryPorts ports_;
  BankedSramStats stats_;
  BankedSramEvents events_;
};

}  // namespace archsim
