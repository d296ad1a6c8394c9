#include "arch/mapping/order/access_history.h"

#include <algorithm>
#include <iterator>

namespace archsim {
namespace {

constexpr Counts nothing() { return {kNoWait, kNoWait, kNoWait, kNoWait}; }

void raise(Counts& counts, const Counts& to) {
  for (std::size_t c = 0; c < counts.size(); ++c) counts[c] = std::max(counts[c], to[c]);
}

}  // namespace

void AccessHistory::collect(const ByteRange& range, Counts& need) const {
  auto it = entries_.upper_bound(range.begin);
  if (it != entries_.begin() && std::prev(it)->second.end > range.begin) --it;
  for (; it != entries_.end() && it->first < range.end; ++it) {
    raise(need, it->second.writes);
    if (range.writes) raise(need, it->second.reads);
  }
}

void AccessHistory::split(std::uint64_t at) {
  auto it = entries_.upper_bound(at);
  if (it == entries_.begin()) return;
  --it;
  if (it->first == at || it->second.end <= at) return;
  Entry tail = it->second;
  it->second.end = at;
  entries_.emplace_hint(std::next(it), at, tail);
}

template <class Change>
void AccessHistory::update(std::uint64_t begin, std::uint64_t end, Change change) {
  split(begin);
  split(end);
  auto it = entries_.lower_bound(begin);
  for (std::uint64_t at = begin; at < end;) {
    if (it == entries_.end() || it->first > at) {
      const std::uint64_t gap_end = it == entries_.end() ? end : std::min(end, it->first);
      it = entries_.emplace_hint(it, at, Entry{gap_end, nothing(), nothing()});
    }
    change(it->second);
    at = it->second.end;
    ++it;
  }
}

void AccessHistory::record(const ByteRange& range, unsigned counter, std::int64_t count) {
  if (range.begin >= range.end) return;
  if (!range.writes) {
    update(range.begin, range.end, [&](Entry& entry) { entry.reads[counter] = std::max(entry.reads[counter], count); });
    return;
  }
  split(range.begin);
  split(range.end);
  entries_.erase(entries_.lower_bound(range.begin), entries_.lower_bound(range.end));
  Entry entry{range.end, nothing(), nothing()};
  entry.writes[counter] = count;
  entries_.emplace(range.begin, entry);
}

template <class Keep>
AccessHistory AccessHistory::filtered(Keep keep) const {
  AccessHistory result;
  for (const auto& [begin, entry] : entries_) {
    Entry kept{entry.end, nothing(), nothing()};
    bool any = false;
    for (unsigned c = 0; c < kept.reads.size(); ++c) {
      if (keep(c, entry.reads[c])) kept.reads[c] = entry.reads[c], any = true;
      if (keep(c, entry.writes[c])) kept.writes[c] = entry.writes[c], any = true;
    }
    if (any) result.entries_.emplace_hint(result.entries_.end(), begin, kept);
  }
  return result;
}

AccessHistory AccessHistory::after(const Counts& limit) const {
  return filtered([&](unsigned c, std::int64_t count) { return count != kNoWait && count > limit[c]; });
}

AccessHistory AccessHistory::until(const Counts& limit) const {
  return filtered([&](unsigned c, std::int64_t count) { return count != kNoWait && count <= limit[c]; });
}

void AccessHistory::shift(const Counts& distance) {
  for (auto& [begin, entry] : entries_) {
    for (unsigned c = 0; c < distance.size(); ++c) {
      if (entry.reads[c] != kNoWait) entry.reads[c] += distance[c];
      if (entry.writes[c] != kNoWait) entry.writes[c] += distance[c];
    }
  }
}

void AccessHistory::merge(const AccessHistory& other) {
  for (const auto& [begin, entry] : other.entries_) {
    update(begin, entry.end, [&from = entry](Entry& mine) {
      raise(mine.reads, from.reads);
      raise(mine.writes, from.writes);
    });
  }
}

}  // namespace archsim
