#include "app/pictures/report/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/pictures/operator_groups.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kTopOperators = 20;
constexpr std::size_t kBins = 240;

std::string percent(double part) { return fmt::format("{:.0f} %", 100.0 * part); }

/// What the machine gives at best to a group of operators, from run.json; 0 if it does not say.
double peak_of(const RunFile& run, const OperatorGroup& group) {
  const Json roofline = run.json.value("roofline", Json::object());
  const Json ceilings = roofline.value("ceilings", Json::object());
  return ceilings.value("macs_per_s", Json::object()).value(group.dtype, 0.0);
}

double dram_peak_of(const RunFile& run) {
  const Json roofline = run.json.value("roofline", Json::object());
  const Json memories = roofline.value("ceilings", Json::object()).value("memories", Json::array());
  for (const Json& memory : memories) {
    if (memory.value("name", "") == "dram") return memory.value("bytes_per_s", 0.0);
  }
  return 0.0;
}

std::string what_doubling_means(const std::string& bound) {
  static const std::map<std::string, std::string> kWords{
      {"compute", "more MACs a cycle would shorten it most"},
      {"vector", "more vector lanes would shorten it most"},
      {"sram", "wider on-chip memories would shorten it most"},
      {"dma", "more DMA bursts under way would shorten it most"},
      {"noc", "wider links would shorten it most"},
      {"dram", "more DRAM channels would shorten it most"},
      {"cpu", "a faster CPU would shorten it most"},
      {"launch", "cheaper launches would shorten it most"},
      {"dependency", "no doubling shortens it: latencies and chains of small steps"}};
  const auto found = kWords.find(bound);
  return found == kWords.end() ? bound : found->second;
}

std::string reason_of(const RunFile& run, const OperatorGroup& group) {
  std::string reason = what_doubling_means(group.bound);
  const double peak = peak_of(run, group), dram = dram_peak_of(run);
  if (group.macs > 0.0 && peak > 0.0 && group.time_s > 0.0)
    reason += fmt::format("; arrays at {} of their peak", percent(group.macs / peak / group.time_s));
  if (group.dram_bytes > 0.0 && dram > 0.0 && group.time_s > 0.0)
    reason += fmt::format("; its bytes take {} of DRAM's peak", percent(group.dram_bytes / dram / group.time_s));
  if (group.members.size() > 1) reason += fmt::format("; {} operators in one", group.members.size());
  return reason;
}

/// Time that windows take of each bin, and by label.
class Bins {
 public:
  explicit Bins(double time_s) : width_(time_s / kBins), covered_(kBins), labels_(kBins) {}

  void add(double from, double to, const std::string& label) {
    if (width_ <= 0.0) return;
    const auto first = static_cast<std::size_t>(std::clamp(from / width_, 0.0, kBins - 1.0));
    const auto last = static_cast<std::size_t>(std::clamp(to / width_, 0.0, kBins - 1.0));
    for (std::size_t bin = first; bin <= last; ++bin) {
      const double begin = width_ * static_cast<double>(bin);
      const double part = std::min(to, begin + width_) - std::max(from, begin);
      if (part <= 0.0) continue;
      covered_[bin].emplace_back(std::max(from, begin), std::min(to, begin + width_));
      labels_[bin][label] += part;
    }
  }

  Json runs() {
    Json out = Json::array();
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      const double share = std::round(20.0 * united(covered_[bin]) / width_) / 20.0;
      if (share <= 0.0) continue;
      const auto most = std::max_element(labels_[bin].begin(), labels_[bin].end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
      const double from = width_ * static_cast<double>(bin), to = from + width_;
      if (!out.empty() && out.back()["bound"] == most->first && out.back()["share"] == share &&
          std::abs(out.back()["to_s"].get<double>() - from) < width_ * 0.01) {
        out.back()["to_s"] = to;
      } else {
        out.push_back({{"from_s", from}, {"to_s", to}, {"share", share}, {"bound", most->first}});
      }
    }
    return out;
  }

 private:
  static double united(std::vector<std::pair<double, double>>& windows) {
    std::sort(windows.begin(), windows.end());
    double sum = 0.0, end = 0.0;
    for (const auto& [from, to] : windows) {
      sum += std::max(0.0, to - std::max(from, end));
      end = std::max(end, to);
    }
    return sum;
  }

  double width_;
  std::vector<std::vector<std::pair<double, double>>> covered_;
  std::vector<std::map<std::string, double>> labels_;
};

}  // namespace

Json longest_operators_section(const RunFile& run) {
  Json rows = Json::array();
  for (const OperatorGroup& group : operator_groups(run)) {
    if (rows.size() == kTopOperators) break;
    rows.push_back({{"name", group.name},
                    {"members", group.members},
                    {"stage", group.stage},
                    {"engine", group.engine},
                    {"instances", group.instances},
                    {"time_s", group.time_s},
                    {"macs", group.macs},
                    {"dram_bytes", group.dram_bytes},
                    {"bound", group.bound},
                    {"operands", group.operands},
                    {"why", reason_of(run, group)}});
    if (group.energy_j) rows.back()["energy_j"] = *group.energy_j;
  }
  return rows;
}

Json overview_section(const RunFile& run) {
  std::map<std::string, Bins> engines;
  for (const RunRow& row : run.operators) {
    engines.try_emplace(row.engine, run.time_s).first->second.add(row.start_s, row.end_s, row.bound);
  }
  Json lanes = Json::array(), stages = Json::array();
  double end = 0.0;
  for (const RunStage& stage : run.stages) {
    stages.push_back({{"name", stage.name}, {"from_s", end}, {"to_s", end + stage.time_s}, {"bound", stage.bound}});
    end += stage.time_s;
  }
  for (const char* engine : {"array", "vector", "dma", "host"}) {
    const auto found = engines.find(engine);
    if (found != engines.end()) lanes.push_back({{"engine", engine}, {"parts", found->second.runs()}});
  }
  return {{"stages", stages}, {"engines", lanes}, {"time_s", run.time_s}};
}

Json what_if_section(const RunFile& run) {
  Json rows = Json::array();
  if (run.json.contains("what_if") && run.json["what_if"].is_array()) {
    for (const Json& row : run.json["what_if"]) {
      if (row.contains("saves_s")) rows.push_back({{"resource", row["resource"]}, {"saves_s", row["saves_s"]}});
    }
    return {{"kind", "re-runs with each resource doubled, mapped anew"}, {"rows", rows}};
  }
  std::map<std::string, double> saves;
  for (const RunStage& stage : run.stages) {
    for (const auto& [resource, time_s] : stage.if_doubled_s) saves[resource] += stage.time_s - time_s;
  }
  for (const auto& [resource, saved] : saves) rows.push_back({{"resource", resource}, {"saves_s", saved}});
  return {{"kind", "the run's own what-if timing, with its mapping"}, {"rows", rows}};
}

}  // namespace archsim
