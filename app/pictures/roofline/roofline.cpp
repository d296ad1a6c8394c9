#include "app/pictures/roofline/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "app/pictures/json_reader.h"
#include "app/pictures/operator_groups.h"
#include "app/pictures/roofline/ceilings.h"
#include "app/report/run_sections/sections.h"
#include "arch/workload/count.h"
#include "models/roofline/peaks.h"

namespace archsim {
namespace {

/// "16.4 T", "512 G"
std::string scaled(double value) {
  constexpr std::pair<double, const char*> kScales[] = {{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  for (const auto& [scale, letter] : kScales) {
    if (value >= scale * 0.9995) return fmt::format("{:.3g} {}", value / scale, letter);
  }
  return fmt::format("{:.3g} ", value);
}

bool is_near(double a, double b) { return a <= b * 1.002 && b <= a * 1.002; }

/// Element types of one rate share a line.
void add_flats(const std::vector<std::pair<std::string, double>>& macs, double vector_per_s, RooflineSeries& to) {
  std::map<double, std::string, std::greater<>> by_rate;
  for (const auto& [dtype, rate] : macs) {
    std::string& names = by_rate[rate];
    names += (names.empty() ? "" : ", ") + dtype;
  }
  for (const auto& [rate, names] : by_rate)
    to.flats.push_back({fmt::format("{} array peak {}MAC/s", names, scaled(rate)), rate, false});
  if (vector_per_s > 0.0)
    to.flats.push_back({fmt::format("vector peak {} elements/s", scaled(vector_per_s)), vector_per_s, true});
  std::stable_sort(to.flats.begin(), to.flats.end(), [](const auto& a, const auto& b) { return a.per_s > b.per_s; });
}

std::string memory_in_words(const std::string& name) {
  return name == "dram" || name == "noc" ? (name == "dram" ? "DRAM" : "NoC") : name;
}

/// Memories of one bandwidth share a line; what arrives of a peak has a line of its own if it is less.
void add_slopes(const std::vector<MemoryCeiling>& memories, RooflineSeries& to) {
  std::vector<std::pair<double, std::string>> peaks, achievable;
  const auto add = [](std::vector<std::pair<double, std::string>>& lines, double rate, const std::string& name) {
    for (auto& [there, names] : lines) {
      if (is_near(there, rate)) return void(names += " = " + name);
    }
    lines.emplace_back(rate, name);
  };
  for (const MemoryCeiling& memory : memories) {
    if (memory.bytes_per_s <= 0.0) continue;
    add(peaks, memory.bytes_per_s, memory_in_words(memory.name));
    if (!is_near(memory.achievable_bytes_per_s, memory.bytes_per_s) && memory.achievable_bytes_per_s > 0.0)
      add(achievable, memory.achievable_bytes_per_s, memory_in_words(memory.name));
  }
  for (const auto& [rate, names] : peaks)
    to.slopes.push_back({names, fmt::format("{} peak {}B/s", names, scaled(rate)), rate, false});
  for (const auto& [rate, names] : achievable)
    to.slopes.push_back({names + " achievable", fmt::format("{} achievable {}B/s", names, scaled(rate)), rate, true});
  std::stable_sort(to.slopes.begin(), to.slopes.end(),
                   [](const auto& a, const auto& b) { return a.bytes_per_s > b.bytes_per_s; });
}

void sort_dots(RooflineSeries& series) {
  std::stable_sort(series.dots.begin(), series.dots.end(),
                   [](const RooflineDot& a, const RooflineDot& b) { return a.time_s > b.time_s; });
}

void add_dots(const RunFile& run, RooflineSeries& series) {
  double left_out_s = 0.0;
  std::size_t left_out = 0;
  for (const OperatorGroup& group : operator_groups(run)) {
    const bool is_vector = group.macs == 0.0;
    const double work = is_vector ? group.vector_elements : group.macs;
    if (work <= 0.0 || group.time_s <= 0.0 || group.engine == "host") {
      ++left_out;
      left_out_s += group.time_s;
      continue;
    }
    series.dots.push_back({.name = group.name,
                           .stage = group.stage,
                           .engine = group.engine,
                           .bound = group.bound,
                           .dtype = group.dtype,
                           .operands = group.operands,
                           .instances = group.instances,
                           .time_s = group.time_s,
                           .work = work,
                           .bytes = group.dram_bytes,
                           .is_vector = is_vector});
  }
  if (left_out == 0) return;
  series.left_out.push_back(fmt::format("{} operators that only move data or run on the CPU, {:.3g} ms, have no dot",
                                        left_out, left_out_s * 1e3));
}

}  // namespace

std::vector<Ridge> RooflineSeries::ridges() const {
  std::vector<Ridge> points;
  const auto top = std::find_if(flats.begin(), flats.end(), [](const FlatCeiling& flat) { return !flat.is_vector; });
  if (top == flats.end()) return points;
  for (const SlopeCeiling& slope : slopes) {
    const double intensity = top->per_s / slope.bytes_per_s;
    points.push_back({fmt::format("{} {:.3g} MAC/B", slope.name, intensity), intensity, top->per_s});
  }
  return points;
}

bool RooflineSeries::has_ceilings_of(const RooflineSeries& other) const {
  const auto same_flat = [](const auto& a, const auto& b) { return a.label == b.label && a.per_s == b.per_s; };
  const auto same_slope = [](const auto& a, const auto& b) {
    return a.label == b.label && a.bytes_per_s == b.bytes_per_s;
  };
  return std::equal(flats.begin(), flats.end(), other.flats.begin(), other.flats.end(), same_flat) &&
         std::equal(slopes.begin(), slopes.end(), other.slopes.begin(), other.slopes.end(), same_slope);
}

Checked<RooflineSeries> roofline_of(const RunFile& run) {
  const Source source = make_source(run.path, "");
  Diagnostics out;
  const JsonReader all(run.json, source, out);
  const JsonReader lines = all.object("roofline").object("ceilings");
  const JsonReader peaks = lines.object("macs_per_s");
  std::vector<std::pair<std::string, double>> macs;
  for (const auto& item : peaks.node().items()) macs.emplace_back(item.key(), peaks.number(item.key()));
  std::vector<MemoryCeiling> memories;
  for (const JsonReader& memory : lines.list("memories")) {
    memories.push_back({memory.text("name"), memory.number("bytes_per_s"), memory.number("achievable_bytes_per_s")});
  }
  RooflineSeries series{.title = run.title(), .bound = run.bound, .time_s = run.time_s};
  series.headline = fmt::format("{:.4g} ms{}; lower bound {:.4g} ms", run.time_s * 1e3,
                                run.bound.empty() ? "" : ", bound by " + run.bound, run.lower_bound_s * 1e3);
  add_flats(macs, lines.number("vector_elements_per_s"), series);
  add_slopes(memories, series);
  if (out.has_errors()) return out;
  add_dots(run, series);
  return series;
}

RooflineSeries roofline_of(const Trace& trace, const SocSpec& spec, const MachineView& machine, const Bound& bound) {
  RooflineSeries series{.title = trace.model + " on " + machine.soc, .time_s = seconds(bound.time)};
  series.headline =
      fmt::format("no mapping is faster than {:.4g} ms; every operator alone, at peak", seconds(bound.time) * 1e3);
  const Ceilings lines = ceilings(spec, machine);
  add_flats(lines.macs_per_s, lines.vector_elements_per_s, series);
  add_slopes(lines.memories, series);
  const auto where = positions(trace);
  const auto counts = count(trace);
  const auto peaks = operator_peaks(trace, machine);
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < peaks.size(); ++i) {
    const Operator& op = trace.operators[i];
    const auto instances = static_cast<double>(where[i].instances);
    const double work = peaks[i].macs > 0 ? static_cast<double>(peaks[i].macs)
                                          : static_cast<double>(counts.operators[i].vector_elements);
    RooflineDot dot{.name = op.name,
                    .stage = trace.stages[where[i].stage].name,
                    .engine = peaks[i].macs > 0 ? "array" : "vector",
                    .bound = std::string(peaks[i].roof()),
                    .dtype = rate_dtype_name(trace, machine, op),
                    .operands = operands_in_words(trace, op),
                    .instances = where[i].instances,
                    .time_s = peaks[i].longest_s() * instances,
                    .work = work * instances,
                    .bytes = static_cast<double>(peaks[i].dram_bytes) * instances,
                    .is_vector = peaks[i].macs == 0};
    if (peaks[i].by_host || dot.time_s <= 0.0 || dot.work <= 0.0) {
      ++left_out;
      continue;
    }
    series.dots.push_back(std::move(dot));
  }
  if (left_out > 0)
    series.left_out.push_back(fmt::format("{} operators that only move data or run on the CPU have no dot", left_out));
  sort_dots(series);
  return series;
}

}  // namespace archsim
