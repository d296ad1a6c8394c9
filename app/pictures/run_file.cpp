#include "app/pictures/run_file.h"

#include "app/pictures/json_reader.h"
#include "traces/file/file_kind.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

std::optional<double> nominal_at(const Json& object, const char* key) {
  return object.contains(key) ? nominal(object[key]) : std::nullopt;
}

RunStage stage_of(const JsonReader& in) {
  RunStage stage{.name = in.text("name"),
                 .repeat = in.whole("repeat"),
                 .time_s = in.number("time_s"),
                 .bound_s = in.number("bound_s"),
                 .macs = in.number("macs"),
                 .dram_bytes = in.number("dram_bytes"),
                 .bound = in.text("bound"),
                 .energy_j = nominal_at(in.node(), "energy_j")};
  if (in.has("if_doubled_s")) {
    const JsonReader doubled = in.object("if_doubled_s");
    for (const auto& item : doubled.node().items()) stage.if_doubled_s[item.key()] = doubled.number(item.key());
  }
  return stage;
}

RunRow row_of(const JsonReader& in) {
  return {.name = in.text("name"),
          .stage = in.text("stage"),
          .repeat_path = in.text("repeat_path"),
          .engine = in.text("engine"),
          .fused_into = in.has("fused_into") ? in.text("fused_into") : "",
          .bound = in.text("bound"),
          .start_s = in.number("start_s"),
          .end_s = in.number("end_s"),
          .macs = in.number("macs"),
          .dram_bytes = in.number("dram_bytes"),
          .utilization = in.number("utilization"),
          .energy_j = nominal_at(in.node(), "energy_j")};
}

RunWork work_of(const JsonReader& in) {
  return {.name = in.text("name"),
          .op = in.text("op"),
          .stage = in.text("stage"),
          .engine = in.text("engine"),
          .dtype = in.text("dtype"),
          .operands = in.text("operands"),
          .why = in.text("why"),
          .instances = in.whole("instances"),
          .at_once = in.whole("at_once"),
          .macs = in.number("macs"),
          .vector_elements = in.number("vector_elements")};
}

void read_whole(const JsonReader& in, RunFile& run) {
  run.soc = in.object("config").text("soc");
  run.model = in.object("trace").text("model");
  run.digest = in.object("trace").text("digest");
  run.fidelity = in.text("fidelity");
  run.bound = in.has("bound") ? in.text("bound") : "";
  run.time_s = in.number("time_s");
  run.macs = in.number("macs");
  run.dram_read_bytes = in.number("dram_read_bytes");
  run.dram_write_bytes = in.number("dram_write_bytes");
  run.lower_bound_s = in.object("roofline").number("bound_s");
  if (!in.has("ppa")) return;
  const Json& ppa = in.object("ppa").node();
  run.energy_j = nominal_at(ppa, "energy_j");
  run.area_mm2 = nominal_at(ppa, "area_mm2");
  run.average_power_w = nominal_at(ppa, "average_power_w");
}

Diagnostic wrong_schema(const Source& source, const Json& json) {
  const bool has_schema = json.is_object() && json.contains("schema") && json["schema"].is_string();
  const std::string schema = has_schema ? json["schema"].get<std::string>() : "";
  return {Severity::error,
          "`" + source->path + "` is not the result of a run" +
              (has_schema ? ": its schema is `" + schema + "`, not `archsim.run/1`" : ""),
          {source, 0, 0},
          "`archsim run ... --json FILE` writes one"};
}

}  // namespace

std::optional<double> nominal(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_object() && value.contains("nominal") && value["nominal"].is_number())
    return value["nominal"].get<double>();
  return std::nullopt;
}

Checked<RunFile> read_run_file(const std::string& path) {
  const FileKind kind = kind_of_file(path);
  if (kind != FileKind::run_result && kind != FileKind::other) {
    return Diagnostic{Severity::error,
                      "`" + path + "` is " + std::string(in_words(kind)) + ", not the result of a run",
                      {make_source(path, ""), 0, 0},
                      use_of(kind, path)};
  }
  const auto source = read_source(path);
  if (!source) return source.diagnostics();
  return parse_run_file(*source);
}

Checked<RunFile> parse_run_file(const Source& source) {
  auto json = parse_json(source);
  if (!json) return json.diagnostics();
  if (!json->is_object() || !json->contains("schema") || (*json)["schema"] != "archsim.run/1") {
    return wrong_schema(source, *json);
  }
  RunFile run{.path = source->path, .json = *std::move(json)};
  Diagnostics out;
  const JsonReader in(run.json, source, out);
  read_whole(in, run);
  for (const JsonReader& stage : in.list("stages")) run.stages.push_back(stage_of(stage));
  for (const JsonReader& row : in.list("operators")) run.operators.push_back(row_of(row));
  if (in.has("work")) {
    for (const JsonReader& work : in.list("work")) run.work.push_back(work_of(work));
  }
  // One sort of mistake in thousands of rows is told a few times.
  constexpr std::size_t kMostTold = 5;
  if (!out.has_errors()) return run;
  Diagnostics told;
  for (std::size_t i = 0; i < std::min(kMostTold, out.all().size()); ++i) told.add(out.all()[i]);
  return told;
}

}  // namespace archsim
