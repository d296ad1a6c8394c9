#include "app/report/cosim_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/report/text_table.h"

namespace archsim {
namespace {

constexpr std::size_t kTopCommands = 10;

std::uint64_t distance(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; }
std::uint64_t distance(const CosimCommand& command) { return distance(command.model.cycles, command.rtl.cycles); }

std::string percent(std::uint64_t model, std::uint64_t rtl) {
  if (rtl == 0) return model == 0 ? "0.00 %" : "";
  return fmt::format("{:+.2f} %", 100.0 * (static_cast<double>(model) / static_cast<double>(rtl) - 1.0));
}

TextTable headline(const CosimRequest& request, const Trace& trace, const CosimResult& result) {
  TextTable table{trace.model + ": the model beside the RTL", {"<", "model", "RTL", "error"}, {}};
  table.rows.push_back({"cycles", fmt::format("{}", result.model_cycles), fmt::format("{}", result.rtl_cycles),
                        percent(result.model_cycles, result.rtl_cycles)});
  table.rows.push_back(
      {"memory latency, cycles", fmt::format("{}", request.latency), fmt::format("{}", request.latency), ""});
  table.rows.push_back({"data", "", result.data_match ? "as it should be" : "WRONG", ""});
  return table;
}

TextTable engines(const CosimResult& result) {
  TextTable table{
      "engines, cycles of their commands", {"<engine", "commands", "model", "RTL", "error", "off most by"}, {}};
  for (std::size_t e = 0; e < kEngines; ++e) {
    std::uint64_t commands = 0, model = 0, rtl = 0, most = 0;
    for (const CosimCommand& command : result.commands) {
      if (command.model.engine != static_cast<Engine>(e)) continue;
      ++commands;
      model += command.model.cycles;
      rtl += command.rtl.cycles;
      most = std::max(most, distance(command));
    }
    if (commands == 0) continue;
    table.rows.push_back({std::string(name_of(static_cast<Engine>(e))), fmt::format("{}", commands),
                          fmt::format("{}", model), fmt::format("{}", rtl), percent(model, rtl),
                          fmt::format("{}", most)});
  }
  return table;
}

TextTable worst(const Trace& trace, const CosimResult& result) {
  TextTable table{"commands that differ most", {"<command", "<operator", "model", "RTL", "error"}, {}};
  std::vector<const CosimCommand*> order;
  for (const CosimCommand& command : result.commands) {
    if (distance(command) > 0) order.push_back(&command);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const CosimCommand* a, const CosimCommand* b) { return distance(*a) > distance(*b); });
  if (order.size() > kTopCommands) order.resize(kTopCommands);
  for (const CosimCommand* command : order) {
    const CommandTime& model = command->model;
    table.rows.push_back({fmt::format("{} {} {}", name_of(model.engine), model.position, model.opcode),
                          model.tag < trace.operators.size() ? trace.operators[model.tag].name : "",
                          fmt::format("{}", model.cycles), fmt::format("{}", command->rtl.cycles),
                          percent(model.cycles, command->rtl.cycles)});
  }
  return table;
}

}  // namespace

std::string cosim_json(const CosimResult& result) {
  nlohmann::ordered_json json{{"schema", "archsim.cosim/1"},     {"model_cycles", result.model_cycles},
                              {"rtl_cycles", result.rtl_cycles}, {"error", result.error()},
                              {"data_match", result.data_match}, {"commands", nlohmann::ordered_json::array()}};
  for (std::size_t i = 0; i < result.commands.size(); ++i) {
    const CosimCommand& command = result.commands[i];
    json["commands"].push_back({{"index", i},
                                {"opcode", command.model.opcode},
                                {"model_cycles", command.model.cycles},
                                {"rtl_cycles", command.rtl.cycles}});
  }
  json["counters"] = nlohmann::ordered_json::array();
  for (const CosimCounter& counter : result.counters) {
    json["counters"].push_back({{"name", counter.name}, {"model", counter.model}, {"rtl", counter.rtl}});
  }
  return json.dump(1) + "\n";
}

std::string cosim_text(const CosimRequest& request, const Trace& trace, const CosimResult& result) {
  std::string text = as_text(headline(request, trace, result)) + "\n" + as_text(engines(result));
  const TextTable differing = worst(trace, result);
  if (!differing.rows.empty()) text += "\n" + as_text(differing);
  return text;
}

}  // namespace archsim
