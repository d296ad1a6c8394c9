#include "arch/workload/count.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "arch/workload/copies.h"
#include "arch/workload/effort.h"

namespace archsim {
namespace {

std::uint64_t rows(const Tensor& tensor) { return tensor.elements() / tensor.shape.back(); }
std::uint64_t columns(const Tensor& tensor) { return tensor.shape.back(); }

// Operators that only say where a value lies, or that make a table of the schedule: nothing passes through a unit.
bool only_addresses(const Operator& op) {
  switch (op.type) {
    case OperatorType::patchify:
    case OperatorType::broadcast:
    case OperatorType::slice:
    case OperatorType::sincos:
    case OperatorType::reshape:
    case OperatorType::im2col:
      return true;
    case OperatorType::concat:
      return op.integer("axis", 0) == 0 || op.flag("placed", false);
    default:
      return false;
  }
}

bool is_vector_work(OperatorType type) {
  switch (type) {
    case OperatorType::linear:
    case OperatorType::matmul:
    case OperatorType::attention:  // its scores are counted apart
    case OperatorType::depthwise_conv:
    case OperatorType::embedding:
    case OperatorType::image_preprocess:
    case OperatorType::tokenize:
    case OperatorType::action_postprocess:
      return false;
    default:
      return true;
  }
}

// A row that scales or shifts all rows of x (adaRMS, AdaLN and FiLM make them from time or a condition): the norm or sum
// that it belongs to does it on the way.
bool is_modulation(const Trace& trace, const Operator& op) {
  if (op.type != OperatorType::add && op.type != OperatorType::mul) return false;
  const auto& x = trace.tensors[op.inputs[0].tensor];
  const auto& row = trace.tensors[op.inputs[1].tensor];
  return row.role != Role::weight && rows(row) == 1 && rows(x) > 1;
}

// A ReLU in place clamps what the operator before it just made.
bool is_clamp(const Operator& op) { return op.type == OperatorType::relu && op.inputs[0] == op.outputs[0]; }

// Gamma and beta, and what modulates: parameters even where they are computed.
bool is_parameter(const Operator& op, std::size_t input) {
  return input > 0 &&
         (op.type == OperatorType::layernorm || op.type == OperatorType::rmsnorm || op.type == OperatorType::groupnorm);
}

class Counter {
 public:
  explicit Counter(const Trace& trace) : trace_(trace), positions_(positions(trace)) {
    for (std::size_t i = 0; i < trace.operators.size(); ++i) {
      const auto& op = trace.operators[i];
      for (const auto& use : op.outputs) {
        written_.insert({positions_[i].stage, use.tensor});
        if (op.type == OperatorType::im2col) unfolded_.insert(use.tensor);
      }
    }
  }

  TraceCounts run() {
    TraceCounts out;
    for (const auto& stage : trace_.stages) {
      out.stages.push_back({stage.name, trace_.loops[stage.repeat.loop].count, {}});
    }
    for (std::uint32_t i = 0; i < trace_.operators.size(); ++i) {
      out.operators.push_back(one(i));
      add_to_stage(i, out.operators.back(), out.stages[positions_[i].stage]);
      out.executed_operators += positions_[i].instances;
      if (trace_.operators[i].type == OperatorType::cast) out.casts += positions_[i].instances;
    }
    add_weights(out);
    for (const auto& stage : out.stages) {
      out.macs += stage.once.macs * stage.repeat;
      out.attention_macs += stage.once.attention_macs * stage.repeat;
      out.dead_macs += stage.once.dead_macs * stage.repeat;
    }
    add_totals(out);
    return out;
  }

 private:
  const Tensor& tensor(const TensorUse& use) const { return trace_.tensors[use.tensor]; }

  Counts one(std::uint32_t index) const {
    const auto& op = trace_.operators[index];
    Counts counts;
    add_macs(op, counts);
    if (op.dead) counts.dead_macs = counts.macs;
    const bool moves = !only_addresses(op) && !is_modulation(trace_, op) && !is_clamp(op);
    for (std::size_t i = 0; i < op.inputs.size(); ++i) add_operand(index, i, moves, counts);
    for (const auto& use : op.outputs) add_result(use, moves, counts);
    if (is_vector_work(op.type) && moves) counts.vector_elements += elements_to_handle(trace_, op);
    return counts;
  }

  void add_macs(const Operator& op, Counts& counts) const {
    const auto& x = tensor(op.inputs[0]);
    if (op.type == OperatorType::linear) {
      counts.macs = rows(x) * tensor(op.inputs[1]).elements();
    } else if (op.type == OperatorType::matmul) {
      counts.macs = tensor(op.outputs[0]).elements() * columns(x);
    } else if (op.type == OperatorType::depthwise_conv) {
      counts.macs = elements_to_handle(trace_, op);
    } else if (op.type == OperatorType::attention) {
      std::uint64_t keys = 0;
      for (std::size_t i = 1; i < op.inputs.size(); i += 2) keys += rows(tensor(op.inputs[i]));
      const auto batch = static_cast<std::uint64_t>(op.integer("batch", 1));
      const auto heads = static_cast<std::uint64_t>(op.integer("heads", 1));
      const auto head_dim = static_cast<std::uint64_t>(op.integer("head_dim", 1));
      counts.score_elements = heads * rows(x) * (keys / batch);
      counts.vector_elements = counts.score_elements;
      counts.attention_macs = 2 * counts.score_elements * head_dim;
      counts.macs = counts.attention_macs;
    }
  }

