#include "traces/generate/generate.h"

#include <fmt/format.h>

#include "arch/describe/yaml.h"
#include "arch/workload/rules/validate.h"
#include "traces/generate/expander.h"
#include "traces/generate/parameters.h"

namespace archsim {
namespace {

constexpr std::int64_t kMostInferences = 1024;

// The first inference's stages keep their names; the others' end in "@2", "@3" and so on.
void add_stages(const YamlNode& stages, std::int64_t inferences, Scope& scope, Expander& expander, Diagnostics& out) {
  if (!stages.is_sequence()) {
    out.error(stages.location(), fmt::format("`stages` is {}, not a list", kind_in_words(stages.kind())));
  }
  for (std::int64_t inference = 0; inference < inferences; ++inference) {
    scope.numbers["inference"] = static_cast<double>(inference);
    const auto suffix = inference == 0 ? std::string() : fmt::format("@{}", inference + 1);
    for (const auto& stage : stages.items()) expander.add_stage(stage, scope, suffix);
  }
}

}  // namespace

Checked<Trace> generate_trace(const Source& source, const std::vector<std::string>& settings) {
  Diagnostics out;
  const auto root = parse_yaml(source, out);
  if (!root) return out;
  MapReader reader(*root, "a workload file", out);
  if (!root->is_map()) return out;
  const auto* name = reader.required("workload");
  reader.optional("about");
  reader.optional("sources");
  const auto* parameter_section = reader.optional("parameters");
  const auto* let = reader.optional("let");
  const auto* repeat = reader.optional("inferences");
  const auto* tensors = reader.optional("tensors");
  const auto* blocks = reader.optional("blocks");
  const auto* stages = reader.required("stages");
  reader.refuse_others();

  std::vector<WorkloadParameter> parameters;
  if (parameter_section) parameters = read_parameters(parameter_section->value, out);
  apply_settings(settings, parameters, out);
  Scope scope;
  define_parameters(parameters, scope);
  if (let) define_numbers(let->value, scope, out);
  // With a wrong parameter or number, everything that uses it would be reported too.
  if (out.has_errors()) return out;

  std::int64_t inferences = 1;
  if (repeat) {
    const auto value =
        evaluate_integer(repeat->value.scalar(), repeat->value.location(), scope.numbers, out, 1, kMostInferences);
    if (!value) return out;
    inferences = *value;
  }
  Expander expander(out);
  expander.trace().model = name->value.scalar();
  for (const auto& parameter : parameters) expander.trace().parameters[parameter.name] = parameter.value;
  if (tensors) expander.declare_tensors(tensors->value, scope);
  if (blocks) expander.define_blocks(blocks->value);
  add_stages(stages->value, inferences, scope, expander, out);
  expander.finish();
  if (out.has_errors()) return out;
  for (const auto& problem : problems_of(expander.trace())) {
    auto where = expander.location_of(problem);
    if (!where.source) where = {source, 0, 0};
    out.error(where, problem.message, problem.help);
  }
  if (out.has_errors()) return out;
  return std::move(expander.trace());
}

Checked<Trace> build_trace(const std::string& path, const std::vector<std::string>& settings) {
  const auto source = read_source(path);
  if (!source) return source.diagnostics();
  return generate_trace(*source, settings);
}

}  // namespace archsim
