// How attention is cut: heads and queries over accelerators, keys into tiles on chip.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "arch/mapping/plan/memory_plan.h"
#include "arch/mapping/tile/product_plan.h"

namespace archsim {

struct AttentionShape {
  std::uint64_t heads = 1, kv_heads = 1, head_dim = 1, batch = 1;
  std::uint64_t queries = 0;            // of one sequence
  bool may_stack = true;                // all queries of a tile see keys in steps of whole blocks
  std::vector<std::uint64_t> segments;  // keys of each segment of one sequence
  std::uint64_t operand_bytes = 2;      // an element of q
  Packing kv;                           // keys and values as they are stored
  std::uint64_t result_bytes = 2;
  Dtype operand = Dtype::bf16, kv_operand = Dtype::bf16;
  MemoryLevel q_level = MemoryLevel::dram, result_level = MemoryLevel::dram;
  std::vector<MemoryLevel> levels;  // of each segment's keys and values
  bool q_is_turned = false;         // a rotary embedding is done on its tiles
  std::vector<bool> k_is_turned;    // the same of each segment's keys
  bool q_in_panels = false;         // a head's columns of all rows are one piece of memory (plan/panels.h)
  std::vector<bool> in_panels;      // the same of each segment's keys and values
  std::uint64_t keys() const;
  std::uint64_t probability_bytes() const;
  friend bool operator==(const AttentionShape&, const AttentionShape&) = default;
};
/// What is loaded as this input of the attention.
const TensorUse& loaded_operand(const Trace& trace, const Group& group, std::size_t input);

/// `may_have_panels`: by tensor; empty if none does.
AttentionShape shape_of_attention(const Trace& trace, const MemoryPlan& memory, const Group& group,
                                  const std::vector<bool>& may_have_panels = {});

/// A tile of keys never reaches over two segments.
struct KeyTile {
  std::size_t segment = 0;
  std::uint64_t first = 0, keys = 0;  // within the segment
  std::uint64_t global = 0;           // index of its first key among all of the sequence
};

struct AttentionPlan {
  std::uint32_t head_parts = 1, query_parts = 1;  // accelerators
  std::uint64_t query_tile = 0, key_tile = 0;
  std::uint32_t stacked = 1;  // heads of one key head whose queries make one matrix, query by query
  std::uint32_t chains = 2;   // (heads, query tile) pairs worked on in turns, so that softmax hides behind products
  std::uint32_t outputs = 2;  // accumulator tiles for results
  std::uint64_t kv_ring = 0;  // bytes
  Dataflow scores = Dataflow::weight_stationary, values = Dataflow::weight_stationary;
  double cycles = 0.0;  // estimated

  std::uint64_t rows() const { return stacked * query_tile; }
};

struct AttentionLimits {
  const OperatorChoice* choice = nullptr;        // of the user
  std::string* why_not = nullptr;                // gets what keeps a plan of this choice from fitting
  std::vector<Candidate>* candidates = nullptr;  // gets all that fit
};
std::optional<AttentionPlan> plan_attention(const AttentionShape& shape, const MachineView& machine,
                                            const std::vector<std::uint32_t>& sharing, std::uint64_t arena,
                                            const AttentionLimits& limits = {});
ProductPlanner::Need smallest_attention_need(const AttentionShape& shape);

std::vector<KeyTile> key_tiles(const AttentionShape& shape, std::uint64_t key_tile);

/// Places in the arena; what lies behind `kv` is the ring of keys and values.
struct AttentionPlaces {
  std::uint64_t query = 0, query_bytes = 0;
  std::uint64_t probability = 0, probability_bytes = 0;
  std::uint64_t state = 0, state_bytes = 0;
  std::uint64_t staging = 0, staging_bytes = 0;
  std::uint64_t kv = 0;
};
AttentionPlaces places_of(const AttentionShape& shape, const AttentionPlan& plan);

}  // namespace archsim
