// How completely a value depends on the results of one moment: what the bound may say cannot start before it.
#pragma once

#include <cstdint>
#include <span>

#include "arch/workload/trace.h"
#include "models/roofline/unrolled.h"

namespace archsim {

/// Let S be a tensor (or a set of finished host operations). How a value depends on S:
enum class Reach : std::uint8_t {
  none,
  part,  // its elements together depend on all of S
  rows,  // so do some rows of it, and within each row every element depends on the same part of S
  all,   // it has at least one row in which every element depends on all of S
};

struct Dependence {
  Reach reach = Reach::none;
  bool everywhere = false;  // every element depends on all of S (then reach is `all`)
};

/// What an operator does when its inputs reach S so: its result's reach, and what of it must come after S.
struct Consequence {
  Dependence result;
  bool work_follows = false;    // all of its arithmetic needs elements that depend on all of S
  bool weights_follow = false;  // each weight is needed by some arithmetic that does
  bool caches_follow = false;   // likewise each element of its keys and values
};

/// How one operator passes dependence on, whatever it depends on. Made once; asked often.
class ReachRule {
 public:
  /// Needs a valid operator.
  ReachRule(const Trace& trace, const Operator& op);
  /// `inputs[i]`: dependence of the operator's input i.
  Consequence operator()(std::span<const Dependence> inputs) const;

 private:
  enum class Kind : std::uint8_t { by_row, elementwise, attention, matmul, join_rows, join_columns, some_elements };
  static Kind kind_of(const Operator& op);
  Consequence by_kind(std::span<const Dependence> inputs) const;
  Consequence attention(std::span<const Dependence> inputs) const;
  Consequence matmul(std::span<const Dependence> inputs) const;

  Kind kind_;
  bool is_masked_;       // attention
  bool is_batch_;        // attention and matmul: parts that do not see each other
  bool is_transposed_;   // matmul
  bool has_single_row_;  // the result
};

}  // namespace archsim
