// Doorbells that are to be rung at a time ahead. One process sends them, each at its time.
#pragma once

#include <functional>
#include <queue>
#include <systemc>
#include <vector>

#include "arch/units/quantity.h"

namespace archsim {

class Doorbells {
 public:
  /// `ring` sends one to an address.
  explicit Doorbells(std::function<void(std::uint64_t address)> ring) : ring_(std::move(ring)) {}

  void add(Time at, std::uint64_t address);
  bool empty() const { return pending_.empty(); }
  /// The process; never returns.
  void run();

 private:
  struct Pending {
    Time at;
    std::uint64_t order;  // of adding, so that equal times go in order
    std::uint64_t address;
    friend bool operator>(const Pending& a, const Pending& b) { return a.at != b.at ? a.at > b.at : a.order > b.order; }
  };

  std::function<void(std::uint64_t)> ring_;
  std::priority_queue<Pending, std::vector<Pending>, std::greater<>> pending_;
  std::uint64_t added_ = 0;
  sc_core::sc_event earlier_;
};

}  // namespace archsim
