// Operators of a trace as signatures.
#include <algorithm>

#include "traces/measured/signature.h"

namespace archsim {
namespace {

using Way = std::vector<Signature>;

const Tensor& input(const Trace& trace, const Operator& op, std::size_t i) {
  return trace.tensors[op.inputs[i].tensor];
}
const Tensor& output(const Trace& trace, const Operator& op) { return trace.tensors[op.outputs[0].tensor]; }

std::uint64_t rows_of(const Tensor& tensor) { return tensor.elements() / tensor.shape.back(); }

void linear(const Trace& trace, const Operator& op, std::vector<Way>& ways) {
  const Tensor& weight = input(trace, op, 1);
  const std::uint64_t rows = rows_of(input(trace, op, 0));
  const auto product = [&](std::uint64_t columns) {
    return Signature{"product", {1, rows, columns, weight.shape[0]}, {}};
  };
  ways.push_back({product(weight.shape[1])});
  if (op.outputs.size() < 2) return;
  Way parts;  // one product for each of the results
  for (const auto& use : op.outputs) parts.push_back(product(trace.tensors[use.tensor].shape.back()));
  ways.push_back(std::move(parts));
}

Signature matmul(const Trace& trace, const Operator& op) {
  const Tensor& a = input(trace, op, 0);
  const Tensor& y = output(trace, op);
  const std::uint64_t k = a.shape.back(), n = y.shape.back();
  const std::uint64_t m = a.shape.size() > 1 ? a.shape[a.shape.size() - 2] : 1;
  return {"product", {a.elements() / (m * k), m, n, k}, {}};
}

void attention(const Trace& trace, const Operator& op, std::vector<Way>& ways) {
  const auto heads = static_cast<std::uint64_t>(op.integer("heads", 1));
  const auto head = static_cast<std::uint64_t>(op.integer("head_dim", 1));
  const auto batch = static_cast<std::uint64_t>(op.integer("batch", 1));
  const std::uint64_t queries = rows_of(input(trace, op, 0)) / batch;
  std::uint64_t keys = 0;
  for (std::size_t i = 1; i + 1 < op.inputs.size(); i += 2) keys += rows_of(input(trace, op, i));
  keys /= batch;
  const std::uint64_t all = batch * heads;
  ways.push_back({{"attention", {all, queries, keys, head}, {}}});
  ways.push_back({{"product", {all, queries, keys, head}, {}},
                  {"softmax", {all * queries * keys, keys}, {}},
                  {"product", {all, queries, head, keys}, {}}});
}

std::string work_of(const Operator& op) {
  switch (op.type) {
    case OperatorType::scale:
      return "mul";
    case OperatorType::axpy:
      return "add";
    default:
      return std::string(name_of(op.type));
  }
}

}  // namespace

std::vector<std::vector<Signature>> ways_to_measure(const Trace& trace, const Operator& op) {
  std::vector<Way> ways{{{"named", {}, op.name}}};
  if (op.inputs.empty() || op.outputs.empty()) return ways;
  const std::uint64_t elements = output(trace, op).elements();
  const std::uint64_t columns = output(trace, op).shape.empty() ? 1 : output(trace, op).shape.back();
  switch (op.type) {
    case OperatorType::linear:
      linear(trace, op, ways);
      break;
    case OperatorType::matmul:
      ways.push_back({matmul(trace, op)});
      break;
    case OperatorType::attention:
      attention(trace, op, ways);
      break;
    case OperatorType::glu:
      ways.push_back({{op.text("activation", "silu"), {elements}, {}}, {"mul", {elements}, {}}});
      break;
    case OperatorType::softmax:
    case OperatorType::layernorm:
    case OperatorType::rmsnorm:
      ways.push_back({{work_of(op), {elements, columns}, {}}});
      break;
    case OperatorType::embedding:
      ways.push_back({{"embedding", {elements / columns, columns}, {}}});
      break;
    case OperatorType::depthwise_conv: {
      const Window window = window_of(op);
      const std::uint64_t places = window.rows() * window.columns();
      ways.push_back({{"depthwise", {elements / columns / places, places, columns, window.area()}, {}}});
      break;
    }
    default:
      ways.push_back({{work_of(op), {elements}, {}}});
  }
  return ways;
}

std::string show(const Signature& signature) {
  if (signature.work == "named") return signature.name;
  const bool has_batch = signature.sizes.size() == 4;
  std::string text;
  for (std::size_t i = has_batch ? 1 : 0; i < signature.sizes.size(); ++i) {
    text += (text.empty() ? "" : "x") + std::to_string(signature.sizes[i]);
  }
  return (has_batch && signature.sizes[0] != 1 ? std::to_string(signature.sizes[0]) + " of " : "") + text;
}

}  // namespace archsim
