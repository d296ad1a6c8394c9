#include "models/roofline/peaks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

#include "arch/mapping/schedule/suitability.h"
#include "arch/workload/effort.h"

namespace archsim {
namespace {

std::uint64_t columns(const Tensor& tensor) { return tensor.shape.empty() ? 1 : tensor.shape.back(); }
std::uint64_t rows(const Tensor& tensor) { return tensor.elements() / columns(tensor); }

// Rates of several kinds of work that share the same units. rate[kind][unit] is work a second. Any schedule of duration T
// keeps sum over kinds of work[kind] / total(kind) at or below T * sum over units of max over kinds of
// rate[kind][unit] / total(kind): so work / (total * spread) seconds of each kind add up to a lower bound, and for
// equal units the spread is 1. Kinds that the trace does not use stay out of the maximum.
class SharedUnits {
 public:
  SharedUnits(std::size_t kinds, std::size_t units) : units_(units), rate_(kinds * units, 0.0), used_(kinds, false) {}

  double& rate(std::size_t kind, std::size_t unit) { return rate_[kind * units_ + unit]; }
  void use(std::size_t kind) { used_[kind] = true; }
  double total(std::size_t kind) const {
    double sum = 0.0;
    for (std::size_t u = 0; u < units_; ++u) sum += rate_[kind * units_ + u];
    return sum;
  }
  double spread() const {
    double sum = 0.0;
    for (std::size_t u = 0; u < units_; ++u) {
      double share = 0.0;
      for (std::size_t k = 0; k < used_.size(); ++k) {
        if (used_[k] && total(k) > 0.0) share = std::max(share, rate_[k * units_ + u] / total(k));
      }
      sum += share;
    }
    return std::max(sum, 1.0);
  }

