// Who makes a value, who reads it, and what it is: what patterns are looked for with.
#pragma once

#include "traces/import/onnx/graph/graph.h"

namespace archsim::onnx_graph {

class Matcher {
 public:
  explicit Matcher(Graph& graph);

  Graph& graph() { return graph_; }
  const Value& operator[](Id id) const { return graph_[id]; }

  /// The value behind nodes that change nothing but perhaps the width of real numbers: Identity, Dropout, Cast.
  Id through(Id id) const;
  /// The node of this operator that makes the value (seen through); null if another one does.
  const Node* made_by(Id id, std::string_view op) const;
  const Node* maker(Id id) const;
  /// The only reader of the node's first result (seen through), if it is the only one, and the result no output.
  Node* only_reader(const Node& node) const;
  bool is_read_once(Id id) const;

  /// Of a constant of one element.
  std::optional<double> scalar(Id id) const;
  bool is_about(Id id, double wanted) const;
  bool is_same(Id a, Id b) const { return through(a) == through(b); }

  /// The only axis that a reduction works on; empty if there are none or several.
  std::optional<std::size_t> only_axis(const Node& reduction) const;

  /// What is multiplied to make `id`: values, and the product of all constant factors. Goes into products that nobody
  /// else reads.
  struct Product {
    std::vector<Id> values;
    double factor = 1.0;
  };
  Product product(Id id) const;

 private:
  void collect(Id id, bool is_root, int depth, Product& out) const;

  Graph& graph_;
  std::vector<std::int32_t> maker_;                 // by value: index of a node, or -1
  std::vector<std::vector<std::int32_t>> readers_;  // by value
  std::vector<bool> is_output_;
};

// The passes; each rewrites the last node of what it finds, and leaves the others to drop_unused.
void fuse_norms(Graph& graph);
void fuse_activations(Graph& graph);
void fuse_softmax(Graph& graph);
void fuse_rope(Graph& graph);
/// Counts the masks that are known only at run time.
std::size_t fuse_attention(Graph& graph);
void fuse_glu(Graph& graph);
void fuse_batch_norms(Graph& graph);
void fuse_biases(Graph& graph);

}  // namespace archsim::onnx_graph
