// How long the vector unit takes: pure functions.
//
// `lanes` elements of one row enter a cycle; rows do not share a cycle, so a row of n columns takes ceil(n / lanes) beats. A
// function costs so many lane-cycles an element (passes over the row times cycles a pass); the passes of different rows
// overlap, so a reduction's tree is waited for once a command. Commands do not overlap.
//
//   cycles = startup + reductions * ceil(log2(min(lanes, columns))) + max(work, scratchpad, accumulator)
//   work   = ceil(rows * ceil(columns / lanes) * cycles an element)
//            (softmax_step: + rows * ceil(integer0 / lanes) * that of `scale`, for the output that it rescales)
//   scratchpad, accumulator = bytes of the operands that lie there / bytes a cycle; a row that is repeated counts once
#pragma once

#include <cstdint>

#include "arch/program/command.h"
#include "arch/units/quantity.h"
#include "models/accel/timing/array.h"

namespace archsim {

struct VectorGeometry {
  std::uint64_t lanes = 1;
  std::uint64_t startup = 0;
  double cycles_per_element = 1.0;               // of the function at hand
  double cycles_per_rescale = 1.0;               // of VectorFunction::scale
  std::uint64_t scratchpad_bytes = kUnlimited;   // a cycle
  std::uint64_t accumulator_bytes = kUnlimited;  // a cycle, read and written each
};

struct VectorTraffic {
  std::uint64_t scratchpad_read = 0, scratchpad_written = 0;  // bytes
  std::uint64_t accumulator_read = 0, accumulator_written = 0;
};

/// Which operands a function has, and how long their rows are in elements (0: it has none).
struct VectorShape {
  std::array<std::uint64_t, 3> source_columns{};
  bool writes_state = false;  // softmax_step writes its sources 1 and 2 too
};
VectorShape shape_of(const Vector& command);

VectorTraffic traffic_of(const Vector& command);
/// Elements that pass the lanes: rows * columns, and what softmax_step rescales.
std::uint64_t lane_elements(const Vector& command);
Cycles vector_cycles(const VectorGeometry& unit, const Vector& command);

}  // namespace archsim