 private:
  std::size_t units_;
  std::vector<double> rate_;
  std::vector<bool> used_;
};

// A kind of multiplications: an element type, with 2:4 sparse weights or without.
constexpr std::size_t kMatrixKinds = 2 * kDtypes;
constexpr std::size_t kind_of(Dtype dtype, bool skips) {
  return static_cast<std::size_t>(dtype) + (skips ? kDtypes : 0);
}

struct MatrixWork {
  std::size_t kind = 0;
  std::uint64_t macs = 0;
};

using Ways = std::vector<std::vector<VectorFunction>>;  // any one of these sequences does it

struct VectorWork {
  Ways ways;
  std::uint64_t elements = 0;
};

// Arrays skip zeros only of weights that are stored as they are multiplied.
std::size_t kind_of(const Tensor& a, const Tensor& w) {
  const bool is_native = a.dtype == w.dtype && w.grouping.group == 0;
  return kind_of(bits(a.dtype) >= bits(w.dtype) ? a.dtype : w.dtype, is_native && w.grouping.is_two_of_four);
}

// Scores of one head that the mask leaves: a query sees all keys up to its own end, or its block's.
std::uint64_t visible_scores(const Operator& op, std::uint64_t queries, std::uint64_t keys) {
  const auto mask = op.text("mask", "none");
  if (mask == "none" || keys < queries) return queries * keys;
  const std::uint64_t before = keys - queries;
  if (mask == "causal") return queries * before + queries * (queries + 1) / 2;
  std::uint64_t scores = 0;
  std::uint64_t end = before;
  for (const auto block : op.integers("blocks")) {
    end += static_cast<std::uint64_t>(block);
    scores += static_cast<std::uint64_t>(block) * end;
  }
  return scores;
}

std::uint64_t attention_scores(const Trace& trace, const Operator& op) {
  const auto batch = static_cast<std::uint64_t>(op.integer("batch", 1));
  const auto heads = static_cast<std::uint64_t>(op.integer("heads", 1));
  std::uint64_t keys = 0;
  for (std::size_t i = 1; i < op.inputs.size(); i += 2) keys += rows(trace.tensors[op.inputs[i].tensor]);
  const auto queries = rows(trace.tensors[op.inputs[0].tensor]);
  return batch * heads * visible_scores(op, queries / batch, keys / batch);
}

std::vector<MatrixWork> matrix_work(const Trace& trace, const Operator& op) {
  const auto tensor = [&](std::size_t i) -> const Tensor& { return trace.tensors[op.inputs[i].tensor]; };
  switch (op.type) {
    case OperatorType::linear:
      return {{kind_of(tensor(0), tensor(1)), rows(tensor(0)) * tensor(1).elements()}};
    case OperatorType::matmul:
      return {{kind_of(tensor(0), tensor(1)), trace.tensors[op.outputs[0].tensor].elements() * columns(tensor(0))}};
    case OperatorType::attention: {
      const auto macs = attention_scores(trace, op) * static_cast<std::uint64_t>(op.integer("head_dim", 1));
      return {{kind_of(tensor(0), tensor(1)), macs}, {kind_of(tensor(0), tensor(2)), macs}};
    }
    default:
      return {};
  }
}

// The activation alone, or with the product of a gated unit in one pass.
struct Activation {
  VectorFunction alone, gated;
};

std::optional<Activation> activation_of(const Operator& op, std::string_view name) {
  if (name == "gelu" && op.flag("approximate", false))
    return Activation{VectorFunction::gelu_tanh, VectorFunction::glu_gelu_tanh};
  if (name == "gelu") return Activation{VectorFunction::gelu_erf, VectorFunction::glu_gelu_erf};
  if (name == "silu") return Activation{VectorFunction::silu, VectorFunction::glu_silu};
  if (name == "relu") return Activation{VectorFunction::relu, VectorFunction::glu_relu};
  if (name == "sigmoid") return Activation{VectorFunction::sigmoid, VectorFunction::glu_sigmoid};
  return {};
}

Ways activation_ways(const Operator& op) {
  const auto activation = activation_of(op, name_of(op.type));
  return activation ? Ways{{activation->alone}} : Ways{};
}

Ways glu_ways(const Operator& op) {
  const auto name = op.text("activation", "gelu");
  if (name == "tanh") return {{VectorFunction::tanh, VectorFunction::mul}};
  const auto activation = activation_of(op, name);
  return activation ? Ways{{activation->gated}, {activation->alone, VectorFunction::mul}} : Ways{};
}

// Sums, scales, casts and moves are left out: an accumulating matmul, a bias, a converting store or a DMA can do them.
VectorWork vector_work(const Trace& trace, const Operator& op) {
  const auto elements = trace.tensors[op.outputs[0].tensor].elements();
  switch (op.type) {
    case OperatorType::attention:
      return {{{VectorFunction::softmax}, {VectorFunction::softmax_step}}, attention_scores(trace, op)};
    case OperatorType::softmax:
      return {{{VectorFunction::softmax}, {VectorFunction::softmax_step}}, elements};
    case OperatorType::layernorm:
      return {{{VectorFunction::layernorm}}, elements};
    case OperatorType::rmsnorm:
      return {{{VectorFunction::rmsnorm}}, elements};
    case OperatorType::rope:
      return {{{VectorFunction::rope}}, elements};
    case OperatorType::mul:
      return {{{VectorFunction::mul}}, elements};
    case OperatorType::tanh:
      return {{{VectorFunction::tanh}}, elements};
    case OperatorType::gelu:
    case OperatorType::silu:
    case OperatorType::relu:
    case OperatorType::sigmoid:
      return {activation_ways(op), elements};
    case OperatorType::glu:
      return {glu_ways(op), elements};
    default:
      return {};
  }
}

class Peaks {
 public:
  Peaks(const Trace& trace, const MachineView& machine)
      : trace_(trace),
        machine_(machine),
        arrays_(kMatrixKinds, machine.accelerators.size()),
        lanes_(kVectorFunctions, machine.accelerators.size()) {
    for (std::size_t a = 0; a < machine.accelerators.size(); ++a) add_rates(a);
    for (const auto& op : trace.operators) {
      for (const auto& work : matrix_work(trace, op)) arrays_.use(work.kind);
      for (const auto& way : vector_work(trace, op).ways) {
        for (const auto function : way) lanes_.use(static_cast<std::size_t>(function));
      }
    }
    array_spread_ = arrays_.spread();
    lane_spread_ = lanes_.spread();
  }

  OperatorPeak of(std::uint32_t index) const {
    const auto& op = trace_.operators[index];
    OperatorPeak peak;
    peak.by_host = std::none_of(machine_.accelerators.begin(), machine_.accelerators.end(),
                                [&](const auto& accelerator) { return verdict(trace_, index, accelerator).can(); });
    if (peak.by_host) {
      peak.host_s = host_seconds(op);
    } else {
      for (const auto& work : matrix_work(trace_, op)) {
        const double rate = arrays_.total(work.kind) * array_spread_;
        peak.macs += work.macs;
        if (rate > 0.0) peak.compute_s += static_cast<double>(work.macs) / rate;
      }
      peak.vector_s = vector_seconds(vector_work(trace_, op));
    }
    peak.dram_bytes = stored_bytes(op);
    if (machine_.dram.peak.value > 0.0) peak.dram_s = static_cast<double>(peak.dram_bytes) / machine_.dram.peak.value;
    return peak;
  }

