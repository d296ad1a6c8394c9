// A set of banks, of any number; quick to walk through when few are in it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace archsim {

class BankSet {
 public:
  explicit BankSet(unsigned banks) : words_((banks + 63) / 64) {}

  void insert(unsigned bank) { words_[bank / 64] |= std::uint64_t{1} << bank % 64; }
  void erase(unsigned bank) { words_[bank / 64] &= ~(std::uint64_t{1} << bank % 64); }
  void put(unsigned bank, bool is_in) { is_in ? insert(bank) : erase(bank); }
  void clear() { std::fill(words_.begin(), words_.end(), 0); }
  void join(const BankSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  bool empty() const {
    return std::all_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word == 0; });
  }

  /// Calls fn(bank) for every bank, ascending. `fn` may take the bank out of the set.
  template <class Fn>
  void for_each(Fn fn) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t left = words_[i]; left != 0; left &= left - 1) {
        fn(static_cast<unsigned>(i) * 64 + static_cast<unsigned>(std::countr_zero(left)));
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace archsim
