#include "models/accel/engine/stream_engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "arch/block/work_end.h"

namespace archsim {
namespace {

std::vector<std::string_view> wait_names() {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kWaitReasons; ++i) names.push_back(name_of(static_cast<WaitReason>(i)));
  return names;
}

WaitReason reason_of(std::size_t engine) {
  constexpr std::array reasons{WaitReason::load, WaitReason::array, WaitReason::vector, WaitReason::store};
  return reasons[engine];
}

}  // namespace

StreamEngine::StreamEngine(Tile& tile, Engine engine)
    : tile_(&tile),
      engine_(engine),
      sequencer_(
          tile.context.program->accelerators.at(tile.context.accelerator).stream[static_cast<std::size_t>(engine)]),
      issue_(tile.params.queue_depth),
      timeline_(wait_names()) {}

void StreamEngine::run() { tile_->window.feeds(engine_) ? run_pushed() : run_program(); }

void StreamEngine::run_program() {
  while (!sequencer_.halted()) {
    position_ = sequencer_.position();
    iteration_ = sequencer_.instance();
    if (tile_->context.replayed != nullptr) {
      weight_ = tile_->context.replayed->weight(sequencer_.current().tag, iteration_);
      timeline_.set_weight(weight_);
    }
    ready_ = std::max(ready_, issue_.arrive(sequencer_.passed()));
    if (!step(sequencer_.resolved())) return;
    sequencer_.advance();
  }
  halt();
}

void StreamEngine::run_pushed() {
  for (;;) {
    const CommandWindow::Pushed pushed = tile_->window.take(engine_);
    position_ = pushed.index;
    ready_ = std::max(ready_, pushed.arrives);
    const DecodedCommand& decoded = pushed.decoded;
    if (!decoded.command) {
      fault(FaultKind::illegal_command, decoded.error);
      return;
    }
    if (std::holds_alternative<Halt>(decoded.command->payload) && open_loops_ == 0) return halt();
    if (!step_pushed(*decoded.command)) return;
  }
}

bool StreamEngine::step_pushed(const Command& command) {
  const auto* loop = std::get_if<LoopBegin>(&command.payload);
  const bool is_end = std::holds_alternative<EndLoop>(command.payload);
  const bool is_stride = std::holds_alternative<Stride>(command.payload);
  if (std::holds_alternative<Halt>(command.payload)) return fault(FaultKind::illegal_command, "halt in a loop");
  if (loop == nullptr && !is_end && !is_stride) return step(command);
  // Loops that run once change nothing.
  if (loop != nullptr && loop->count != 1) return fault(FaultKind::illegal_command, "a loop that would fetch again");
  if (loop == nullptr && open_loops_ == 0) return fault(FaultKind::illegal_command, "no loop is open");
  if (loop != nullptr) ++open_loops_;
  if (is_end) --open_loops_;
  note_issue(ready_);
  return true;
}

void StreamEngine::note_issue(Cycles when) {
  issue_.issued(when);
  if (tile_->window.feeds(engine_)) tile_->window.issued(engine_, when);
}

bool StreamEngine::step(const Command& command) {
  for (std::size_t i = 0; i < kEngines; ++i) {
    if (command.wait_for[i] == 0) continue;
    await(tile_->progress[i], command.wait_for[i], reason_of(i), name_of(static_cast<Engine>(i)), false);
  }
  if (const auto* wait = std::get_if<WaitSemaphore>(&command.payload)) return await(command, *wait);
  if (const auto* doorbells = std::get_if<Signal>(&command.payload)) return signal(*doorbells);
  if (const auto why = refusal(tile_->shape, *tile_->context.map, engine_, command)) return fault(why->kind, why->what);
  note_issue(std::max(ready_, takes_next()));
  {
    const EventScope scope(*tile_, command.tag, iteration_);
    ++tile_->stats.commands;
    ++tile_->events.command;
  }
  return execute(command);
}

void StreamEngine::await(TimedCounter& counter, std::uint32_t value, WaitReason reason, std::string_view whose,
                         bool is_semaphore) {
  if (!counter.has_published(value)) {
    blocked_ = {.counter = &counter, .value = value, .whose = whose, .is_semaphore = is_semaphore};
    counter.notify_at(value, published_);
    while (!counter.has_published(value)) sc_core::wait(published_);
    blocked_ = {};
  }
  lanes_ready_ = later(lanes_ready_, counter.lanes_of(value));
  const Cycles when = counter.time_of(value);
  if (when <= ready_) return;
  ready_ = when;
  reason_ = reason;
}

