#include "app/answer/stored_run.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "models/catalog.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

Time time_of(const Json& seconds) {
  return Time(static_cast<std::uint64_t>(std::llround(seconds.get<double>() * 1e12)));
}

BlockReport block_of(const BlockSpec& spec, const Json& json) {
  BlockReport report;
  report.name = spec.name;
  report.kind = spec.entry->kind;
  report.model = spec.entry->model;
  for (const EventEntry& event : spec.entry->events.entries()) {
    report.events.emplace_back(event.name, json.at("events").at(event.name).get<std::uint64_t>());
  }
  for (const auto& [name, shares] : json.at("engines").items()) {
    EngineReport engine;
    engine.name = name;
    engine.busy = time_of(shares.at("busy_s"));
    report.engines.push_back(engine);
  }
  return report;
}

Diagnostic no_run(const std::string& path, const std::string& why) {
  return {.message = "`" + path + "` is no run.json: " + why,
          .location = {make_source(path, ""), 0, 0},
          .help = "`archsim run ... --json run.json` writes one"};
}

}  // namespace

Checked<StoredRun> read_stored_run(const std::string& path, const std::vector<std::string>& settings) {
  const auto source = read_source(path);
  if (!source) return source.diagnostics();
  const Json json = Json::parse((*source)->text, nullptr, false);
  if (json.is_discarded() || !json.is_object()) return no_run(path, "it is not JSON");
  if (json.value("schema", "") != "archsim.run/1") return no_run(path, "its schema is not archsim.run/1");
  try {
    auto spec = read_soc(make_source(path, json.at("config").dump(1)), settings, catalog());
    if (!spec) return spec.diagnostics();
    StoredRun run{*std::move(spec), {}, json.at("trace").at("model").get<std::string>(), 0.0, 0};
    run.macs = json.at("macs").get<double>();
    run.actions = json.at("trace").value("actions", std::uint64_t{0});  // runs of before have none
    run.result.time = time_of(json.at("time_s"));
    for (const BlockSpec& block : run.spec.blocks) {
      run.result.blocks.push_back(block_of(block, json.at("blocks").at(block.name)));
    }
    return run;
  } catch (const Json::exception& error) {
    return no_run(path, error.what());
  }
}

}  // namespace archsim
