// The array and the vector unit: pure timing in the order of their streams.
#pragma once

#include "models/accel/engine/stream_engine.h"

namespace archsim {

class ArrayEngine final : public StreamEngine {
 public:
  explicit ArrayEngine(Tile& tile) : StreamEngine(tile, Engine::array), pipeline_(tile.params.overlap) {}

 protected:
  bool execute(const Command& command) override;

 private:
  void count(const Matmul& matmul, const FoldTiming& timing, Time busy);

  ArrayPipeline pipeline_;
};

class VectorEngine final : public StreamEngine {
 public:
  explicit VectorEngine(Tile& tile) : StreamEngine(tile, Engine::vector) {}

 protected:
  bool execute(const Command& command) override;

 private:
  void count(const Vector& vector, const VectorTraffic& traffic);

  Cycles free_ = Cycles::zero();
};

}  // namespace archsim