 private:
  void add_rates(std::size_t unit) {
    const auto& accelerator = machine_.accelerators[unit];
    const double clock = static_cast<double>(accelerator.clock.value);
    const double elements = static_cast<double>(accelerator.rows) * accelerator.columns;
    for (const auto& [dtype, macs] : accelerator.macs_per_pe) {
      const auto faster = accelerator.sparsity.find(Sparsity::two_of_four);
      arrays_.rate(kind_of(dtype, false), unit) = macs * elements * clock;
      arrays_.rate(kind_of(dtype, true), unit) =
          arrays_.rate(kind_of(dtype, false), unit) * (faster == accelerator.sparsity.end() ? 1.0 : faster->second);
    }
    for (const auto& [function, cycles] : accelerator.vector_cycles_per_element) {
      lanes_.rate(static_cast<std::size_t>(function), unit) = accelerator.vector_lanes * clock / cycles;
    }
  }

  // The quickest of the ways that the accelerators have; 0 if they have none: then the host does it, at its own price.
  double vector_seconds(const VectorWork& work) const {
    double best = std::numeric_limits<double>::infinity();
    for (const auto& way : work.ways) {
      double cycles = 0.0;
      for (const auto function : way) cycles += 1.0 / (lanes_.total(static_cast<std::size_t>(function)) * lane_spread_);
      best = std::min(best, static_cast<double>(work.elements) * cycles);
    }
    return std::isfinite(best) ? best : 0.0;
  }

  double host_seconds(const Operator& op) const {
    if (!machine_.host.estimate) return 0.0;
    const auto time = machine_.host.estimate(op, elements_to_handle(trace_, op));
    return time ? seconds(*time) : 0.0;
  }

  std::uint64_t stored_bytes(const Operator& op) const {
    std::uint64_t bytes = 0;
    for (const auto& use : op.inputs) {
      const auto& tensor = trace_.tensors[use.tensor];
      if (tensor.role == Role::activation || tensor.role == Role::output) continue;
      const bool gathers = op.type == OperatorType::embedding && tensor.role == Role::weight;
      bytes += gathers ? tensor.packing().bytes(trace_.tensors[op.outputs[0].tensor].elements()) : tensor.bytes();
    }
    return bytes;
  }

  const Trace& trace_;
  const MachineView& machine_;
  SharedUnits arrays_, lanes_;
  double array_spread_ = 1.0, lane_spread_ = 1.0;
};

}  // namespace

double OperatorPeak::longest_s() const { return std::max({compute_s, vector_s, dram_s, host_s}); }

std::string_view OperatorPeak::roof() const {
  const double longest = longest_s();
  if (longest == compute_s) return "compute";
  if (longest == dram_s) return "dram";
  if (longest == vector_s) return "vector";
  return "cpu";
}

std::vector<OperatorPeak> operator_peaks(const Trace& trace, const MachineView& machine) {
  const Peaks peaks(trace, machine);
  std::vector<OperatorPeak> out;
  out.reserve(trace.operators.size());
  for (std::uint32_t i = 0; i < trace.operators.size(); ++i) out.push_back(peaks.of(i));
  return out;
}

Bytes prefetch_capacity(const MachineView& machine) {
  Bytes capacity = machine.on_chip_capacity();
  for (const auto& accelerator : machine.accelerators) {
    // A processing element holds as many weights as it multiplies a cycle, twice.
    double widest = 0.0, skipped = 1.0;
    for (const auto& entry : accelerator.sparsity) skipped = std::max(skipped, entry.second);
    for (const auto& [dtype, rate] : accelerator.macs_per_pe) {
      widest = std::max(widest, static_cast<double>(packing_of(dtype).bytes(16)) / 16.0 * std::max(rate, 1.0));
    }
    capacity +=
        Bytes(static_cast<std::uint64_t>(std::ceil(2.0 * widest * skipped)) * accelerator.rows * accelerator.columns);
  }
  return capacity;
}

std::optional<Dtype> rate_dtype(const Trace& trace, const MachineView& machine, const Operator& op) {
  std::optional<Dtype> slowest;
  double least = 0.0;
  for (const TensorUse& input : op.inputs) {
    const Dtype dtype = trace.tensors[input.tensor].dtype;
    const double rate = machine.peak_macs_per_second(dtype);
    if (rate <= 0.0 || (slowest && rate >= least)) continue;
    least = rate;
    slowest = dtype;
  }
  return slowest;
}

}  // namespace archsim
