// What a user may decide about the mapping: the section `mapping` of a SoC file, and `--set mapping.fuse.linear_glu=false`.
#pragma once

#include <cstdint>

#include "arch/describe/fields.h"

namespace archsim {

/// How the accelerators learn what to do. A kernel is a group of fused operators, once for each time that it is executed.
enum class LaunchMode : std::uint8_t {
  whole_graph,    // one launch for the whole program; the accelerators order themselves by semaphores
  command_queue,  // the host launches each kernel, and goes on to the next without waiting
  host_driven,    // the host launches each kernel when the one before is done, and an interrupt has told it
};

/// Fusion passes, by the names that OperatorMapping::why reports.
struct FusePasses {
  bool linear_activation = true;
  bool linear_glu = true;
  bool linear_siblings = true;
  bool linear_residual = true;
  bool attention_rope = true;

  static constexpr auto fields() {
    using P = FusePasses;
    return fields_of(
        param<&P::linear_activation>("a linear, then an elementwise function of its result"),
        param<&P::linear_glu>("gate and up product of one input, then their gated unit"),
        param<&P::linear_siblings>("linears of one input, such as q, k and v: its rows are loaded once"),
        param<&P::linear_residual>("a linear, then the sum with a tensor of the same shape"),
        param<&P::attention_rope>("rotary embedding of queries, and of a few new keys, on attention's tiles"));
  }
};

struct MappingOptions {
  FusePasses fuse;
  bool batch_repeats = true;
  bool stage_caches = true;
  LaunchMode launch = LaunchMode::whole_graph;

  static constexpr auto fields() {
    using P = MappingOptions;
    return fields_of(
        param<&P::fuse>("fusion passes, each of which may be switched off"),
        param<&P::batch_repeats>("iterations that do not need each other are done at once where that is quicker"),
        param<&P::stage_caches>("KV caches that a stage reads again and again are copied into l2 if they fit"),
        param<&P::launch>("what the host launches: the program, or each kernel, without or with waiting for the last"));
  }
};

}  // namespace archsim
