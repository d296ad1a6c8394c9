#include "traces/recipes/wanted.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "traces/recipes/operator_formats.h"

namespace archsim {
namespace {

bool only_moves(OperatorType type) {
  switch (type) {
    case OperatorType::concat:
    case OperatorType::slice:
    case OperatorType::broadcast:
    case OperatorType::patchify:
    case OperatorType::reshape:
    case OperatorType::pixel_shuffle:
    case OperatorType::im2col:
      return true;
    default:
      return false;
  }
}

bool is_integer(Dtype dtype) { return dtype == Dtype::int8 || dtype == Dtype::int4; }

class Wishes {
 public:
  Wishes(const Trace& trace, Diagnostics& out) : trace_(trace), out_(out) {}

  Wanted of(const Operator& op, const OperatorFormats& formats) {
    Wanted wanted{std::vector<std::optional<Dtype>>(op.inputs.size()), {}};
    if (only_moves(op.type)) return wanted;
    const auto activation = activation_of(op, formats);
    if (activation && is_plain(activation->dtype)) wanted.result = activation->dtype;
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      const auto& tensor = trace_.tensors[op.inputs[i].tensor];
      // A weight may be what is multiplied, such as a learned query.
      if (tensor.role == Role::weight && !(is_product(op.type) && i == 0)) continue;
      wanted.inputs[i] = activation ? activation->dtype : tensor.dtype;
      if (op.type == OperatorType::attention && i > 0 && formats.kv) wanted.inputs[i] = formats.kv->dtype;
      if (is_parameter(op, i)) wanted.inputs[i] = formats.weight ? formats.weight->front().dtype : tensor.dtype;
    }
    check_accumulator(op, formats, activation ? activation->dtype : trace_.tensors[op.inputs[0].tensor].dtype);
    return wanted;
  }

 private:
  // Gamma and beta, also where they are computed.
  static bool is_parameter(const Operator& op, std::size_t input) {
    return input > 0 && (op.type == OperatorType::layernorm || op.type == OperatorType::rmsnorm ||
                         op.type == OperatorType::groupnorm);
  }

  std::optional<Format> activation_of(const Operator& op, const OperatorFormats& formats) {
    if (!formats.activation) return std::nullopt;
    const auto& x = trace_.tensors[op.inputs[0].tensor];
    if (op.type == OperatorType::linear) return fitting(*formats.activation, x.shape.back(), op.name, out_);
    for (const auto& format : *formats.activation) {
      if (is_plain(format.dtype)) return format;
    }
    const auto& format = formats.activation->front();
    tell(format.place,
         fmt::format("operator `{}` ({}) does not take {}", op.name, name_of(op.type), name_of(format.dtype)),
         "only linear takes blocks and half bytes; give its rule `operators: [linear]`");
    return std::nullopt;
  }

  void check_accumulator(const Operator& op, const OperatorFormats& formats, Dtype activation) {
    if (!formats.accumulate || !is_product(op.type)) return;
    const Dtype real = is_integer(activation) ? Dtype::int32 : Dtype::fp32;
    if (formats.accumulate->dtype == real) return;
    tell(formats.accumulate->place,
         fmt::format("operator `{}` multiplies {}, which accumulates in {}, not {}", op.name, name_of(activation),
                     name_of(real), name_of(formats.accumulate->dtype)),
         "arrays sum int8 and int4 in int32, everything else in fp32");
  }

  // Once a place.
  void tell(const Location& where, std::string message, std::string help) {
    if (told_.insert({where.line, where.column}).second) out_.error(where, std::move(message), std::move(help));
  }

  const Trace& trace_;
  Diagnostics& out_;
  std::set<std::pair<unsigned, unsigned>> told_;
};

// What is asked of tensors that move together.
struct Demand {
  std::set<Dtype> reads, writes;
  std::optional<Dtype> fixed;
};

// Of element types of the same width the one that is there already, then the first.
Dtype widest(const std::set<Dtype>& types, Dtype declared) {
  return *std::max_element(types.begin(), types.end(), [&](Dtype a, Dtype b) {
    return std::pair(bits(a), a == declared) < std::pair(bits(b), b == declared);
  });
}

Dtype decide(const Demand& demand, Dtype declared) {
  if (demand.fixed) return *demand.fixed;
  if (!demand.reads.empty()) return widest(demand.reads, declared);
  return demand.writes.empty() ? declared : widest(demand.writes, declared);
}

}  // namespace

std::vector<Wanted> wanted_types(const Trace& trace, const std::vector<OperatorFormats>& formats, Diagnostics& out) {
  Wishes wishes(trace, out);
  std::vector<Wanted> all;
  for (std::size_t i = 0; i < trace.operators.size(); ++i) all.push_back(wishes.of(trace.operators[i], formats[i]));
  return all;
}

std::vector<std::uint32_t> moved_together(const Trace& trace) {
  std::vector<std::uint32_t> parent(trace.tensors.size());
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root = [&parent](std::uint32_t t) {
    while (parent[t] != t) t = parent[t] = parent[parent[t]];
    return t;
  };
  for (const auto& op : trace.operators) {
    if (!only_moves(op.type)) continue;
    for (const auto& use : op.inputs) {
      const auto from = root(use.tensor), to = root(op.outputs[0].tensor);
      parent[std::max(from, to)] = std::min(from, to);
    }
  }
  for (std::uint32_t t = 0; t < parent.size(); ++t) parent[t] = root(t);
  return parent;
}

void store_activations(Trace& trace, const std::vector<Wanted>& wanted, const std::vector<bool>& is_fixed) {
  const auto together = moved_together(trace);
  std::vector<Demand> demands(trace.tensors.size());
  for (std::size_t i = 0; i < trace.operators.size(); ++i) {
    const auto& op = trace.operators[i];
    for (std::size_t k = 0; k < op.inputs.size(); ++k) {
      const auto& want = wanted[i].inputs[k];
      // A cache is stored for attention, whatever else passes through it.
      const bool is_cache = trace.tensors[op.inputs[k].tensor].role == Role::kv_cache;
      if (is_cache && !is_product(op.type)) continue;
      if (want && is_plain(*want)) demands[together[op.inputs[k].tensor]].reads.insert(*want);
    }
    for (const auto& use : op.outputs) {
      if (wanted[i].result) demands[together[use.tensor]].writes.insert(*wanted[i].result);
    }
  }
  std::vector<bool> has_others(trace.tensors.size(), false);  // groups that are more than a single weight
  for (std::uint32_t t = 0; t < trace.tensors.size(); ++t) {
    if (is_fixed[t]) demands[together[t]].fixed = trace.tensors[t].dtype;
    if (trace.tensors[t].role != Role::weight) has_others[together[t]] = true;
  }
  for (std::uint32_t t = 0; t < trace.tensors.size(); ++t) {
    if (!is_fixed[t] && has_others[together[t]]) {
      trace.tensors[t].dtype = decide(demands[together[t]], trace.tensors[t].dtype);
    }
  }
}

}  // namespace archsim
