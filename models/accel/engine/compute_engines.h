// The array and the vector unit: pure timing in the order of their streams.
#pragma once

#include <array>

#include "models/accel/engine/lane_array.h"
#include "models/accel/engine/stream_engine.h"

namespace archsim {

class ArrayEngine final : public StreamEngine {
 public:
  explicit ArrayEngine(Tile& tile)
      : StreamEngine(tile, Engine::array),
        pipeline_(tile.params.overlap),
        queue_{Cycles::zero(), Cycles::zero(), Cycles::zero(), Cycles::zero()},
        lanes_(tile.params.overlap, tile.cycle_ps) {}

 protected:
  bool execute(const Command& command) override;
  Cycles takes_next() const override { return queue_[oldest_]; }

 private:
  void count(const Matmul& matmul, const FoldTiming& timing, Time busy);

  /// The command in every lane. `needed`, `alone`: cycles that the scratchpad makes it take, and those that it took without.
  LaneArray::Slot again(const Matmul& matmul, const FoldTiming& timing, std::uint64_t needed, std::uint64_t alone);

  ArrayPipeline pipeline_;
  std::array<Cycles, 4> queue_;  // when the places of the last commands were free again
  std::size_t oldest_ = 0;
  LaneArray lanes_;
};

class VectorEngine final : public StreamEngine {
 public:
  explicit VectorEngine(Tile& tile) : StreamEngine(tile, Engine::vector) {}

 protected:
  bool execute(const Command& command) override;

 private:
  void count(const Vector& vector, const VectorTraffic& traffic);

  /// How long the command takes in every lane.
  Lanes lengths(const Vector& vector, std::uint64_t needed, std::uint64_t alone) const;

  Cycles free_ = Cycles::zero();
  Lanes lanes_free_{0.0};
};

}  // namespace archsim
