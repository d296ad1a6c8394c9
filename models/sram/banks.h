// Word-interleaved single-ported banks behind one port, in closed form. No SystemC in here.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "arch/block/timing/calendar.h"
#include "arch/units/quantity.h"

namespace archsim {

constexpr unsigned kMostBanks = 256;

struct BankShape {
  unsigned banks = 1;
  std::uint64_t word = 64;        // bytes that a bank and the port move in an access, a power of two
  Cycles bank_cycle = Cycles(1);  // between two accesses of one bank
};

/// How long an access keeps its port: words and, where they meet in a bank, the wait for it. Word w lies in bank w % banks.
class BankTally {
 public:
  explicit BankTally(const BankShape& shape)
      : shape_(shape), word_shift_(static_cast<unsigned>(std::countr_zero(shape.word))) {
    std::fill_n(load_.begin(), shape.banks, 0);
  }

  /// The bytes [first, end) of the banks' own address space.
  void add(std::uint64_t first, std::uint64_t end);

  std::uint64_t words() const { return words_; }
  /// The port moves one word a cycle; a bank that gets n of the words is busy for n - 1 of its cycles and one access.
  Cycles cycles() const;

 private:
  BankShape shape_;
  unsigned word_shift_;
  std::uint64_t words_ = 0;
  std::uint64_t in_every_bank_ = 0;
  std::array<std::uint64_t, kMostBanks> load_;  // beyond that
};

/// A slice: a read port and a write port, one word a cycle each, to the same banks.
class BankedSlice {
 public:
  BankedSlice(const BankShape& shape, Cycles latency) : shape_(shape), latency_(latency) {}

  struct Service {
    Cycles first, last;  // when the first word is there, and the last
  };
  Service serve(Cycles start, const BankTally& tally, bool is_write);
  void drop_before(Cycles now);

  struct Port {
    Calendar<Cycles> taken;
    Cycles words = Cycles::zero();  // that it moved, one a cycle
  };
  const Port& port(bool is_write) const { return is_write ? write_ : read_; }

 private:
  BankShape shape_;
  Cycles latency_;
  Port read_, write_;
  Calendar<Cycles> bank_time_;  // of all banks together: a cycle has `banks` units
};

}  // namespace archsim
