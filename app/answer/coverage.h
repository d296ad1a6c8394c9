// What runs where: each kind of operator with its element types, the capability that decides, and what the host pays for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/answer/answer.h"

namespace archsim {

/// Operators of one type and element types that run on one engine for one reason.
struct CoverageRow {
  std::string op;          // "linear"
  std::string dtypes;      // of inputs and output: "int8 x int8 -> bf16"
  std::string engine;      // array, vector, dma or host
  std::string decided_by;  // the param: "dtypes.int8"
  std::string why;         // why on the host, or the pass that fused it; empty: it can, by itself
  std::uint64_t operators = 0, instances = 0;
  std::uint64_t host_bytes = 0;  // that the host reads and writes for them
  std::uint64_t launches = 0;    // doorbells rung for them
  std::uint64_t syncs = 0;       // times that the host awaits accelerators for them
  Time maintenance = Time::zero(), launching = Time::zero(),
       syncing = Time::zero();    // of the host, if each sync sleeps
  Time computing = Time::zero();  // of the host
  Time time = Time::zero();       // sum of the durations of those that are not fused into others
};

/// In the order in which the trace first has them, those on the host last.
std::vector<CoverageRow> coverage(const RunInputs& inputs, const Answer& answer);

}  // namespace archsim
