#include "arch/program/check/check.h"

#include <fmt/format.h>

#include <array>

#include "arch/program/check/operand_check.h"
#include "arch/program/check/stream_scan.h"
#include "arch/program/encoding.h"

namespace archsim {
namespace {

struct StreamInfo {
  std::string name;
  const std::vector<Command>* commands = nullptr;
  std::size_t owner = 0;  // accelerator, or the number of accelerators for the host
  Engine engine = Engine::load;
  StreamScan scan;
};

bool holds(const Payload& payload, bool is_host, Engine engine) {
  if (std::holds_alternative<WaitSemaphore>(payload) || std::holds_alternative<Signal>(payload)) return true;
  if (is_host) return std::holds_alternative<HostOperation>(payload);
  switch (engine) {
    case Engine::load:
    case Engine::store:
      return std::holds_alternative<Dma>(payload);
    case Engine::array:
      return std::holds_alternative<Matmul>(payload);
    case Engine::vector:
      return std::holds_alternative<Vector>(payload);
  }
  return false;
}

class Checker {
 public:
  Checker(const Program& program, const ProgramLimits& limits)
      : program_(program), limits_(limits), accelerators_(program.accelerators.size()) {}

  std::vector<std::string> run() {
    if (limits_.accelerators.size() != accelerators_) {
      return {fmt::format("the program is for {} accelerators, but the machine has {}", accelerators_,
                          limits_.accelerators.size())};
    }
    for (std::size_t a = 0; a < accelerators_; ++a) {
      for (std::size_t e = 0; e < kEngines; ++e) {
        const auto engine = static_cast<Engine>(e);
        add_stream(fmt::format("{}.{}", limits_.accelerators[a].name, name_of(engine)),
                   program_.accelerators[a].stream[e], a, engine);
      }
    }
    add_stream("host", program_.host, accelerators_, Engine::load);
    // Totals are known only of sound streams.
    if (mistakes_.empty()) count();
    const bool sound = mistakes_.empty();
    for (const auto& stream : streams_) {
      for (const auto& where : stream.scan.commands) check_command(stream, where, sound);
    }
    return std::move(mistakes_);
  }

 private:
  bool is_host(const StreamInfo& stream) const { return stream.owner == accelerators_; }

  void add_stream(std::string name, const std::vector<Command>& commands, std::size_t owner, Engine engine) {
    StreamInfo stream{std::move(name), &commands, owner, engine, scan_stream(commands)};
    for (const auto& mistake : stream.scan.mistakes) tell(stream, mistake.index, mistake.text);
    streams_.push_back(std::move(stream));
  }

  void tell(const StreamInfo& stream, std::size_t index, const std::string& text) {
    const auto& commands = *stream.commands;
    const std::string command = index < commands.size() ? to_text(commands[index]) : "(empty)";
    mistakes_.push_back(fmt::format("{}[{}] {}: {}", stream.name, index, command, text));
  }

  /// How far counters and semaphores get.
  void count() {
    completions_.assign(accelerators_, {});
    signals_.assign(accelerators_ + 1, std::vector<std::uint64_t>(accelerators_ + 1, 0));
    for (const auto& stream : streams_) {
      for (const auto& where : stream.scan.commands) {
        const auto& command = (*stream.commands)[where.index];
        if (command.is_work() && !is_host(stream)) {
          completions_[stream.owner][static_cast<std::size_t>(stream.engine)] += where.instances;
        }
        if (const auto* signal = std::get_if<Signal>(&command.payload)) count(*signal, where.instances);
      }
    }
  }

  void count(const Signal& signal, std::uint64_t instances) {
    if (signal.semaphore > accelerators_) return;
    for (std::size_t a = signal.first;
         a < std::min<std::size_t>(accelerators_, std::size_t{signal.first} + signal.count); ++a) {
      signals_[a][signal.semaphore] += instances;
    }
    if (signal.to_host) signals_.back()[signal.semaphore] += instances;
  }

  void check_command(const StreamInfo& stream, const ScannedCommand& where, bool with_totals) {
    const auto& command = (*stream.commands)[where.index];
    const auto tell_here = [&](const std::string& text) { tell(stream, where.index, text); };
    if (!holds(command.payload, is_host(stream), stream.engine)) {
      return tell_here("this stream has no such command");
    }
    if (const auto* operation = std::get_if<HostOperation>(&command.payload)) {
      if (operation->index >= program_.host_operations.size()) tell_here("there is no such host operation");
      return;
    }
    const auto unencodable = encoding_errors(command);
    for (const auto& text : unencodable) tell_here(text);
    if (!unencodable.empty()) return;
    if (with_totals) check_waits(stream, where, command);
    if (const auto* signal = std::get_if<Signal>(&command.payload)) check_signal(stream, where, *signal);
    if (is_host(stream)) return;
    for (const auto& text : operand_mistakes(command, stream.engine, limits_.accelerators[stream.owner]))
      tell_here(text);
    if (const auto* dma = std::get_if<Dma>(&command.payload)) {
      for (const auto& text : memory_mistakes(*dma, where, limits_.memories)) tell_here(text);
    }
  }

  void check_signal(const StreamInfo& stream, const ScannedCommand& where, const Signal& signal) {
    if (signal.semaphore != stream.owner) tell(stream, where.index, "a signal raises the semaphore of who sends it");
    if (std::size_t{signal.first} + signal.count > accelerators_) {
      tell(stream, where.index, fmt::format("there are {} accelerators", accelerators_));
    }
  }

  void check_waits(const StreamInfo& stream, const ScannedCommand& where, const Command& command) {
    for (std::size_t e = 0; e < kEngines; ++e) {
      if (command.wait_for[e] == 0) continue;
      if (is_host(stream)) {
        tell(stream, where.index, "the host waits for semaphores only");
        return;
      }
      check_count(stream, where, command.wait_for[e], loop_register::kProgress + e, completions_[stream.owner][e],
                  fmt::format("commands of {}", name_of(static_cast<Engine>(e))));
    }
    const auto* wait = std::get_if<WaitSemaphore>(&command.payload);
    if (wait == nullptr) return;
    if (wait->semaphore > accelerators_) {
      tell(stream, where.index, "there is no such semaphore");
      return;
    }
    check_count(stream, where, wait->value, wait->register_index, signals_[stream.owner][wait->semaphore], "signals");
  }

  void check_count(const StreamInfo& stream, const ScannedCommand& where, std::uint32_t immediate, std::size_t reg,
                   std::uint64_t total, const std::string& of_what) {
    const std::int64_t start = kCounterStart;
    const Span value = Span{immediate, immediate} + where.registers[reg];
    if (value.low < 0) tell(stream, where.index, "it waits for a negative count");
    if (value.high > start + static_cast<std::int64_t>(total)) {
      tell(stream, where.index,
           fmt::format("it waits for {} {}, but there are only {}", value.high - start, of_what, total));
    }
  }

  const Program& program_;
  const ProgramLimits& limits_;
  std::size_t accelerators_;
  std::vector<StreamInfo> streams_;
  std::vector<std::array<std::uint64_t, kEngines>> completions_;  // by accelerator
  std::vector<std::vector<std::uint64_t>> signals_;               // by owner, semaphore
  std::vector<std::string> mistakes_;
};

}  // namespace

std::vector<std::string> check_program(const Program& program, const ProgramLimits& limits) {
  return Checker(program, limits).run();
}

}  // namespace archsim
