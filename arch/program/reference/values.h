// The values of a trace's tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "arch/workload/trace.h"

namespace archsim {

/// One copy of a tensor: row-major elements.
struct Array {
  Dtype dtype = Dtype::fp32;
  double scale = 1.0;
  std::vector<std::uint64_t> shape;
  std::vector<std::byte> bytes;

  /// Of 0xFF: NaN in every floating-point type, like memory that nothing wrote.
  static Array like(const Tensor& tensor);

  std::uint64_t elements() const;
  std::uint64_t columns() const { return shape.empty() ? 1 : shape.back(); }
  std::uint64_t rows() const { return columns() == 0 ? 0 : elements() / columns(); }

  /// q * scale in fp32.
  float value(std::uint64_t element) const;
  /// q itself, in fp32.
  float stored(std::uint64_t element) const;
  std::int32_t integer(std::uint64_t element) const;
  void set(std::uint64_t element, float value);
  void set_integer(std::uint64_t element, std::int32_t q);

  std::vector<float> row(std::uint64_t r) const;
  void set_row(std::uint64_t r, std::span<const float> values);
};

/// The iteration that each loop of a trace is in, by index into Trace::loops.
using Iterations = std::vector<std::uint32_t>;

/// The copy that a use names, one index for each copy dimension.
std::vector<std::uint32_t> copy_of(const TensorUse& use, const Iterations& iterations);

/// Calls `visit` for every copy of a tensor, last dimension fastest.
template <class Visit>
void for_each_copy(const Tensor& tensor, Visit visit) {
  std::vector<std::uint32_t> copy(tensor.copies.size(), 0);
  for (;;) {
    visit(static_cast<const std::vector<std::uint32_t>&>(copy));
    std::size_t d = copy.size();
    while (d > 0 && ++copy[d - 1] == tensor.copies[d - 1]) copy[--d] = 0;
    if (d == 0) return;
  }
}

/// Every copy of every tensor of a trace.
class TensorValues {
 public:
  explicit TensorValues(const Trace& trace);
  Array& at(std::uint32_t tensor, const std::vector<std::uint32_t>& copy);
  const Array& at(std::uint32_t tensor, const std::vector<std::uint32_t>& copy) const;

 private:
  std::size_t index(std::uint32_t tensor, const std::vector<std::uint32_t>& copy) const;
  std::vector<std::vector<std::uint32_t>> extents_;  // by tensor
  std::vector<std::vector<Array>> copies_;           // by tensor
};

/// By tensor: true for what is there before the trace runs: weights, constants, inputs, and caches that nothing writes.
std::vector<bool> given_tensors(const Trace& trace);

/// Random values for everything that is given, by seed; all else is Array::like. Integers cover their type's range except
/// int32 biases (small) and ids (rows of the table that they index); floating-point values lie in -1 .. 1.
TensorValues random_values(const Trace& trace, std::uint64_t seed);

}  // namespace archsim
