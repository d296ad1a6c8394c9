#include "arch/mapping/emit/work/movement.h"

#include <algorithm>

namespace archsim {
namespace {

constexpr std::uint64_t kSlots = 3;
constexpr std::uint64_t kColumnUnit = 64;
// Large enough to hide the set-up of a DMA, small enough that loads and stores overlap.
constexpr std::uint64_t kMoveBytes = std::uint64_t{64} * 1024;

}  // namespace

MovementEmitter::MovementEmitter(const MappingContext& context, std::uint32_t group)
    : context_(context),
      group_index_(group),
      op_(context.trace.operators[context.schedule.groups[group].last()]),
      tag_(context.schedule.groups[group].last()),
      accelerators_(static_cast<std::uint32_t>(context.schedule.groups[group].accelerators.size())),
      destination_(matrix_of(context, op_.outputs[0])) {
  for (const auto& use : op_.inputs) sources_.push_back(matrix_of(context, use));
}

bool MovementEmitter::converts(const Matrix& source) const {
  return source.dtype != destination_.dtype || source.exact_scale != destination_.exact_scale;
}

// Local bytes for each element: where it is loaded, and where its converted value stands.
std::uint64_t MovementEmitter::element_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& source : sources_) {
    bytes = std::max(bytes, source.bytes(1) + (converts(source) ? destination_.bytes(1) : 0));
  }
  return bytes;
}

std::uint64_t MovementEmitter::elements_per_move() const {
  // Two places of a slot may each be rounded up by up to 63 bytes.
  const std::uint64_t slot = context_.split.arena / kSlots;
  return std::min(kMoveBytes, slot > 128 ? slot - 128 : 0) / element_bytes();
}

// The picture that patchify cuts and the grid that pixel_shuffle joins are the same thing; of another operator, one element.
MovementEmitter::Image MovementEmitter::image_of_patches() const {
  const auto& shape = context_.tensor(op_.inputs[0]).shape;
  if (op_.type == OperatorType::patchify) {
    return {shape[0], shape[1], shape[2], static_cast<std::uint64_t>(op_.integer("patch", 1))};
  }
  if (op_.type != OperatorType::pixel_shuffle) return {};
  const auto width = static_cast<std::uint64_t>(op_.integer("width", 1));
  return {shape[0] / width, width, shape[1], static_cast<std::uint64_t>(op_.integer("factor", 1))};
}

std::uint64_t MovementEmitter::smallest_need() const {
  const auto image = image_of_patches();
  return kSlots * (image.patch * image.patch * image.channels * element_bytes() + 128);
}

// In front of the axis there are `outer` rows; each input or output has a run of elements in every one of them.
Matrix MovementEmitter::along_axis(const Matrix& matrix, const TensorUse& use) const {
  const auto axis = static_cast<std::size_t>(op_.integer("axis", 0));
  const auto& shape = context_.tensor(use).shape;
  Matrix view = matrix;
  view.rows = 1;
  for (std::size_t d = 0; d < axis; ++d) view.rows *= shape[d];
  view.columns = matrix.rows * matrix.columns / view.rows;
  return view;
}

// `box` of `from` to the same place of `to`, some columns further left or right.
void MovementEmitter::add_copy(const Copy& copy, std::uint32_t position, std::vector<Move>& moves) const {
  SplitPart rows{0, copy.rows}, columns{0, copy.columns};
  if (rows.size() >= accelerators_) {
    rows = part(rows.size(), 1, accelerators_, position);
  } else {
    columns = part(columns.size(), kColumnUnit, accelerators_, position);
  }
  const std::uint64_t width = std::min(columns.size(), elements_per_move());
  const std::uint64_t height = width == 0 ? 0 : std::max<std::uint64_t>(1, elements_per_move() / width);
  for (std::uint64_t row = rows.begin; width > 0 && row < rows.end; row += height) {
    for (std::uint64_t column = columns.begin; column < columns.end; column += width) {
      const Box box{row, std::min(height, rows.end - row), column, std::min(width, columns.end - column)};
      Box source = box, target = box;
      source.column += copy.from_column;
      target.column += copy.to_column;
      moves.push_back({copy.source, copy.from.at(source.row, source.column), copy.to.at(target.row, target.column),
                       packed(copy.from, source), packed(copy.to, target), box.rows, box.columns});
    }
  }
}

void MovementEmitter::add_concat(std::uint32_t position, std::vector<Move>& moves) const {
  const Matrix to = along_axis(destination_, op_.outputs[0]);
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const Matrix from = along_axis(sources_[i], op_.inputs[i]);
    add_copy({.source = &sources_[i],
              .from = from,
              .to = to,
              .rows = from.rows,
              .columns = from.columns,
              .to_column = offset},
             position, moves);
    offset += from.columns;
  }
}

void MovementEmitter::add_slice(std::uint32_t position, std::vector<Move>& moves) const {
  const Matrix from = along_axis(sources_[0], op_.inputs[0]), to = along_axis(destination_, op_.outputs[0]);
  const auto axis = static_cast<std::size_t>(op_.integer("axis", 0));
  const std::uint64_t inner = from.columns / context_.tensor(op_.inputs[0]).shape[axis];
  const std::uint64_t begin = static_cast<std::uint64_t>(op_.integer("begin", 0)) * inner;
  add_copy(
      {.source = &sources_[0], .from = from, .to = to, .rows = to.rows, .columns = to.columns, .from_column = begin},
      position, moves);
}

