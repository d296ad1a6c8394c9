// On-chip SRAM in slices of word-interleaved banks: managed by software (l2), or a cache before the DRAM (models/sram/cache).
//
// Models:     interleaving over slices; per slice a read and a write port of one word a cycle; single-ported banks with a
//             cycle time, their conflicts within an access in closed form for any pitch; a fixed access latency.
// Leaves out: arbitration among the requests of one cycle, ECC, power gating. Which banks two accesses meet in is
//             averaged: together they get the banks' throughput.
// Numbers:    defaults are assumed; energy and area from the technology file.
// Checked by: tests/models/sram (closed forms of bursts and strides, bank counts against a word-by-word count).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "arch/block/memory/memory_ports.h"
#include "arch/block/model.h"
#include "arch/block/timing/clock_grid.h"
#include "arch/machine/capabilities.h"
#include "arch/machine/catalog.h"
#include "models/sram/banks.h"
#include "models/sram/cache/cache.h"

namespace archsim {

enum class SramMode : std::uint8_t { software_managed, cache };

struct BankedSramParams {
  Bytes capacity = Bytes(16 << 20);
  unsigned slices = 4;
  unsigned banks = 8;
  Bytes port_width = Bytes(64);
  Cycles latency = Cycles(4);
  Cycles bank_cycle = Cycles(2);
  std::optional<Bytes> interleave = {};
  SramMode mode = SramMode::software_managed;
  CacheParams cache;

  /// Of software's memory; of a cache only if it is given.
  Bytes granule() const { return interleave.value_or(Bytes(1024)); }

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
        param<&P::interleave>(
            "consecutive bytes in one slice before the next one's turn; left out: 1 KiB, or of a cache with a "
            "slice for each port of the DRAM what a port takes")
            .between(Bytes(16), Bytes(1 << 20))
            .power_of_two(),
        param<&P::mode>(
            "who decides what it holds: `software_managed`, a memory of its own in the address space; `cache`, "
            "lines of the DRAM that were used"),
        param<&P::cache>("of `mode: cache`"));
  }

  static constexpr auto rules() {
    using P = BankedSramParams;
    return rules_of(
        rule<&P::capacity>("`capacity` must be a whole number of `interleave` granules in every slice",
                           [](const P& p) { return p.capacity.value % (p.granule().value * p.slices) == 0; }));
  }
};

struct BankedSramStats {
  Total<Bytes> read, written;
  Count transactions;
  Total<Cycles> conflict;
  Count hits, misses, late_hits, writebacks;
  Count mshr_waits;
  Total<Time> mshr_waited;

  static constexpr auto fields() {
    using S = BankedSramStats;
    return fields_of(stat<&S::read>("bytes read"), stat<&S::written>("bytes written"),
                     stat<&S::transactions>("extents and plain payloads served, each slice's part for itself"),
                     stat<&S::conflict>("port cycles lost because words of one access met in a bank"),
                     stat<&S::hits>("lines of accesses that a cache had, those on their way included"),
                     stat<&S::misses>("lines of accesses that a cache had not"),
                     stat<&S::late_hits>("hits on lines that were still on their way"),
                     stat<&S::writebacks>("dirty lines that a cache displaced"),
                     stat<&S::mshr_waits>("lines whose fetch waited for an MSHR"),
                     stat<&S::mshr_waited>("time by which those waited, summed"));
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
  std::vector<InitiatorPort*> initiator_ports() override;
  Traffic served() const override { return ports_.served(); }
  Traffic requested() const override { return cache_ ? cache_->requested() : Traffic{}; }
  std::uint64_t progress() const override { return ports_.transactions(); }
  BlockReport report(Time elapsed) const override;

  /// `delivered` is what its ports carry; links may carry less. `latency` is its own.
  static MemoryCapabilities memory(const BankedSramParams& params, Frequency clock);
  static BlockCosts costs(const BankedSramParams& params, Frequency clock);
  /// A cache's lines, sets and slices must divide one another.
  static void check(const BankedSramParams& params, const ParamLocation& where, Diagnostics& out);

 private:
  MemoryPorts::Setup ports_setup() const;
  const BankedSlice& slice(unsigned index) const { return cache_ ? cache_->slice(index) : slices_[index]; }
  MemoryService serve(const MemoryAccess& access);

  ClockGrid grid_;
  Dealing slices_of_;
  std::vector<BankedSlice> slices_;
  std::unique_ptr<Cache> cache_;  // with slices of its own; null if software manages them
  MemoryPorts ports_;
  BankedSramStats stats_;
  BankedSramEvents events_;
};

}  // namespace archsim
