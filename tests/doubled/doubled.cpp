#include "tests/doubled/doubled.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "tests/source_dir.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;
using Settings = std::vector<std::string>;

std::string quoted(const std::string& word) { return "'" + word + "'"; }

std::optional<std::string> output_of(const Settings& words) {
  std::string line = quoted(ARCHSIM_PROGRAM);
  for (const std::string& word : words) line += " " + quoted(word);
  std::FILE* pipe = ::popen(line.c_str(), "r");
  if (pipe == nullptr) return std::nullopt;
  std::string text;
  std::array<char, 1 << 16> buffer{};
  while (const auto got = std::fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), got);
  if (::pclose(pipe) == 0) return text;
  fmt::print(stderr, "failed: {}\n", line);
  return std::nullopt;
}

std::optional<Json> run(const DoubledCase& given, const Settings& more) {
  Settings words{"--config", ARCHSIM_SOURCE_DIR "/configs/soc/" + given.soc, "--trace", given.trace, "--json", "-",
                 "--quiet"};
  for (const Settings* settings : {&given.settings, &more}) {
    for (const std::string& setting : *settings) words.insert(words.end(), {"--set", setting});
  }
  const auto text = output_of(words);
  if (!text) return std::nullopt;
  return Json::parse(*text);
}

/// A number with or without a unit, times `factor`.
std::string times(const Json& value, double factor) {
  if (value.is_number()) return fmt::format("{:g}", value.get<double>() * factor);
  const auto text = value.get<std::string>();
  const auto space = text.find(' ');
  return fmt::format("{:.10g}{}", std::stod(text.substr(0, space)) * factor, text.substr(space));
}

/// How each resource is doubled, as arch/machine/lanes.h says.
std::map<std::string, Settings> doublings(const Json& config) {
  const Json& blocks = config["blocks"];
  const Json &npu = blocks[blocks.contains("npu0") ? "npu0" : "npu"], &cpu = blocks["cpu"];
  std::map<std::string, Settings> all;
  for (const auto& [dtype, rate] : npu["dtypes"].items()) {
    all["compute"].push_back("npu.dtypes." + dtype + "=" + times(rate, 2));
  }
  all["vector"] = {"npu.vector_lanes=" + times(npu["vector_lanes"], 2)};
  all["sram"] = {"npu.scratchpad.banks=" + times(npu["scratchpad"]["banks"], 2)};
  if (blocks.contains("l2")) all["sram"].push_back("l2.port_width=" + times(blocks["l2"]["port_width"], 2));
  const Json& dma = npu["dma"];
  all["dma"] = {"npu.dma.outstanding=" + times(dma["outstanding"], 2), "npu.dma.setup=" + times(dma["setup"], 0.5),
                // The port, and the scratchpad behind it as it was.
                "npu.scratchpad.port_width=" + times(npu["scratchpad"]["port_width"], 2),
                "npu.scratchpad.banks=" + times(npu["scratchpad"]["banks"], 0.5)};
  all["noc"] = {"noc.link_width=" + times(blocks["noc"]["link_width"], 2)};
  all["dram"] = {"dram.channels=" + times(blocks["dram"]["channels"], 2)};
  const auto clock = cpu["clock"].get<std::string>();
  all["cpu"] = {"clocks." + clock + "=" + times(config["clocks"][clock], 2)};
  for (const char* cost : {"launch", "interrupt", "fork_join"}) {
    all["launch"].push_back(fmt::format("cpu.{}={}", cost, times(cpu[cost], 0.5)));
  }
  return all;
}

}  // namespace

std::string DoubledStage::best() const {
  return std::max_element(measured_s.begin(), measured_s.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

double DoubledStage::label_s() const { return bound == "dependency" ? 0.0 : measured_s.at(bound); }

std::vector<DoubledStage> double_each(const DoubledCase& given) {
  const auto base = run(given, {});
  if (!base) return {};
  std::vector<DoubledStage> stages;
  for (const Json& row : (*base)["stages"]) {
    DoubledStage stage{.name = row["name"], .time_s = row["time_s"], .bound = row["bound"]};
    for (const auto& [resource, time_s] : row["if_doubled_s"].items()) {
      stage.told_s[resource] = stage.time_s - time_s.get<double>();
    }
    stages.push_back(std::move(stage));
  }
  for (const auto& [resource, settings] : doublings((*base)["config"])) {
    const auto doubled = run(given, settings);
    if (!doubled) return {};
    for (std::size_t i = 0; i < stages.size(); ++i) {
      stages[i].measured_s[resource] = stages[i].time_s - (*doubled)["stages"][i]["time_s"].get<double>();
    }
  }
  return stages;
}

bool make_trace(const std::string& workload, const Settings& settings, const std::string& file) {
  Settings words{"trace", "build", ARCHSIM_SOURCE_DIR "/traces/workloads/" + workload, "-o", file};
  for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
  return output_of(words).has_value();
}

}  // namespace archsim
