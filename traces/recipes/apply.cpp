#include "traces/recipes/apply.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "arch/workload/rules/operand_check.h"
#include "traces/recipes/casts.h"
#include "traces/recipes/operator_formats.h"
#include "traces/recipes/wanted.h"

namespace archsim {
namespace {

bool has_weight(const Operator& op) {
  return op.type == OperatorType::linear || op.type == OperatorType::depthwise_conv;
}
bool is_bias(const Operator& op, std::size_t input) { return has_weight(op) && input == 2; }

// Formats of weights, each of which all its readers must agree on.
class WeightStore {
 public:
  WeightStore(Trace& trace, const TensorHints& hints, Diagnostics& out)
      : trace_(trace),
        hints_(hints),
        out_(out),
        moves_(trace.tensors.size(), false),
        reader_(trace.tensors.size(), kNone) {
    const auto together = moved_together(trace);
    for (std::uint32_t t = 0; t < together.size(); ++t) {
      if (together[t] != t) moves_[t] = moves_[together[t]] = true;
    }
  }

  void store(std::uint32_t index, const OperatorFormats& formats, std::optional<Dtype> activation) {
    const auto& op = trace_.operators[index];
    bool is_told = false;
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      const auto t = op.inputs[i].tensor;
      if (trace_.tensors[t].role != Role::weight || hints_.is_fixed[t] || moves_[t]) continue;
      if (is_bias(op, i)) {
        bias(index, t, activation);
      } else if (formats.weight && is_product(op.type) && i == 0) {
        learned_input(index, t, *formats.weight);
      } else if (formats.weight) {
        const auto format = fitting(*formats.weight, trace_.tensors[t].contracted(), op.name, out_);
        const bool is_good = format && takes(op, i, *format);
        if (is_good) put(index, t, *format);
        is_told = is_told || !is_good;
      }
    }
    if (has_weight(op) && !is_told) check_pair(op, formats, activation);
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // Sums of integers start from an integer.
  void bias(std::uint32_t index, std::uint32_t t, std::optional<Dtype> activation) {
    const bool sums_integers = activation == Dtype::int8 || activation == Dtype::int4;
    if (sums_integers) put(index, t, {Dtype::int32, {}, {}});
    if (!sums_integers && trace_.tensors[t].dtype == Dtype::int32) put(index, t, {Dtype::bf16, {}, {}});
  }

  // Told here, at the recipe's own lines, and not of the finished trace.
  void check_pair(const Operator& op, const OperatorFormats& formats, std::optional<Dtype> activation) {
    const Tensor& weight = trace_.tensors[op.inputs[1].tensor];
    const Dtype x = activation.value_or(trace_.tensors[op.inputs[0].tensor].dtype);
    const bool decodes = op.type == OperatorType::linear;
    const bool fits = decodes ? decodes_to(weight.dtype, x) : weight.dtype == x;
    if (fits || !(formats.activation || formats.weight)) return;
    out_.error(
        formats.activation ? formats.activation->front().place : formats.weight->front().place,
        fmt::format("operator `{}` ({}) multiplies {} by weights in {}", op.name, name_of(op.type), name_of(x),
                    name_of(weight.dtype)),
        decodes ? "weights are of the activations' type, or of a narrower one that arrays decode (never from floating "
                  "point to integers); give both in one rule"
                : "weights are of the activations' type; give both in one rule");
  }

  // What stands in the place of an activation has addresses like one.
  void learned_input(std::uint32_t index, std::uint32_t t, const Formats& formats) {
    for (const auto& format : formats) {
      if (packing_of(format.dtype, format.grouping).is_plain()) return put(index, t, format);
    }
  }

  bool takes(const Operator& op, std::size_t input, const Format& format) {
    const bool is_matrix = op.type == OperatorType::linear && input == 1;
    if (is_matrix || packing_of(format.dtype, format.grouping).is_plain()) return true;
    out_.error(format.place,
               fmt::format("operator `{}` ({}) does not take a weight in blocks, groups or half bytes, as {} is here",
                           op.name, name_of(op.type), name_of(format.dtype)),
               "only linear does; give its rule `operators: [linear]`");
    return false;
  }

  void put(std::uint32_t index, std::uint32_t t, const Format& format) {
    auto& tensor = trace_.tensors[t];
    const bool agrees = tensor.dtype == format.dtype && tensor.grouping == format.grouping;
    if (reader_[t] != kNone && !agrees) {
      out_.error(
          format.place,
          fmt::format("operators `{}` and `{}` read weight `{}`, but want {} and {}", trace_.operators[reader_[t]].name,
                      trace_.operators[index].name, tensor.name, name_of(tensor.dtype), name_of(format.dtype)),
          "a weight is stored once");
      return;
    }
    reader_[t] = index;
    tensor.dtype = format.dtype;
    tensor.grouping = format.grouping;
  }

