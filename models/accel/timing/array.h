// When a systolic array works: the cycle contract that the RTL is built to.
//
// R x C processing elements (PE). A matmul of M x K x N is cut into folds, one after another:
//
//   dataflow            a fold holds in the PEs       folds                      streams through
//   weight_stationary   w[R_k rows of k, C of n]      ceil(K/R_k) * ceil(N/C)    M rows of a
//   input_stationary    a[R_k of k, C of m], turned   ceil(K/R_k) * ceil(M/C)    N columns of w
//   output_stationary   out[R of m, C of n]           ceil(M/R) * ceil(N/C)      K slices of a and w
//
// A PE that does p >= 1 MACs a cycle holds p values of k (R_k = R * p) or takes p slices of k a cycle; one that does p < 1
// takes a new vector every 1/p cycles. V is the number of cycles in which vectors enter a fold: ceil(M/p'), ceil(N/p') or
// ceil(K/p) with p' = min(p, 1). An edge fold takes as long as a whole one: unused PEs pass values on.
//
// A fold whose first vector enters column 0 in cycle S:
//   preload (not output-stationary): one row of PEs a cycle into shadow registers, R cycles, done before S;
//   vector v enters PE(r, c) in cycle S + v + r + c (skewed by row and by column);
//   column c hands the accumulator SRAM one element a cycle, added in place to what is there:
//     stationary weights or inputs: V elements in cycles S + R - 1 + c .. S + R - 1 + c + V - 1,
//     stationary outputs:           R elements in cycles S + V - 1 + c .. S + V - 1 + c + R - 1,
//   each in the cycle of its last multiplication, and written at the clock edge that ends it. So the fold's last one is written
//   in cycle S + V + R + C - 3, and S + V + R + C - 2 is the first cycle after the fold.
//
// Folds and commands overlap (`full`). A fold starts as early as these three allow:
//   its preload is done; the shadow registers are free for it in the cycle in which the fold before starts;
//   the fold before has taken its last vector, S' + V';
//   the column that hands out elements is free: S + offset >= S' + offset' + length'.
// Operands are fetched while a fold preloads or streams, and some by lanes, one lane a cycle: each row of a (and each column of a
// transposed w) for stationary outputs, each column of a transposed w that is preloaded. So a fold of stationary outputs takes
// the stream for at least R cycles (and C), and the preload after that of a transposed w begins C cycles behind it at the earliest.
// A sum is out one cycle behind its multiplication at the earliest, so a command ends in S + V + 1 on a 1 x 1 array.
// Within one command that makes a fold every max(V, R) cycles (and C if w is transposed; a command whose first fold waited for the
// one before has preloaded its second one meanwhile, and gains that on arrays wider than high). A command may preload while the command before streams, and its
// first fold streams while the command before drains. Since elements leave each column in order, commands that add
// to the same accumulator tile need no wait.
// `none`: each fold preloads, streams and drains before the next one begins: folds * (R + V + R + C - 2), without R
// for stationary outputs. This is SCALE-Sim's definition; it prints the index of the last cycle, which is one less.
//
// The scratchpad feeds all of that with banks * port_width bytes a cycle. Where a fold's operands need more than its cycles
// carry, the preload, the stream and the distance between folds are stretched to what the ports carry.
#pragma once

#include <cstdint>

#include "arch/program/command.h"
#include "arch/units/quantity.h"

namespace archsim {

/// `none`: every fold by itself. `full`: as the machine does.
enum class Overlap : std::uint8_t { none, full };

/// A width that never limits; far from overflow.
constexpr std::uint64_t kUnlimited = std::uint64_t{1} << 40;

struct ArrayGeometry {
  std::uint64_t rows = 64, columns = 64;
  double macs_per_pe = 1.0;               // a cycle, for the element type at hand
  std::uint64_t port_bytes = kUnlimited;  // a cycle, from the scratchpad
};

/// What the array needs to know of a matmul.
struct ArrayWork {
  std::uint64_t m = 0, k = 0, n = 0;
  Dataflow dataflow = Dataflow::weight_stationary;
  Packing a, w;  // as they lie in the scratchpad
  bool transpose_w = false;

  static ArrayWork of(const Matmul& matmul);
};

/// The folds of one command, in cycles.
struct FoldTiming {
  std::uint64_t folds = 0;
  std::uint64_t preload = 0;  // 0 for stationary outputs
  std::uint64_t stream = 0;   // V
  std::uint64_t hold =
      0;  // of its preload, or of its stream if it has none: until the next one's operands can be fetched
  std::uint64_t interval = 0;       // from one fold's start to the next one's
  std::uint64_t pace = 0;           // the same, if preloads did not count
  std::uint64_t rows = 0;           // R
  std::uint64_t drain = 0;          // R + C - 2: from the last vector to the end
  std::uint64_t operand_bytes = 0;  // that the scratchpad reads for the command
  bool outputs_stay = false;        // stationary outputs

  /// From a fold's start: when column 0 hands out elements, and for how long.
  std::uint64_t output_offset() const { return outputs_stay ? stream - 1 : rows - 1; }
  std::uint64_t output_length() const { return outputs_stay ? rows : stream; }

  /// From a command's last vector to its end.
  std::uint64_t tail(Overlap overlap) const;
  /// From the first preload to the end of the last fold, alone in the array.
  Cycles latency(Overlap overlap) const;
  /// What each of many equal commands one behind the other adds.
  Cycles occupancy(Overlap overlap) const;
  /// Everything that the scratchpad feeds takes `numerator`/`denominator` times as long (at least as long).
  FoldTiming stretched(std::uint64_t numerator, std::uint64_t denominator) const;
};

FoldTiming fold_timing(const ArrayGeometry& array, const ArrayWork& work);

/// The command alone, as SCALE-Sim counts: the index of its last cycle.
std::uint64_t last_cycle(const ArrayGeometry& array, const ArrayWork& work, Overlap overlap);

/// The array over time: commands in order, each as early as the ones before leave it.
class ArrayPipeline {
 public:
  explicit ArrayPipeline(Overlap overlap) : overlap_(overlap) {}

  struct Slot {
    Cycles begin;  // first cycle of its preload, or of its stream if it has none
    Cycles end;    // first cycle after its last multiplication
  };
  /// Where a command would run whose operands are there from `ready` on.
  Slot place(Cycles ready, const FoldTiming& timing) const;
  /// Runs it there.
  Slot run(Cycles ready, const FoldTiming& timing);
  /// When the latest command has taken its last vector, and the next one may stream.
  Cycles stream_free() const { return stream_free_; }

 private:
  struct Placed {
    Slot slot;
    Cycles last_start, shadow_free;
  };
  Placed placed(Cycles ready, const FoldTiming& timing) const;

  Overlap overlap_;
  Cycles shadow_free_ = Cycles::zero();
  Cycles stream_free_ = Cycles::zero();
  Cycles output_free_ = Cycles::zero();  // of column 0
  Cycles end_ = Cycles::zero();
};

}  // namespace archsim
