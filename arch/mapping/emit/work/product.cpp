#include "arch/mapping/emit/work/product.h"

#include "arch/mapping/plan/lifetimes.h"
#include "arch/mapping/schedule/suitability.h"
#include "arch/program/numbers/element.h"

namespace archsim {
namespace {

constexpr std::uint64_t kTilesAhead = 4;  // of activations: enough to hide a load's latency
// One row of one bank in each group and channel: 8 channels of 4 x 2 KiB in LPDDR5, 32 of 4 x 1 KiB in HBM3 are twice that.
constexpr std::uint64_t kBankBytes = std::uint64_t{64} * 1024;

}  // namespace

ProductEmitter::ProductEmitter(const MappingContext& context, const ProductGroup& group, std::uint32_t position,
                               TileStream& weights)
    : context_(context),
      group_(context.schedule.groups[group.index]),
      group_index_(group.index),
      shape_(group.shape),
      plan_(group.plan),
      npu_(context.machine.accelerators[group_.accelerators[position]]),
      rank_(rank_of(position, shape_.batch > 1 ? plan_.n_parts : plan_.m_parts * plan_.n_parts,
                    group_.accelerators.size())),
      a_(0),
      own_w_(plan_.a_ring),
      w_(shape_.weights_stream ? &weights : &own_w_) {
  const auto& ops = context.trace.operators;
  x_ = matrix_of(context, ops[group_.products[0]].inputs[0]);
  std::uint64_t column = 0;
  for (const std::uint32_t product : group_.linears()) {
    const auto& inputs = ops[product].inputs;
    Operand operand{product, column, matrix_of(context, inputs[1]), {}};
    if (ops[product].type == OperatorType::linear && inputs.size() > 2) operand.bias = matrix_of(context, inputs[2]);
    if (!group_.beside.empty()) column += operand.weight.columns;
    operands_.push_back(std::move(operand));
  }
  for (const auto& use : uses_of(context.trace, group_).writes) results_.push_back(matrix_of(context, use));
  if (group_.residual != Group::kNone) residual_ = matrix_of(context, group_.residual_input);
  if (rank_) {
    columns_ =
        shape_.batch > 1 ? SplitPart{0, shape_.n} : part(shape_.n, plan_.n_tile, plan_.n_parts, *rank_ % plan_.n_parts);
  }
  staging_place_ = plan_.a_ring + plan_.w_ring;
  residual_begin_ = staging_place_;
  if (shape_.needs_staging)
    residual_begin_ += 2 * TileStream::aligned(plan_.m_tile * plan_.n_tile * shape_.result_bytes);
  bias_place_ = residual_begin_ + 2 * TileStream::aligned(plan_.m_tile * plan_.n_tile * shape_.residual_bytes);
  add_uses();
}

std::vector<ProductEmitter::Block> ProductEmitter::blocks() const {
  std::vector<Block> result;
  SplitPart m{0, shape_.m}, batches{0, 1};
  const SplitPart n = columns_;
  if (!rank_) return {};
  if (shape_.batch > 1) {
    batches = part(shape_.batch, 1, plan_.n_parts, *rank_);
  } else {
    m = part(shape_.m, 1, plan_.m_parts, *rank_ / plan_.n_parts);
  }
  const auto add = [&](std::uint64_t batch, std::uint64_t m_at, std::uint64_t n_at) {
    result.push_back(
        {batch, m_at, std::min(plan_.m_tile, m.end - m_at), n_at, std::min(plan_.n_tile, n.end - n_at), part_of(n_at)});
  };
  for (std::uint64_t batch = batches.begin; batch < batches.end; ++batch) {
    if (plan_.m_outer) {
      for (std::uint64_t m_at = m.begin; m_at < m.end; m_at += plan_.m_tile) {
        for (std::uint64_t n_at = n.begin; n_at < n.end; n_at += plan_.n_tile) add(batch, m_at, n_at);
      }
    } else {
      for (std::uint64_t n_at = n.begin; n_at < n.end; n_at += plan_.n_tile) {
        for (std::uint64_t m_at = m.begin; m_at < m.end; m_at += plan_.m_tile) add(batch, m_at, n_at);
      }
    }
  }
  return result;
}

std::size_t ProductEmitter::part_of(std::uint64_t column) const {
  std::size_t part = 0;
  while (!group_.beside.empty() && part + 1 < operands_.size() && operands_[part + 1].first_column <= column) ++part;
  return part;
}

void ProductEmitter::add_uses() {
  first_w_ = w_->uses();
  for (const auto& block : blocks()) {
    for (std::uint64_t step = 0; step < steps(); ++step) {
      const std::uint64_t k = depth_of(step), depth = std::min(plan_.k_tile, shape_.k - k);
      a_.add(a_tile(block, k, depth));
      for (std::size_t p = 0; p < shape_.products; ++p) w_->add(w_tile(block, p, k, depth));
    }
  }
  next_w_ = first_w_;
  a_.settle(plan_.a_ring);
  if (!shape_.weights_stream) own_w_.settle(plan_.w_ring);
}

// Accelerators begin at different depths: their weights lie whole parts apart in DRAM, and would all come from the same banks.
std::uint64_t ProductEmitter::depth_of(std::uint64_t step) const {
  const std::uint64_t apart = ceil_div(kBankBytes, shape_.w.bytes(plan_.k_tile * plan_.n_tile));
  return (step + apart * rank_.value_or(0)) % steps() * plan_.k_tile;
}

FetchedTile ProductEmitter::a_tile(const Block& block, std::uint64_t k, std::uint64_t depth) const {
  const std::uint64_t row = block.batch * shape_.m + block.m;
  return {.key = row * shape_.k + k,
          .tag = operand(block, 0).tag,
          .from = x_.at(row, k),
          .dma = packed(x_, {.row = row, .rows = block.rows, .column = k, .columns = depth}),
          .bytes = shape_.a.bytes(block.rows * depth)};
}

FetchedTile ProductEmitter::w_tile(const Block& block, std::size_t product, std::uint64_t k,
                                   std::uint64_t depth) const {
  const auto& operand = this->operand(block, product);
  const std::uint64_t column = block.n - operand.first_column;
  const std::uint64_t bytes = shape_.w.bytes(depth * block.columns);
  if (shape_.weights_stream) {
    // Tiles of one column of tiles stand one after another, each without gaps.
    const std::uint64_t elements = column * shape_.k + k * block.columns;
    const std::uint64_t key = (std::uint64_t{operand.tag} << 40) + elements;
    return {.key = key,
            .tag = operand.tag,
            .from = operand.weight.address + shape_.w.bytes(elements),
            .dma = {.row_bytes = narrow(bytes)},
            .bytes = bytes};
  }
  const Box box = shape_.transposed ? Box{block.batch * shape_.n + column, block.columns, k, depth}
                                    : Box{block.batch * shape_.k + k, depth, column, block.columns};
  const std::uint64_t key = box.row * operand.weight.columns + box.column;
  return {.key = key,
          .tag = operand.tag,
          .from = operand.weight.at(box.row, box.column),
          .dma = packed(operand.weight, box),
          .bytes = bytes};
}

void ProductEmitter::emit(Tape& tape, Timeline& timeline) {
  const auto mine = blocks();
  if (!mine.empty()) {
    tape.mark(TapeItem::Kind::await_inputs, group_index_);
    timeline.begin_group(std::min(shape_.a.bytes(plan_.m_tile * plan_.k_tile), plan_.a_ring));
    load_bias_rows(tape);
  }
  for (; number_ < mine.size(); ++number_) {
    const auto& block = mine[number_];
    load_residual(tape, block);
    // With a second slot the vector unit prepares the next block while this one is multiplied.
    if (number_ == 0 || plan_.slots == 1) start_from_bias(tape, block, number_);
    if (plan_.slots > 1 && number_ + 1 < mine.size()) start_from_bias(tape, mine[number_ + 1], number_ + 1);
    multiply(tape, timeline, block);
    finish_block(tape, block);
  }
  if (!mine.empty()) {
    const double elements = static_cast<double>(plan_.m_tile * plan_.n_tile);
    timeline.end_group(elements * (shape_.vector_cycles / std::max(1U, npu_.vector_lanes) +
                                   static_cast<double>(shape_.result_bytes) / 64.0));
  }
  if (mine.empty()) timeline.idle(plan_.cycles);
  tape.mark(TapeItem::Kind::signal, group_index_);
}

std::uint64_t ProductEmitter::bias_place(std::size_t product, std::uint64_t column) const {
  return bias_place_ + product * TileStream::aligned(columns_.size() * shape_.bias_bytes) +
         (column - columns_.begin) * shape_.bias_bytes;
}

// The bias rows stay for the whole group; each product has a row of this accelerator's columns.
void ProductEmitter::load_bias_rows(Tape& tape) {
  if (shape_.bias_bytes == 0) return;
  for (std::size_t p = 0; p < operands_.size(); ++p) {
    const auto& operand = operands_[p];
    const std::uint64_t begin = std::max(columns_.begin, operand.first_column),
                        end = std::min(columns_.end, operand.first_column + operand.weight.columns);
    if (begin >= end) continue;
    const std::size_t product = group_.beside.empty() ? p : 0;
    tape.load(operand.tag, operand.bias->at(0, begin - operand.first_column),
              {.local = LocalAddress::scratchpad(bias_place(product, begin)),
               .row_bytes = narrow((end - begin) * shape_.bias_bytes)});
  }
}

std::uint64_t ProductEmitter::staging() const {
  return staging_place_ + number_ % 2 * TileStream::aligned(plan_.m_tile * plan_.n_tile * shape_.result_bytes);
}

std::uint64_t ProductEmitter::residual_place() const {
  return residual_begin_ + number_ % 2 * TileStream::aligned(plan_.m_tile * plan_.n_tile * shape_.residual_bytes);
}

VectorOperand ProductEmitter::accumulator(const Block& block, std::uint64_t number, std::size_t product) const {
  const std::uint64_t bytes = plan_.m_tile * plan_.n_tile * 4;
  const bool is_integer = accumulator_dtype(shape_.operand) == Dtype::int32;
  return {.address = LocalAddress::accumulator((number % plan_.slots * shape_.products + product) * bytes),
          .pitch = narrow(block.columns * 4),
          .dtype = accumulator_dtype(shape_.operand),
          .scale = is_integer ? static_cast<float>(x_.exact_scale * operand(block, product).weight.exact_scale) : 1.0F};
}

void ProductEmitter::load_residual(Tape& tape, const Block& block) {
  if (!residual_) return;
  const std::uint64_t row = block.batch * shape_.m + block.m;
  Dma dma = packed(*residual_, {.row = row, .rows = block.rows, .column = block.n, .columns = block.columns});
  dma.local = LocalAddress::scratchpad(residual_place());
  tape.load(group_.residual, residual_->at(row, block.n), dma);
}

void ProductEmitter::start_from_bias(Tape& tape, const Block& block, std::uint64_t number) {
  for (std::size_t p = 0; p < shape_.products; ++p) {
    const auto& operand = this->operand(block, p);
    if (!operand.bias) continue;
    const auto& bias = *operand.bias;
    VectorOperand out = accumulator(block, number, p);
    if (shape_.bias_bytes > 0) {
      out.scale = bias.scale;
      tape.vector(operand.tag, {.function = VectorFunction::copy,
                                .rows = narrow(block.rows),
                                .columns = narrow(block.columns),
                                .source = {VectorOperand{.address = LocalAddress::scratchpad(bias_place(p, block.n)),
                                                         .pitch = 0,
                                                         .dtype = bias.dtype,
                                                         .scale = bias.scale}},
                                .destination = out});
      continue;
    }
    tape.load(operand.tag, bias.at(0, block.n - operand.first_column),
              {.local = out.address,
               .row_bytes = narrow(bias.bytes(block.columns)),
               .rows = narrow(block.rows),
               .memory_row_pitch = 0,
               .local_row_pitch = out.pitch,
               .convert = bias.dtype == Dtype::bf16 ? Convert::bf16_to_fp32 : Convert::none});
  }
}

// So far ahead that the load engine always has the next ones, and no further: the next block's residual stands behind them.
void ProductEmitter::load_activations(Tape& tape, Timeline& timeline) {
  const auto ahead = static_cast<std::uint32_t>(std::max<std::uint64_t>(kTilesAhead, ceil_div(shape_.k, plan_.k_tile)));
  const std::uint64_t before = a_.bytes_on_tape();
  a_.pump_to(tape, std::min(next_a_ + ahead, a_.uses() - 1), next_a_);
  timeline.load_other(a_.bytes_on_tape() - before);
}

void ProductEmitter::multiply(Tape& tape, Timeline& timeline, const Block& block) {
  for (std::uint64_t step = 0; step < steps(); ++step) {
    const std::uint64_t k = depth_of(step), depth = std::min(plan_.k_tile, shape_.k - k);
    load_activations(tape, timeline);
    const LocalAddress a = a_.address(next_a_++);
    for (std::size_t p = 0; p < shape_.products; ++p) {
      const auto& operand = this->operand(block, p);
      const double arrival = w_->require(tape, next_w_, timeline);
      const VectorOperand out = accumulator(block, number_, p);
      const Matmul matmul{.a = a,
                          .w = w_->address(next_w_),
                          .out = out.address,
                          .m = narrow(block.rows),
                          .k = narrow(depth),
                          .n = narrow(block.columns),
                          .a_pitch = narrow(shape_.a.bytes(depth)),
                          .w_pitch = narrow(shape_.w.bytes(shape_.transposed ? depth : block.columns)),
                          .out_pitch = out.pitch,
                          .a_dtype = shape_.operand,
                          .w_dtype = operand.weight.dtype,
                          .accumulate = step > 0 || operand.bias.has_value(),
                          .transpose_w = shape_.transposed,
                          .dataflow = plan_.dataflow,
                          .w_grouping = shape_.w_grouping};
      tape.matmul(operand.tag, matmul);
      w_->used(next_w_++, timeline.multiply(arrival, cycles(matmul)));
      w_->pump_until(tape, next_w_, timeline, timeline.chain());
    }
  }
}

void ProductEmitter::finish_block(Tape& tape, const Block& block) {
  // The results lie side by side: a block may reach over several.
  std::uint64_t first_column = 0;
  for (const auto& result : results_) {
    store(tape, block, result, first_column);
    first_column += result.columns;
  }
}

void ProductEmitter::store(Tape& tape, const Block& block, const Matrix& result, std::uint64_t first_column) {
  const std::uint64_t begin = std::max(block.n, first_column);
  const std::uint64_t end = std::min(block.n + block.columns, first_column + result.columns);
  if (begin >= end) return;
  const Box columns{block.batch * shape_.m + block.m, block.rows, begin - block.n, end - begin};
  const auto staged = transform(tape, block, result, columns);
  if (!has_stored_) tape.mark(TapeItem::Kind::await_outputs, group_index_);
  has_stored_ = true;
  // Panel by panel of the result.
  for (std::uint64_t at = begin - first_column; at < end - first_column;) {
    const SplitPart panel = result.panel_at(at);
    const std::uint64_t stop = std::min(end - first_column, panel.end);
    Dma dma{.row_bytes = narrow(result.bytes(stop - at)),
            .rows = narrow(block.rows),
            .memory_row_pitch = static_cast<std::int64_t>(result.bytes(panel.size()))};
    const std::uint64_t column = at - (begin - first_column);  // within what is stored
    if (staged) {
      dma.local = LocalAddress::scratchpad(staged->address.byte() + result.bytes(column));
      dma.local_row_pitch = staged->pitch;
    } else {
      from_accumulator(block, result, columns.column + column, dma);
    }
    tape.store(last_tag(block), result.at(columns.row, at), dma);
    at = stop;
  }
}

void ProductEmitter::from_accumulator(const Block& block, const Matrix& result, std::uint64_t column, Dma& dma) const {
  const VectorOperand from = accumulator(block, number_, 0);
  dma.local = LocalAddress::accumulator(from.address.byte() + column * 4);
  dma.local_row_pitch = from.pitch;
  dma.convert = convert_of(shape_.operand, result.dtype);
  if (dma.convert != Convert::requantize) return;
  const auto by = requantization(x_.exact_scale * operand(block, 0).weight.exact_scale / result.exact_scale);
  dma.multiplier = by.multiplier;
  dma.shift = by.shift;
}

std::optional<VectorOperand> ProductEmitter::transform(Tape& tape, const Block& block, const Matrix& result,
                                                       const Box& columns) {
  const auto& ops = context_.trace.operators;
  const std::uint64_t first = columns.column;
  std::vector<VectorOperand> values;
  for (std::size_t p = 0; p < shape_.products; ++p) {
    values.push_back(accumulator(block, number_, p));
    values[p].address.value += narrow(first * 4);
  }
  const VectorOperand staged{.address = LocalAddress::scratchpad(staging() + result.bytes(block.rows * first)),
                             .pitch = narrow(result.bytes(columns.columns)),
                             .dtype = result.dtype,
                             .scale = result.scale};
  std::size_t steps = (group_.activation != Group::kNone ? 1 : 0) + (group_.glu != Group::kNone ? 1 : 0) +
                      (group_.residual != Group::kNone ? 1 : 0);
  if (steps == 0) {
    const bool same_scale = result.dtype != Dtype::int32 || result.scale == values[0].scale;
    if (stores_directly(npu_, shape_.operand, result.dtype) && same_scale) return std::nullopt;
    steps = 1;
    tape.vector(last_tag(block), {.function = VectorFunction::copy,
                                  .rows = narrow(block.rows),
                                  .columns = narrow(columns.columns),
                                  .source = {values[0]},
                                  .destination = staged});
    return staged;
  }
  // All but the last step leave fp32 where they found it.
  const auto step = [&](std::uint32_t tag, VectorFunction function, std::size_t p, const VectorOperand& second) {
    VectorOperand destination = values[p];
    destination.dtype = Dtype::fp32;
    destination.scale = 1.0F;
    if (--steps == 0) destination = staged;
    tape.vector(tag, {.function = function,
                      .rows = narrow(block.rows),
                      .columns = narrow(columns.columns),
                      .source = {values[p], second},
                      .destination = destination});
    values[p] = destination;
  };
  if (group_.activation != Group::kNone) step(group_.activation, *function_of(ops[group_.activation]), 0, {});
  if (group_.glu != Group::kNone) step(group_.glu, *function_of(ops[group_.glu]), 0, values[1]);
  if (group_.residual != Group::kNone) {
    step(group_.residual, VectorFunction::add, 0,
         {.address = LocalAddress::scratchpad(residual_place() + residual_->bytes(first)),
          .pitch = narrow(residual_->bytes(block.columns)),
          .dtype = residual_->dtype,
          .scale = residual_->scale});
  }
  return values[0];
}

}  // namespace archsim
