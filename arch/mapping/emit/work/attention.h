// Attention tiled on chip: scores never leave the accelerator.
//
// A chain is one head's tile of queries on its way over all key tiles. The steps of two chains take turns, and the scores
// of a step are multiplied two steps ahead, so that the array works on one chain while the vector unit does the softmax
// of the other.
#pragma once

#include <vector>

#include "arch/mapping/emit/context.h"
#include "arch/mapping/tile/attention_plan.h"

namespace archsim {

class AttentionEmitter {
 public:
  AttentionEmitter(const MappingContext& context, std::uint32_t group, const AttentionPlan& plan,
                   std::uint32_t position);
  void emit(Tape& tape);

 private:
  struct Chain {
    std::uint64_t batch = 0, head = 0, heads = 1;  // from `head` on, query by query
    std::uint64_t query = 0, rows = 0;             // within the sequence
    std::uint64_t matrix_rows() const { return heads * rows; }
  };
  struct Step {
    std::size_t chain = 0;
    std::size_t tile = 0;  // of keys
    bool is_first = false, is_last = false;
  };
  struct Segment {
    Matrix k, v;
    std::uint32_t rope = Group::kNone;  // of its keys
  };

  void make_chains(std::uint32_t position);
  void make_steps();
  void add_uses();
  void load_ahead(Tape& tape);
  FetchedTile query_tile(const Step& step) const;
  FetchedTile kv_tile(const Step& step, bool is_value) const;
  void multiply_scores(Tape& tape, std::size_t step);
  // The rotary embedding of a tile in its place.
  void turn(Tape& tape, std::uint32_t rope, const Matrix& matrix, const Box& box, LocalAddress at) const;
  Box query_box(const Step& step) const;
  Box kv_box(const Step& step) const;
  void soften(Tape& tape, std::size_t step);
  void multiply_values(Tape& tape, std::size_t step);
  void finish(Tape& tape, std::size_t step);

  // How many keys of the sequence the query sees: always the first ones.
  std::uint64_t keys_seen(std::uint64_t query) const;
  VectorOperand scores(std::size_t step) const;
  VectorOperand probabilities(std::size_t step) const;
  VectorOperand output(std::size_t chain) const;
  VectorOperand state(std::size_t chain) const;

  const MappingContext& context_;
  const Group& group_;
  const Operator& op_;
  std::uint32_t group_index_;
  std::uint32_t tag_;
  AttentionShape shape_;
  AttentionPlan plan_;
  AttentionPlaces places_;
  Matrix q_, y_;
  std::vector<Segment> segments_;
  std::vector<KeyTile> tiles_;
  std::vector<std::uint64_t> block_ends_;  // with mask `blocks`
  bool is_causal_ = false;
  float factor_ = 1.0F;
  std::vector<Chain> chains_;
  std::vector<Step> steps_;
  TileStream query_, kv_;
  struct Need {
    bool is_query = false;
    std::uint32_t use = 0;
  };
  std::vector<Need> needs_;  // of both streams, in the order in which products come to them
  std::size_t next_need_ = 0;
  std::uint32_t next_query_ = 0, next_kv_ = 0;
  std::uint64_t finished_ = 0;
};

}  // namespace archsim
