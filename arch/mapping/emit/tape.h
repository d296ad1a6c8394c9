// The commands of one accelerator in one sequential order, before they are dealt out to its four streams.
//
// Templates write as if everything ran in this order; who really has to wait for whom is found afterwards
// (arch/mapping/order). Marks stand where a group of fused operators begins, if the host launches each; where it first needs
// its inputs from memory, first writes to memory, and is done.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "arch/program/command.h"

namespace archsim {

/// How far an address moves with each iteration of each loop; loops that do not move it are absent.
using AddressPattern = std::map<std::uint32_t, std::int64_t>;

/// A byte in memory in the first iteration of all loops.
struct MemoryAddress {
  std::uint64_t base = 0;
  AddressPattern pattern;
  friend MemoryAddress operator+(MemoryAddress address, std::uint64_t bytes) {
    address.base += bytes;
    return address;
  }
};

struct TapeItem {
  enum class Kind : std::uint8_t { work, loop_begin, loop_end, await_launch, await_inputs, await_outputs, signal };
  Kind kind = Kind::work;
  Engine engine = Engine::load;  // of work
  std::uint32_t index = 0;       // of the loop, or of the group
  std::uint32_t pattern = 0;     // of a transfer's address; 0: does not move
  Command command;
};

class Tape {
 public:
  Tape() : patterns_(1) {}

  void load(std::uint32_t tag, const MemoryAddress& from, Dma dma) { transfer(Engine::load, tag, from, dma); }
  void store(std::uint32_t tag, const MemoryAddress& to, Dma dma) { transfer(Engine::store, tag, to, dma); }
  void matmul(std::uint32_t tag, const Matmul& matmul) { work(Engine::array, tag, matmul); }
  void vector(std::uint32_t tag, const Vector& vector) { work(Engine::vector, tag, vector); }

  void mark(TapeItem::Kind kind, std::uint32_t index) { items_.push_back({.kind = kind, .index = index}); }

  const std::vector<TapeItem>& items() const { return items_; }
  const std::vector<AddressPattern>& patterns() const { return patterns_; }

 private:
  void work(Engine engine, std::uint32_t tag, Payload payload) {
    items_.push_back({.engine = engine, .command = {.tag = tag, .payload = std::move(payload)}});
  }
  void transfer(Engine engine, std::uint32_t tag, const MemoryAddress& at, Dma dma);

  std::vector<TapeItem> items_;
  std::vector<AddressPattern> patterns_;  // 0 is the empty one
  std::map<AddressPattern, std::uint32_t> numbers_;
};

}  // namespace archsim
