#include "app/report/roofline_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "arch/workload/count.h"
#include "models/roofline/peaks.h"

namespace archsim {
namespace {

constexpr std::size_t kTopOperators = 10;

std::string milliseconds(double time_s) { return fmt::format("{:.3f}", time_s * 1e3); }

struct Sum {
  OperatorPeak once;
  double instances = 0.0;
  double longest_s() const { return once.longest_s() * instances; }
};

void add(OperatorPeak& sum, const OperatorPeak& peak, double times) {
  sum.compute_s += peak.compute_s * times;
  sum.vector_s += peak.vector_s * times;
  sum.host_s += peak.host_s * times;
}

TextTable headline(const Trace& trace, const MachineView& machine, const Bound& bound) {
  TextTable table{trace.model + " on " + machine.soc + ": no mapping is faster", {"<", "<"}, {}};
  const double time_s = seconds(bound.time);
  table.rows = {{"bound", fmt::format("{} ms, {:.2f} Hz", milliseconds(time_s), time_s == 0.0 ? 0.0 : 1.0 / time_s)},
                {"DRAM", fmt::format("{:.1f} GB/s at peak", machine.dram.peak.value / 1e9)},
                {"on chip", fmt::format("{:.1f} MiB to prefetch into",
                                        static_cast<double>(prefetch_capacity(machine).value) / 1048576.0)}};
  for (const auto dtype : {Dtype::int8, Dtype::bf16, Dtype::fp16, Dtype::fp32, Dtype::fp8_e4m3, Dtype::fp8_e5m2,
                           Dtype::int4, Dtype::mxfp8, Dtype::mxfp4, Dtype::nvfp4}) {
    const double peak = machine.peak_macs_per_second(dtype);
    if (peak > 0.0)
      table.rows.push_back({std::string(name_of(dtype)), fmt::format("{:.3f} TMAC/s at peak", peak / 1e12)});
  }
  return table;
}

/// Stages that use weights of a stage before them, as those of a second inference do.
std::vector<bool> stages_that_share_weights(const Trace& trace, const std::vector<Position>& where) {
  constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> first_user(trace.tensors.size(), kNobody);
  std::vector<bool> shares(trace.stages.size(), false);
  for (std::size_t i = 0; i < trace.operators.size(); ++i) {
    for (const TensorUse& use : trace.operators[i].inputs) {
      if (trace.tensors[use.tensor].role != Role::weight) continue;
      std::size_t& first = first_user[use.tensor];
      if (first == kNobody) first = where[i].stage;
      if (first != where[i].stage) shares[where[i].stage] = true;
    }
  }
  return shares;
}

/// What must cross the DRAM's pins for a stage however it is mapped: weights, and what was there before but for what on-chip memory can
/// have kept.
std::uint64_t least_dram_bytes(const StageCounts& stage, bool shares_weights, std::uint64_t capacity) {
  const auto spilled = [&](std::uint64_t bytes) { return bytes > capacity ? bytes - capacity : 0; };
  const std::uint64_t unique = stage.once.weight_bytes + stage.once.kv_read_bytes;
  const std::uint64_t first =
      shares_weights ? spilled(unique) : stage.once.weight_bytes + spilled(stage.once.kv_read_bytes);
  return first + (stage.repeat - 1) * spilled(unique);
}

TextTable stages(const Trace& trace, const MachineView& machine, const Bound& bound,
                 const std::vector<OperatorPeak>& peaks) {
  const auto where = positions(trace);
  const auto counts = count(trace);
  const auto shares = stages_that_share_weights(trace, where);
  std::vector<OperatorPeak> sums(trace.stages.size());
  for (std::size_t i = 0; i < peaks.size(); ++i) {
    add(sums[where[i].stage], peaks[i], static_cast<double>(where[i].instances));
  }
  TextTable table{"stages, each resource alone at its peak; scores that a mask hides cost no array time",
                  {"<stage", "repeat", "GMAC", "least DRAM MB", "MAC/B", "arrays ms", "lanes ms", "DRAM ms", "host ms",
                   "<roof", "bound ms", "ends at ms"},
                  {}};
  Time end = Time::zero();
  for (std::size_t s = 0; s < sums.size(); ++s) {
    auto& sum = sums[s];
    sum.dram_bytes = least_dram_bytes(counts.stages[s], shares[s], prefetch_capacity(machine).value);
    if (machine.dram.peak.value > 0.0) sum.dram_s = static_cast<double>(sum.dram_bytes) / machine.dram.peak.value;
    const auto next = std::max(end, bound.stages[s]);
    const double bytes = static_cast<double>(sum.dram_bytes);
    const double macs = static_cast<double>(counts.stages[s].once.macs * counts.stages[s].repeat);
    table.rows.push_back({trace.stages[s].name, fmt::to_string(counts.stages[s].repeat),
                          fmt::format("{:.3f}", macs / 1e9), fmt::format("{:.1f}", bytes / 1e6),
                          bytes == 0.0 ? "" : fmt::format("{:.1f}", macs / bytes), milliseconds(sum.compute_s),
                          milliseconds(sum.vector_s), milliseconds(sum.dram_s), milliseconds(sum.host_s),
                          std::string(sum.roof()), milliseconds(seconds(next - end)), milliseconds(seconds(next))});
    end = next;
  }
  return table;
}

TextTable operators(const Trace& trace, const std::vector<OperatorPeak>& peaks) {
  const auto where = positions(trace);
  const auto counts = count(trace);
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < peaks.size(); ++i) {
    order.emplace_back(peaks[i].longest_s() * static_cast<double>(where[i].instances), i);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  order.resize(std::min(order.size(), kTopOperators));
  TextTable table{
      "longest operators, each alone at peak",
      {"<operator", "times", "MMAC", "kB read", "arrays us", "lanes us", "DRAM us", "host us", "<roof", "all ms"},
      {}};
  const auto microseconds = [](double time_s) { return fmt::format("{:.2f}", time_s * 1e6); };
  for (const auto& [all_s, i] : order) {
    const auto& peak = peaks[i];
    table.rows.push_back({trace.operators[i].name, fmt::to_string(where[i].instances),
                          fmt::format("{:.2f}", static_cast<double>(counts.operators[i].macs) / 1e6),
                          fmt::format("{:.1f}", static_cast<double>(peak.dram_bytes) / 1e3),
                          microseconds(peak.compute_s), microseconds(peak.vector_s), microseconds(peak.dram_s),
                          microseconds(peak.host_s), std::string(peak.roof()), milliseconds(all_s)});
  }
  return table;
}

}  // namespace

std::vector<TextTable> roofline_tables(const Trace& trace, const MachineView& machine, const Bound& bound) {
  const auto peaks = operator_peaks(trace, machine);
  return {headline(trace, machine, bound), stages(trace, machine, bound, peaks), operators(trace, peaks)};
}

}  // namespace archsim
