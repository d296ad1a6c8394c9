#include "app/answer/answer.h"

#include <algorithm>
#include <map>
#include <utility>

#include "app/account/label.h"
#include "app/answer/engine_name.h"
#include "app/answer/repeat_path.h"

namespace archsim {
namespace {

double over(std::uint64_t macs, double peak, Time duration) {
  return duration == Time::zero() || peak == 0.0 ? 0.0 : static_cast<double>(macs) / (peak * seconds(duration));
}

class Answerer {
 public:
  Answerer(const RunInputs& inputs, const RunResult& result)
      : in_(inputs), result_(result), bound_(inputs.bound), positions_(positions(inputs.trace)) {
    // What only holds for the whole run counts in its last stage, as the rest of the run's time does.
    if (!bound_.stages.empty()) bound_.stages.back() = std::max(bound_.stages.back(), bound_.time);
    answer_.counts = count(in_.trace);
    answer_.time = result.time;
    answer_.lower_bound = in_.bound.time;
    answer_.efficiency = result.time == Time::zero() ? 0.0 : seconds(in_.bound.time) / seconds(result.time);
    for (const BlockReport& block : result.blocks) {
      if (block.kind != "dram") continue;
      answer_.dram_read_bytes += block.served.read;
      answer_.dram_write_bytes += block.served.written;
    }
    for (const OperatorRun& run : result.operators) runs_[{run.operator_index, run.iteration}] = &run;
  }

  Answer make() {
    if (in_.tech != nullptr) answer_.ppa = price(result_, in_.spec, *in_.tech);
    add_operators();
    add_stages();
    add_host();
    if (answer_.ppa) add_energy();
    if (answer_.ppa) {
      answer_.robot = robot_metrics(*answer_.ppa, {.actions = actions_of(in_.trace),
                                                   .macs = static_cast<double>(answer_.counts.macs),
                                                   .peak_macs_per_s = peak_macs_per_s(in_.machine)});
    }
    return std::move(answer_);
  }

 private:
  double peak_of(const Operator& op) const {
    double peak = 0.0;
    for (const TensorUse& input : op.inputs) {
      const double rate = in_.machine.peak_macs_per_second(in_.trace.tensors[input.tensor].dtype);
      if (rate > 0.0) peak = peak == 0.0 ? rate : std::min(peak, rate);
    }
    return peak;
  }

  void add_operators() {
    for (std::uint32_t i = 0; i < in_.trace.operators.size(); ++i) {
      for (std::uint64_t n = 0; n < positions_[i].instances; ++n) add_operator(i, n);
    }
  }

  void add_operator(std::uint32_t index, std::uint64_t iteration) {
    const OperatorMapping& mapping = in_.program.operators[index];
    const auto own = runs_.find({index, iteration});
    const auto run = own != runs_.end() ? own : runs_.find({mapping.lead, iteration});
    ARCHSIM_ASSERT(run != runs_.end(), in_.trace.operators[index].name + " was never executed");
    OperatorRow row{.index = answer_.operators.size(),
                    .operator_index = index,
                    .stage = in_.trace.stages[positions_[index].stage].name,
                    .repeat_path = repeat_path(in_.trace, positions_[index], iteration),
                    .engine = std::string(engine_name(mapping.runs_on)),
                    .start = run->second->start,
                    .end = run->second->end,
                    .macs = answer_.counts.operators[index].macs};
    if (mapping.lead != index) row.fused_into = in_.trace.operators[mapping.lead].name;
    if (own != runs_.end()) row.dram_bytes = own->second->dram_bytes;
    if (own != runs_.end() && answer_.ppa) {
      row.energy_j = answer_.ppa->operators_j[static_cast<std::size_t>(own->second - result_.operators.data())];
    }
    row.bound = bound_of(run->second->last - run->second->first);
    row.utilization = over(row.macs, peak_of(in_.trace.operators[index]), row.end - row.start);
    answer_.operators.push_back(std::move(row));
  }

