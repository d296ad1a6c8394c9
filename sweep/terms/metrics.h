// What a point is measured by: the names that objectives, constraints and `--where` use.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace archsim {

enum class Metric : std::uint8_t {
  latency,
  rate,
  bound,
  efficiency,
  macs,
  dram_bytes,
  utilization,
  peak_macs_per_s,
  dram_peak_bytes_per_s,
  on_chip_bytes,
  accelerators,
  energy,
  area,
  average_power_w,
  peak_power_w,
};
constexpr std::size_t kMetrics = 15;

struct MetricInfo {
  Metric metric;
  std::string_view name, other_name;  // the second one may be empty
  std::string_view unit, doc;
  bool is_priced;   // needs a technology
  bool is_of_work;  // of one workload; several are averaged by weight
};
const std::array<MetricInfo, kMetrics>& all_metrics();
const MetricInfo& info_of(Metric metric);

/// By either name.
std::optional<Metric> metric_from(std::string_view name);
/// All names, for "did you mean".
std::vector<std::string> metric_names();

/// By Metric; NaN: not known.
struct Metrics {
  std::array<double, kMetrics> values;
  Metrics() { values.fill(std::numeric_limits<double>::quiet_NaN()); }
  double& operator[](Metric metric) { return values[static_cast<std::size_t>(metric)]; }
  double operator[](Metric metric) const { return values[static_cast<std::size_t>(metric)]; }
};

}  // namespace archsim
