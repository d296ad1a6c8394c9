#include "traces/generate/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "arch/describe/yaml.h"
#include "arch/workload/rules/validate.h"
#include "traces/batch/batch.h"
#include "traces/file/file_kind.h"
#include "traces/generate/expander.h"
#include "traces/generate/parameters.h"
#include "traces/recipes/apply.h"

namespace archsim {
namespace {

constexpr std::int64_t kMostInferences = 1024;
constexpr std::int64_t kMostSamples = 1024;

// The first inference's stages keep their names; the others' end in "@2", "@3" and so on.
void add_stages(const YamlNode& stages, std::int64_t inferences, Scope& scope, Expander& expander, Diagnostics& out) {
  if (!stages.is_sequence()) {
    out.error(stages.location(), fmt::format("`stages` is {}, not a list", kind_in_words(stages.kind())),
              "write it as lines `- stage name: {body: [...]}`");
  } else if (stages.items().empty()) {
    out.error(stages.location(), "`stages` is empty: there is nothing to compute",
              "write it as lines `- stage name: {body: [...]}`");
  }
  for (std::int64_t inference = 0; inference < inferences; ++inference) {
    scope.numbers["inference"] = static_cast<double>(inference);
    const auto suffix = inference == 0 ? std::string() : fmt::format("@{}", inference + 1);
    for (const auto& stage : stages.items()) expander.add_stage(stage, scope, suffix);
  }
}

// The sections of a workload file; null where the file has none.
struct Sections {
  const YamlEntry* name = nullptr;
  const YamlEntry* parameters = nullptr;
  const YamlEntry* let = nullptr;
  const YamlEntry* inferences = nullptr;
  const YamlEntry* batch = nullptr;
  const YamlEntry* recipe = nullptr;
  const YamlEntry* tensors = nullptr;
  const YamlEntry* use = nullptr;
  const YamlEntry* blocks = nullptr;
  const YamlEntry* stages = nullptr;
};

Sections read_sections(const YamlNode& root, Diagnostics& out) {
  MapReader reader(root, "a workload file", out);
  if (!root.is_map()) return {};
  Sections sections;
  sections.name = reader.required("workload");
  reader.optional("about");
  reader.optional("sources");
  sections.parameters = reader.optional("parameters");
  sections.let = reader.optional("let");
  sections.inferences = reader.optional("inferences");
  sections.batch = reader.optional("batch");
  sections.recipe = reader.optional("recipe");
  sections.tensors = reader.optional("tensors");
  sections.use = reader.optional("use");
  sections.blocks = reader.optional("blocks");
  sections.stages = reader.required("stages");
  reader.refuse_others();
  return sections;
}

// It stands in titles, JSON and columns.
void check_name(const YamlNode& name, Diagnostics& out) {
  const auto legal = [](char c) { return c > ' ' && c < 0x7F; };
  const auto& text = name.scalar();
  if (!text.empty() && std::all_of(text.begin(), text.end(), legal)) return;
  out.error(name.location(), "`workload` is a name without blanks and other than ASCII characters",
            "write it like `workload: pi0`");
}

// A recipe's name, and where it stands.
struct RecipeName {
  std::string name;
  Location place;
};

struct Head {
  std::vector<WorkloadParameter> parameters;
  std::optional<RecipeName> recipe;
  Scope scope;
  std::int64_t inferences = 1;
  std::int64_t samples = 1;
};

// The command line's word counts before the file's.
std::optional<RecipeName> recipe_of(const Sections& sections, const std::optional<YamlNode>& set,
                                    const std::string& asked, Diagnostics& out) {
  if (!asked.empty()) {
    const Location place{make_source("--recipe", asked), 1, 1};
    if (set)
      out.error(place, fmt::format("`--set dtype={}` asks for another recipe", set->scalar()), "give one of them");
    return RecipeName{asked, place};
  }
  if (set) return RecipeName{set->scalar(), set->location()};
  if (sections.recipe) return RecipeName{sections.recipe->value.scalar(), sections.recipe->value.location()};
  return std::nullopt;
}

Head read_head(const Sections& sections, const std::vector<std::string>& settings, const std::string& recipe,
               const std::string& path, Diagnostics& out) {
  Head head;
  if (sections.parameters) head.parameters = read_parameters(sections.parameters->value, out);
  const auto set = apply_settings(settings, head.parameters, recipe_names(path), out);
  head.recipe = recipe_of(sections, set, recipe, out);
  define_parameters(head.parameters, head.scope);
  if (sections.let) define_numbers(sections.let->value, head.scope, out);
  const auto times = [&](const YamlEntry* entry, std::int64_t most) {
    if (!entry) return std::int64_t{1};
    const auto& value = entry->value;
    return evaluate_integer(value.scalar(), value.location(), head.scope.numbers, out, 1, most).value_or(1);
  };
  head.inferences = times(sections.inferences, kMostInferences);
  head.samples = times(sections.batch, kMostSamples);
  return head;
}

// A file of blocks beside the workload file, or below it: never one outside, whatever the file says.
void use_blocks(const YamlNode& name, const Source& source, Expander& expander, Diagnostics& out) {
  const std::filesystem::path wanted(name.scalar());
  const bool is_outside = wanted.is_absolute() || std::find(wanted.begin(), wanted.end(), "..") != wanted.end();
  if (!name.is_scalar() || wanted.empty() || is_outside) {
    out.error(name.location(), "`use` names files of blocks in the folder of the workload file, or below it",
              "write it like `use: [blocks/gemma.yaml]`");
    return;
  }
  const auto file = read_source((std::filesystem::path(source->path).parent_path() / wanted).string());
  if (!file) {
    out.error(name.location(),
              fmt::format("cannot read `{}`, which is looked for beside the workload file", name.scalar()));
    return;
  }
  const auto root = parse_yaml(*file, out);
  if (!root) return;
  MapReader reader(*root, "a file of blocks", out);
  reader.optional("about");
  reader.optional("sources");
  const auto* blocks = reader.required("blocks");
  reader.refuse_others();
  if (blocks) expander.define_blocks(blocks->value);
}

// The trace in the recipe's formats. It is known by the recipe's name, as a parameter of its own, or as its `dtype`.
void convert(const RecipeName& wanted, const Source& source, Expander& expander, Diagnostics& out) {
  const auto recipe = find_recipe(wanted.name, source->path, wanted.place);
  if (!recipe) return out.append(recipe.diagnostics());
  // A trace that is wrong already would be told of twice, and in the recipe.
  if (!problems_of(expander.trace()).empty()) return;
  auto converted = apply_recipe(*recipe, expander.trace(), expander.hints());
  if (!converted) return out.append(converted.diagnostics());
  expander.take(*std::move(converted));
  auto& parameters = expander.trace().parameters;
  if (const auto dtype = parameters.find("dtype"); dtype != parameters.end()) {
    dtype->second = recipe->name;
  } else {
    parameters["recipe"] = recipe->name;
  }
}

}  // namespace

Checked<Trace> generate_trace(const Source& source, const std::vector<std::string>& settings,
                              const std::string& recipe) {
  Diagnostics out;
  const auto root = parse_yaml(source, out);
  if (!root) return out;
  const auto sections = read_sections(*root, out);
  Diagnostics head_errors;
  auto head = read_head(sections, settings, recipe, source->path, head_errors);
  if (sections.name) check_name(sections.name->value, out);
  out.append(head_errors);
  // With a wrong parameter or number, everything that uses it would be reported too.
  if (head_errors.has_errors() || !sections.name || !sections.stages) return out;

  Expander expander(out);
  expander.trace().model = sections.name->value.scalar();
  for (const auto& parameter : head.parameters) expander.trace().parameters[parameter.name] = parameter.value;
  if (sections.tensors) expander.declare_tensors(sections.tensors->value, head.scope);
  if (sections.use) {
    for (const auto& name : sections.use->value.items()) use_blocks(name, source, expander, out);
    if (sections.use->value.items().empty()) {
      out.error(sections.use->value.location(), "`use` is a list of files", "write it like `use: [blocks/gemma.yaml]`");
    }
  }
  if (sections.blocks) expander.define_blocks(sections.blocks->value);
  add_stages(sections.stages->value, head.inferences, head.scope, expander, out);
  expander.finish();
  if (out.has_errors()) return out;
  if (head.recipe) convert(*head.recipe, source, expander, out);
  if (out.has_errors()) return out;
  for (const auto& problem : problems_of(expander.trace())) {
    auto where = expander.location_of(problem);
    if (!where.source) where = {source, 0, 0};
    out.error(where, problem.message, problem.help);
  }
  if (out.has_errors()) return out;
  if (head.samples > 1) add_batch(expander.trace(), static_cast<std::uint32_t>(head.samples));
  return std::move(expander.trace());
}

Checked<Trace> build_trace(const std::string& path, const std::vector<std::string>& settings,
                           const std::string& recipe) {
  const FileKind kind = kind_of_file(path);
  if (kind != FileKind::workload && kind != FileKind::other) {
    return Diagnostic{Severity::error,
                      fmt::format("`{}` is {}, not a workload file", path, in_words(kind)),
                      {make_source(path, ""), 0, 0},
                      use_of(kind, path)};
  }
  const auto source = read_source(path);
  if (!source) return source.diagnostics();
  return generate_trace(*source, settings, recipe);
}

}  // namespace archsim
