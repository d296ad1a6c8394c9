// Puts a trace together from operators on strided tensors.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "arch/workload/trace.h"
#include "traces/import/aten/strided.h"

namespace archsim {

/// Why a node cannot be expressed. Thrown where that is found, caught where the nodes are walked.
struct NotExpressible {
  std::string reason;  // "has a dilation of 2"
};

/// The element type of PyTorch's "float" and the like; integers that name things become int32. Throws NotExpressible.
Dtype dtype_of(const std::string& type);
/// Whether it counts or decides: integers wider than 8 bits, and truth values.
bool is_bookkeeping(const std::string& type);

class AtenBuilder {
 public:
  explicit AtenBuilder(std::string model);

  /// What `tensor` holds now. One that no node wrote comes from outside.
  Strided at(const AtenTensor& tensor);
  /// From here on `tensor` is `value`.
  void bind(const AtenTensor& tensor, const Strided& value);
  /// `tensor` comes from outside, whatever it was: `is_constant`, or else a value that the caller gives.
  void forget(const AtenTensor& tensor, bool is_constant);
  /// A write to all of `target`, which other tensors may see through other windows. Throws if it is not all of it.
  void overwrite(const AtenTensor& target, const Strided& value);

  bool is_external(const Strided& x) const { return !bases_[x.base].is_written; }
  Dtype dtype(const Strided& x) const { return bases_[x.base].dtype; }

  /// A tensor of `shape` with the elements of `x` in order; operators that rearrange are added where they must move.
  /// `role` is what a tensor from outside becomes by this use; weight wins over input.
  TensorUse use(const Strided& x, const Sizes& shape, Role role = Role::input);
  /// A tensor of parameters that the trace does not have, such as the scale of a norm without one.
  TensorUse constant(const Sizes& shape, Dtype dtype);
  /// Adds the operator "label", and returns its only output as a plain tensor of `shape`.
  Strided emit(OperatorType type, std::vector<TensorUse> inputs, const Sizes& shape, Dtype dtype,
               Attributes attributes = {});

  /// Names of operators begin with it, such as "linear.25".
  void set_label(std::string label) { label_ = std::move(label); }
  /// Bound so far; for telling whether a composite's children bind its outputs.
  std::int64_t last_binding(const AtenTensor& tensor) const;
  std::int64_t bindings() const { return bindings_; }

  Trace finish();

 private:
  struct Base {
    std::string name;
    Dtype dtype = Dtype::fp32;
    bool is_written = false, is_constant = false;
    std::uint32_t tensor = 0;  // if it is written
    std::int64_t elements = 0;
  };
  struct Bound {
    Strided value;
    std::int64_t order = 0;
  };
  using Key = std::tuple<std::uint32_t, std::int64_t, Sizes, Sizes, Sizes>;

  std::uint32_t add_tensor(const std::string& name, const Sizes& shape, Dtype dtype, Role role);
  std::uint32_t add_operator(OperatorType type, std::vector<TensorUse> inputs, const Sizes& shape, Dtype dtype,
                             Attributes attributes);
  std::string unique(const std::string& name);
  std::uint32_t from_outside(const Strided& x, const Sizes& shape, Role role);
  std::uint32_t rearranged(const Strided& x, const Sizes& shape);
  std::uint32_t as_shape(std::uint32_t tensor, const Sizes& shape);
  Sizes shape_of(std::uint32_t tensor) const;

  Trace trace_;
  std::string label_;
  std::vector<Base> bases_;
  std::map<std::int64_t, Bound> bound_;  // by tensor id
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::string>, std::uint32_t>
      external_;  // storage, offset, elements, type
  std::map<Key, std::uint32_t> made_;
  std::map<std::string, std::uint32_t> names_;  // how often each was wanted
  std::int64_t bindings_ = 0;
};

}  // namespace archsim
