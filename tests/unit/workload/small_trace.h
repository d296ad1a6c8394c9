// A trace of two linears, small enough to break in one place at a time.
#pragma once

#include "arch/workload/trace.h"

namespace archsim {

/// One stage "stage" of two linears: x[4,8] -> `up` -> h[4,16] -> `down` -> y[4,8].
inline Trace small_trace() {
  Trace trace;
  trace.model = "small";
  trace.loops = {{"stage", 1}};
  trace.tensors = {{.name = "x", .role = Role::input, .shape = {4, 8}},
                   {.name = "up_weight", .role = Role::weight, .shape = {8, 16}},
                   {.name = "h", .role = Role::activation, .shape = {4, 16}},
                   {.name = "down_weight", .role = Role::weight, .shape = {16, 8}},
                   {.name = "y", .role = Role::output, .shape = {4, 8}}};
  Operator up;
  up.name = "up";
  up.inputs = {{0, {}}, {1, {}}};
  up.outputs = {{2, {}}};
  Operator down;
  down.name = "down";
  down.inputs = {{2, {}}, {3, {}}};
  down.outputs = {{4, {}}};
  trace.operators = {up, down};
  trace.stages = {{"stage", {0, {std::uint32_t{0}, std::uint32_t{1}}}}};
  return trace;
}

}  // namespace archsim
