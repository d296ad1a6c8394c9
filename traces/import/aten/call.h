// One node as the lowering of its operator sees it: arguments by place, and where results go.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "traces/import/aten/builder.h"

namespace archsim {

class Call {
 public:
  Call(AtenBuilder& b, const AtenNode& n, bool in_place) : builder(b), node(n), in_place_(in_place) {}

  /// Arguments; what is absent or of another type is `otherwise`, or NotExpressible where there is none.
  bool has_tensor(std::size_t i) const;
  const AtenTensor& tensor(std::size_t i) const;
  Strided in(std::size_t i) const { return builder.at(tensor(i)); }
  const std::vector<AtenTensor>& list(std::size_t i) const;
  std::int64_t integer(std::size_t i, std::int64_t otherwise) const;
  double number(std::size_t i, double otherwise) const;
  bool has_number(std::size_t i) const;
  bool flag(std::size_t i) const;  // false if absent
  std::string_view text(std::size_t i) const;
  Sizes sizes(std::size_t i) const;  // one integer is a list of it; empty if absent
  /// An argument of two, one for rows and one for columns; one alone is for both.
  Sizes pair(std::size_t i, std::int64_t otherwise) const;
  std::size_t axis(std::size_t i, std::int64_t otherwise, std::size_t rank) const;

  const AtenTensor& output(std::size_t i = 0) const;
  /// All results, in order, those of lists too.
  std::vector<const AtenTensor*> outputs() const { return tensors_of(node.outputs); }
  Dtype result_type() const { return dtype_of(output().type); }
  /// The node's only result is `value`; of an operator in place, its first argument from now on too.
  void result(const Strided& value);

  /// The parameters in place `i`: a tensor from outside is a weight. One of constants if it is absent.
  TensorUse parameters(std::size_t i, const Sizes& shape);

  AtenBuilder& builder;
  const AtenNode& node;

 private:
  const AtenValue* value(std::size_t i) const { return i < node.inputs.size() ? &node.inputs[i] : nullptr; }
  bool in_place_;
};

/// Rows (all axes but the last) and columns.
Sizes rows_and_columns(const Sizes& shape);
std::vector<std::size_t> inverse(const std::vector<std::size_t>& order);
/// The order that puts `axis` last and keeps the others as they are.
std::vector<std::size_t> order_with_last(std::size_t axis, std::size_t rank);

/// Computes an elementwise operator on `operands`, each broadcast to `shape`, in the order in which the largest of them
/// lies already, and returns the result as a tensor of `shape`.
Strided elementwise(Call& call, OperatorType type, std::vector<Strided> operands, const Sizes& shape,
                    Attributes attributes = {});
/// The same with a constant as last operand.
Strided with_constant(Call& call, OperatorType type, const Strided& x);

using Lower = void (*)(Call& call);
struct AtenOperator {
  std::string_view name;  // without "aten::"
  Lower lower;
};
/// By subject, each in a file of its own.
const std::vector<AtenOperator>& aten_products();
const std::vector<AtenOperator>& aten_rows();
const std::vector<AtenOperator>& aten_functions();
const std::vector<AtenOperator>& aten_grids();
const std::vector<AtenOperator>& aten_views();

}  // namespace archsim
