#include "arch/mapping/emit/work/attention.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "arch/mapping/schedule/suitability.h"

namespace archsim {
namespace {

constexpr std::size_t kAhead = 2;  // steps by which scores are multiplied ahead of their softmax
constexpr std::uint64_t kStateBytes = 8;

}  // namespace

AttentionEmitter::AttentionEmitter(const MappingContext& context, std::uint32_t group, const AttentionPlan& plan,
                                   std::uint32_t position)
    : context_(context),
      group_(context.schedule.groups[group]),
      op_(context.trace.operators[group_.last()]),
      group_index_(group),
      tag_(group_.last()),
      shape_(shape_of_attention(context.trace, context.memory, group_)),
      plan_(plan),
      places_(places_of(shape_, plan)),
      q_(matrix_of(context, loaded_operand(context.trace, group_, 0))),
      y_(matrix_of(context, op_.outputs[0])),
      tiles_(key_tiles(shape_, plan.key_tile)),
      is_causal_(op_.text("mask", "none") == "causal"),
      factor_(static_cast<float>(op_.number("scale", 1.0 / std::sqrt(static_cast<double>(shape_.head_dim))))),
      query_(places_.query),
      kv_(places_.kv) {
  for (std::size_t i = 1; i < op_.inputs.size(); i += 2) {
    segments_.push_back({matrix_of(context, loaded_operand(context.trace, group_, i)),
                         matrix_of(context, op_.inputs[i + 1]), group_.ropes.empty() ? Group::kNone : group_.ropes[i]});
  }
  if (op_.text("mask", "none") == "blocks") {
    std::uint64_t end = 0;
    for (const auto size : op_.integers("blocks")) block_ends_.push_back(end += static_cast<std::uint64_t>(size));
  }
  make_chains(position);
  make_steps();
  add_uses();
}

std::uint64_t AttentionEmitter::keys_seen(std::uint64_t query) const {
  const std::uint64_t before = shape_.keys() > shape_.queries ? shape_.keys() - shape_.queries : 0;
  if (is_causal_) return before + query + 1;
  if (block_ends_.empty()) return shape_.keys();
  return before + *std::upper_bound(block_ends_.begin(), block_ends_.end(), query);
}

void AttentionEmitter::make_chains(std::uint32_t position) {
  const std::size_t all = context_.schedule.groups[group_index_].accelerators.size();
  const auto rank = rank_of(position, plan_.head_parts * plan_.query_parts, all);
  if (!rank) return;
  const SplitPart heads = part(shape_.heads * shape_.batch, 1, plan_.head_parts, *rank / plan_.query_parts);
  const SplitPart queries = part(shape_.queries, 1, plan_.query_parts, *rank % plan_.query_parts);
  const std::uint64_t sharing = shape_.heads / shape_.kv_heads;
  // All chains of one key head stand together, so that its keys and values are loaded once if they fit.
  for (std::uint64_t first = heads.begin; first < heads.end;) {
    const std::uint64_t end = std::min(heads.end, (first / sharing + 1) * sharing);
    for (std::uint64_t query = queries.begin; query < queries.end; query += plan_.query_tile) {
      for (std::uint64_t head = first; head < end; head += plan_.stacked) {
        chains_.push_back({head / shape_.heads, head % shape_.heads, std::min<std::uint64_t>(plan_.stacked, end - head),
                           query, std::min(plan_.query_tile, queries.end - query)});
      }
    }
    first = end;
  }
}

void AttentionEmitter::make_steps() {
  const std::uint64_t sharing = shape_.heads / shape_.kv_heads;
  const auto kv_head = [&](const Chain& chain) { return (chain.batch * shape_.heads + chain.head) / sharing; };
  for (std::size_t first = 0; first < chains_.size();) {
    std::size_t end = first + 1;
    while (end < chains_.size() && end - first < plan_.chains && kv_head(chains_[end]) == kv_head(chains_[first]))
      ++end;
    for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
      for (std::size_t chain = first; chain < end; ++chain) {
        const auto& c = chains_[chain];
        if (keys_seen(c.query + c.rows - 1) <= tiles_[tile].global) continue;
        const bool sees_next = tile + 1 < tiles_.size() && keys_seen(c.query + c.rows - 1) > tiles_[tile + 1].global;
        steps_.push_back({chain, tile, tile == 0, !sees_next});
      }
    }
    first = end;
  }
}

