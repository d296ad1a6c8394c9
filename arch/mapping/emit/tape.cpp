#include "arch/mapping/emit/tape.h"

namespace archsim {

void Tape::transfer(Engine engine, std::uint32_t tag, const MemoryAddress& at, Dma dma) {
  dma.memory_address = at.base;
  work(engine, tag, dma);
  if (at.pattern.empty()) return;
  const auto [it, is_new] = numbers_.emplace(at.pattern, static_cast<std::uint32_t>(patterns_.size()));
  if (is_new) patterns_.push_back(at.pattern);
  items_.back().pattern = it->second;
}

}  // namespace archsim
