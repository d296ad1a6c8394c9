// Who last wrote and who has since read each byte range.
#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "arch/mapping/order/dependencies.h"

namespace archsim {

class AccessHistory {
 public:
  /// Raises `need` to what an access of `range` must wait for, without noting it.
  void collect(const ByteRange& range, Counts& need) const;
  /// Notes the access: completion number `count` of `counter`.
  void record(const ByteRange& range, unsigned counter, std::int64_t count);

  /// What was noted with counts above / at most `limit`.
  AccessHistory after(const Counts& limit) const;
  AccessHistory until(const Counts& limit) const;
  void shift(const Counts& distance);
  /// Takes up everything in `other` beside what is here.
  void merge(const AccessHistory& other);

 private:
  struct Entry {
    std::uint64_t end = 0;
    Counts writes;
    Counts reads;
    bool operator==(const Entry&) const = default;
  };
  using Entries = std::map<std::uint64_t, Entry>;

  // Makes `at` a border between entries.
  void split(std::uint64_t at);
  // Calls change(entry) for every part of [begin, end), with empty entries where there were none.
  template <class Change>
  void update(std::uint64_t begin, std::uint64_t end, Change change);
  template <class Keep>
  AccessHistory filtered(Keep keep) const;

  Entries entries_;  // by begin; disjoint
};

}  // namespace archsim
