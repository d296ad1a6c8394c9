#include "arch/mapping/emit/work/rows.h"

#include <algorithm>

#include "arch/mapping/schedule/suitability.h"

namespace archsim {
namespace {

// About the least that is worth a transfer and a command of its own.
constexpr std::uint64_t kSmallTileBytes = std::uint64_t{16} * 1024;
// Tiles in flight: one being loaded, one computed, one stored.
constexpr std::uint64_t kSlots = 3;
constexpr std::uint64_t kColumnUnit = 64;

bool cuts_columns(VectorFunction function) {
  switch (function) {
    case VectorFunction::layernorm:
    case VectorFunction::rmsnorm:
    case VectorFunction::softmax:
    case VectorFunction::sincos:
    case VectorFunction::rope:
      return false;
    default:
      return true;
  }
}

}  // namespace

RowsEmitter::RowsEmitter(const MappingContext& context, std::uint32_t group)
    : context_(context),
      group_index_(group),
      tag_(context.schedule.groups[group].last()),
      accelerators_(static_cast<std::uint32_t>(context.schedule.groups[group].accelerators.size())) {
  const auto& op = context.trace.operators[tag_];
  destination_ = matrix_of(context, op.outputs[0]);
  for (const auto& use : op.inputs) {
    const Role role = context.tensor(use).role;
    Source source{.matrix = matrix_of(context, use), .is_given = role == Role::weight || role == Role::constant};
    source.is_one_row = !sources_.empty() && source.matrix.rows == 1 && destination_.rows > 1;
    if (!sources_.empty() && (op.type == OperatorType::layernorm || op.type == OperatorType::rmsnorm))
      source.is_one_row = true;
    sources_.push_back(std::move(source));
  }
  if (op.type == OperatorType::sincos) std::swap(sources_[0].matrix.rows, sources_[0].matrix.columns);
  set_parameters(op);
}

void RowsEmitter::set_parameters(const Operator& op) {
  auto& v = parameters_;
  v.function = *function_of(op);
  const auto number = [&](const char* name, double otherwise) {
    return static_cast<float>(op.number(name, otherwise));
  };
  if (v.function == VectorFunction::layernorm || v.function == VectorFunction::rmsnorm)
    v.parameter0 = number("epsilon", 0.0);
  if (v.function == VectorFunction::rmsnorm) v.parameter1 = number("offset", 0.0);
  if (v.function == VectorFunction::scale || v.function == VectorFunction::axpy) v.parameter0 = number("factor", 1.0);
  if (v.function == VectorFunction::softmax) v.parameter0 = 1.0F;
  if (v.function == VectorFunction::sincos) {
    v.parameter0 = number("period_min", 1.0);
    v.parameter1 = number("period_max", 1.0);
  }
  if (v.function == VectorFunction::rope) {
    v.parameter0 = number("theta", 10000.0);
    v.integer0 = narrow(static_cast<std::uint64_t>(op.integer("head_dim", 2)));
    v.integer1 = narrow(static_cast<std::uint64_t>(op.integer("position", 0)));
    column_unit_ = v.integer0;
  } else if (cuts_columns(v.function)) {
    column_unit_ = kColumnUnit;
  }
}

// sincos reads one value a row.
std::uint64_t RowsEmitter::source_columns(std::size_t source, std::uint64_t columns) const {
  return sources_[source].matrix.columns == 1 ? 1 : columns;
}

std::uint64_t RowsEmitter::constant_bytes(std::uint64_t columns) const {
  std::uint64_t bytes = 0;
  for (const auto& source : sources_) {
    if (source.is_one_row) bytes += TileStream::aligned(source.matrix.bytes(columns));
  }
  return bytes;
}

std::uint64_t RowsEmitter::tile_bytes(std::uint64_t rows, std::uint64_t columns) const {
  std::uint64_t bytes = TileStream::aligned(rows * destination_.bytes(columns));
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    if (!sources_[s].is_one_row)
      bytes += TileStream::aligned(rows * sources_[s].matrix.bytes(source_columns(s, columns)));
  }
  return bytes;
}

std::uint64_t RowsEmitter::smallest_need() const {
  const std::uint64_t columns = column_unit_ == 0 ? destination_.columns : std::min(destination_.columns, column_unit_);
  return constant_bytes(columns) + tile_bytes(1, columns);
}

RowsEmitter::Tiling RowsEmitter::tiling(std::uint64_t rows, std::uint64_t columns) const {
  Tiling best{1, columns, 1};
  const auto fits = [&](std::uint64_t tile_rows, std::uint64_t tile_columns, std::uint64_t slots) {
    return constant_bytes(tile_columns) + slots * tile_bytes(tile_rows, tile_columns) <= context_.split.arena;
  };
  while (!fits(1, best.columns, 1) && column_unit_ > 0 && best.columns > column_unit_) {
    best.columns = ceil_div(ceil_div(best.columns, column_unit_), 2) * column_unit_;
  }
  ARCHSIM_ASSERT(fits(1, best.columns, 1), "a row that does not fit was let through");
  while (best.slots < kSlots && fits(1, best.columns, best.slots + 1)) ++best.slots;
  // About four tiles make a pipeline, unless they get too small to be worth their commands.
  const std::uint64_t wanted = std::max(ceil_div(rows, 4), ceil_div(kSmallTileBytes, tile_bytes(1, best.columns)));
  while (best.rows < std::min(rows, wanted) && fits(best.rows + 1, best.columns, best.slots)) ++best.rows;
  return best;
}

