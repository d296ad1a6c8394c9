// The view of one operator's operands that the shape and element type rules are written against.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "arch/workload/rules/problem.h"
#include "arch/workload/trace.h"

namespace archsim {

using Shape = std::vector<std::uint64_t>;
/// "[816, 16384]"
std::string text_of(const Shape& shape);

/// Whether an array that multiplies `x` can read weights stored as `weight`: the same, or narrower ones that it decodes, from integers to
/// integers or floating-point values, and from these to these; a block decodes to no block.
bool decodes_to(Dtype weight, Dtype x);

class OperandCheck {
 public:
  /// `producers[i]` is the operator that wrote inputs[i] last, or -1; must outlive this.
  OperandCheck(const Trace& trace, std::uint32_t index, const std::vector<std::int64_t>& producers, Problems& problems);

  const Operator& op() const { return operator_; }
  std::size_t inputs() const { return operator_.inputs.size(); }
  std::size_t outputs() const { return operator_.outputs.size(); }
  const Tensor& input(std::size_t i) const { return trace_.tensors[operator_.inputs[i].tensor]; }
  const Tensor& output(std::size_t i = 0) const { return trace_.tensors[operator_.outputs[i].tensor]; }

  /// Product of all dimensions but the last, and the last.
  static std::uint64_t rows(const Tensor& tensor);
  static std::uint64_t columns(const Tensor& tensor);

  /// These report a mismatch and return whether it is right.
  bool input_is(std::size_t i, const Shape& wanted);
  bool output_is(const Shape& wanted, std::size_t i = 0);
  bool input_rank_is(std::size_t i, std::size_t rank);
  bool input_columns_are(std::size_t i, std::uint64_t wanted);
  bool input_rows_are(std::size_t i, std::uint64_t wanted);
  bool output_has_shape_of_input(std::size_t i);
  /// A vector of `columns` elements, written [columns] or [1, columns].
  bool input_is_row(std::size_t i, std::uint64_t columns);
  bool input_is_stored(std::size_t i, std::string_view what);  // weight or constant
  bool input_dtype_is(std::size_t i, std::initializer_list<Dtype> allowed);
  bool output_dtype_is(std::initializer_list<Dtype> allowed, std::size_t i = 0);
  bool inputs_have_same_dtype(std::size_t a, std::size_t b);
  /// Input `a`, a weight or a key, is of the type of input `b`, or of a narrower one that an array decodes to it.
  bool input_decodes_to(std::size_t a, std::size_t b);
  /// For operators that move elements as they are.
  bool output_is_same_kind(std::size_t i);
  bool holds(bool condition, std::string message, std::string help = {});

 private:
  bool wrong_input(std::size_t i, const std::string& wanted);

  const Trace& trace_;
  std::uint32_t index_;
  const Operator& operator_;
  const std::vector<std::int64_t>& producers_;
  Problems& problems_;
};

}  // namespace archsim