  /// When each stage ended; the last one with the run.
  std::vector<Time> stage_ends() const {
    std::vector<Time> ends(in_.trace.stages.size(), Time::zero());
    for (const OperatorRow& row : answer_.operators) {
      Time& end = ends[positions_[row.operator_index].stage];
      end = std::max(end, row.end);
    }
    if (!ends.empty()) ends.back() = std::max(ends.back(), result_.time);
    return ends;
  }

  std::vector<Lanes> stage_ends_again() const {
    std::vector<Lanes> ends(in_.trace.stages.size(), Lanes(0.0));
    for (const OperatorRun& run : result_.operators) {
      Lanes& end = ends[positions_[run.operator_index].stage];
      end = later(end, run.last);
    }
    if (!ends.empty()) ends.back() = later(ends.back(), result_.ends);
    return ends;
  }

  void add_stages() {
    const auto ends = stage_ends();
    answer_.gap = gap_account(in_.trace, in_.machine, bound_, result_, ends);
    answer_.stages.resize(ends.size());
    for (const OperatorRow& row : answer_.operators) {
      StageRow& stage = answer_.stages[positions_[row.operator_index].stage];
      stage.macs += row.macs;
      stage.dram_bytes += row.dram_bytes;
    }
    const auto ends_again = stage_ends_again();
    Time end = Time::zero(), lower = Time::zero();
    Lanes end_again(0.0);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      StageRow& row = answer_.stages[i];
      row.name = in_.trace.stages[i].name;
      row.repeat = in_.trace.loops[in_.trace.stages[i].repeat.loop].count;
      // A stage may end before the one before it: then it took no time of its own.
      row.time = std::max(ends[i], end) - end;
      end += row.time;
      row.lower_bound = std::max(bound_.stages[i], lower) - lower;
      lower += row.lower_bound;
      row.length = later(ends_again[i], end_again) - end_again;
      end_again += row.length;
      row.bound = bound_of(row.length);
      row.utilization = over(row.macs, peak_of_stage(i), row.time);
    }
    answer_.bound = bound_of(end_again);
  }

  /// Stages share what belongs to no operator by their time.
  void add_energy() {
    double rest_j = 0.0;
    for (const auto& [name, joules] : answer_.ppa->unattributed_j) rest_j += joules;
    for (const OperatorRow& row : answer_.operators) {
      answer_.stages[positions_[row.operator_index].stage].energy_j += row.energy_j;
    }
    for (StageRow& row : answer_.stages) row.energy_j += rest_j * seconds(row.time) / seconds(answer_.time);
  }

  /// The slowest of the peaks that the stage's operators with MACs have.
  double peak_of_stage(std::size_t stage) const {
    double peak = 0.0;
    for (std::uint32_t i = 0; i < in_.trace.operators.size(); ++i) {
      if (positions_[i].stage != stage || answer_.counts.operators[i].macs == 0) continue;
      const double own = peak_of(in_.trace.operators[i]);
      if (own > 0.0) peak = std::max(peak, own);
    }
    return peak;
  }

  void add_host() {
    for (std::uint32_t i = 0; i < in_.trace.operators.size(); ++i) {
      const OperatorMapping& mapping = in_.program.operators[i];
      if (mapping.runs_on != RunsOn::host) continue;
      HostRow row{.name = in_.trace.operators[i].name, .instances = positions_[i].instances, .why = mapping.why};
      for (std::uint64_t n = 0; n < row.instances; ++n) {
        const auto run = runs_.find({i, n});
        if (run != runs_.end()) row.busy += run->second->host_busy;
      }
      answer_.host.push_back(std::move(row));
    }
  }

  const RunInputs& in_;
  const RunResult& result_;
  Bound bound_;
  std::vector<Position> positions_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, const OperatorRun*> runs_;
  Answer answer_;
};

}  // namespace

Answer answer(const RunInputs& inputs, const RunResult& result) { return Answerer(inputs, result).make(); }

}  // namespace archsim
