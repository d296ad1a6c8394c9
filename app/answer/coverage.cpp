#include "app/answer/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "arch/workload/effort.h"

namespace archsim {
namespace {

std::string dtypes_of(const Trace& trace, const Operator& op) {
  std::string text;
  // Biases and tables beside the operands tell nothing about where it can run.
  for (std::size_t i = 0; i < std::min<std::size_t>(op.inputs.size(), 2); ++i)
    text += (i == 0 ? "" : " x ") + std::string(name_of(trace.tensors[op.inputs[i].tensor].dtype));
  if (!op.outputs.empty()) text += " -> " + std::string(name_of(trace.tensors[op.outputs[0].tensor].dtype));
  return text;
}

class Coverer {
 public:
  Coverer(const RunInputs& inputs, const Answer& answer)
      : in_(inputs), answer_(answer), positions_(positions(inputs.trace)) {
    for (const Command& command : in_.program.host) {
      if (std::holds_alternative<WaitSemaphore>(command.payload)) awaits_.insert(command.tag);
    }
    for (const HostWork& work : in_.program.host_operations) works_[work.operator_index] = &work;
  }

  std::vector<CoverageRow> make() {
    for (const OperatorRow& row : answer_.operators) add_time(row);
    for (std::uint32_t i = 0; i < in_.trace.operators.size(); ++i) add(i);
    add_rest();
    std::stable_partition(rows_.begin(), rows_.end(), [](const CoverageRow& row) { return row.engine != "host"; });
    return std::move(rows_);
  }

 private:
  void add_time(const OperatorRow& row) {
    engines_[row.operator_index] = row.engine;
    if (row.fused_into.empty())
      times_.try_emplace(row.operator_index, Time::zero()).first->second += row.end - row.start;
  }

  CoverageRow& row_of(const CoverageRow& like) {
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const CoverageRow& row) {
      return row.op == like.op && row.dtypes == like.dtypes && row.engine == like.engine &&
             row.decided_by == like.decided_by && row.why == like.why;
    });
    return found != rows_.end() ? *found : *rows_.insert(rows_.end(), like);
  }

  void add(std::uint32_t index) {
    const Operator& op = in_.trace.operators[index];
    const OperatorMapping& mapping = in_.program.operators[index];
    CoverageRow& row = row_of({.op = std::string(name_of(op.type)),
                               .dtypes = dtypes_of(in_.trace, op),
                               .engine = engines_[index],
                               .decided_by = mapping.decided_by,
                               .why = mapping.why});
    const std::uint64_t instances = positions_[index].instances;
    ++row.operators;
    row.instances += instances;
    if (const auto time = times_.find(index); time != times_.end()) row.time += time->second;
    const auto work = works_.find(index);
    if (work != works_.end()) {
      add_host(row, index, *work->second);
    } else if (in_.machine.mapping.launch != LaunchMode::whole_graph && mapping.lead == index && mapping.why.empty()) {
      const bool is_awaited = in_.machine.mapping.launch == LaunchMode::host_driven;
      add_launches(row, instances / mapping.batch.count, is_awaited);
    }
  }

  void add_launches(CoverageRow& row, std::uint64_t kernels, bool is_awaited) const {
    row.launches += kernels;
    row.launching += in_.machine.host.launch * kernels;
    if (!is_awaited) return;
    row.syncs += kernels;
    row.syncing += in_.machine.host.interrupt * kernels;
  }

  /// Doorbells on the host's stream.
  std::uint64_t doorbells() const {
    std::uint64_t sum = 0;
    std::vector<std::uint64_t> times{1};
    for (const Command& command : in_.program.host) {
      if (const auto* loop = std::get_if<LoopBegin>(&command.payload)) times.push_back(times.back() * loop->count);
      if (std::holds_alternative<EndLoop>(command.payload)) times.pop_back();
      if (std::holds_alternative<Signal>(command.payload)) sum += times.back();
    }
    return sum;
  }

  /// What is launched besides the operators: the program, and copies of caches that the mapping adds.
  void add_rest() {
    std::uint64_t rest = doorbells();
    for (const CoverageRow& row : rows_) rest -= row.launches;
    CoverageRow program{.op = "program", .engine = "host", .decided_by = "mapping.launch"};
    add_launches(program, 1, true);
    rows_.push_back(program);
    if (rest <= 1) return;
    CoverageRow copies{.op = "copies of caches", .engine = "dma", .decided_by = "mapping.stage_caches"};
    add_launches(copies, rest - 1, in_.machine.mapping.launch == LaunchMode::host_driven);
    rows_.push_back(copies);
  }

  void add_host(CoverageRow& row, std::uint32_t index, const HostWork& work) const {
    const std::uint64_t instances = positions_[index].instances;
    for (const HostTransfer& transfer : work.transfers) {
      row.host_bytes += transfer.bytes * instances;
      if (transfer.is_shared && in_.machine.host.maintenance)
        row.maintenance += in_.machine.host.maintenance(transfer.bytes) * instances;
    }
    const auto each = in_.machine.host.estimate(in_.trace.operators[index], work.elements);
    if (each) row.computing += *each * instances;
    add_launches(row, instances, awaits_.count(index) > 0);
  }

  const RunInputs& in_;
  const Answer& answer_;
  std::vector<Position> positions_;
  std::set<std::uint32_t> awaits_;                  // operators for which the host awaits accelerators
  std::map<std::uint32_t, const HostWork*> works_;  // by operator
  std::map<std::uint32_t, std::string> engines_;    // by operator
  std::map<std::uint32_t, Time> times_;             // by operator that is not fused
  std::vector<CoverageRow> rows_;
};

}  // namespace

std::vector<CoverageRow> coverage(const RunInputs& inputs, const Answer& answer) {
  return Coverer(inputs, answer).make();
}

}  // namespace archsim
