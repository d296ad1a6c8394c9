#include "sweep/terms/metrics.h"

namespace archsim {

const std::array<MetricInfo, kMetrics>& all_metrics() {
  static const std::array<MetricInfo, kMetrics> metrics{{
      {Metric::latency, "latency", "time_s", "s", "start to end of one inference", false, true},
      {Metric::rate, "rate", "", "Hz", "inferences a second: 1 / latency", false, true},
      {Metric::bound, "bound", "bound_s", "s", "the time that no mapping beats", false, true},
      {Metric::efficiency, "efficiency", "", "", "bound / latency", false, true},
      {Metric::macs, "macs", "", "", "multiplications of one inference", false, true},
      {Metric::dram_bytes, "dram_bytes", "", "B", "bytes read from and written to DRAM", false, true},
      {Metric::utilization, "utilization", "", "", "MACs over what all arrays could do in the time", false, true},
      {Metric::peak_macs_per_s, "peak_macs_per_s", "", "1/s", "of all arrays, at their fastest element type", false,
       false},
      {Metric::dram_peak_bytes_per_s, "dram_peak_bytes_per_s", "", "B/s", "of all channels", false, false},
      {Metric::on_chip_bytes, "on_chip_bytes", "", "B", "scratchpads, accumulators, l2 and cache", false, false},
      {Metric::accelerators, "accelerators", "", "", "instances of blocks of kind accel", false, false},
      {Metric::energy, "energy", "energy_j", "J", "of one inference", true, true},
      {Metric::area, "area", "area_mm2", "mm2", "of the SoC without its DRAM devices", true, false},
      {Metric::average_power_w, "average_power_w", "", "W", "energy / latency", true, true},
      {Metric::peak_power_w, "peak_power_w", "", "W", "with every engine at work", true, false},
  }};
  return metrics;
}

const MetricInfo& info_of(Metric metric) { return all_metrics()[static_cast<std::size_t>(metric)]; }

std::optional<Metric> metric_from(std::string_view name) {
  for (const auto& info : all_metrics()) {
    if (name == info.name || (!name.empty() && name == info.other_name)) return info.metric;
  }
  return {};
}

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const auto& info : all_metrics()) {
    names.emplace_back(info.name);
    if (!info.other_name.empty()) names.emplace_back(info.other_name);
  }
  return names;
}

}  // namespace archsim
