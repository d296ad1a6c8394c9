// The trace in the making: where each value of the graph lies, and operators that are put there.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arch/workload/trace.h"
#include "traces/import/onnx/graph/graph.h"
#include "traces/import/onnx/lower/layout.h"

namespace archsim::onnx_graph {

using Index = std::uint32_t;  // of a tensor of the trace

/// A value in memory: a tensor of rows and columns, its elements in this order of the value's axes.
struct Placed {
  Index tensor = 0;
  Order order = {};
};

class Builder {
 public:
  Builder(const Graph& graph, std::optional<Dtype> dtype);

  const Graph& graph() const { return graph_; }
  const Value& value(Id id) const;  // throws Unfit if it is absent
  bool is_stored(Id id) const { return graph_[id].is_stored; }
  bool is_used(Id id) const { return id != kAbsent && uses_[static_cast<std::size_t>(id)] > 0; }
  bool is_read_once(Id id) const { return uses_[static_cast<std::size_t>(id)] == 1; }
  Tensor& tensor(Index index) { return trace_.tensors[index]; }
  std::uint64_t columns(Index index) const { return trace_.tensors[index].shape.back(); }

  /// The type that a value's elements have in the trace. Throws Unfit for doubles.
  Dtype dtype_of(const Value& value) const;

  // Reading.
  const Placed& at(Id id);
  /// The value with its axes in this order (those of extent 1 may be left out), as rows of so many columns. What does not lie
  /// so already is transposed or reshaped.
  Index in_order(Id id, const Order& order, std::int64_t columns);
  Index as_matrix(Index tensor, std::int64_t columns);
  Index as_shape(Index tensor, std::vector<std::uint64_t> shape);
  /// In floating point, of the type that the graph means it to have.
  Index as_real(Index tensor, const Value& value);
  /// A stored value laid out as wanted: that is done when the model is loaded, and costs nothing.
  Index stored(Id id, std::vector<std::uint64_t> shape, const std::string& layout = {});
  Index stored_as(Id id, std::vector<std::uint64_t> shape, Dtype dtype, double scale, const std::string& layout = {});
  /// A constant row, such as a norm's missing beta.
  Index constant_row(const std::string& what, std::int64_t columns, Dtype dtype);

  // Writing.
  /// A new tensor of the value's type, and the value lies there from now on.
  Index result(Id id, Order order, std::int64_t columns);
  /// The same, with elements of another tensor's type and scale.
  Index result_like(Id id, Order order, std::int64_t columns, Index like);
  Index scratch(const std::string& name, std::vector<std::uint64_t> shape, Dtype dtype, double scale = 1.0);
  void place(Id id, Placed placed) { placed_.insert_or_assign(id, std::move(placed)); }
  Operator& emit(const std::string& name, OperatorType type, const std::vector<Index>& inputs,
                 const std::vector<Index>& outputs, Attributes attributes = {});
  /// Of the operator that writes a tensor; empty if none does yet.
  std::optional<OperatorType> writer_type(Index tensor) const;

  /// Name of the node that is looked at; helpers take it.
  std::string node;

  Trace take(std::string model);

 private:
  std::string unique(std::string name, std::map<std::string, int>& taken) const;
  Index add(Tensor tensor);
  void find_caches();
  void place_input(Id id);
  void mark_outputs();
  void split_linears();
  void drop_unused_tensors();

  const Graph& graph_;
  std::optional<Dtype> dtype_;
  Trace trace_;
  std::map<Id, Placed> placed_;
  std::map<std::pair<Index, std::vector<std::uint64_t>>, Index> reshaped_;
  std::map<std::pair<Id, Order>, Index> ordered_;
  std::map<std::string, Index> stored_;
  std::map<Index, std::size_t> writers_;
  std::vector<std::size_t> uses_;
  std::vector<bool> is_cache_;  // by value
  std::map<std::string, int> tensor_names_, operator_names_;
};

/// Gives the value an archsim shape [elements / columns, columns].
std::vector<std::uint64_t> matrix_shape(std::int64_t elements, std::int64_t columns);

}  // namespace archsim::onnx_graph
