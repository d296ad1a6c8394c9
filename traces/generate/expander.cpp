#include "traces/generate/expander.h"

#include <fmt/format.h>

#include <limits>
#include <sstream>

#include "arch/describe/near_name.h"

namespace archsim {
namespace {

// Blocks within blocks and repeats within repeats; more is a block that uses itself.
constexpr unsigned kDeepest = 32;
constexpr std::size_t kMostSteps = 200'000;
constexpr std::int64_t kMostStages = 4096;
constexpr std::int64_t kMostIterations = std::numeric_limits<std::int32_t>::max();

}  // namespace

void Expander::error(const Location& where, std::string message, std::string help) {
  if (said_.insert(fmt::format("{}:{}:{}", where.line, where.column, message)).second) {
    out_.error(where, std::move(message), std::move(help));
  }
}

void Expander::take_over(const Diagnostics& found) {
  for (const auto& each : found.all()) error(each.location, each.message, each.help);
}

std::optional<std::int64_t> Expander::integer(const YamlNode& node, const Scope& scope, std::int64_t low,
                                              std::int64_t high) {
  if (!node.is_scalar()) {
    error(node.location(), fmt::format("this is {}, not a number", kind_in_words(node.kind())));
    return std::nullopt;
  }
  Diagnostics found;
  const auto value = evaluate_integer(node.scalar(), node.location(), scope.numbers, found, low, high);
  take_over(found);
  return value;
}

bool Expander::is_wanted(MapReader& reader, const Scope& scope) {
  const auto* when = reader.optional("when");
  if (!when) return true;
  const auto value = integer(when->value, scope, 0, 1);
  return !value || *value != 0;
}

std::vector<std::string> Expander::verbs() const {
  std::vector<std::string> all{"repeat"};
  for (const auto name : operator_type_names()) all.emplace_back(name);
  for (const auto& [name, block] : blocks_) all.push_back(name);
  return all;
}

std::optional<Expander::Step> Expander::read_step(const YamlNode& node) {
  if (!node.is_map() || node.entries().size() != 1) {
    error(node.location(), "a step is one entry `operator name: {...}`");
    return std::nullopt;
  }
  const auto& entry = node.entries().front();
  std::istringstream words(entry.name());
  Step step{"", "", entry.key, entry.value};
  std::string more;
  words >> step.verb >> step.name >> more;
  if (step.verb.empty() || !more.empty()) {
    error(entry.key.location(), fmt::format("`{}` is not an operator and a name", entry.name()));
    return std::nullopt;
  }
  return step;
}

void Expander::expand_body(const YamlNode& body, const Scope& scope, Body& steps) {
  if (!body.is_sequence()) {
    error(body.location(), fmt::format("a body is a list of steps, not {}", kind_in_words(body.kind())));
  }
  for (const auto& node : body.items()) {
    if (const auto step = read_step(node)) expand_step(*step, scope, steps);
  }
}

void Expander::expand_step(const Step& step, const Scope& scope, Body& steps) {
  if (++steps_expanded_ > kMostSteps) {
    if (steps_expanded_ == kMostSteps + 1) {
      error(step.key.location(), fmt::format("the workload unfolds to more than {} steps", kMostSteps));
    }
    return;
  }
  if (step.verb == "repeat") return expand_repeat(step, scope, steps);
  if (const auto type = operator_type_from(step.verb)) return expand_operator(step, rule_of(*type), scope, steps);
  if (const auto block = blocks_.find(step.verb); block != blocks_.end()) {
    return expand_block(step, block->second, scope, steps);
  }
  error(step.key.location(), fmt::format("no operator or block is called `{}`", step.verb),
        help_for_unknown(step.verb, verbs()));
}

void Expander::add_loop(Loop loop, const Location& where) {
  trace_.loops.push_back(std::move(loop));
  loop_locations_.push_back(where);
}

void Expander::expand_repeat(const Step& step, const Scope& scope, Body& steps) {
  Diagnostics found;
  MapReader reader(step.arguments, fmt::format("repeat `{}`", step.name), found);
  const auto* count_entry = reader.required("count");
  const auto* split = reader.optional("split_last");
  const auto* tensors = reader.optional("tensors");
  const auto* body = reader.required("body");
  const bool wanted = is_wanted(reader, scope);
  reader.refuse_others();
  take_over(found);
  if (!wanted) return;
  if (step.name.empty()) error(step.key.location(), "a repeat needs a name: `repeat layer`");
  if (!count_entry || !body || step.name.empty()) return;
  const auto count = integer(count_entry->value, scope, 1, kMostIterations);
  if (!count) return;
  const bool splits = split && integer(split->value, scope, 0, 1).value_or(0) == 1;
  const auto whole = static_cast<std::uint32_t>(*count);

  Scope inside = scope;
  inside.enter(step.name);
  const std::uint32_t iterations = splits ? whole - 1 : whole;
  if (iterations > 0) {
    Repeat repeat;
    repeat.loop = static_cast<std::uint32_t>(trace_.loops.size());
    add_loop({inside.operator_path, iterations}, step.key.location());
    inside.loops[step.name] = {CopyIndex{repeat.loop, 0}, whole};
    inside.numbers["last"] = 0;
    Scope each = inside;
    if (tensors) declare_tensors(tensors->value, each);
    expand_body(body->value, each, repeat.body);
    steps.emplace_back(std::move(repeat));
  }
  if (!splits) return;
  inside.loops[step.name] = {CopyIndex{CopyIndex::kFixed, whole - 1}, whole};
  inside.numbers["last"] = 1;
  inside.operator_path += "_last";
  if (tensors) declare_tensors(tensors->value, inside);
  expand_body(body->value, inside, steps);
}

std::optional<Expander::Block> Expander::read_block(const YamlEntry& entry) {
  Block block{entry.value, {}, {}};
  Diagnostics found;
  MapReader reader(entry.value, fmt::format("block `{}`", entry.name()), found);
  const auto names = [&](const char* key, std::vector<std::string>& into) {
    const auto* list = reader.optional(key);
    if (!list) return;
    for (const auto& item : list->value.items()) into.push_back(item.scalar());
  };
  names("numbers", block.numbers);
  names("arguments", block.tensors);
  reader.optional("about");
  reader.optional("tensors");
  const auto* body = reader.required("body");
  reader.refuse_others();
  take_over(found);
  if (entry.name() == "repeat" || operator_type_from(entry.name())) {
    error(entry.key.location(), fmt::format("`{}` is an operator; a block needs another name", entry.name()));
    return std::nullopt;
  }
  if (!body) return std::nullopt;
  return block;
}

void Expander::define_blocks(const YamlNode& section) {
  if (!section.is_map()) {
    error(section.location(), fmt::format("`blocks` is {}, not a map", kind_in_words(section.kind())));
  }
  for (const auto& entry : section.entries()) {
    if (auto block = read_block(entry)) blocks_.emplace(entry.name(), std::move(*block));
  }
}

void Expander::bind_arguments(const Block& block, MapReader& reader, const Scope& outside, Scope& inside) {
  for (const auto& name : block.numbers) {
    const auto* entry = reader.required(name);
    if (!entry) continue;
    Diagnostics found;
    const auto value = evaluate(entry->value.scalar(), entry->value.location(), outside.numbers, found);
    take_over(found);
    if (value) inside.numbers[name] = *value;
  }
  for (const auto& name : block.tensors) {
    const auto* entry = reader.required(name);
    if (!entry) continue;
    const auto& text = entry->value.scalar();
    if (const auto known = outside.tensors.find(text); known != outside.tensors.end()) {
      inside.tensors[name] = known->second;
      continue;
    }
    Diagnostics found;
    const auto uses = ReferenceReader{outside, trace_.tensors, found}.read(text, entry->value.location());
    take_over(found);
    if (!uses) {
      inside.broken.insert(name);
      continue;
    }
    if (uses->size() != 1) error(entry->value.location(), fmt::format("`{}` is more than one tensor", text));
    inside.tensors[name] = {uses->front().tensor, {}, uses->front().copy};
  }
}

void Expander::expand_block(const Step& step, const Block& block, const Scope& scope, Body& steps) {
  if (depth_ >= kDeepest) {
    return error(step.key.location(), fmt::format("block `{}` is nested more than {} deep", step.verb, kDeepest),
                 "a block cannot use itself");
  }
  Scope inside = scope;
  inside.enter(step.name);
  Diagnostics found;
  MapReader reader(step.arguments, fmt::format("block `{}`", step.verb), found);
  const bool wanted = is_wanted(reader, scope);
  if (!wanted) return take_over(found);  // what it names may not have been declared either
  bind_arguments(block, reader, scope, inside);
  if (const auto* shared = reader.optional("weights")) inside.weight_path = shared->value.scalar();
  reader.refuse_others("argument");
  take_over(found);
  ++depth_;
  if (const auto* tensors = block.node.find("tensors")) declare_tensors(tensors->value, inside);
  expand_body(block.node.find("body")->value, inside, steps);
  --depth_;
}

void Expander::add_stage(const YamlNode& node, const Scope& outside, const std::string& suffix) {
  const auto step = read_step(node);
  if (!step) return;
  if (step->verb != "stage" || step->name.empty()) {
    return error(step->key.location(), "an entry of `stages` is `stage name: {...}`");
  }
  Diagnostics found;
  MapReader reader(step->arguments, fmt::format("stage `{}`", step->name), found);
  const auto* count_entry = reader.optional("repeat");
  const auto* loop_entry = reader.optional("loop");
  const auto* unroll = reader.optional("unroll");
  const auto* tensors = reader.optional("tensors");
  const auto* body = reader.required("body");
  reader.optional("about");
  const bool wanted = is_wanted(reader, outside);
  reader.refuse_others();
  take_over(found);
  if (!body || !wanted) return;
  const auto count = count_entry ? integer(count_entry->value, outside, 1, kMostIterations) : 1;
  const auto times = unroll ? integer(unroll->value, outside, 1, kMostStages) : 1;
  if (!count || !times) return;
  const StageParts parts{loop_entry ? loop_entry->value.scalar() : step->name, static_cast<std::uint32_t>(*count),
                         tensors ? &tensors->value : nullptr, &body->value};
  for (std::int64_t i = 0; i < *times; ++i) {
    Scope scope = outside;
    scope.numbers["step"] = static_cast<double>(i);
    scope.enter(step->name);
    if (*times > 1) {
      scope.operator_path += fmt::format("_{}", i + 1);
      scope.tensor_path += fmt::format("_{}", i + 1);
    }
    scope.operator_path += suffix;
    add_one_stage(*step, parts, std::move(scope));
  }
}

void Expander::add_one_stage(const Step& step, const StageParts& parts, Scope scope) {
  Stage stage;
  stage.name = scope.operator_path;
  stage.repeat.loop = static_cast<std::uint32_t>(trace_.loops.size());
  add_loop({stage.name, parts.iterations}, step.key.location());
  scope.loops[parts.loop] = {CopyIndex{stage.repeat.loop, 0}, parts.iterations};
  if (parts.tensors) declare_tensors(*parts.tensors, scope);
  expand_body(*parts.body, scope, stage.repeat.body);
  trace_.stages.push_back(std::move(stage));
}

void Expander::finish() {
  std::map<std::string, std::uint32_t, std::less<>> by_name;
  for (std::uint32_t i = 0; i < trace_.operators.size(); ++i) by_name.emplace(trace_.operators[i].name, i);
  for (const auto& wait : pending_) {
    // As in a program: the nearest enclosing scope that has the name.
    auto path = wait.path;
    auto found = by_name.find(join_path(path, wait.name));
    while (found == by_name.end() && !path.empty()) {
      const auto dot = path.rfind('.');
      path = dot == std::string::npos ? "" : path.substr(0, dot);
      found = by_name.find(join_path(path, wait.name));
    }
    if (found != by_name.end()) {
      trace_.operators[wait.op].dependencies.push_back(found->second);
      continue;
    }
    std::vector<std::string> names;
    for (const auto& [name, index] : by_name) names.push_back(name);
    const auto near = near_name(join_path(wait.path, wait.name), names);
    error(wait.location, fmt::format("no operator is called `{}`", wait.name),
          near ? fmt::format("did you mean `{}`?", *near) : "");
  }
}

void Expander::take(Converted converted) {
  std::vector<Location> operators, tensors;
  for (const auto index : converted.operators) operators.push_back(operator_locations_[index]);
  for (const auto index : converted.tensors) tensors.push_back(tensor_locations_[index]);
  operator_locations_ = std::move(operators);
  tensor_locations_ = std::move(tensors);
  trace_ = std::move(converted.trace);
}

Location Expander::location_of(const Problem& problem) const {
  if (problem.operator_index && *problem.operator_index < operator_locations_.size()) {
    return operator_locations_[*problem.operator_index];
  }
  if (problem.tensor_index && *problem.tensor_index < tensor_locations_.size()) {
    return tensor_locations_[*problem.tensor_index];
  }
  if (problem.loop_index && *problem.loop_index < loop_locations_.size()) return loop_locations_[*problem.loop_index];
  return {};
}

}  // namespace archsim
