// Tiles that stream from memory through a ring in the scratchpad, each loaded as early as its place is free.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "arch/mapping/emit/tape.h"
#include "arch/mapping/emit/timeline.h"

namespace archsim {

struct FetchedTile {
  std::uint64_t key = 0;  // equal keys are equal tiles
  std::uint32_t tag = Command::kNoOperator;
  MemoryAddress from;
  Dma dma;                  // but for the addresses
  std::uint64_t bytes = 0;  // local
};

/// Use it in three phases: add every use in order; `settle`; then, while emitting, call `pump` before each use and read its address.
/// Weights are paced: `require` emits what a use needs, `pump_until` what can begin by a time.
/// A tile that is still in the ring is not loaded again; the oldest makes room, and may be overwritten once its last use
/// stands on the tape. Loads stand on the tape as early as that allows, so the load engine runs ahead by the ring's size.
class TileStream {
 public:
  explicit TileStream(std::uint64_t begin) : begin_(begin) {}

  /// Returns the number of this use.
  std::uint32_t add(const FetchedTile& tile);
  /// Gives every tile its place in a ring of `bytes`.
  void settle(std::uint64_t bytes);
  /// The same for a stream that a loop repeats, in a ring of at most `bytes`: somewhat smaller, if its end then comes
  /// out near the ring's end, so that the first tiles of the next iteration do not have to wait for the last of this one.
  void settle_for_repetition(std::uint64_t bytes);
  /// Every use before `next_use` is on the tape: emits the loads that have room now.
  void pump(Tape& tape, std::uint32_t next_use);
  /// The same, but none behind what `use` needs. False if that has no room yet.
  bool pump_to(Tape& tape, std::uint32_t use, std::uint32_t next_use);
  /// Bytes of the loads that stand on the tape.
  std::uint64_t bytes_on_tape() const { return bytes_on_tape_; }
  /// As pump, but only those of which the load engine can have begun well before `time`.
  void pump_until(Tape& tape, std::uint32_t next_use, Timeline& timeline, double time);
  /// Emits the loads that this use needs. Returns when its tile is there.
  double require(Tape& tape, std::uint32_t use, Timeline& timeline);
  /// The use is over at `time`.
  void used(std::uint32_t use, double time) { used_at_[use] = time; }

  /// Bytes of the ring that are in use until a time.
  struct Occupied {
    std::uint64_t begin = 0, end = 0;
    double until = 0.0;
  };
  /// What the stream leaves behind, times counted from `origin` on.
  std::vector<Occupied> left_behind(double origin) const;
  /// What lies in the ring when the stream begins, so that its first tiles wait.
  void begin_behind(std::vector<Occupied> occupied) { occupied_ = std::move(occupied); }
  LocalAddress address(std::uint32_t use) const { return LocalAddress::scratchpad(loads_[load_of_[use]].local); }
  /// True if the tile is loaded for this use, and not for one before it.
  bool is_first_use(std::uint32_t use) const { return loads_[load_of_[use]].first_use == use; }
  std::uint32_t uses() const { return static_cast<std::uint32_t>(tiles_.size()); }

  static std::uint64_t aligned(std::uint64_t bytes) { return (bytes + 63) / 64 * 64; }

 private:
  struct Resident {
    std::uint32_t tile = 0;
    std::uint64_t begin = 0, end = 0;
    std::uint32_t last_use = 0;
    std::size_t load = 0;
  };
  struct Load {
    std::uint32_t first_use = 0;
    std::uint64_t local = 0;
    std::int64_t after_use = -1;  // the last use of what lay there
    double arrival = 0.0;
  };

  void emit(Tape& tape, const Load& load);
  double free_at(const Load& load) const;
  void begin_to_settle(std::uint64_t bytes);
  /// As settle; false, and no place for the rest, as soon as more than `most` bytes are loaded.
  bool settle_within(std::uint64_t bytes, std::uint64_t most);
  void place(std::uint32_t use);
  std::uint64_t find_room(std::uint64_t bytes, std::int64_t& after_use);
  std::uint64_t loaded_bytes() const;
  std::uint64_t ahead_of_repetition() const;

  std::uint64_t begin_, bytes_ = 0;
  std::uint64_t head_ = 0;
  std::deque<Resident> residents_;                           // oldest first
  std::unordered_map<std::uint64_t, std::uint32_t> by_key_;  // key -> number of the tile
  std::vector<std::uint32_t> tile_of_;                       // by use
  std::vector<std::uint64_t> serial_of_;                     // by tile: of its resident, or kNowhere
  static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};
  std::uint64_t first_serial_ = 0;    // of residents_.front()
  std::vector<FetchedTile> tiles_;    // by use
  std::vector<std::size_t> load_of_;  // by use
  std::vector<double> used_at_;       // by use
  std::vector<Load> loads_;
  std::vector<Occupied> occupied_;
  std::size_t next_load_ = 0;
  std::uint64_t bytes_on_tape_ = 0;
};

}  // namespace archsim
