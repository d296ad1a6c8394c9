#include "arch/program/functional/machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "arch/describe/diagnostic.h"
#include "arch/program/encoding.h"
#include "arch/program/functional/tensor_access.h"
#include "arch/program/reference/evaluate.h"

namespace archsim {

FunctionalMachine::FunctionalMachine(const Trace& trace, const Program& program, const ProgramLimits& limits)
    : trace_(trace), program_(program), limits_(limits), positions_(positions(trace)), memory_(limits.memories) {
  const std::size_t count = program.accelerators.size();
  ARCHSIM_ASSERT(limits.accelerators.size() == count, "limits of another machine");
  std::array<std::uint32_t, kEngines> at_start;
  at_start.fill(kCounterStart);
  completed_.assign(count, at_start);
  semaphores_.assign(count + 1, std::vector<std::uint32_t>(count + 1, kCounterStart));
  for (std::size_t a = 0; a < count; ++a) {
    local_.emplace_back(limits.accelerators[a]);
    for (std::size_t e = 0; e < kEngines; ++e) {
      const auto engine = static_cast<Engine>(e);
      add_stream(fmt::format("{}.{}", limits.accelerators[a].name, name_of(engine)), a, engine,
                 program.accelerators[a].stream[e]);
    }
  }
  add_stream("host", count, Engine::load, program.host);
}

void FunctionalMachine::add_stream(std::string name, std::size_t owner, Engine engine,
                                   const std::vector<Command>& commands) {
  Sequencer sequencer(commands);
  Command first = sequencer.resolved();
  streams_.push_back({.name = std::move(name),
                      .owner = owner,
                      .engine = engine,
                      .sequencer = std::move(sequencer),
                      .next = std::move(first)});
}

FunctionalResult FunctionalMachine::run(std::uint64_t seed) {
  random_.seed(seed);
  try {
    while (step()) {
    }
  } catch (const MachineFault& fault) {
    return {.finished = false, .report = fault.what(), .commands = commands_};
  }
  std::string report;
  for (const auto& stream : streams_) {
    if (!stream.sequencer.halted()) report += why_waiting(stream) + "\n";
  }
  return {.finished = report.empty(), .report = report, .commands = commands_};
}

/// Lets some engines run far ahead of others, and for a while only.
void FunctionalMachine::shuffle_speeds() {
  for (auto& stream : streams_) {
    for (auto& weight : stream.weight) weight = 1U << (2 * (random_() % 6));
  }
}

bool FunctionalMachine::step() {
  constexpr std::uint64_t kStepsOfOneSpeed = 40;
  if (commands_ == 0 || random_() % kStepsOfOneSpeed == 0) shuffle_speeds();
  std::vector<Choice> choices;
  std::uint64_t total = 0;
  for (auto& stream : streams_) {
    for (const Action action : {issue, take_effect, retire}) {
      if (!can(stream, action)) continue;
      choices.push_back({&stream, action});
      total += stream.weight[action];
    }
  }
  if (choices.empty()) return false;
  auto draw = random_() % total;
  for (const auto& choice : choices) {
    const auto weight = choice.stream->weight[choice.action];
    if (draw < weight) {
      perform(*choice.stream, choice.action);
      break;
    }
    draw -= weight;
  }
  return true;
}

bool FunctionalMachine::can(const Stream& stream, Action action) const {
  const auto& flying = stream.in_flight;
  switch (action) {
    case issue:
      return !stream.sequencer.halted() && flying.size() < kInFlight && waits_are_over(stream);
    case take_effect:
      return !flying.empty() && !flying.back().executed;
    case retire:
      return !flying.empty() && flying.front().executed;
  }
  return false;
}

bool FunctionalMachine::waits_are_over(const Stream& stream) const {
  if (!is_host(stream)) {
    for (std::size_t e = 0; e < kEngines; ++e) {
      if (completed_[stream.owner][e] < stream.next.wait_for[e]) return false;
    }
  }
  const auto* wait = std::get_if<WaitSemaphore>(&stream.next.payload);
  return wait == nullptr || semaphores_[stream.owner].at(wait->semaphore) >= wait->value;
}

void FunctionalMachine::perform(Stream& stream, Action action) {
  auto& flying = stream.in_flight;
  if (action == issue) {
    ++commands_;
    if (!std::holds_alternative<WaitSemaphore>(stream.next.payload)) {
      flying.push_back({.command = stream.next, .loops = stream.sequencer.iterations()});
    }
    stream.sequencer.advance();
    stream.next = stream.sequencer.resolved();
  } else if (action == take_effect) {
    const auto oldest = std::find_if(flying.begin(), flying.end(), [](const InFlight& f) { return !f.executed; });
    execute_one(stream, *oldest);
    oldest->executed = true;
  } else {
    const Command done = std::move(flying.front().command);
    flying.pop_front();
    if (done.is_work()) ++completed_[stream.owner][static_cast<std::size_t>(stream.engine)];
    if (const auto* to_raise = std::get_if<Signal>(&done.payload)) signal(*to_raise);
  }
}

void FunctionalMachine::execute_one(Stream& stream, const InFlight& flight) {
  try {
    if (std::holds_alternative<HostOperation>(flight.command.payload)) {
      run_on_host(flight);
    } else if (flight.command.is_work()) {
      execute(flight.command, stream.engine, local_[stream.owner], memory_);
    }
  } catch (const MachineFault& fault) {
    throw MachineFault(describe(stream, flight.command) + ": " + fault.what());
  }
}

void FunctionalMachine::run_on_host(const InFlight& flight) {
  const auto& work = program_.host_operations[std::get<HostOperation>(flight.command.payload).index];
  const auto& op = trace_.operators[work.operator_index];
  const Iterations iterations = iterations_of(trace_, positions_[work.operator_index], flight.loops);
  std::vector<Array> inputs;
  std::vector<const Array*> pointers;
  inputs.reserve(op.inputs.size());
  pointers.reserve(op.inputs.size());
  for (const auto& use : op.inputs) {
    inputs.push_back(read_tensor(trace_, program_, memory_, use.tensor, copy_of(use, iterations)));
  }
  for (const auto& input : inputs) pointers.push_back(&input);
  const auto outputs = evaluate(trace_, op, pointers);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& use = op.outputs[i];
    write_tensor(trace_, program_, memory_, use.tensor, copy_of(use, iterations), outputs[i]);
  }
}

