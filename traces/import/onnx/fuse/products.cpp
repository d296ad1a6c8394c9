// What a product takes on: a frozen batch norm becomes part of a filter, a sum with a stored row its bias.
#include "traces/import/onnx/fuse/matcher.h"

namespace archsim::onnx_graph {
namespace {

bool reads_directly(const Node& node, Id id) { return node.input(0) == id || node.input(1) == id; }

// The reader's result becomes the product's; the reader itself is then no longer needed.
void take_over(Node& product, Node& reader) {
  product.out[0] = reader.out[0];
  reader.out.clear();
}

}  // namespace

void fuse_batch_norms(Graph& graph) {
  Matcher match(graph);
  for (Node& node : graph.nodes) {
    if (node.op != "Conv" || !graph[node.in[1]].is_stored) continue;
    Node* norm = match.only_reader(node);
    if (!norm || norm->op != "BatchNormalization" || norm->in[0] != node.out[0] || !graph[norm->in[1]].is_stored) {
      continue;
    }
    if (node.input(2) == kAbsent) {
      node.in.resize(3, kAbsent);
      node.in[2] = graph.add({.name = norm->name + ".bias",
                              .type = graph[node.out[0]].type,
                              .dims = {graph[node.out[0]].dims[1]},
                              .has_dims = true,
                              .is_stored = true,
                              .is_weight = true});
    }
    take_over(node, *norm);
  }
}

void fuse_biases(Graph& graph) {
  Matcher match(graph);
  for (Node& node : graph.nodes) {
    if (node.op != "MatMul" || !graph[node.in[1]].is_stored || graph[node.in[0]].is_stored || node.in.size() != 2)
      continue;
    const Dims &weight = graph[node.in[1]].dims, &out = graph[node.out[0]].dims;
    if (weight.size() < 2 || out.empty()) continue;
    if (elements_of(weight) != weight.back() * weight[weight.size() - 2]) continue;
    Node* add = match.only_reader(node);
    if (!add || add->op != "Add" || !reads_directly(*add, node.out[0])) continue;
    const Id bias = add->in[add->in[0] == node.out[0] ? 1 : 0];
    const Value& row = graph[bias];
    const bool is_row = row.is_stored && is_real(row.type) && !row.dims.empty() && row.dims.back() == out.back() &&
                        elements_of(row.dims) == out.back();
    if (!is_row || graph[add->out[0]].dims != out) continue;
    node.in.push_back(bias);
    take_over(node, *add);
  }
}

}  // namespace archsim::onnx_graph
