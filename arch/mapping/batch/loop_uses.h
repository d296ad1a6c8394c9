// What the iterations of a loop share and what each has for itself.
#pragma once

#include <optional>
#include <vector>

#include "arch/mapping/batch/batched_trace.h"

namespace archsim {

/// Operators inside a step, in program order.
std::vector<std::uint32_t> operators_in(const Step& step);

class LoopUses {
 public:
  LoopUses(const BatchedTrace& from, const Repeat& repeat);

  /// No iteration needs what another one made, and nothing outside needs what only the last one leaves.
  bool are_independent() const { return are_independent_; }
  /// Each iteration has a value of its own.
  bool is_own(const TensorUse& use) const { return is_written_[use.tensor] || has_loop(use); }
  /// One value an iteration and no more, so that all of them make one tensor.
  bool is_joinable(const TensorUse& use) const;
  /// The operator's work for all iterations is its work on rows below each other.
  bool is_batchable(std::uint32_t op) const;
  bool is_batchable(const Step& step) const;
  bool is_written(std::uint32_t tensor) const { return is_written_[tensor]; }

 private:
  bool has_loop(const TensorUse& use) const;
  bool check() const;
  bool begins_with_a_write(std::uint32_t tensor) const;
  bool is_used_outside(std::uint32_t tensor) const;
  bool all_own(const std::vector<TensorUse>& uses) const;
  bool is_shared(const TensorUse& use) const { return !is_own(use); }
  bool is_elementwise_batchable(const Operator& op) const;

  const BatchedTrace& from_;
  const Trace& trace_;
  std::uint32_t loop_;
  std::vector<std::uint32_t> operators_;
  std::vector<bool> is_inside_, is_written_;  // by operator, by tensor
  bool are_independent_ = false;
};

}  // namespace archsim
