#include "arch/program/sequencer.h"

#include <limits>

#include "arch/describe/diagnostic.h"

namespace archsim {
namespace {

std::uint32_t plus_register(std::uint32_t immediate, std::int64_t value) {
  const std::int64_t sum = static_cast<std::int64_t>(immediate) + value;
  ARCHSIM_ASSERT(sum >= 0 && sum <= std::numeric_limits<std::uint32_t>::max(), "a count beyond 32 bits");
  return static_cast<std::uint32_t>(sum);
}

}  // namespace

Sequencer::Sequencer(const std::vector<Command>& stream) : stream_(&stream) { skip_loop_control(); }

bool Sequencer::halted() const { return std::holds_alternative<Halt>(current().payload); }

void Sequencer::advance() {
  ARCHSIM_ASSERT(!halted());
  ++position_;
  skip_loop_control();
}

void Sequencer::skip_loop_control() {
  passed_.clear();
  for (;; ++position_) {
    ARCHSIM_ASSERT(position_ < stream_->size(), "a stream without halt");
    const auto& payload = current().payload;
    if (const auto* loop = std::get_if<LoopBegin>(&payload)) {
      passed_.emplace_back();
      frames_.push_back({.body = position_ + 1, .loop = {.count = loop->count}, .at_entry = registers_});
    } else if (const auto* stride = std::get_if<Stride>(&payload)) {
      ARCHSIM_ASSERT(!frames_.empty(), "a stride outside a loop");
      passed_.emplace_back();
      if (frames_.back().loop.iteration == 0) frames_.back().strides.push_back(*stride);
    } else if (std::holds_alternative<EndLoop>(payload)) {
      end_iteration();
    } else {
      return;
    }
  }
}

void Sequencer::end_iteration() {
  ARCHSIM_ASSERT(!frames_.empty(), "an end_loop outside a loop");
  auto& frame = frames_.back();
  const bool is_left = ++frame.loop.iteration == frame.loop.count;
  const auto strides = static_cast<std::uint32_t>(frame.strides.size());
  passed_.push_back({.jumps = !is_left, .restored = is_left ? strides : 0});
  if (is_left) {
    registers_ = frame.at_entry;
    frames_.pop_back();
    return;
  }
  for (const auto& stride : frame.strides) registers_[stride.register_index] += stride.stride;
  position_ = frame.body - 1;  // the caller's step forward
}

Command Sequencer::resolved() const {
  Command command = current();
  for (std::size_t engine = 0; engine < kEngines; ++engine) {
    auto& wait = command.wait_for[engine];
    if (wait != 0) wait = plus_register(wait, registers_[loop_register::kProgress + engine]);
  }
  if (auto* dma = std::get_if<Dma>(&command.payload)) {
    dma->memory_address += static_cast<std::uint64_t>(registers_[dma->address_register]);
    dma->address_register = loop_register::kZero;
  } else if (auto* wait = std::get_if<WaitSemaphore>(&command.payload)) {
    wait->value = plus_register(wait->value, registers_[wait->register_index]);
    wait->register_index = loop_register::kZero;
  }
  return command;
}

std::uint64_t Sequencer::instance() const {
  std::uint64_t index = 0;
  for (const auto& frame : frames_) index = index * frame.loop.count + frame.loop.iteration;
  return index;
}

std::vector<LoopIteration> Sequencer::iterations() const {
  std::vector<LoopIteration> loops;
  for (const auto& frame : frames_) loops.push_back(frame.loop);
  return loops;
}

}  // namespace archsim