  void add_operand(std::uint32_t index, std::size_t input, bool moves, Counts& counts) const {
    const auto& op = trace_.operators[index];
    const auto& use = op.inputs[input];
    const auto& t = tensor(use);
    if (t.role == Role::weight) {
      const bool gathers = op.type == OperatorType::embedding;
      const auto elements = gathers ? tensor(op.outputs[0]).elements() : t.elements();
      counts.weight_elements += elements;
      counts.weight_bytes += gathers ? t.packing().bytes(elements) : t.stored().total();
      return;
    }
    if (t.role == Role::kv_cache && !written_.contains({positions_[index].stage, use.tensor})) {
      counts.kv_read_bytes += t.bytes();
      return;
    }
    if (t.role == Role::constant || is_parameter(op, input)) return;
    if (op.type == OperatorType::embedding) {  // an id weighs as much as an element of what it gathers
      counts.activation_bytes += t.elements() * bits(tensor(op.inputs[1]).dtype) / 8;
      return;
    }
    // A convolution reads its grid, not the rows of overlapping windows that stand for it.
    if (op.type == OperatorType::im2col || (moves && !unfolded_.contains(use.tensor))) {
      counts.activation_bytes += t.bytes();
    }
  }

  void add_result(const TensorUse& use, bool moves, Counts& counts) const {
    const auto& t = tensor(use);
    if (t.role == Role::kv_cache) counts.kv_write_bytes += t.bytes();
    const bool is_index = t.dtype == Dtype::int32;
    if (moves && !is_index) counts.activation_bytes += t.bytes();
  }

  // All but the weights, which a stage fetches once however many operators use them.
  void add_to_stage(std::uint32_t index, Counts counts, StageCounts& stage) const {
    const auto times = positions_[index].instances / stage.repeat;
    counts.weight_elements = 0;
    counts.weight_bytes = 0;
    for (auto* field :
         {&counts.macs, &counts.attention_macs, &counts.dead_macs, &counts.kv_read_bytes, &counts.kv_write_bytes,
          &counts.activation_bytes, &counts.score_elements, &counts.vector_elements}) {
      *field *= times;
    }
    stage.once += counts;
  }

  void add_weights(TraceCounts& out) const {
    std::vector<std::map<std::uint32_t, std::vector<CopyBox>>> touched(out.stages.size());
    for (std::uint32_t i = 0; i < trace_.operators.size(); ++i) {
      const auto& op = trace_.operators[i];
      const auto& where = positions_[i];
      auto& stage = out.stages[where.stage];
      for (const auto& use : op.inputs) {
        const auto& t = tensor(use);
        if (t.role != Role::weight) continue;
        if (op.type == OperatorType::embedding) {
          const auto times = where.instances / stage.repeat;
          stage.once.weight_elements += out.operators[i].weight_elements * times;
          stage.once.weight_bytes += out.operators[i].weight_bytes * times;
        } else {
          touched[where.stage][use.tensor].push_back(copies_touched(trace_, use, where.loops.front()));
        }
      }
    }
    for (std::size_t s = 0; s < touched.size(); ++s) {
      for (const auto& [index, boxes] : touched[s]) {
        const auto copies = copies_in_union(boxes);
        out.stages[s].once.weight_elements += trace_.tensors[index].elements() * copies;
        out.stages[s].once.weight_bytes += trace_.tensors[index].stored().total() * copies;
      }
    }
  }

  static void add_format(const Tensor& t, std::vector<FormatCounts>& formats) {
    const auto is_like = [&](const FormatCounts& format) {
      return format.role == t.role && format.dtype == t.dtype && format.grouping == t.grouping;
    };
    auto found = std::find_if(formats.begin(), formats.end(), is_like);
    if (found == formats.end()) {
      found = formats.insert(formats.end(), {.role = t.role, .dtype = t.dtype, .grouping = t.grouping});
    }
    found->elements += t.elements() * t.number_of_copies();
    found->bytes += t.stored() * t.number_of_copies();
  }

  void add_totals(TraceCounts& out) const {
    for (const auto& t : trace_.tensors) {
      add_format(t, out.formats);
      if (t.role == Role::weight) {
        out.parameters += t.elements() * t.number_of_copies();
        out.weight_bytes += t.stored().total() * t.number_of_copies();
      } else if (t.role == Role::kv_cache) {
        out.kv_cache_bytes += t.bytes() * t.number_of_copies();
      }
    }
    std::stable_sort(out.formats.begin(), out.formats.end(), [](const FormatCounts& a, const FormatCounts& b) {
      return std::pair(a.role, a.dtype) < std::pair(b.role, b.dtype);
    });
  }

  const Trace& trace_;
  std::vector<Position> positions_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> written_;  // (stage, tensor)
  std::set<std::uint32_t> unfolded_;                           // results of im2col
};

}  // namespace

Counts& Counts::operator+=(const Counts& more) {
  macs += more.macs;
  attention_macs += more.attention_macs;
  dead_macs += more.dead_macs;
  weight_elements += more.weight_elements;
  weight_bytes += more.weight_bytes;
  kv_read_bytes += more.kv_read_bytes;
  kv_write_bytes += more.kv_write_bytes;
  activation_bytes += more.activation_bytes;
  score_elements += more.score_elements;
  vector_elements += more.vector_elements;
  return *this;
}

TraceCounts count(const Trace& trace) { return Counter(trace).run(); }

}  // namespace archsim
