#include <fmt/format.h>

#include <limits>

#include "arch/describe/near_name.h"
#include "traces/generate/expander.h"

namespace archsim {
namespace {

constexpr std::int64_t kMostElementsOfExtent = std::int64_t{1} << 40;
constexpr std::int64_t kMostCopiesOfExtent = std::numeric_limits<std::int32_t>::max();

std::vector<std::string> strings(const std::vector<std::string_view>& names) { return {names.begin(), names.end()}; }

bool same_declaration(const Tensor& a, const Tensor& b) {
  return a.role == b.role && a.shape == b.shape && a.dtype == b.dtype && a.layout == b.layout && a.copies == b.copies;
}

}  // namespace

void Expander::declare_tensors(const YamlNode& section, Scope& scope) {
  if (!section.is_map()) {
    error(section.location(), fmt::format("`tensors` is {}, not a map", kind_in_words(section.kind())));
  }
  for (const auto& entry : section.entries()) declare_tensor(entry, scope);
}

void Expander::declare_tensor(const YamlEntry& entry, Scope& scope) {
  Tensor tensor;
  TensorName name;
  Diagnostics found;
  MapReader reader(entry.value, fmt::format("tensor `{}`", entry.name()), found);
  if (const auto* role = reader.optional("role")) {
    const auto known = role_from(role->value.scalar());
    if (!known) {
      error(role->value.location(), fmt::format("no role is called `{}`", role->value.scalar()),
            help_for_unknown(role->value.scalar(), strings(role_names())));
    }
    tensor.role = known.value_or(Role::activation);
  }
  tensor.name = join_path(tensor.role == Role::weight ? scope.weight_path : scope.tensor_path, entry.name());
  bool good = true;
  if (const auto* shape = reader.required("shape")) {
    if (!shape->value.is_sequence() || shape->value.items().empty()) {
      error(shape->value.location(), "a shape is a list of extents, such as [816, 2048]");
      good = false;
    }
    for (const auto& item : shape->value.items()) {
      const auto extent = integer(item, scope, 1, kMostElementsOfExtent);
      tensor.shape.push_back(static_cast<std::uint64_t>(extent.value_or(1)));
      good = good && extent;
    }
  } else {
    good = false;
  }
  good = read_copies(reader, scope, tensor, name) && good;
  const bool is_free = read_element_type(reader, scope, entry.key.location(), tensor);
  const auto* scale = reader.optional("scale");
  double said = 0.0;
  if (scale) said = evaluate(scale->value.scalar(), scale->value.location(), scope.numbers, found).value_or(1.0);
  if (good) tensor.scale = placeholder_scale(tensor);
  if (scale && !is_floating(tensor.dtype)) tensor.scale = said;
  reader.optional("source");
  const bool wanted = is_wanted(reader, scope);
  reader.refuse_others();
  take_over(found);
  if (!good) scope.broken.insert(entry.name());
  if (good && wanted) {
    add_tensor(std::move(tensor), std::move(name), entry, scope);
    const auto index = scope.tensors[entry.name()].tensor;
    if (scale) hints_.scales[index] = said;
    hints_.is_fixed[index] = !is_free;
  }
}

bool Expander::read_copies(MapReader& reader, const Scope& scope, Tensor& tensor, TensorName& name) {
  const auto* copies = reader.optional("copies");
  const auto* per = reader.optional("per");
  if (copies && per) error(per->key.location(), "give `copies` or `per`, not both");
  bool good = true;
  if (copies) {
    for (const auto& item : copies->value.items()) {
      const auto extent = integer(item, scope, 1, kMostCopiesOfExtent);
      tensor.copies.push_back(static_cast<std::uint32_t>(extent.value_or(1)));
      good = good && extent;
    }
    if (copies->value.items().empty()) error(copies->value.location(), "`copies` is a list, such as [18]");
  }
  if (!per) return good;
  for (const auto& item : per->value.items()) {
    const auto loop = scope.loops.find(item.scalar());
    if (loop == scope.loops.end()) {
      std::vector<std::string> loops;
      for (const auto& [known, where] : scope.loops) loops.push_back(known);
      error(item.location(), fmt::format("no loop `{}` runs here", item.scalar()),
            help_for_unknown(item.scalar(), loops));
      good = false;
      continue;
    }
    name.per.push_back(item.scalar());
    tensor.copies.push_back(loop->second.count);
  }
  if (per->value.items().empty()) error(per->value.location(), "`per` is a list of loops, such as [layer]");
  return good;
}

bool Expander::read_element_type(MapReader& reader, const Scope& scope, const Location& where, Tensor& tensor) {
  const auto* entry = reader.optional("dtype");
  std::string text(entry ? entry->value.scalar() : name_of(tensor.role));
  const auto word = scope.words.find(text);
  if (word != scope.words.end()) text = word->second;
  if (const auto dtype = dtype_from(text)) {
    tensor.dtype = *dtype;
  } else {
    auto known = strings(dtype_names());
    for (const auto& [name, meaning] : scope.words) known.push_back(name);
    error(
        entry ? entry->value.location() : where, fmt::format("no element type is called `{}`", text),
        entry ? help_for_unknown(text, known) : "without `dtype`, a parameter's choices must define one for the role");
  }
  if (const auto* layout = reader.optional("layout")) {
    const auto known = layout_from(layout->value.scalar());
    if (!known) {
      error(layout->value.location(), fmt::format("no layout is called `{}`", layout->value.scalar()),
            help_for_unknown(layout->value.scalar(), strings(layout_names())));
    }
    tensor.layout = known.value_or(Layout::row_major);
  }
  return word != scope.words.end();
}

void Expander::add_tensor(Tensor tensor, TensorName name, const YamlEntry& entry, Scope& scope) {
  // A body that is expanded again (a last iteration, another inference) means the same tensors.
  const auto [place, is_new] = tensors_by_name_.emplace(tensor.name, static_cast<std::uint32_t>(trace_.tensors.size()));
  name.tensor = place->second;
  if (is_new) {
    trace_.tensors.push_back(std::move(tensor));
    tensor_locations_.push_back(entry.key.location());
    hints_.scales.push_back(0.0);
    hints_.is_fixed.push_back(false);
  } else if (!same_declaration(trace_.tensors[place->second], tensor)) {
    error(entry.key.location(), fmt::format("tensor `{}` is declared twice, and differently", tensor.name),
          "two uses of a block in one scope need names of their own");
  }
  scope.tensors[entry.name()] = std::move(name);
}

}  // namespace archsim
