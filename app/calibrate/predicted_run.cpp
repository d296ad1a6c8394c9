#include "app/calibrate/predicted_run.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "traces/import/json_member.h"

namespace archsim {
namespace {

using Json = nlohmann::json;

std::string text_in(const Json& object, const char* name) {
  const Json& value = member(object, name);
  return value.is_string() ? value.get<std::string>() : "";
}

}  // namespace

Checked<PredictedRun> read_predicted_run(std::string_view text, const std::string& path) {
  const auto error = [&](std::string message, std::string help = {}) {
    return Diagnostic{Severity::error, std::move(message), {make_source(path, ""), 0, 0}, std::move(help)};
  };
  const std::string help = "it is what `archsim run --json FILE` writes";
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return error(fmt::format("`{}` is no JSON, or is cut off", path), help);
  if (text_in(json, "schema") != "archsim.run/1") {
    return error(fmt::format("`{}` is no run: its schema is not `archsim.run/1`", path), help);
  }
  PredictedRun run{text_in(member(json, "trace"), "digest"), {}};
  for (const Json& row : member(json, "operators")) {
    const Json &start = member(row, "start_s"), &end = member(row, "end_s");
    if (text_in(row, "name").empty() || !start.is_number() || !end.is_number()) {
      return error(fmt::format("operator {} of `{}` has no `name`, `start_s` and `end_s`", run.operators.size(), path));
    }
    run.operators.push_back(
        {text_in(row, "name"), text_in(row, "fused_into"), end.get<double>() - start.get<double>()});
  }
  if (run.operators.empty()) return error(fmt::format("`{}` has no operators", path), help);
  return run;
}

}  // namespace archsim
