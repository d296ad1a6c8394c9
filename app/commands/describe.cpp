#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/exit_status.h"
#include "app/files/write_file.h"
#include "app/report/text_table.h"
#include "app/sv/packages.h"
#include "arch/describe/near_name.h"
#include "arch/describe/reference/reference.h"
#include "arch/machine/soc_spec.h"
#include "models/catalog.h"

namespace archsim {
namespace {

struct DescribeRequest {
  std::string name;
  std::string soc_file;  // for --sv
  bool wants_schema = false, wants_markdown = false, wants_sv = false;
};

ModelReference reference_of(const CatalogEntry& entry) {
  return {entry.kind + "/" + entry.model, entry.summary, entry.params, entry.stats, entry.events};
}

constexpr std::string_view kMapping = "mapping";

/// The section of a SoC file that is no block.
ModelReference mapping_reference() {
  static const StatTable stats;
  static const EventTable events;
  return {std::string(kMapping), "What may be decided about the mapping: the section `mapping` of a SoC file",
          mapping_params(), stats, events};
}

/// Those that `name` means: everything, a kind, or one model.
std::vector<const CatalogEntry*> chosen(const std::string& name, Diagnostics& out) {
  std::vector<const CatalogEntry*> entries;
  std::vector<std::string> known = catalog().kinds();
  known.emplace_back(kMapping);
  for (const CatalogEntry& entry : catalog().entries()) {
    const std::string full = entry.kind + "/" + entry.model;
    known.push_back(full);
    if (name.empty() || name == entry.kind || name == full) entries.push_back(&entry);
  }
  if (entries.empty()) out.error({}, "there is no kind or model `" + name + "`", help_for_unknown(name, known));
  return entries;
}

/// What a block of a SoC file may say: the params, and the keys that every block has.
nlohmann::ordered_json block_schema(const CatalogEntry& entry) {
  nlohmann::ordered_json schema = json_schema(entry.params);
  auto& properties = schema["properties"];
  properties["kind"] = {{"const", entry.kind}};
  properties["model"] = {{"const", entry.model}};
  properties["count"] = {{"type", "integer"}, {"minimum", 1}};
  if (entry.sends_transactions()) properties["noc_priority"] = {{"type", "integer"}, {"minimum", 0}, {"maximum", 15}};
  schema["required"] = {"kind", "model"};
  if (!entry.has_clock) return schema;
  properties["clock"] = {{"type", "string"}};
  schema["required"].push_back("clock");
  return schema;
}

nlohmann::ordered_json soc_schema(const std::vector<const CatalogEntry*>& entries) {
  nlohmann::ordered_json models = nlohmann::ordered_json::array();
  for (const CatalogEntry* entry : entries) models.push_back(block_schema(*entry));
  const nlohmann::ordered_json any_map{{"type", "object"}};
  return {{"$schema", "http://json-schema.org/draft-07/schema#"},
          {"title", "archsim SoC file"},
          {"type", "object"},
          {"additionalProperties", false},
          {"required", {"soc", "clocks", "blocks"}},
          {"properties",
           {{"soc", {{"type", "string"}}},
            {"tech", {{"enum", technologies()}}},
            {"clocks", {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}}},
            {"blocks", {{"type", "object"}, {"additionalProperties", {{"oneOf", models}}}}},
            {"placement", {{"type", {"object", "string"}}}},
            {"memory_map", any_map},
            {"mapping", json_schema(mapping_params())}}}};
}

std::string overview(const std::vector<const CatalogEntry*>& entries) {
  TextTable table{"", {"<kind/model", "params", "stats", "events", "<what it is"}, {}};
  for (const CatalogEntry* entry : entries) {
    table.rows.push_back({entry->kind + "/" + entry->model, std::to_string(entry->params.leaves().size()),
                          std::to_string(entry->stats.entries().size()), std::to_string(entry->events.entries().size()),
                          entry->summary});
  }
  return as_text(table);
}

/// The sizes of the SoC's accelerators, or the defaults without a file.
Checked<SvBuild> sv_build(const DescribeRequest& request) {
  SvBuild build;
  if (request.soc_file.empty()) return build;
  const auto source = read_source(request.soc_file);
  if (!source) return source.diagnostics();
  const auto spec = read_soc(*source, {}, catalog());
  if (!spec) return spec.diagnostics();
  build.soc = spec->name;
  build.accelerators = spec->accelerators().size();
  build.params = spec->accelerators().front()->params.get<SystolicParams>();
  return build;
}

int describe_sv(const DescribeRequest& request) {
  if (request.name.empty() && request.soc_file.empty()) return tell(write_stdout(command_package()));
  Diagnostics out;
  if (request.name != "accel/systolic") {
    out.error({}, "`" + request.name + "` has no package",
              "there is one of the commands, `describe --sv`, and one of `accel/systolic`");
    return tell(out);
  }
  const auto build = sv_build(request);
  return build ? tell(write_stdout(config_package(*build))) : tell(build.diagnostics());
}

int describe_mapping(const DescribeRequest& request) {
  if (request.wants_schema) return tell(write_stdout(json_schema(mapping_params()).dump(1) + "\n"));
  return tell(
      write_stdout(request.wants_markdown ? markdown_page(mapping_reference()) : help_text(mapping_reference())));
}

int describe(const DescribeRequest& request) {
  if (request.wants_sv) return describe_sv(request);
  if (request.name == kMapping) return describe_mapping(request);
  Diagnostics out;
  const auto entries = chosen(request.name, out);
  if (out.has_errors()) return tell(out);
  if (request.wants_schema) {
    const bool one = entries.size() == 1 && request.name.find('/') != std::string::npos;
    const auto schema = one ? block_schema(*entries.front()) : soc_schema(entries);
    return tell(write_stdout(schema.dump(1) + "\n"));
  }
  if (request.name.empty() && !request.wants_markdown) return tell(write_stdout(overview(entries)));
  std::string text;
  for (const CatalogEntry* entry : entries) {
    if (!text.empty()) text += "\n";
    text += request.wants_markdown ? markdown_page(reference_of(*entry)) : help_text(reference_of(*entry));
  }
  return tell(write_stdout(text));
}

}  // namespace

void add_describe(CLI::App& app, Action& action) {
  const auto request = std::make_shared<DescribeRequest>();
  CLI::App* command = app.add_subcommand("describe", "params, stats and events of the models");
  command->add_option("model", request->name, "a kind, or one of its models, or `mapping`; all without it")
      ->type_name("KIND[/MODEL]");
  CLI::Option* schema = command->add_flag("--schema", request->wants_schema, "as a JSON schema, for editors");
  CLI::Option* markdown =
      command->add_flag("--markdown", request->wants_markdown, "as a page of docs/reference")->excludes(schema);
  CLI::Option* sv =
      command->add_flag("--sv", request->wants_sv, "as a SystemVerilog package: without a model, of the commands")
          ->excludes(schema)
          ->excludes(markdown);
  command->add_option("--config", request->soc_file, "with --sv: the SoC whose accelerator's sizes are meant")
      ->type_name("SOC.yaml")
      ->needs(sv);
  command->footer(
      "Examples:\n"
      "  archsim describe\n"
      "  archsim describe accel/systolic\n"
      "  archsim describe --schema > soc.schema.json\n"
      "  archsim describe accel/systolic --sv --config configs/soc/rtl_small.yaml");
  command->callback([request, &action] { action = [request] { return describe(*request); }; });
}

}  // namespace archsim
