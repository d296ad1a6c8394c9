// Builds a Trace in program order, for tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch/workload/trace.h"

namespace archsim {

class TraceBuilder {
 public:
  std::uint32_t tensor(Tensor tensor);
  void begin_stage(const std::string& name, std::uint32_t count);
  void end_stage();
  /// Returns the loop's index.
  std::uint32_t begin_repeat(const std::string& name, std::uint32_t count);
  void end_repeat();
  /// Every name gets the stage's name in front and a running number behind.
  void add(OperatorType type, const std::string& name, const std::vector<TensorUse>& inputs,
           const std::vector<TensorUse>& outputs, Attributes attributes = {});

  /// The innermost loop.
  std::uint32_t loop() const { return open_.back().loop; }
  const Tensor& of(const TensorUse& use) const { return trace_.tensors[use.tensor]; }
  std::string unique(const std::string& name);
  Trace take() { return std::move(trace_); }

 private:
  Trace trace_;
  std::vector<Repeat> open_;  // the stage's own first
  std::string stage_;
  unsigned number_ = 0;
};

/// A tensor without copies.
inline TensorUse use(std::uint32_t tensor) { return {.tensor = tensor, .copy = {}}; }
/// Of a tensor with one copy for each iteration of `loop`.
inline TensorUse use(std::uint32_t tensor, std::uint32_t loop) { return {.tensor = tensor, .copy = {{.loop = loop}}}; }

}  // namespace archsim
