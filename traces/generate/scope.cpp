#include "traces/generate/scope.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "arch/describe/near_name.h"

namespace archsim {
namespace {

template <class Map>
std::vector<std::string> keys(const Map& map) {
  std::vector<std::string> out;
  for (const auto& [name, value] : map) out.push_back(name);
  return out;
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// At commas that stand in no parentheses.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts{""};
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  for (auto& part : parts) part = trimmed(part);
  return parts;
}

constexpr std::int64_t kMostCopies = std::numeric_limits<std::uint32_t>::max() - 1;
constexpr std::uint32_t kMostOperands = 4096;

}  // namespace

std::string join_path(const std::string& path, const std::string& name) {
  if (path.empty() || name.empty()) return path + name;
  return path + "." + name;
}

void Scope::enter(const std::string& name) {
  operator_path = join_path(operator_path, name);
  tensor_path = join_path(tensor_path, name);
  weight_path = join_path(weight_path, name);
}

std::optional<CopyIndex> ReferenceReader::index(const std::string& text, const Location& where) const {
  const auto end = text.find_first_of(" +");
  const auto loop = scope.loops.find(text.substr(0, end));
  if (loop == scope.loops.end()) {
    const auto fixed = evaluate_integer(text, where, scope.numbers, out, 0, kMostCopies);
    if (!fixed) return std::nullopt;
    return CopyIndex{CopyIndex::kFixed, static_cast<std::uint32_t>(*fixed)};
  }
  CopyIndex result = loop->second.iteration;
  const auto rest = end == std::string::npos ? std::string() : trimmed(text.substr(end));
  if (rest.empty()) return result;
  if (rest.front() != '+') {
    out.error(where, fmt::format("`{}` is not a copy", text), "a loop's copy is `loop`, or `loop + number`");
    return std::nullopt;
  }
  const auto offset = evaluate_integer(rest.substr(1), where, scope.numbers, out, 0, kMostCopies - result.offset);
  if (!offset) return std::nullopt;
  result.offset += static_cast<std::uint32_t>(*offset);
  return result;
}

std::optional<TensorUse> ReferenceReader::implied(const TensorName& name, const std::string& text,
                                                  const Location& where) const {
  TensorUse use{name.tensor, {}};
  if (name.copy) {
    use.copy = *name.copy;
    return use;
  }
  const auto& copies = tensors[name.tensor].copies;
  if (copies.size() != name.per.size()) {
    out.error(where, fmt::format("`{}` has {} copies; which of them?", text, tensors[name.tensor].number_of_copies()),
              fmt::format("write `{0}[number]`, `{0}[loop]`, or `{0}[*]` for all", text));
    return std::nullopt;
  }
  for (const auto& loop : name.per) {
    const auto found = scope.loops.find(loop);
    if (found == scope.loops.end()) {
      out.error(where, fmt::format("`{}` has a copy for each iteration of `{}`, which does not run here", text, loop),
                fmt::format("write `{0}[number]`, `{0}[loop]`, or `{0}[*]` for all", text));
      return std::nullopt;
    }
    use.copy.push_back(found->second.iteration);
  }
  return use;
}

std::optional<std::vector<TensorUse>> ReferenceReader::read(const std::string& text, const Location& where) const {
  const auto bracket = text.find('[');
  const auto name = trimmed(text.substr(0, bracket));
  const auto found = scope.tensors.find(name);
  if (found == scope.tensors.end()) {
    if (scope.broken.contains(name)) return std::nullopt;
    const auto near = near_name(name, keys(scope.tensors));
    out.error(where, fmt::format("no tensor `{}` is known here", name),
              near ? fmt::format("did you mean `{}`?", *near) : "");
    return std::nullopt;
  }
  if (bracket == std::string::npos) {
    auto use = implied(found->second, name, where);
    if (!use) return std::nullopt;
    return std::vector<TensorUse>{std::move(*use)};
  }
  if (text.back() != ']') {
    out.error(where, fmt::format("`{}` lacks its `]`", text));
    return std::nullopt;
  }
  const auto& tensor = tensors[found->second.tensor];
  const auto parts = split(text.substr(bracket + 1, text.size() - bracket - 2));
  if (parts.size() != tensor.copies.size()) {
    out.error(where, fmt::format("`{}` gives {} copy indices, but `{}` has {}", text, parts.size(), name,
                                 tensor.copies.size()));
    return std::nullopt;
  }
  std::vector<TensorUse> uses;
  if (parts.size() == 1 && parts[0] == "*") {
    if (tensor.copies[0] > kMostOperands) {
      out.error(where, fmt::format("`{}` stands for {} operands", text, tensor.copies[0]));
      return std::nullopt;
    }
    for (std::uint32_t copy = 0; copy < tensor.copies[0]; ++copy) {
      uses.push_back({found->second.tensor, {CopyIndex{CopyIndex::kFixed, copy}}});
    }
    return uses;
  }
  TensorUse use{found->second.tensor, {}};
  for (const auto& part : parts) {
    const auto one = index(part, where);
    if (!one) return std::nullopt;
    use.copy.push_back(*one);
  }
  uses.push_back(std::move(use));
  return uses;
}

}  // namespace archsim