bool StreamEngine::await(const Command& command, const WaitSemaphore& wait) {
  if (wait.semaphore >= tile_->semaphores.size()) {
    return fault(FaultKind::illegal_command, fmt::format("there is no semaphore {}", wait.semaphore));
  }
  const bool is_host = wait.semaphore == tile_->context.accelerators;
  await(tile_->semaphores[wait.semaphore], wait.value, is_host ? WaitReason::host : WaitReason::dependency,
        tile_->context.semaphores[wait.semaphore], true);
  note_issue(ready_);
  const TimedCounter& counter = tile_->semaphores[wait.semaphore];
  // Stores wait for whoever still reads what they overwrite; that is no input.
  if (engine_ == Engine::load) {
    tile_->context.log->inputs(command.tag, iteration_,
                               {time_of(counter.time_of(wait.value)), counter.lanes_of(wait.value)});
  }
  return true;
}

bool StreamEngine::signal(const Signal& signal) {
  const unsigned accelerators = tile_->context.accelerators;
  if (signal.semaphore >= tile_->semaphores.size() || signal.first + signal.count > accelerators) {
    return fault(FaultKind::illegal_command, "a signal to a block that does not exist");
  }
  note_issue(ready_);
  const Cycles when = std::max(ready_, last_completion_);
  const Lanes lanes = later(lanes_ready_, lanes_last_);
  const auto ring = [&](std::size_t bank) {
    tile_->stats.signals += weight_;
    if (bank == tile_->context.accelerator) {
      tile_->semaphores[signal.semaphore].advance(when, lanes);
    } else {
      tile_->what_if.ring(bank, signal.semaphore, time_of(when), lanes);
      tile_->doorbells.add(time_of(when), tile_->csr[bank] + kSemaphoreBytes * signal.semaphore);
    }
  };
  for (unsigned i = 0; i < signal.count; ++i) ring(signal.first + i);
  if (signal.to_host) ring(accelerators);
  return true;
}

void StreamEngine::halt() {
  const Time end = std::max(time_of(std::max(ready_, last_completion_)), timeline_.until());
  timeline_.wait_until(time_of(ready_), static_cast<std::size_t>(reason_));
  tile_->what_if.halt(later(lanes_ready_, lanes_last_));
  const Time now = archsim::time_of(sc_core::sc_time_stamp());
  if (end > now) sc_core::wait(sc_time_of(end - now));
  has_halted_ = true;
  if (tile_->context.work != nullptr) tile_->context.work->tell();
}

void StreamEngine::stand_still_until(const Command& command, Time begin) { stand_still_until(command, begin, reason_); }

void StreamEngine::stand_still_until(const Command& command, Time begin, WaitReason reason) {
  const Time waited = timeline_.wait_until(begin, static_cast<std::size_t>(reason));
  if (waited > Time::zero()) tile_->context.log->wait(command.tag, iteration_, engine_, reason, waited);
}

void StreamEngine::turn_to(const Command& command) {
  if (command.tag == turned_to_ && iteration_ == turned_to_iteration_) return;
  turned_to_ = command.tag;
  turned_to_iteration_ = iteration_;
  tile_->context.log->turned_to(command.tag, iteration_, {time_of(last_completion_), lanes_last_});
}

void StreamEngine::complete(Cycles when, const Lanes& lanes) {
  last_completion_ = std::max(last_completion_, when);
  lanes_last_ = later(lanes_last_, lanes);
  tile_->progress[static_cast<std::size_t>(engine_)].advance(last_completion_, lanes_last_);
}

bool StreamEngine::fault(FaultKind kind, const std::string& what) {
  const Time at = time_of(ready_), now = archsim::time_of(sc_core::sc_time_stamp());
  if (at > now) sc_core::wait(sc_time_of(at - now));
  tile_->context.faults->fault(kind, tile_->context.name,
                               fmt::format("{} command {}: {}", name_of(engine_), position_, what));
  return false;
}

std::string StreamEngine::waiting() const {
  if (has_halted_ || blocked_.counter == nullptr) return {};
  const std::uint32_t wanted = blocked_.value - kCounterStart, is_at = blocked_.counter->value() - kCounterStart;
  if (!blocked_.is_semaphore) {
    return fmt::format("{} waits for {} command {}, which is at {}", name_of(engine_), blocked_.whose, wanted, is_at);
  }
  return fmt::format("{} waits for {}'s operator {}, which is at {}", name_of(engine_), blocked_.whose, wanted, is_at);
}

}  // namespace archsim
