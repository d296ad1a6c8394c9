#include "app/report/run_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "app/answer/coverage.h"

namespace archsim {
namespace {

constexpr std::size_t kTopOperators = 10;
constexpr std::size_t kTopShares = 8;
constexpr std::size_t kWidestReason = 60;  // columns

std::string milliseconds(Time time) { return fmt::format("{:.3f}", seconds(time) * 1e3); }
std::string percent(double share) { return fmt::format("{:.1f} %", 100.0 * share); }
double share_of(Time part, Time whole) { return whole == Time::zero() ? 0.0 : seconds(part) / seconds(whole); }
std::string mega(std::uint64_t bytes) { return fmt::format("{:.1f}", static_cast<double>(bytes) / 1e6); }
std::string giga(std::uint64_t number) { return fmt::format("{:.3f}", static_cast<double>(number) / 1e9); }

std::string cut(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

/// "channel11" -> "channel", "slice0_read" -> "slice_read"
std::string without_number(std::string name) {
  name.erase(std::remove_if(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; }), name.end());
  return name;
}

TextTable headline(const RunInputs& inputs, const Answer& answer) {
  const double time_s = seconds(answer.time);
  const std::uint64_t bytes = answer.dram_read_bytes + answer.dram_write_bytes;
  const double rate = time_s == 0.0 ? 0.0 : static_cast<double>(bytes) / time_s;
  TextTable table{inputs.trace.model + " on " + inputs.spec.name, {"<", "<"}, {}};
  table.rows = {
      {"time", fmt::format("{} ms, {:.2f} Hz", milliseconds(answer.time), time_s == 0.0 ? 0.0 : 1.0 / time_s)},
      {"lower bound",
       fmt::format("{} ms, efficiency {}", milliseconds(answer.lower_bound), percent(answer.efficiency))},
      {"bound by", answer.bound},
      {"work", fmt::format("{} GMAC in {} operators", giga(answer.counts.macs), answer.counts.executed_operators)},
      {"DRAM", fmt::format("{} MB read, {} MB written, {:.1f} of {:.1f} GB/s", mega(answer.dram_read_bytes),
                           mega(answer.dram_write_bytes), rate / 1e9, inputs.machine.dram.peak.value / 1e9)}};
  return table;
}

TextTable stages(const Answer& answer) {
  TextTable table{"stages", {"<stage", "repeat", "time ms", "share", "GMAC", "DRAM MB", "array use", "<bound"}, {}};
  for (const StageRow& row : answer.stages) {
    table.rows.push_back({row.name, std::to_string(row.repeat), milliseconds(row.time),
                          percent(share_of(row.time, answer.time)), giga(row.macs), mega(row.dram_bytes),
                          percent(row.utilization), row.bound});
  }
  return table;
}

/// Each on its own at peak, so that the shares tell which resource the time would go to.
TextTable at_peak(const RunInputs& inputs, const Answer& answer) {
  struct Sum {
    const OperatorRow* row = nullptr;
    std::uint64_t instances = 0, macs = 0, dram_bytes = 0;
    Time time = Time::zero();
  };
  std::vector<Sum> sums(inputs.trace.operators.size());
  for (const OperatorRow& row : answer.operators) {
    Sum& sum = sums[row.operator_index];
    sum.row = &row;
    ++sum.instances;
    sum.macs += row.macs;
    sum.dram_bytes += row.dram_bytes;
    sum.time += row.end - row.start;
  }
  std::stable_sort(sums.begin(), sums.end(), [](const Sum& a, const Sum& b) { return a.time > b.time; });
  if (sums.size() > kTopOperators) sums.resize(kTopOperators);
  TextTable table{"longest operators, each alone at peak",
                  {"<operator", "<on", "times", "time ms", "GMAC", "MB read", "<roof"},
                  {}};
  for (const Sum& sum : sums) {
    if (sum.row == nullptr) continue;
    table.rows.push_back({cut(inputs.trace.operators[sum.row->operator_index].name, 32), sum.row->engine,
                          std::to_string(sum.instances), milliseconds(sum.time), giga(sum.macs), mega(sum.dram_bytes),
                          sum.row->bound});
  }
  return table;
}

/// What stands between the bound and the time.
TextTable gap(const Answer& answer) {
  TextTable table{fmt::format("above the lower bound: {:.3f} ms, {} of it named", answer.gap.gap_s * 1e3,
                              percent(answer.gap.accounted)),
                  {"<share", "time ms", "of the time"},
                  {}};
  for (const auto& [name, share_s] : answer.gap.shares) {
    if (table.rows.size() == kTopShares) break;
    table.rows.push_back({name, fmt::format("{:.3f}", share_s * 1e3), percent(share_s / seconds(answer.time))});
  }
  return table;
}

/// Equal engines of one group as one row, averaged.
TextTable engines(const RunInputs& inputs, const RunResult& result) {
  struct Sum {
    std::string block, engine;
    std::uint64_t number = 0;
    Time busy = Time::zero(), idle = Time::zero();
    std::map<std::string, Time> waits;
  };
  std::vector<Sum> sums;
  for (const BlockReport& report : result.blocks) {
    const std::string& group = inputs.spec.find(report.name)->group;
    for (const EngineReport& engine : report.engines) {
      const std::string name = without_number(engine.name);
      auto sum = std::find_if(sums.begin(), sums.end(),
                              [&](const Sum& other) { return other.block == group && other.engine == name; });
      if (sum == sums.end()) sum = sums.insert(sums.end(), Sum{.block = group, .engine = name});
      ++sum->number;
      sum->busy += engine.busy;
      sum->idle += engine.idle;
      for (const auto& [reason, time] : engine.waits)
        sum->waits.try_emplace(reason, Time::zero()).first->second += time;
    }
  }
  TextTable table{"engines", {"<engine", "number", "busy", "idle", "<waiting for"}, {}};
  for (const Sum& sum : sums) {
    const Time all = result.time * sum.number;
    std::vector<std::pair<Time, std::string>> waits;
    for (const auto& [reason, time] : sum.waits) waits.emplace_back(time, reason);
    std::sort(waits.rbegin(), waits.rend());
    std::string text;
    for (const auto& [time, reason] : waits) {
      if (share_of(time, all) < 0.0005) continue;
      text += (text.empty() ? "" : ", ") + reason + " " + percent(share_of(time, all));
    }
    table.rows.push_back({sum.block + "." + sum.engine, std::to_string(sum.number), percent(share_of(sum.busy, all)),
                          percent(share_of(sum.idle, all)), cut(text, kWidestReason)});
  }
  return table;
}

/// By operator of the trace, the sum of its instances' durations; what is fused into it counts with it. Operators overlap, so
/// the shares may exceed the whole.
TextTable longest_operators(const RunInputs& inputs, const Answer& answer) {
  const Trace& trace = inputs.trace;
  struct Sum {
    const OperatorRow* row = nullptr;
    std::uint64_t instances = 0, macs = 0, dram_bytes = 0;
    Time time = Time::zero();
  };
  std::map<std::uint32_t, Sum> sums;
  for (const OperatorRow& row : answer.operators) {
    Sum& sum = sums[inputs.program.operators[row.operator_index].lead];
    sum.macs += row.macs;
    sum.dram_bytes += row.dram_bytes;
    if (!row.fused_into.empty()) continue;
    if (sum.row == nullptr || row.end - row.start > sum.row->end - sum.row->start) sum.row = &row;
    ++sum.instances;
    sum.time += row.end - row.start;
  }
  std::vector<Sum> order;
  order.reserve(sums.size());
  for (const auto& sum : sums) order.push_back(sum.second);
  std::stable_sort(order.begin(), order.end(), [](const Sum& a, const Sum& b) { return a.time > b.time; });
  if (order.size() > kTopOperators) order.resize(kTopOperators);
  TextTable table{
      "longest operators", {"<operator", "<on", "times", "time ms", "share", "GMAC", "DRAM MB", "<bound"}, {}};
  for (const Sum& sum : order) {
    table.rows.push_back({cut(trace.operators[sum.row->operator_index].name, 32), sum.row->engine,
                          std::to_string(sum.instances), milliseconds(sum.time),
                          percent(share_of(sum.time, answer.time)), giga(sum.macs), mega(sum.dram_bytes),
                          sum.row->bound});
  }
  return table;
}

TextTable on_the_host(const Answer& answer) {
  TextTable table{"on the CPU", {"<operator", "times", "busy ms", "<why"}, {}};
  for (const HostRow& row : answer.host) {
    table.rows.push_back(
        {cut(row.name, 28), std::to_string(row.instances), milliseconds(row.busy), cut(row.why, kWidestReason - 10)});
  }
  return table;
}

TextTable memories(const Program& program) {
  TextTable table{"memory peaks", {"<memory", "used MB", "capacity MB", "share"}, {}};
  // Of equal memories of several accelerators the fullest.
  std::vector<MemoryPeak> peaks;
  for (const MemoryPeak& peak : program.peaks) {
    const bool is_local = peak.memory.find('.') != std::string::npos;
    MemoryPeak row{is_local ? without_number(peak.memory) : peak.memory, peak.used_bytes, peak.capacity_bytes};
    const auto same = std::find_if(peaks.begin(), peaks.end(), [&](const MemoryPeak& other) {
      return other.memory == row.memory && other.capacity_bytes == row.capacity_bytes;
    });
    if (same == peaks.end()) {
      peaks.push_back(std::move(row));
    } else {
      same->used_bytes = std::max(same->used_bytes, row.used_bytes);
    }
  }
  for (const MemoryPeak& peak : peaks) {
    const double share = peak.capacity_bytes == 0
                             ? 0.0
                             : static_cast<double>(peak.used_bytes) / static_cast<double>(peak.capacity_bytes);
    table.rows.push_back({peak.memory, mega(peak.used_bytes), mega(peak.capacity_bytes), percent(share)});
  }
  std::uint64_t bytes = 0, traffic = 0;
  for (const Spill& spill : program.spills) {
    bytes += spill.bytes;
    traffic += spill.traffic_bytes;
  }
  if (!program.spills.empty()) {
    table.title += fmt::format("; {} tensors of {} MB spilled to DRAM, {} MB moved there", program.spills.size(),
                               mega(bytes), mega(traffic));
  }
  return table;
}

}  // namespace

std::vector<TextTable> roofline_run_tables(const RunInputs& inputs, const Answer& answer) {
  auto top = headline(inputs, answer);
  top.title += ", at best: no mapping is faster";
  return {std::move(top), stages(answer), at_peak(inputs, answer)};
}

std::vector<TextTable> coverage_tables(const RunInputs& inputs, const Answer& answer) {
  TextTable where{"coverage: what runs where, and the param that decides",
                  {"<operator", "<element types", "<on", "times", "<decided by", "<why"},
                  {}};
  TextTable costs{
      "what the host does for them",
      {"<operator", "<element types", "moves MB", "maintains ms", "launches ms", "awaits ms", "computes ms"},
      {}};
  const auto cell = [](Time time) { return time == Time::zero() ? "" : milliseconds(time); };
  for (const CoverageRow& row : coverage(inputs, answer)) {
    where.rows.push_back(
        {row.op, row.dtypes, row.engine, std::to_string(row.instances), row.decided_by, cut(row.why, kWidestReason)});
    if (row.launches == 0) continue;
    costs.rows.push_back({row.op, row.dtypes, row.host_bytes == 0 ? "" : mega(row.host_bytes), cell(row.maintenance),
                          cell(row.launching), cell(row.syncing), cell(row.computing)});
  }
  return {where, costs};
}

std::vector<TextTable> run_tables(const RunInputs& inputs, const RunResult& result, const Answer& answer) {
  std::vector<TextTable> tables{headline(inputs, answer), stages(answer), gap(answer), engines(inputs, result),
                                longest_operators(inputs, answer)};
  if (!answer.host.empty()) tables.push_back(on_the_host(answer));
  tables.push_back(memories(inputs.program));
  return tables;
}

}  // namespace archsim
