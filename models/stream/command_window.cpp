#include "models/stream/command_window.h"

namespace archsim {
namespace {

constexpr unsigned kInThePipeline = 3;  // commands between the queue and the engine
constexpr std::uint64_t kToIssue = 5;   // cycles: push, queue, loops, checks

bool is_loop_command(const Command& command) {
  return std::holds_alternative<LoopBegin>(command.payload) || std::holds_alternative<Stride>(command.payload) ||
         std::holds_alternative<EndLoop>(command.payload);
}

}  // namespace

CommandWindow::CommandWindow(unsigned queue_depth, const std::array<bool, kEngines>& fed) : queue_depth_(queue_depth) {
  for (std::size_t e = 0; e < kEngines; ++e) streams_[e].is_fed = fed[e];
}

std::optional<CommandWindow::Push> CommandWindow::write(std::uint64_t offset, std::uint32_t value, Cycles when) {
  const std::uint64_t number = offset / (kWords * kWordBytes), word = offset / kWordBytes % kWords;
  Stream& stream = streams_[number];
  constexpr unsigned kHalf = 32;
  const unsigned shift = word % 2 == 0 ? 0 : kHalf;
  std::uint64_t& bits = stream.words[word / 2];
  bits = (bits & ~(std::uint64_t{UINT32_MAX} << shift)) | std::uint64_t{value} << shift;
  if (word + 1 < kWords) return {};
  Push push{.engine = static_cast<Engine>(number), .index = stream.places.size()};
  push.has_overflown = !stream.is_fed || is_full(stream, when);
  if (push.has_overflown) return push;
  const DecodedCommand decoded = decode(stream.words);
  stream.places.push_back({.is_loop = decoded.command && is_loop_command(*decoded.command)});
  stream.queue.push_back({.decoded = decoded, .arrives = when + Cycles(kToIssue), .index = push.index});
  stream.rung.notify(sc_core::SC_ZERO_TIME);
  return push;
}

bool CommandWindow::is_full(const Stream& stream, Cycles when) const {
  unsigned ahead = 0, waiting = 0;
  for (std::size_t i = 0; i < stream.places.size(); ++i) {
    const Place& place = stream.places[i];
    if (i < stream.issued && place.issued <= when) continue;
    if (waiting == 0 && place.is_loop) continue;
    ++(waiting == 0 && ahead < kInThePipeline ? ahead : waiting);
  }
  return waiting >= queue_depth_;
}

void CommandWindow::issued(Engine engine, Cycles when) {
  Stream& stream = streams_[index_of(engine)];
  stream.places[stream.issued++].issued = when;
}

CommandWindow::Pushed CommandWindow::take(Engine engine) {
  Stream& stream = streams_[index_of(engine)];
  while (stream.queue.empty()) sc_core::wait(stream.rung);
  Pushed pushed = stream.queue.front();
  stream.queue.pop_front();
  return pushed;
}

}  // namespace archsim