void FunctionalMachine::signal(const Signal& signal) {
  for (std::size_t a = signal.first; a < std::size_t{signal.first} + signal.count; ++a) {
    ++semaphores_.at(a).at(signal.semaphore);
  }
  if (signal.to_host) ++semaphores_.back().at(signal.semaphore);
}

std::string FunctionalMachine::owner_name(std::size_t owner) const {
  return owner < local_.size() ? limits_.accelerators[owner].name : "host";
}

std::string FunctionalMachine::describe(const Stream& stream, const Command& command) const {
  std::string text = fmt::format("{}: {}", stream.name, to_text(command));
  if (command.tag < trace_.operators.size()) text += fmt::format(" ({})", trace_.operators[command.tag].name);
  return text;
}

std::string FunctionalMachine::why_waiting(const Stream& stream) const {
  std::string text = fmt::format("{} waits at command {}", stream.name, stream.sequencer.position());
  if (stream.next.tag < trace_.operators.size()) text += fmt::format(" ({})", trace_.operators[stream.next.tag].name);
  // As numbers of completions; a value below the start has been reached since ever.
  const auto count = [](std::uint32_t value) { return static_cast<std::int64_t>(value) - kCounterStart; };
  for (std::size_t e = 0; e < kEngines && !is_host(stream); ++e) {
    const auto have = completed_[stream.owner][e];
    const auto want = stream.next.wait_for[e];
    if (have >= want) continue;
    text += fmt::format(": for command {} of {}.{}, which has completed {}", count(want), owner_name(stream.owner),
                        name_of(static_cast<Engine>(e)), count(have));
  }
  if (const auto* wait = std::get_if<WaitSemaphore>(&stream.next.payload)) {
    text += fmt::format(": for operator {} of {}, which has completed {}", count(wait->value),
                        owner_name(wait->semaphore), count(semaphores_[stream.owner].at(wait->semaphore)));
  }
  return text;
}

}  // namespace archsim
