#include "models/sram/banks.h"

#include <algorithm>

namespace archsim {

void BankTally::add(std::uint64_t first, std::uint64_t end) {
  if (first >= end) return;
  const std::uint64_t from = first >> word_shift_, words = ((end - 1) >> word_shift_) + 1 - from;
  words_ += words;
  std::uint64_t left = words;
  if (words >= shape_.banks) {
    in_every_bank_ += words / shape_.banks;
    left = words % shape_.banks;
  }
  if (left == 0) return;
  std::uint64_t bank = from % shape_.banks;
  for (; left > 0; --left) {
    ++load_[bank];
    if (++bank == shape_.banks) bank = 0;
  }
}

Cycles BankTally::cycles() const {
  if (words_ == 0) return Cycles::zero();
  const std::uint64_t most = in_every_bank_ + *std::max_element(load_.begin(), load_.begin() + shape_.banks);
  return std::max(Cycles(words_), shape_.bank_cycle * (most - 1) + Cycles(1));
}

BankedSlice::Service BankedSlice::serve(Cycles start, const BankTally& tally, bool is_write) {
  Port& port = is_write ? write_ : read_;
  const auto at_port = port.taken.book(start, tally.cycles());
  const auto at_banks = bank_time_.book(start * shape_.banks, shape_.bank_cycle * tally.words());
  port.words += Cycles(tally.words());
  const Cycles banks_end(ceil_div(at_banks.end.value, shape_.banks));
  const Cycles first = std::max(at_port.begin, Cycles(at_banks.begin.value / shape_.banks));
  return {first + latency_, std::max(at_port.end, banks_end) - Cycles(1) + latency_};
}

void BankedSlice::drop_before(Cycles now) {
  read_.taken.drop_before(now);
  write_.taken.drop_before(now);
  bank_time_.drop_before(now * shape_.banks);
}

}  // namespace archsim
