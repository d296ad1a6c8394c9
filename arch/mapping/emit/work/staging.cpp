#include "arch/mapping/emit/work/staging.h"

#include <algorithm>

namespace archsim {
namespace {

constexpr std::uint64_t kSlots = 3;
constexpr std::uint64_t kUnit = 512;  // bytes; parts of the accelerators do not share a burst
constexpr std::uint64_t kPieceBytes = std::uint64_t{128} * 1024;

std::uint64_t offset_of(const Placement& placement, const Tensor& tensor, std::uint64_t copy) {
  std::uint64_t offset = 0;
  for (std::size_t d = tensor.copies.size(); d-- > 0;) {
    offset += copy % tensor.copies[d] * placement.copy_stride[d];
    copy /= tensor.copies[d];
  }
  return offset;
}

}  // namespace

void emit_staging(const MappingContext& context, std::uint32_t group_index, std::uint32_t position, Tape& tape) {
  const auto& group = context.schedule.groups[group_index];
  const auto& tensor = context.trace.tensors[group.staged_from];
  const auto& from = context.memory.placements[group.staged_from];
  const auto& to = context.memory.placements[group.staged_to];
  const std::uint64_t slot = context.split.arena / kSlots / 64 * 64;
  const SplitPart mine = part(tensor.bytes(), kUnit, group.accelerators.size(), position);
  std::uint64_t piece = 0;
  for (std::uint64_t copy = 0; copy < tensor.number_of_copies(); ++copy) {
    for (std::uint64_t at = mine.begin; at < mine.end; ++piece) {
      const std::uint64_t bytes = std::min({slot, kPieceBytes, mine.end - at});
      const Dma dma{.local = LocalAddress::scratchpad(piece % kSlots * slot), .row_bytes = narrow(bytes)};
      if (piece == 0) tape.mark(TapeItem::Kind::await_inputs, group_index);
      tape.load(group.last(), {from.address + offset_of(from, tensor, copy) + at, {}}, dma);
      if (piece == 0) tape.mark(TapeItem::Kind::await_outputs, group_index);
      tape.store(group.last(), {to.address + offset_of(to, tensor, copy) + at, {}}, dma);
      at += bytes;
    }
  }
  tape.mark(TapeItem::Kind::signal, group_index);
}

}  // namespace archsim