  Trace& trace_;
  const TensorHints& hints_;
  Diagnostics& out_;
  std::vector<bool> moves_;  // with what operators that only move read too: stored like that
  std::vector<std::uint32_t> reader_;
};

// A rule that is wrong is wrong for many operators: the first speaks for all.
Diagnostics once_a_place(const Diagnostics& all) {
  std::map<std::tuple<Source, unsigned, unsigned>, std::pair<Diagnostic, unsigned>> places;
  for (const auto& each : all.all()) {
    const auto& where = each.location;
    const auto [found, is_new] = places.try_emplace({where.source, where.line, where.column}, each, 0U);
    if (!is_new) ++found->second.second;
  }
  Diagnostics out;
  for (auto& [place, said] : places) {
    if (said.second > 0) said.first.message += fmt::format("; and so for {} more", said.second);
    out.add(said.first);
  }
  return out;
}

bool has_scale(const Tensor& tensor) { return tensor.dtype == Dtype::int8 || tensor.dtype == Dtype::int4; }

// What is moved together has one scale; the file's word for one of them counts for all.
void set_scales(Trace& trace, const TensorHints& hints, const std::vector<std::uint32_t>& origin) {
  const auto together = moved_together(trace);
  std::vector<double> said(trace.tensors.size(), 0.0);
  auto speaker = together;  // whose placeholder counts for all: an activation if there is one
  for (std::uint32_t t = 0; t < trace.tensors.size(); ++t) {
    const bool is_own = t < hints.scales.size() && hints.scales[t] > 0.0;
    if (is_own && said[together[t]] == 0.0) said[together[t]] = hints.scales[t];
    if (trace.tensors[t].role != Role::weight) speaker[together[t]] = t;
  }
  for (std::uint32_t t = 0; t < trace.tensors.size(); ++t) {
    auto& tensor = trace.tensors[t];
    if (hints.is_fixed[origin[t]] && t == origin[t]) continue;
    tensor.scale = 1.0;
    if (!has_scale(tensor) || tensor.grouping.group > 0) continue;
    tensor.scale = said[together[t]] > 0.0 ? said[together[t]] : placeholder_scale(trace.tensors[speaker[together[t]]]);
  }
  for (const auto& op : trace.operators) {
    if (!has_weight(op)) continue;
    auto& weight = trace.tensors[op.inputs[1].tensor];
    const auto& x = trace.tensors[op.inputs[0].tensor];
    if (!has_scale(x) && weight.role == Role::weight) weight.scale = 1.0;
    if (op.inputs.size() < 3 || trace.tensors[op.inputs[2].tensor].dtype != Dtype::int32) continue;
    trace.tensors[op.inputs[2].tensor].scale = x.scale * weight.scale;
  }
}

}  // namespace

double placeholder_scale(const Tensor& tensor) {
  const double largest = tensor.dtype == Dtype::int4 ? 7.0 : 127.0;
  if (!has_scale(tensor)) return 1.0;
  if (tensor.role == Role::weight && tensor.shape.size() > 1) {
    return std::sqrt(3.0 / static_cast<double>(tensor.shape.front())) / largest;
  }
  return tensor.dtype == Dtype::int4 ? 1.0 / 2.0 : 1.0 / 32.0;
}

Checked<Converted> apply_recipe(const Recipe& recipe, const Trace& trace, const TensorHints& hints) {
  Diagnostics out;
  const auto formats = formats_of_operators(recipe, trace, out);
  const auto wanted = wanted_types(trace, formats, out);
  Converted converted{.trace = trace};
  converted.operators.resize(trace.operators.size());
  converted.tensors.resize(trace.tensors.size());
  std::iota(converted.operators.begin(), converted.operators.end(), 0U);
  std::iota(converted.tensors.begin(), converted.tensors.end(), 0U);
  WeightStore weights(converted.trace, hints, out);
  for (std::uint32_t i = 0; i < trace.operators.size(); ++i) {
    const auto& inputs = wanted[i].inputs;
    weights.store(i, formats[i], inputs.empty() ? std::nullopt : inputs[0]);
  }
  if (out.has_errors()) return once_a_place(out);
  store_activations(converted.trace, wanted, hints.is_fixed);
  insert_casts(converted, wanted);
  set_scales(converted.trace, hints, converted.tensors);
  return converted;
}

}  // namespace archsim