// One run of elements, in the same order as before.
void MovementEmitter::add_reshape(std::uint32_t position, std::vector<Move>& moves) const {
  Matrix from = sources_[0], to = destination_;
  from.columns = to.columns = from.rows * from.columns;
  from.rows = to.rows = 1;
  add_copy({.source = &sources_[0], .from = from, .to = to, .rows = 1, .columns = from.columns}, position, moves);
}

void MovementEmitter::add_broadcast(std::uint32_t position, std::vector<Move>& moves) const {
  const Matrix& from = sources_[0];
  SplitPart rows{0, destination_.rows}, columns{0, destination_.columns};
  if (rows.size() >= accelerators_) {
    rows = part(rows.size(), 1, accelerators_, position);
  } else {
    columns = part(columns.size(), kColumnUnit, accelerators_, position);
  }
  const std::uint64_t width = std::min(columns.size(), elements_per_move());
  const std::uint64_t height = width == 0 ? 0 : std::max<std::uint64_t>(1, elements_per_move() / width);
  for (std::uint64_t row = rows.begin; width > 0 && row < rows.end; row += height) {
    for (std::uint64_t column = columns.begin; column < columns.end; column += width) {
      const Box box{row, std::min(height, rows.end - row), column, std::min(width, columns.end - column)};
      const std::uint64_t bytes = from.bytes(box.columns);
      moves.push_back({&from,
                       from.at(0, column),
                       destination_.at(box.row, box.column),
                       {.row_bytes = narrow(bytes),
                        .rows = narrow(box.rows),
                        .memory_row_pitch = 0,
                        .local_row_pitch = narrow(bytes)},
                       packed(destination_, box),
                       box.rows,
                       box.columns});
    }
  }
}

// A row of patches is `patch` rows of the image, taken apart into pieces of patch x channels elements.
void MovementEmitter::add_patches(std::uint32_t position, std::vector<Move>& moves) const {
  const auto image = image_of_patches();
  const std::uint64_t patch = image.patch, across = image.width / patch, piece = patch * image.channels;
  const std::uint64_t image_row = image.width * image.channels;
  const Matrix& from = sources_[0];
  const SplitPart mine = part(image.height / patch * across, 1, accelerators_, position);
  const std::uint64_t at_once = elements_per_move() / (patch * piece);
  ARCHSIM_ASSERT(at_once > 0, "a patch that does not fit was let through");
  for (std::uint64_t first = mine.begin; first < mine.end;) {
    const std::uint64_t down = first / across, right = first % across;
    const std::uint64_t count = std::min({at_once, mine.end - first, across - right});
    const std::uint64_t bytes = from.bytes(piece);
    const Box box{first, count, 0, destination_.columns};
    moves.push_back({&from,
                     from.address + from.bytes(down * patch * image_row + right * piece),
                     destination_.at(first, 0),
                     {.row_bytes = narrow(bytes),
                      .rows = narrow(patch),
                      .planes = narrow(count),
                      .memory_row_pitch = static_cast<std::int64_t>(from.bytes(image_row)),
                      .memory_plane_pitch = static_cast<std::int64_t>(bytes),
                      .local_row_pitch = narrow(bytes),
                      .local_plane_pitch = narrow(bytes * patch)},
                     packed(destination_, box),
                     count,
                     destination_.columns});
    first += count;
  }
}

std::vector<MovementEmitter::Move> MovementEmitter::moves(std::uint32_t position) const {
  std::vector<Move> result;
  if (op_.type == OperatorType::concat) add_concat(position, result);
  if (op_.type == OperatorType::slice) add_slice(position, result);
  if (op_.type == OperatorType::broadcast) add_broadcast(position, result);
  if (op_.type == OperatorType::patchify || op_.type == OperatorType::pixel_shuffle) add_patches(position, result);
  if (op_.type == OperatorType::reshape) add_reshape(position, result);
  return result;
}

void MovementEmitter::emit(Tape& tape, std::uint32_t position) const {
  const auto mine = moves(position);
  const std::uint64_t slot_bytes = context_.split.arena / kSlots / 64 * 64;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    Move move = mine[i];
    if (i == 0) tape.mark(TapeItem::Kind::await_inputs, group_index_);
    const std::uint64_t loaded = i % kSlots * slot_bytes;
    std::uint64_t ready = loaded;
    move.load.local = LocalAddress::scratchpad(loaded);
    tape.load(tag_, move.from, move.load);
    if (converts(*move.source)) {
      ready = loaded + TileStream::aligned(move.source->bytes(move.rows * move.columns));
      tape.vector(tag_, {.function = VectorFunction::copy,
                         .rows = narrow(move.rows),
                         .columns = narrow(move.columns),
                         .source = {VectorOperand{.address = LocalAddress::scratchpad(loaded),
                                                  .pitch = narrow(move.source->bytes(move.columns)),
                                                  .dtype = move.source->dtype,
                                                  .scale = move.source->scale}},
                         .destination = {.address = LocalAddress::scratchpad(ready),
                                         .pitch = narrow(destination_.bytes(move.columns)),
                                         .dtype = destination_.dtype,
                                         .scale = destination_.scale}});
    }
    if (i == 0) tape.mark(TapeItem::Kind::await_outputs, group_index_);
    move.store.local = LocalAddress::scratchpad(ready);
    tape.store(tag_, move.to, move.store);
  }
  tape.mark(TapeItem::Kind::signal, group_index_);
}

}  // namespace archsim