// In the order of emission.
void AttentionEmitter::add_uses() {
  const auto add_scores = [&](std::size_t step) {
    if (step >= steps_.size()) return;
    needs_.push_back({true, query_.add(query_tile(steps_[step]))});
    needs_.push_back({false, kv_.add(kv_tile(steps_[step], false))});
  };
  for (std::size_t s = 0; s < kAhead; ++s) add_scores(s);
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    needs_.push_back({false, kv_.add(kv_tile(steps_[s], true))});
    add_scores(s + kAhead);
  }
  query_.settle(std::uint64_t{2} * plan_.chains * places_.query_bytes);
  kv_.settle(plan_.kv_ring);
}

// What is needed first is loaded first, as far ahead as both rings have room.
void AttentionEmitter::load_ahead(Tape& tape) {
  for (; next_need_ < needs_.size(); ++next_need_) {
    const Need& need = needs_[next_need_];
    const bool is_there =
        need.is_query ? query_.pump_to(tape, need.use, next_query_) : kv_.pump_to(tape, need.use, next_kv_);
    if (!is_there) return;
  }
}

Box AttentionEmitter::query_box(const Step& step) const {
  const auto& chain = chains_[step.chain];
  return {chain.batch * shape_.queries + chain.query, chain.rows, chain.head * shape_.head_dim,
          chain.heads * shape_.head_dim};
}

Box AttentionEmitter::kv_box(const Step& step) const {
  const auto& chain = chains_[step.chain];
  const auto& tile = tiles_[step.tile];
  const std::uint64_t kv_head = chain.head / (shape_.heads / shape_.kv_heads);
  return {chain.batch * shape_.segments[tile.segment] + tile.first, tile.keys, kv_head * shape_.head_dim,
          shape_.head_dim};
}

FetchedTile AttentionEmitter::query_tile(const Step& step) const {
  const Box box = query_box(step);
  return {.key = step.chain,
          .tag = tag_,
          .from = q_.at(box.row, box.column),
          .dma = packed(q_, box),
          .bytes = box.rows * box.columns * shape_.operand_bytes};
}

FetchedTile AttentionEmitter::kv_tile(const Step& step, bool is_value) const {
  const auto& chain = chains_[step.chain];
  const auto& tile = tiles_[step.tile];
  const auto& matrix = is_value ? segments_[tile.segment].v : segments_[tile.segment].k;
  const std::uint64_t kv_head = chain.head / (shape_.heads / shape_.kv_heads);
  const Box box = kv_box(step);
  const std::uint64_t key =
      ((chain.batch * shape_.kv_heads + kv_head) * tiles_.size() + step.tile) * 2 + (is_value ? 1 : 0);
  return {.key = key,
          .tag = tag_,
          .from = matrix.at(box.row, box.column),
          .dma = packed(matrix, box),
          .bytes = shape_.kv.bytes(box.rows * box.columns)};
}

VectorOperand AttentionEmitter::scores(std::size_t step) const {
  const Dtype dtype = accumulator_dtype(shape_.operand);
  const auto& tile = tiles_[steps_[step].tile];
  return {.address = LocalAddress::accumulator(step % kAhead * plan_.rows() * plan_.key_tile * 4),
          .pitch = narrow(tile.keys * 4),
          .dtype = dtype,
          .scale = q_.scale * segments_[tile.segment].k.scale};
}

