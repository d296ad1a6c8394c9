// Bursts that wait in a controller's buffer: in the order of their acceptance, and findable by bank.
#pragma once

#include <cstdint>
#include <vector>

#include "models/dram/controller/waiting/bank_set.h"
#include "models/dram/exact/command.h"

namespace archsim {

class WaitingBursts {
 public:
  using Index = std::uint32_t;
  static constexpr Index kNone = ~Index{0};
  static constexpr std::uint64_t kNoAge = ~std::uint64_t{0};

  WaitingBursts(unsigned banks, unsigned entries) : banks_(banks), occupied_(banks) {
    entries_.reserve(entries);
    free_.reserve(entries);
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Index first(unsigned bank) const { return banks_[bank].head; }
  Index next(Index index) const { return entries_[index].next; }
  const Burst& operator[](Index index) const { return entries_[index].burst; }
  /// Grows with every burst that is accepted.
  std::uint64_t age(Index index) const { return index == kNone ? kNoAge : entries_[index].age; }

  void push(const Burst& burst) {
    const Index index = place();
    entries_[index] = {burst, next_age_++, kNone};
    List& list = banks_[burst.at.bank];
    (list.head == kNone ? list.head : entries_[list.tail].next) = index;
    list.tail = index;
    occupied_.insert(burst.at.bank);
    ++size_;
  }

  Burst take(Index index) {
    const Burst burst = entries_[index].burst;
    List& list = banks_[burst.at.bank];
    if (list.head == index) {
      list.head = entries_[index].next;
      if (list.head == kNone) occupied_.erase(burst.at.bank);
    } else {
      Index before = list.head;
      while (entries_[before].next != index) before = entries_[before].next;
      entries_[before].next = entries_[index].next;
      if (list.tail == index) list.tail = before;
    }
    free_.push_back(index);
    --size_;
    return burst;
  }

  /// The first burst of `bank` for which `is_wanted(burst)`; kNone without one.
  template <class Fn>
  Index find(unsigned bank, Fn is_wanted) const {
    Index index = first(bank);
    while (index != kNone && !is_wanted(entries_[index].burst)) index = entries_[index].next;
    return index;
  }

  /// The banks with bursts.
  const BankSet& banks() const { return occupied_; }

 private:
  struct Entry {
    Burst burst;
    std::uint64_t age;
    Index next;  // of the same bank
  };
  struct List {
    Index head = kNone, tail = kNone;
  };

  Index place() {
    if (free_.empty()) {
      entries_.emplace_back();
      return static_cast<Index>(entries_.size() - 1);
    }
    const Index index = free_.back();
    free_.pop_back();
    return index;
  }

  std::vector<Entry> entries_;
  std::vector<Index> free_;
  std::vector<List> banks_;
  BankSet occupied_;
  std::uint64_t next_age_ = 0;
  std::size_t size_ = 0;
};

}  // namespace archsim
