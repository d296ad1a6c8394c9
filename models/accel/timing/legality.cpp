#include "models/accel/timing/legality.h"

#include <fmt/format.h>

#include <algorithm>

namespace archsim {
namespace {

using Verdict = std::optional<Refusal>;

Refusal illegal(std::string what) { return {FaultKind::illegal_command, std::move(what)}; }
Refusal bad_address(std::string what) { return {FaultKind::bad_address, std::move(what)}; }

/// Rows of one operand in a local SRAM.
struct LocalRange {
  const char* name;
  LocalAddress address;
  std::uint64_t rows = 1, row_bytes = 0, pitch = 0, element_bytes = 1;
  bool may_repeat = false;
};

Verdict check_local(const AcceleratorShape& shape, const LocalRange& range) {
  if (range.rows == 0 || range.row_bytes == 0) return illegal(fmt::format("{} is empty", range.name));
  const bool in_accumulator = range.address.in_accumulator();
  const std::uint64_t capacity = in_accumulator ? shape.accumulator() : shape.scratchpad();
  const std::uint64_t end = range.address.byte() + (range.rows - 1) * range.pitch + range.row_bytes;
  if (end > capacity) {
    return bad_address(fmt::format("{} ends at byte {} of a {} of {}", range.name, end,
                                   in_accumulator ? "accumulator SRAM" : "scratchpad", capacity));
  }
  if (range.address.byte() % range.element_bytes != 0 || range.pitch % range.element_bytes != 0) {
    return bad_address(fmt::format("{} at byte {}, pitch {}, is not aligned to {} bytes", range.name,
                                   range.address.byte(), range.pitch, range.element_bytes));
  }
  const bool repeats = range.pitch == 0 && range.may_repeat;
  if (range.rows > 1 && range.pitch < range.row_bytes && !repeats) {
    return bad_address(fmt::format("rows of {} overlap: {} bytes every {}", range.name, range.row_bytes, range.pitch));
  }
  return {};
}

bool is_one_of(Convert convert, Engine engine) {
  if (engine == Engine::load) return convert == Convert::none || convert == Convert::bf16_to_fp32;
  return convert != Convert::bf16_to_fp32;
}

Verdict check_memory(const MemoryMap& map, const Dma& dma) {
  const auto reach = [](std::int64_t pitch, std::uint32_t count) {
    return pitch * (static_cast<std::int64_t>(count) - 1);
  };
  const std::int64_t rows = reach(dma.memory_row_pitch, dma.rows), planes = reach(dma.memory_plane_pitch, dma.planes);
  const std::int64_t below = std::min<std::int64_t>(rows, 0) + std::min<std::int64_t>(planes, 0);
  const std::int64_t above = std::max<std::int64_t>(rows, 0) + std::max<std::int64_t>(planes, 0);
  const std::uint64_t first = dma.memory_address + static_cast<std::uint64_t>(below);
  const std::uint64_t last = dma.memory_address + static_cast<std::uint64_t>(above) + dma.row_bytes - 1;
  const Region* region = map.at(first);
  const bool is_memory = region != nullptr && (region->kind == RegionKind::dram || region->kind == RegionKind::l2);
  if (is_memory && region->contains(last)) return {};
  return bad_address(fmt::format("memory {:#x} .. {:#x} does not lie in one memory", first, last));
}

Verdict check_dma(const AcceleratorShape& shape, const MemoryMap& map, Engine engine, const Dma& dma) {
  if (dma.row_bytes == 0 || dma.rows == 0 || dma.planes == 0) return illegal("an empty transfer");
  const bool needs_converter = engine == Engine::store && dma.convert != Convert::none;
  if (!is_one_of(dma.convert, engine) || (needs_converter && !shape.requantizes())) {
    return illegal(fmt::format("the {} engine has no {}", name_of(engine), name_of(dma.convert)));
  }
  if (engine == Engine::store && dma.memory_row_pitch == 0 && dma.rows > 1)
    return illegal("a store of rows onto each other");
  const std::uint64_t ratio = local_bytes_per_memory_byte(dma.convert);
  const std::uint64_t memory_element = dma.convert == Convert::none || dma.convert == Convert::requantize ? 1 : 2;
  if (dma.row_bytes % memory_element != 0 || dma.memory_address % memory_element != 0 ||
      dma.memory_row_pitch % static_cast<std::int64_t>(memory_element) != 0 ||
      dma.memory_plane_pitch % static_cast<std::int64_t>(memory_element) != 0) {
    return bad_address(fmt::format("memory {:#x}, rows of {} bytes, is not aligned to {} bytes", dma.memory_address,
                                   dma.row_bytes, memory_element));
  }
  const std::uint64_t row = dma.row_bytes * ratio;
  const std::uint64_t element = dma.convert == Convert::none ? 1 : memory_element * ratio;
  const std::uint64_t plane = (dma.rows - 1) * static_cast<std::uint64_t>(dma.local_row_pitch) + row;
  const bool may_repeat = engine == Engine::store;
  if (auto verdict = check_local(
          shape, {"the local side of a row", dma.local, dma.rows, row, dma.local_row_pitch, element, may_repeat})) {
    return verdict;
  }
  if (auto verdict = check_local(shape, {"the local side of a plane", dma.local, dma.planes, plane,
                                         dma.local_plane_pitch, element, may_repeat})) {
    return verdict;
  }
  return check_memory(map, dma);
}

struct MatrixSize {
  std::uint64_t rows = 0, columns = 0, pitch = 0;
};

/// What is no plain matrix lies without gaps.
LocalRange operand(const char* name, LocalAddress address, const Packing& packing, MatrixSize size) {
  if (!packing.is_plain()) return {name, address, 1, packing.bytes(size.rows * size.columns)};
  return {name, address, size.rows, packing.bytes(size.columns), size.pitch, packing.value_bits / 8, true};
}

Verdict check_matmul(const AcceleratorShape& shape, const Matmul& matmul) {
  if (matmul.m == 0 || matmul.k == 0 || matmul.n == 0) return illegal("an empty matmul");
  if (!shape.has(matmul.dataflow))
    return illegal(fmt::format("the array has no {} dataflow", name_of(matmul.dataflow)));
  if (!shape.has(rate_dtype(matmul))) return illegal("the array has no such element type");
  if (matmul.a.in_accumulator() || matmul.w.in_accumulator() || !matmul.out.in_accumulator()) {
    return illegal("a matmul reads the scratchpad and writes the accumulator SRAM");
  }
  if (!matmul.is_w_native() && !shape.decodes_weights()) return illegal("the array has no weight decoder");
  const std::uint64_t w_rows = matmul.transpose_w ? matmul.n : matmul.k,
                      w_columns = matmul.transpose_w ? matmul.k : matmul.n;
  constexpr std::uint64_t kResult = 4;
  if (auto v = check_local(shape, operand("a", matmul.a, matmul.a_packing(), {matmul.m, matmul.k, matmul.a_pitch})))
    return v;
  if (auto v = check_local(shape, operand("w", matmul.w, matmul.w_packing(), {w_rows, w_columns, matmul.w_pitch})))
    return v;
  return check_local(shape, {"out", matmul.out, matmul.m, matmul.n * kResult, matmul.out_pitch, kResult});
}

Verdict check_vector(const AcceleratorShape& shape, const Vector& vector) {
  if (vector.rows == 0 || vector.columns == 0) return illegal("an empty vector command");
  if (!shape.has(vector.function)) return illegal(fmt::format("the vector unit has no {}", name_of(vector.function)));
  constexpr std::array kNames{"source 0", "source 1", "source 2"};
  const VectorShape operands = shape_of(vector);
  const auto range = [&](const char* name, const VectorOperand& operand, std::uint64_t columns, bool may_repeat) {
    const Packing packing = packing_of(operand.dtype);
    const std::uint64_t element = operand.address.in_accumulator()
                                      ? 4
                                      : std::max<std::uint64_t>(packing.is_plain() ? packing.value_bits / 8 : 1, 1);
    return LocalRange{name, operand.address, vector.rows, packing.bytes(columns), operand.pitch, element, may_repeat};
  };
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const std::uint64_t columns = operands.source_columns[i];
    if (columns == 0) continue;
    const bool may_repeat = !(operands.writes_state && i > 0);
    if (auto verdict = check_local(shape, range(kNames[i], vector.source[i], columns, may_repeat))) return verdict;
  }
  return check_local(shape, range("the destination", vector.destination, vector.columns, false));
}

}  // namespace

std::optional<Refusal> refusal(const AcceleratorShape& shape, const MemoryMap& map, Engine engine,
                               const Command& command) {
  switch (engine) {
    case Engine::load:
    case Engine::store:
      if (const auto* dma = std::get_if<Dma>(&command.payload)) return check_dma(shape, map, engine, *dma);
      break;
    case Engine::array:
      if (const auto* matmul = std::get_if<Matmul>(&command.payload)) return check_matmul(shape, *matmul);
      break;
    case Engine::vector:
      if (const auto* vector = std::get_if<Vector>(&command.payload)) return check_vector(shape, *vector);
      break;
  }
  return illegal(fmt::format("{} on the {} stream", opcode_name(command), name_of(engine)));
}

}  // namespace archsim