VectorOperand AttentionEmitter::probabilities(std::size_t step) const {
  return {.address = LocalAddress::scratchpad(places_.probability + step % kAhead * places_.probability_bytes),
          .pitch = narrow(tiles_[steps_[step].tile].keys * shape_.probability_bytes()),
          .dtype = probability_dtype(shape_.operand)};
}

VectorOperand AttentionEmitter::output(std::size_t chain) const {
  const std::uint64_t scores = kAhead * plan_.rows() * plan_.key_tile * 4;
  return {.address = LocalAddress::accumulator(scores + chain % plan_.outputs * plan_.rows() * shape_.head_dim * 4),
          .pitch = narrow(shape_.head_dim * 4),
          .dtype = Dtype::fp32,
          .scale = segments_[0].v.scale};
}

VectorOperand AttentionEmitter::state(std::size_t chain) const {
  return {.address = LocalAddress::scratchpad(places_.state + chain % plan_.outputs * places_.state_bytes),
          .pitch = narrow(kStateBytes),
          .dtype = Dtype::fp32};
}

void AttentionEmitter::turn(Tape& tape, std::uint32_t rope, const Matrix& matrix, const Box& box,
                            LocalAddress at) const {
  const Operator& op = context_.trace.operators[rope];
  const VectorOperand tile{
      .address = at, .pitch = narrow(matrix.bytes(box.columns)), .dtype = matrix.dtype, .scale = matrix.scale};
  tape.vector(rope, {.function = VectorFunction::rope,
                     .rows = narrow(box.rows),
                     .columns = narrow(box.columns),
                     .source = {tile},
                     .destination = tile,
                     .parameter0 = static_cast<float>(op.number("theta", 10000.0)),
                     .integer0 = narrow(shape_.head_dim),
                     .integer1 = narrow(static_cast<std::uint64_t>(op.integer("position", 0)) + box.row)});
}

void AttentionEmitter::multiply_scores(Tape& tape, std::size_t s) {
  if (s >= steps_.size()) return;
  load_ahead(tape);
  const auto& tile = tiles_[steps_[s].tile];
  const auto& segment = segments_[tile.segment];
  const LocalAddress queries = query_.address(next_query_), keys = kv_.address(next_kv_);
  if (!group_.ropes.empty() && group_.ropes[0] != Group::kNone && query_.is_first_use(next_query_))
    turn(tape, group_.ropes[0], q_, query_box(steps_[s]), queries);
  if (segment.rope != Group::kNone && kv_.is_first_use(next_kv_))
    turn(tape, segment.rope, segment.k, kv_box(steps_[s]), keys);
  ++next_query_;
  ++next_kv_;
  const auto pitch = narrow(shape_.head_dim * shape_.operand_bytes);
  const VectorOperand out = scores(s);
  tape.matmul(tag_, {.a = queries,
                     .w = keys,
                     .out = out.address,
                     .m = narrow(chains_[steps_[s].chain].matrix_rows()),
                     .k = narrow(shape_.head_dim),
                     .n = narrow(tile.keys),
                     .a_pitch = pitch,
                     .w_pitch = narrow(shape_.kv.bytes(shape_.head_dim)),
                     .out_pitch = out.pitch,
                     .a_dtype = shape_.operand,
                     .w_dtype = shape_.kv_operand,
                     .transpose_w = true,
                     .dataflow = plan_.scores});
}

