#include "arch/mapping/emit/tile_stream.h"

#include <algorithm>

#include "arch/describe/diagnostic.h"

namespace archsim {

std::uint64_t TileStream::find_room(std::uint64_t bytes, std::int64_t& after_use) {
  ARCHSIM_ASSERT(bytes <= bytes_, "a tile larger than its ring");
  const bool wraps = head_ + bytes > bytes_;
  if (wraps) head_ = 0;
  const std::uint64_t begin = head_;
  const std::uint64_t end = begin + bytes;
  // Places are given in a circle, so what overlaps are the oldest, one behind another, and those before them that the wrap skipped.
  std::size_t drop = 0;
  for (std::size_t i = 0; i < residents_.size(); ++i) {
    if (residents_[i].begin < end && begin < residents_[i].end) {
      drop = i + 1;
    } else if (!wraps || drop > 0) {
      break;
    }
  }
  for (; drop > 0; --drop) {
    after_use = std::max(after_use, static_cast<std::int64_t>(residents_.front().last_use));
    serial_of_[residents_.front().tile] = kNowhere;
    residents_.pop_front();
    ++first_serial_;
  }
  head_ = end;
  return begin;
}

std::uint32_t TileStream::add(const FetchedTile& tile) {
  tiles_.push_back(tile);
  const auto number = static_cast<std::uint32_t>(by_key_.size());
  tile_of_.push_back(by_key_.try_emplace(tile.key, number).first->second);
  return uses() - 1;
}

void TileStream::place(std::uint32_t use) {
  const auto& tile = tiles_[use];
  const std::uint32_t number = tile_of_[use];
  if (serial_of_[number] != kNowhere) {
    auto& resident = residents_[serial_of_[number] - first_serial_];
    resident.last_use = use;
    load_of_.push_back(resident.load);
    return;
  }
  Load load{.first_use = use};
  const std::uint64_t bytes = aligned(tile.bytes);
  const std::uint64_t begin = find_room(bytes, load.after_use);
  // Loads are emitted in order, so none can come before the ones in front of it.
  if (!loads_.empty()) load.after_use = std::max(load.after_use, loads_.back().after_use);
  load.local = begin_ + begin;
  serial_of_[number] = first_serial_ + residents_.size();
  residents_.push_back({number, begin, begin + bytes, use, loads_.size()});
  load_of_.push_back(loads_.size());
  loads_.push_back(load);
}

void TileStream::begin_to_settle(std::uint64_t bytes) {
  bytes_ = bytes;
  head_ = first_serial_ = 0;
  residents_.clear();
  serial_of_.assign(by_key_.size(), kNowhere);
  loads_.clear();
  load_of_.clear();
  used_at_.assign(tiles_.size(), 0.0);
}

void TileStream::settle(std::uint64_t bytes) {
  begin_to_settle(bytes);
  for (std::uint32_t use = 0; use < uses(); ++use) place(use);
}

bool TileStream::settle_within(std::uint64_t bytes, std::uint64_t most) {
  begin_to_settle(bytes);
  std::uint64_t loaded = 0;
  for (std::uint32_t use = 0; use < uses(); ++use) {
    place(use);
    if (is_first_use(use)) loaded += tiles_[use].bytes;
    if (loaded > most) return false;
  }
  return true;
}

std::uint64_t TileStream::loaded_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& load : loads_) bytes += tiles_[load.first_use].bytes;
  return bytes;
}

// Bytes loaded behind the tile that the first one of the next iteration overwrites.
std::uint64_t TileStream::ahead_of_repetition() const {
  std::uint64_t bytes = 0;
  for (auto resident = residents_.rbegin(); resident != residents_.rend() && resident->begin > 0; ++resident) {
    bytes += resident->end - resident->begin;
  }
  return bytes;
}

void TileStream::settle_for_repetition(std::uint64_t bytes) {
  if (tiles_.empty()) return;
  settle(bytes);
  const std::uint64_t loaded = loaded_bytes();
  std::uint64_t best = bytes, most_ahead = ahead_of_repetition();
  std::uint64_t largest = 0;
  for (const auto& tile : tiles_) largest = std::max(largest, aligned(tile.bytes));
  for (std::uint64_t sixteenths = 15; sixteenths > 8; --sixteenths) {
    for (const std::uint64_t part : {3U, 2U, 1U, 0U}) {
      const std::uint64_t smaller = aligned(bytes * (4 * sixteenths + part) / 64);
      if (smaller < 2 * largest) continue;
      // A tile that no longer stays for its next use costs more than the early start is worth.
      if (!settle_within(smaller, loaded) || ahead_of_repetition() <= most_ahead) continue;
      best = smaller;
      most_ahead = ahead_of_repetition();
    }
  }
  settle(best);
}

void TileStream::emit(Tape& tape, const Load& load) {
  const auto& tile = tiles_[load.first_use];
  bytes_on_tape_ += tile.bytes;
  Dma dma = tile.dma;
  dma.local = LocalAddress::scratchpad(load.local);
  tape.load(tile.tag, tile.from, dma);
}

double TileStream::free_at(const Load& load) const {
  if (load.after_use >= 0) return used_at_[static_cast<std::size_t>(load.after_use)];
  const std::uint64_t begin = load.local - begin_, end = begin + aligned(tiles_[load.first_use].bytes);
  double free = 0.0;
  for (const auto& place : occupied_) {
    if (place.begin < end && begin < place.end) free = std::max(free, place.until);
  }
  return free;
}

std::vector<TileStream::Occupied> TileStream::left_behind(double origin) const {
  std::vector<Occupied> left;
  for (const auto& resident : residents_)
    left.push_back({resident.begin, resident.end, used_at_[resident.last_use] - origin});
  return left;
}

void TileStream::pump(Tape& tape, std::uint32_t next_use) {
  for (; next_load_ < loads_.size(); ++next_load_) {
    if (loads_[next_load_].after_use >= static_cast<std::int64_t>(next_use)) break;
    emit(tape, loads_[next_load_]);
  }
}

bool TileStream::pump_to(Tape& tape, std::uint32_t use, std::uint32_t next_use) {
  for (; next_load_ <= load_of_[use]; ++next_load_) {
    if (loads_[next_load_].after_use >= static_cast<std::int64_t>(next_use)) return false;
    emit(tape, loads_[next_load_]);
  }
  return true;
}

void TileStream::pump_until(Tape& tape, std::uint32_t next_use, Timeline& timeline, double time) {
  for (; next_load_ < loads_.size(); ++next_load_) {
    auto& load = loads_[next_load_];
    if (load.after_use >= static_cast<std::int64_t>(next_use)) return;
    const double cycles = timeline.weight_cycles(tiles_[load.first_use].bytes);
    if (std::max(timeline.stream(), free_at(load)) + cycles / 8 > time) return;
    emit(tape, load);
    load.arrival = timeline.load_weight(tiles_[load.first_use].bytes, free_at(load));
  }
}

double TileStream::require(Tape& tape, std::uint32_t use, Timeline& timeline) {
  for (; next_load_ <= load_of_[use]; ++next_load_) {
    auto& load = loads_[next_load_];
    ARCHSIM_ASSERT(load.after_use < static_cast<std::int64_t>(use), "a tile would overwrite one that is still used");
    emit(tape, load);
    load.arrival = timeline.load_weight(tiles_[load.first_use].bytes, free_at(load));
  }
  return loads_[load_of_[use]].arrival;
}

}  // namespace archsim
