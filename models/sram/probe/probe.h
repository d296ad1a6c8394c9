// One SRAM alone: requesters with a port each, banks that serve one of them at a time, cycle by cycle.
//
// Models:     word-interleaved single-ported banks with a cycle time; requesters that ask for a word a cycle and, where the bank is
//             taken, ask again; round-robin arbitration at each bank.
// Leaves out: slices and the interconnect before them; reads that wait for data before they go on.
// Numbers:    the options; those of the SoC's model (models/sram/banked.h) by default.
// Checked by: tests/models/sram/probe_test.cpp (closed forms of one requester, strides, and random requests of two).
#pragma once

#include <cstdint>

#include "arch/describe/fields.h"
#include "arch/units/quantity.h"

namespace archsim {

enum class SramAccess : std::uint8_t { r, w, mix };

struct SramProbe {
  Bytes capacity = 1_MiB;
  unsigned banks = 8;
  Bytes port_width = 64_B;
  SramAccess access = SramAccess::r;
  unsigned requesters = 1;
  std::uint64_t requests = 10000;
  Cycles latency = 4_cycles;
  Cycles bank_cycle = 2_cycles;
  Frequency clock = 1_GHz;
  std::uint64_t seed = 1;

  static constexpr auto fields() {
    using P = SramProbe;
    return fields_of(param<&P::capacity>("data held by all banks").between(64_B, 4_GiB),
                     param<&P::banks>("consecutive words go to consecutive banks").between(1, 4096),
                     param<&P::port_width>("bytes that a port, and a bank, moves in a cycle: a word")
                         .between(1_B, 4_KiB)
                         .power_of_two(),
                     param<&P::access>("r, w, or mix: every third is a write"),
                     param<&P::requesters>("each with a port of its own, and an equal part of the capacity to begin in")
                         .between(1, 1024),
                     param<&P::requests>("of all requesters together").between(1, 1000000000),
                     param<&P::latency>("from a bank's taking a read to its data").between(1_cycles, 1000_cycles),
                     param<&P::bank_cycle>("cycles between two accesses of one bank").between(1_cycles, 64_cycles),
                     param<&P::clock>("of banks and requesters").between(1_MHz, 10_GHz),
                     param<&P::seed>("of random addresses").between(0, ~std::uint64_t{0}));
  }

  static constexpr auto rules() {
    using P = SramProbe;
    return rules_of(rule<&P::capacity>("`capacity` must be a whole number of words in every bank", [](const P& p) {
      return p.capacity.value % (p.port_width.value * p.banks) == 0;
    }));
  }
};

/// Which words a requester asks for, one after another: the next, one so many bytes on, or any.
struct SramPattern {
  enum class Kind : std::uint8_t { seq, rand, stride } kind = Kind::seq;
  std::uint64_t stride = 0;  // bytes
};

struct SramProbeResult {
  std::uint64_t cycles = 0;  // to the end of the last access
  std::uint64_t reads = 0, writes = 0;
  std::uint64_t conflicts = 0;  // requests turned away in a cycle because their bank was taken
  double bandwidth_bytes_per_s = 0.0;
  double latency_avg_s = 0.0;  // from the first time of asking to a read's data, or to a write's being taken
};

SramProbeResult probe_sram(const SramProbe& probe, const SramPattern& pattern);

}  // namespace archsim
