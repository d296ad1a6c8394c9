#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/answer/stored_run.h"
#include "app/command.h"
#include "app/exit_status.h"
#include "app/files/read_inputs.h"
#include "app/files/write_file.h"
#include "app/report/ppa/ppa_json.h"
#include "app/report/ppa/ppa_table.h"
#include "arch/machine/price/price.h"
#include "arch/machine/price/robot.h"

namespace archsim {
namespace {

struct PpaRequest {
  std::string config, run, tech, json, format = "table";
  std::vector<std::string> settings;
  bool has_sources = false;
  RobotUse use;
};

constexpr auto kExamples = R"(Examples:
  archsim ppa --config configs/soc/edge_lpddr5.yaml
  archsim ppa --config configs/soc/edge_lpddr5.yaml --tech n5 --sources
  archsim ppa --run run.json --control-rate 30 --battery 250            # energy of an action, hours of a battery
  archsim ppa --run run.json --tech n5 --set "tech.mac_int8=0.3 pJ"      # counts priced again, nothing simulated)";

struct Priced {
  std::string title;
  Ppa ppa;
  std::optional<RobotMetrics> robot;  // of a run
};

Checked<Priced> price_machine(const PpaRequest& request) {
  Diagnostics out;
  StoredRun run;
  if (!request.run.empty()) {
    auto stored = read_stored_run(request.run, request.settings);
    if (!stored) return stored.diagnostics();
    run = *std::move(stored);
  } else {
    auto spec = read_soc_file(request.config, request.settings);
    if (!spec) return spec.diagnostics();
    run.spec = *std::move(spec);
  }
  const auto tech = tech_of(run.spec, request.tech);
  out.append(tech.diagnostics());
  out.append(unpriced(run.spec));
  if (out.has_errors()) return out;
  if (request.run.empty()) return Priced{run.spec.name, price(run.spec, *tech), {}};
  Priced priced{run.trace + " on " + run.spec.name, price(run.result, run.spec, *tech), {}};
  const WorkOfRun work{
      .actions = run.actions, .macs = run.macs, .peak_macs_per_s = peak_macs_per_s(machine_view(run.spec))};
  priced.robot = robot_metrics(priced.ppa, work, request.use);
  return priced;
}

std::string text_of(const PpaRequest& request, const Priced& priced) {
  std::string text;
  auto tables = ppa_tables(priced.title, priced.ppa, priced.robot);
  if (request.has_sources) tables.push_back(sources_table(priced.ppa));
  for (const TextTable& table : tables) {
    text += (text.empty() ? "" : "\n") + (request.format == "markdown" ? as_markdown(table) : as_text(table));
  }
  return text;
}

int ppa(const PpaRequest& request) {
  Diagnostics out;
  if (request.config.empty() == request.run.empty()) {
    out.error({}, "`archsim ppa` takes a machine or a run", "give one of `--config SOC.yaml` and `--run run.json`");
    return tell(out);
  }
  if (!request.json.empty()) out.append(keeps_inputs(request.json, {request.config + request.run}));
  const auto priced = price_machine(request);
  out.append(priced.diagnostics());
  tell(out);
  if (out.has_errors()) return exit_status::kWrongInput;
  nlohmann::ordered_json json{
      {"schema", "archsim.ppa/1"}, {"soc", priced->title}, {"ppa", ppa_json(priced->ppa, priced->robot)}};
  const std::string text = json.dump(1) + "\n";
  if (request.json == "-") return tell(write_stdout(text));
  Diagnostics written;
  if (!request.json.empty()) written.append(write_file(request.json, text));
  if (!written.has_errors()) written.append(write_stdout(text_of(request, *priced)));
  return tell(written);
}

}  // namespace

void add_ppa(CLI::App& app, Action& action) {
  const auto request = std::make_shared<PpaRequest>();
  CLI::App* command =
      app.add_subcommand("ppa", "energy, power and area of a machine, or of a run without simulating it again");
  command->add_option("--config", request->config, "SoC file: area, leakage and peak power")->type_name("SOC.yaml");
  command->add_option("--run", request->run, "run.json: these, and the run's energy")->type_name("RUN.json");
  command->add_option("--tech", request->tech, "technology in place of the SoC file's")->type_name("NAME");
  command
      ->add_option("--set", request->settings, "override a value of the SoC file, or tech.COEFFICIENT; may be repeated")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command->add_option("--control-rate", request->use.control_hz, "actions a second that the robot carries out")
      ->check(CLI::PositiveNumber)
      ->type_name("HZ")
      ->capture_default_str();
  command->add_option("--battery", request->use.battery_wh, "of the SoC alone, in watt hours")
      ->check(CLI::PositiveNumber)
      ->type_name("WH")
      ->capture_default_str();
  command->add_option("--lifetime", request->use.lifetime_h, "hours of use, over which the die is paid")
      ->check(CLI::PositiveNumber)
      ->type_name("HOURS")
      ->capture_default_str();
  command->add_option("--energy-price", request->use.energy_usd_per_kwh, "US dollars for a kWh, losses included")
      ->check(CLI::NonNegativeNumber)
      ->type_name("USD")
      ->capture_default_str();
  command->add_flag("--sources", request->has_sources, "list every coefficient used, with its source and status");
  command->add_option("--json", request->json, "write JSON there; `-`: standard output")->type_name("FILE");
  command->add_option("--format", request->format, "what is printed: table or markdown")
      ->check(CLI::IsMember({"table", "markdown"}))
      ->type_name("NAME")
      ->capture_default_str();
  command->footer(kExamples);
  command->callback([request, &action] { action = [request] { return ppa(*request); }; });
}

}  // namespace archsim
