#include "arch/mapping/emit/tile_stream.h"

#include <algorithm>

#include "arch/describe/diagnostic.h"

namespace archsim {

std::uint64_t TileStream::place(std::uint64_t bytes, std::int64_t& after_use) {
  ARCHSIM_ASSERT(bytes <= bytes_, "a tile larger than its ring");
  if (head_ + bytes > bytes_) head_ = 0;
  const std::uint64_t begin = head_;
  const std::uint64_t end = begin + bytes;
  // Places are given in a circle, so what overlaps are the oldest, and those before them that the wrap skipped.
  std::size_t drop = 0;
  for (std::size_t i = 0; i < residents_.size(); ++i) {
    if (residents_[i].begin < end && begin < residents_[i].end) drop = i + 1;
  }
  for (; drop > 0; --drop) {
    after_use = std::max(after_use, static_cast<std::int64_t>(residents_.front().last_use));
    by_key_.erase(residents_.front().key);
    residents_.pop_front();
    ++first_serial_;
  }
  head_ = end;
  return begin;
}

std::uint32_t TileStream::add(const FetchedTile& tile) {
  const auto use = static_cast<std::uint32_t>(uses_.size());
  if (const auto found = by_key_.find(tile.key); found != by_key_.end()) {
    auto& resident = residents_[found->second - first_serial_];
    resident.last_use = use;
    uses_.push_back(begin_ + resident.begin);
    load_of_.push_back(resident.load);
    used_at_.push_back(0.0);
    return use;
  }
  Load load{.tile = tile};
  const std::uint64_t bytes = aligned(tile.bytes);
  const std::uint64_t begin = place(bytes, load.after_use);
  // Loads are emitted in order, so none can come before the ones in front of it.
  if (!loads_.empty()) load.after_use = std::max(load.after_use, loads_.back().after_use);
  load.local = begin_ + begin;
  loads_.push_back(std::move(load));
  by_key_[tile.key] = first_serial_ + residents_.size();
  residents_.push_back({tile.key, begin, begin + bytes, use, loads_.size() - 1});
  load_of_.push_back(loads_.size() - 1);
  used_at_.push_back(0.0);
  uses_.push_back(begin_ + begin);
  return use;
}

void TileStream::emit(Tape& tape, Load& load) const {
  load.tile.dma.local = LocalAddress::scratchpad(load.local);
  tape.load(load.tile.tag, load.tile.from, load.tile.dma);
}

std::uint64_t TileStream::pump(Tape& tape, std::uint32_t next_use) {
  std::uint64_t bytes = 0;
  for (; next_load_ < loads_.size(); ++next_load_) {
    auto& load = loads_[next_load_];
    if (load.after_use >= static_cast<std::int64_t>(next_use)) break;
    emit(tape, load);
    bytes += load.tile.bytes;
  }
  return bytes;
}

void TileStream::pump_until(Tape& tape, std::uint32_t next_use, Timeline& timeline, double time) {
  for (; next_load_ < loads_.size(); ++next_load_) {
    auto& load = loads_[next_load_];
    if (load.after_use >= static_cast<std::int64_t>(next_use)) return;
    if (std::max(timeline.stream(), free_at(load)) + timeline.weight_cycles(load.tile.bytes) > time) return;
    emit(tape, load);
    load.arrival = timeline.load_weight(load.tile.bytes, free_at(load));
  }
}

double TileStream::require(Tape& tape, std::uint32_t use, Timeline& timeline) {
  for (; next_load_ <= load_of_[use]; ++next_load_) {
    auto& load = loads_[next_load_];
    ARCHSIM_ASSERT(load.after_use < static_cast<std::int64_t>(use), "a tile would overwrite one that is still used");
    emit(tape, load);
    load.arrival = timeline.load_weight(load.tile.bytes, free_at(load));
  }
  return loads_[load_of_[use]].arrival;
}

}  // namespace archsim
