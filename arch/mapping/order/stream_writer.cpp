#include "arch/mapping/order/stream_writer.h"

namespace archsim {

void StreamWriter::wait_for(const Counts& memory, std::uint32_t tag) {
  for (const unsigned counter : {MemoryOrder::kHost, MemoryOrder::kGroups}) {
    if (memory[counter] == kNoWait || memory[counter] <= waited_[counter]) continue;
    waited_[counter] = memory[counter];
    const bool is_host = counter == MemoryOrder::kHost;
    const auto first = static_cast<std::uint16_t>(is_host ? accelerators_ : 0);
    const auto end = static_cast<std::uint16_t>(is_host ? accelerators_ + 1 : accelerators_);
    for (std::uint16_t semaphore = first; semaphore < end; ++semaphore) {
      add({.tag = tag,
           .payload = WaitSemaphore{
               .semaphore = semaphore,
               .value = counter_value(memory[counter]),
               .register_index = is_host ? loop_register::kHostSemaphore : loop_register::kAcceleratorSemaphore}});
    }
  }
}

void StreamWriter::wait_for_engines(const Counts& local) {
  Command command{.payload =
                      WaitSemaphore{.semaphore = accelerators_, .value = counter_value(1)}};  // the launch, long past
  bool any = false;
  for (std::size_t e = 0; e < kEngines; ++e) {
    if (local[e] == kNoWait) continue;
    command.wait_for[e] = counter_value(local[e]);
    any = true;
  }
  if (any) add(std::move(command));
}

void StreamWriter::begin_loop(std::uint32_t count) {
  add({.payload = LoopBegin{count}});
  waited_ = {kNoWait, kNoWait, kNoWait, kNoWait};
}

void StreamWriter::stride(std::uint8_t register_index, std::int64_t stride) {
  if (register_index != loop_register::kZero && stride != 0) add({.payload = Stride{register_index, stride}});
}

void StreamWriter::end_loop() {
  add({.payload = EndLoop{}});
  waited_ = {kNoWait, kNoWait, kNoWait, kNoWait};
}

bool StreamWriter::reserve(const std::vector<AddressPattern>& patterns) {
  registers_.clear();
  for (const auto& pattern : patterns) {
    if (pattern.empty() || registers_.count(pattern) > 0) continue;
    const std::size_t next = loop_register::kFirstAddress + registers_.size();
    if (next >= loop_register::kCount) return false;
    registers_.emplace(pattern, static_cast<std::uint8_t>(next));
  }
  return true;
}

std::uint8_t StreamWriter::register_for(const AddressPattern& pattern) const {
  return pattern.empty() ? loop_register::kZero : registers_.at(pattern);
}

void StreamWriter::address_strides(std::uint32_t loop) {
  for (const auto& [pattern, number] : registers_) {
    const auto found = pattern.find(loop);
    if (found != pattern.end()) stride(number, found->second);
  }
}

std::vector<Command> StreamWriter::finish() {
  add({.payload = Halt{}});
  return std::move(commands_);
}

}  // namespace archsim
