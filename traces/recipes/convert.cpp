#include "traces/recipes/convert.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "arch/workload/rules/validate.h"
#include "traces/recipes/apply.h"
#include "traces/recipes/recipe.h"

namespace archsim {
namespace {

bool is_whole(const Tensor& tensor) { return tensor.dtype == Dtype::int32 || tensor.dtype == Dtype::uint8; }

}  // namespace

Checked<Trace> in_formats_of(const std::string& recipe, const Trace& trace, const std::string& file) {
  const Location place{make_source("--recipe", recipe), 1, 1};
  const auto found = find_recipe(recipe, file, place);
  if (!found) return found.diagnostics();
  TensorHints hints{{}, std::vector<double>(trace.tensors.size(), 0.0)};
  std::transform(trace.tensors.begin(), trace.tensors.end(), std::back_inserter(hints.is_fixed), is_whole);
  auto converted = apply_recipe(*found, trace, hints);
  if (!converted) return converted.diagnostics();
  Trace result = std::move(converted->trace);
  result.parameters["recipe"] = found->name;
  Diagnostics wrong = validate(result, place);
  if (wrong.has_errors()) return wrong;
  return result;
}

}  // namespace archsim
