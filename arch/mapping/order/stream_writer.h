// One engine's (or the host's) stream with its loops, loop registers and semaphore waits.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "arch/mapping/emit/tape.h"
#include "arch/mapping/order/memory_order.h"
#include "arch/program/command.h"

namespace archsim {

class StreamWriter {
 public:
  explicit StreamWriter(std::uint16_t accelerators) : accelerators_(accelerators) {}

  void add(Command command) { commands_.push_back(std::move(command)); }
  /// Waits until these counts are reached, but for those that this stream has waited for since the last loop boundary.
  void wait_for(const Counts& memory, std::uint32_t tag);
  /// Waits for progress of this accelerator's engines, without doing anything.
  void wait_for_engines(const Counts& local);
  void begin_loop(std::uint32_t count);
  /// Of the loop begun last. Register 0 and a stride of 0 are left out.
  void stride(std::uint8_t register_index, std::int64_t stride);
  void end_loop();

  /// The register that moves by `pattern`, which was reserved; kZero for one that does not move.
  std::uint8_t register_for(const AddressPattern& pattern) const;
  /// Reserves registers for the patterns of one outermost loop. False if there are too many.
  bool reserve(const std::vector<AddressPattern>& patterns);
  /// Strides of the reserved registers for `loop`, which was begun last.
  void address_strides(std::uint32_t loop);

  std::vector<Command> finish();

 private:
  std::uint16_t accelerators_;
  std::vector<Command> commands_;
  Counts waited_{kNoWait, kNoWait, kNoWait, kNoWait};
  std::map<AddressPattern, std::uint8_t> registers_;
};

/// The value to wait for.
constexpr std::uint32_t counter_value(std::int64_t count) { return static_cast<std::uint32_t>(kCounterStart + count); }

}  // namespace archsim
