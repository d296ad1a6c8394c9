// What names mean at a place of a workload file: numbers, words, tensors and loops, innermost first.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "arch/workload/tensor.h"
#include "traces/generate/expression.h"

namespace archsim {

/// A tensor under its name here. `per` holds the loops whose iterations have a copy each, so that a use inside these
/// loops need not say which copy it means.
struct TensorName {
  std::uint32_t tensor = 0;
  std::vector<std::string> per;
  std::optional<std::vector<CopyIndex>> copy;  // of a block's argument that was given as `x[layer]`
};

/// A loop that runs around this place; of a loop whose last iteration stands apart, that iteration is fixed.
struct LoopName {
  CopyIndex iteration;
  std::uint32_t count = 1;  // with the iteration that stands apart
};

struct Scope {
  Numbers numbers;
  std::map<std::string, std::string, std::less<>> words;  // such as `activation`: "int8"
  std::map<std::string, TensorName, std::less<>> tensors;
  std::set<std::string, std::less<>> broken;  // tensors whose declaration is wrong: told once, where it stands
  std::map<std::string, LoopName, std::less<>> loops;
  std::string operator_path;  // joined with "." before an operator's name
  std::string tensor_path;  // the same for tensors: equal in all inferences, and for a last iteration that stands apart
  std::string weight_path;  // the same for weights, which uses of a block may share

  /// Goes down into a repeat, a block or a stage.
  void enter(const std::string& name);
};

/// "a.b", or "b" if the path is empty.
std::string join_path(const std::string& path, const std::string& name);

/// The tensor uses that `text` names: `x`, `x[layer]`, `x[layer + 1]`, `x[2, layer]`, or `x[*]` for all copies in order.
/// Nothing, and an error (but for a broken one), if it names none. `copies` are the extents of the tensor's copy dimensions.
struct ReferenceReader {
  const Scope& scope;
  const std::vector<Tensor>& tensors;
  Diagnostics& out;

  std::optional<std::vector<TensorUse>> read(const std::string& text, const Location& where) const;

 private:
  std::optional<CopyIndex> index(const std::string& text, const Location& where) const;
  std::optional<TensorUse> implied(const TensorName& name, const std::string& text, const Location& where) const;
};

}  // namespace archsim