// Queries of one block see equally many keys and make one command; causal ones see one more each.
void AttentionEmitter::soften(Tape& tape, std::size_t s) {
  const Step& step = steps_[s];
  const Chain& chain = chains_[step.chain];
  const KeyTile& tile = tiles_[step.tile];
  for (std::uint64_t row = 0; row < chain.rows;) {  // of each head
    const auto seen = static_cast<std::int64_t>(keys_seen(chain.query + row)) - static_cast<std::int64_t>(tile.global);
    std::uint64_t end = chain.rows;
    if (!block_ends_.empty()) {
      const std::uint64_t block_end = *std::upper_bound(block_ends_.begin(), block_ends_.end(), chain.query + row);
      end = std::min(end, block_end - chain.query);
    }
    const bool sees_all = seen >= static_cast<std::int64_t>(tile.keys);
    Vector vector{.function = VectorFunction::softmax_step,
                  .rows = narrow((end - row) * chain.heads),
                  .columns = narrow(tile.keys),
                  .source = {scores(s), state(step.chain), output(step.chain)},
                  .destination = probabilities(s),
                  .parameter0 = factor_,
                  .integer0 = narrow(shape_.head_dim),
                  .integer1 = step.is_first ? 1U : 0U};
    vector.source[2].scale = 1.0F;
    for (auto& operand : vector.source) operand.address.value += narrow(row * chain.heads * operand.pitch);
    vector.destination.address.value += narrow(row * chain.heads * vector.destination.pitch);
    if (!sees_all) {
      vector.visible = static_cast<std::int32_t>(seen);
      vector.visible_step = is_causal_ ? 1 : 0;
    }
    tape.vector(tag_, vector);
    row = end;
  }
}

void AttentionEmitter::multiply_values(Tape& tape, std::size_t s) {
  load_ahead(tape);
  const auto& tile = tiles_[steps_[s].tile];
  const VectorOperand p = probabilities(s), out = output(steps_[s].chain);
  tape.matmul(tag_, {.a = p.address,
                     .w = kv_.address(next_kv_++),
                     .out = out.address,
                     .m = narrow(chains_[steps_[s].chain].matrix_rows()),
                     .k = narrow(tile.keys),
                     .n = narrow(shape_.head_dim),
                     .a_pitch = p.pitch,
                     .w_pitch = narrow(shape_.kv.bytes(shape_.head_dim)),
                     .out_pitch = out.pitch,
                     .a_dtype = p.dtype,
                     .w_dtype = shape_.kv_operand,
                     .accumulate = true,
                     .dataflow = plan_.values});
}

void AttentionEmitter::finish(Tape& tape, std::size_t s) {
  const std::size_t index = steps_[s].chain;
  const Chain& chain = chains_[index];
  const VectorOperand staged{
      .address = LocalAddress::scratchpad(places_.staging + finished_ % 2 * places_.staging_bytes),
      .pitch = narrow(shape_.head_dim * shape_.result_bytes),
      .dtype = y_.dtype,
      .scale = y_.scale};
  tape.vector(tag_, {.function = VectorFunction::softmax_finish,
                     .rows = narrow(chain.matrix_rows()),
                     .columns = narrow(shape_.head_dim),
                     .source = {output(index), state(index)},
                     .destination = staged});
  const Box box{chain.batch * shape_.queries + chain.query, chain.rows, chain.head * shape_.head_dim,
                chain.heads * shape_.head_dim};
  Dma dma = packed(y_, box);
  dma.local = staged.address;
  if (finished_ == 0) tape.mark(TapeItem::Kind::await_outputs, group_index_);
  tape.store(tag_, y_.at(box.row, box.column), dma);
  ++finished_;
}

void AttentionEmitter::emit(Tape& tape) {
  if (!steps_.empty()) tape.mark(TapeItem::Kind::await_inputs, group_index_);
  for (std::size_t s = 0; s < kAhead; ++s) multiply_scores(tape, s);
  std::optional<std::size_t> ended;  // a step later than it could be, so that the next softmax does not wait for it
  const auto finish_ended = [&] {
    if (ended) finish(tape, *ended);
    ended.reset();
  };
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    const bool takes_place =
        ended && steps_[s].is_first && output(steps_[s].chain).address == output(steps_[*ended].chain).address;
    if (takes_place) finish_ended();
    soften(tape, s);
    multiply_values(tape, s);
    finish_ended();
    if (steps_[s].is_last) ended = s;
    multiply_scores(tape, s + kAhead);
  }
  finish_ended();
  tape.mark(TapeItem::Kind::signal, group_index_);
}

}  // namespace archsim