RowsEmitter::Place RowsEmitter::place(const Tiling& tiling, std::uint64_t columns, std::uint64_t tile) const {
  Place place;
  std::uint64_t constant = 0;
  std::uint64_t at = constant_bytes(columns) + tile % tiling.slots * tile_bytes(tiling.rows, tiling.columns);
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    const auto& matrix = sources_[s].matrix;
    if (sources_[s].is_one_row) {
      place.sources.push_back(constant);
      constant += TileStream::aligned(matrix.bytes(columns));
    } else {
      place.sources.push_back(at);
      at += TileStream::aligned(tiling.rows * matrix.bytes(source_columns(s, tiling.columns)));
    }
  }
  place.destination = at;
  return place;
}

void RowsEmitter::load_constants(Tape& tape, const Place& place, SplitPart columns, bool given) const {
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    if (!sources_[s].is_one_row || sources_[s].is_given != given) continue;
    const auto& matrix = sources_[s].matrix;
    tape.load(tag_, matrix.at(0, columns.begin),
              {.local = LocalAddress::scratchpad(place.sources[s]), .row_bytes = narrow(matrix.bytes(columns.size()))});
  }
}

Vector RowsEmitter::command(const Place& place, const Box& box, std::uint64_t first_column) const {
  Vector vector = parameters_;
  vector.rows = narrow(box.rows);
  vector.columns = narrow(box.columns);
  if (vector.function == VectorFunction::rope) vector.integer1 += narrow(box.row);
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    const auto& matrix = sources_[s].matrix;
    const bool is_one_row = sources_[s].is_one_row;
    const std::uint64_t offset = is_one_row ? matrix.bytes(box.column - first_column) : 0;
    vector.source[s] = {.address = LocalAddress::scratchpad(place.sources[s] + offset),
                        .pitch = is_one_row ? 0 : narrow(matrix.bytes(source_columns(s, box.columns))),
                        .dtype = matrix.dtype,
                        .scale = matrix.scale};
  }
  vector.destination = {.address = LocalAddress::scratchpad(place.destination),
                        .pitch = narrow(destination_.bytes(box.columns)),
                        .dtype = destination_.dtype,
                        .scale = destination_.scale};
  return vector;
}

void RowsEmitter::emit_tile(Tape& tape, const Place& place, const Box& box) const {
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    if (sources_[s].is_one_row) continue;
    const auto& matrix = sources_[s].matrix;
    const bool is_single = matrix.columns == 1;
    Dma dma = packed(matrix, {box.row, box.rows, is_single ? 0 : box.column, source_columns(s, box.columns)});
    dma.local = LocalAddress::scratchpad(place.sources[s]);
    tape.load(tag_, matrix.at(box.row, is_single ? 0 : box.column), dma);
  }
}

void RowsEmitter::emit_part(Tape& tape, SplitPart rows, SplitPart columns) const {
  const Tiling tiles = tiling(rows.size(), columns.size());
  std::uint64_t tile = 0;
  for (std::uint64_t column = columns.begin; column < columns.end; column += tiles.columns) {
    const SplitPart strip{column, std::min(columns.end, column + tiles.columns)};
    const Place constants = place(tiles, tiles.columns, 0);
    load_constants(tape, constants, strip, true);
    if (column == columns.begin) tape.mark(TapeItem::Kind::await_inputs, group_index_);
    load_constants(tape, constants, strip, false);
    for (std::uint64_t row = rows.begin; row < rows.end; row += tiles.rows, ++tile) {
      const Box box{row, std::min(tiles.rows, rows.end - row), strip.begin, strip.size()};
      const Place at = place(tiles, tiles.columns, tile);
      emit_tile(tape, at, box);
      tape.vector(tag_, command(at, box, strip.begin));
      if (tile == 0) tape.mark(TapeItem::Kind::await_outputs, group_index_);
      Dma dma = packed(destination_, box);
      dma.local = LocalAddress::scratchpad(at.destination);
      tape.store(tag_, destination_.at(box.row, box.column), dma);
    }
  }
}

void RowsEmitter::emit(Tape& tape, std::uint32_t position) const {
  SplitPart rows{0, destination_.rows}, columns{0, destination_.columns};
  if (rows.size() >= accelerators_ || column_unit_ == 0) {
    rows = part(rows.size(), 1, accelerators_, position);
  } else {
    columns = part(columns.size(), column_unit_, accelerators_, position);
  }
  if (rows.size() > 0 && columns.size() > 0) emit_part(tape, rows, columns);
  tape.mark(TapeItem::Kind::signal, group_index_);
}

}  // namespace archsim
