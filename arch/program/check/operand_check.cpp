#include "arch/program/check/operand_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "arch/program/accesses.h"
#include "arch/program/numbers/element.h"

namespace archsim {
namespace {

using Mistakes = std::vector<std::string>;

void require(Mistakes& mistakes, bool holds, std::string text) {
  if (!holds) mistakes.push_back(std::move(text));
}

void check_local(Mistakes& mistakes, const LocalAccess& access, const LocalCapacity& capacity) {
  const bool in_accumulator = access.start.in_accumulator();
  const std::uint64_t bytes = in_accumulator ? capacity.accumulator : capacity.scratchpad;
  const std::uint64_t end = access.start.byte() + access.extent();
  require(mistakes, end <= bytes,
          fmt::format("{} ends at byte {} of the {}, which has {}", access.operand, end,
                      in_accumulator ? "accumulator" : "scratchpad", bytes));
  const bool rows_overlap = access.rows > 1 && access.row_pitch < access.row_bytes;
  require(mistakes, !(access.writes && rows_overlap),
          fmt::format("{} writes rows of {} bytes over each other, {} apart", access.operand, access.row_bytes,
                      access.row_pitch));
}

void check_dma(Mistakes& mistakes, const Dma& dma, Engine engine) {
  require(mistakes, dma.row_bytes > 0 && dma.rows > 0 && dma.planes > 0, "it moves nothing");
  const bool is_load = engine == Engine::load;
  const bool fits = dma.convert == Convert::none || is_load == (dma.convert == Convert::bf16_to_fp32);
  require(mistakes, fits, fmt::format("a {} cannot convert {}", name_of(engine), name_of(dma.convert)));
  const bool is_bf16 = dma.convert == Convert::bf16_to_fp32 || dma.convert == Convert::fp32_to_bf16;
  require(mistakes, !is_bf16 || dma.row_bytes % 2 == 0, "half a bf16 element at the end of a row");
  require(mistakes, dma.shift <= 62, fmt::format("a shift of {} is more than 62", dma.shift));
  // The pitch of a single row or plane is never used.
  if (is_load) {
    require(mistakes, dma.rows == 1 || dma.local_row_pitch >= local_row_bytes(dma), "rows land on each other");
    const std::uint64_t plane = (dma.rows - 1ULL) * dma.local_row_pitch + local_row_bytes(dma);
    const bool interleaved = dma.local_plane_pitch < dma.local_row_pitch;
    require(mistakes, dma.planes == 1 || interleaved || dma.local_plane_pitch >= plane, "planes land on each other");
  }
}

void check_matmul(Mistakes& mistakes, const Matmul& matmul) {
  require(mistakes, matmul.m > 0 && matmul.k > 0 && matmul.n > 0, "m, k and n must be positive");
  require(mistakes, matmul.a_dtype != Dtype::int32 && matmul.w_dtype != Dtype::int32, "the array takes no int32");
  require(mistakes, !matmul.a.in_accumulator() && !matmul.w.in_accumulator(), "a and w lie in the scratchpad");
  require(mistakes, matmul.out.in_accumulator(), "out lies in the accumulator");
  require(mistakes, matmul.out.byte() % 4 == 0 && matmul.out_pitch % 4 == 0, "out is not aligned to its elements");
  require(mistakes, matmul.m == 1 || matmul.out_pitch >= std::uint64_t{matmul.n} * 4, "rows of out lie on each other");
}

void check_vector_operand(Mistakes& mistakes, std::string_view name, const VectorOperand& operand) {
  const auto size = std::max<std::size_t>(bytes_of(operand.dtype), 1);
  require(mistakes, operand.address.byte() % size == 0 && operand.pitch % size == 0,
          fmt::format("{} is not aligned to its elements", name));
  require(mistakes, operand.scale > 0.0F, fmt::format("{} has scale {}", name, operand.scale));
}

void check_function(Mistakes& mistakes, const Vector& vector) {
  const auto is_fp32 = [&](std::size_t s) { return vector.source[s].dtype == Dtype::fp32; };
  switch (vector.function) {
    case VectorFunction::rope: {
      const auto head = vector.integer0;
      require(mistakes, head > 0 && head % 2 == 0 && vector.columns % head == 0,
              fmt::format("heads of {} elements do not divide rows of {}, or cannot be halved", head, vector.columns));
      require(mistakes, vector.parameter0 > 0.0F, "theta must be positive");
      return;
    }
    case VectorFunction::softmax_step:
      require(mistakes, is_fp32(1) && is_fp32(2), "the running state and the output accumulator are fp32");
      require(mistakes, vector.source[1].pitch >= 8 || vector.rows == 1, "each row has a state of its own");
      require(mistakes, vector.integer0 > 0, "the output accumulator has no columns");
      require(mistakes, vector.integer1 <= 1, "integer1 says whether this is the first tile");
      return;
    case VectorFunction::softmax_finish:
      return require(mistakes, is_fp32(1), "the running state is fp32");
    case VectorFunction::sincos:
      require(mistakes, vector.columns % 2 == 0, "half of the columns are sines");
      return require(mistakes, vector.parameter0 > 0.0F && vector.parameter1 > 0.0F, "periods must be positive");
    default:
      return;
  }
}

void check_vector(Mistakes& mistakes, const Vector& vector) {
  require(mistakes, vector.rows > 0 && vector.columns > 0, "it has no elements");
  for (std::size_t s = 0; s < vector.source.size(); ++s) {
    if (source_columns(vector, s) > 0) check_vector_operand(mistakes, fmt::format("source{}", s), vector.source[s]);
  }
  check_vector_operand(mistakes, "destination", vector.destination);
  const std::uint64_t row = packing_of(vector.destination.dtype).bytes(vector.columns);
  require(mistakes, vector.rows <= 1 || vector.destination.pitch >= row, "rows of the destination lie on each other");
  check_function(mistakes, vector);
}

}  // namespace

std::vector<std::string> operand_mistakes(const Command& command, Engine engine, const LocalCapacity& capacity) {
  Mistakes mistakes;
  if (const auto* dma = std::get_if<Dma>(&command.payload)) check_dma(mistakes, *dma, engine);
  if (const auto* matmul = std::get_if<Matmul>(&command.payload)) check_matmul(mistakes, *matmul);
  if (const auto* vector = std::get_if<Vector>(&command.payload)) check_vector(mistakes, *vector);
  // Where sizes are wrong, ranges are too.
  if (mistakes.empty()) {
    for (const auto& access : local_accesses(command, engine)) check_local(mistakes, access, capacity);
  }
  return mistakes;
}

std::vector<std::string> memory_mistakes(const Dma& dma, const ScannedCommand& where,
                                         const std::vector<MemoryRange>& memories) {
  const auto base = static_cast<std::int64_t>(dma.memory_address);
  const Span start = Span{base, base} + where.registers[dma.address_register] + reach(dma.rows, dma.memory_row_pitch) +
                     reach(dma.planes, dma.memory_plane_pitch);
  const std::int64_t end = start.high + dma.row_bytes;
  for (const auto& memory : memories) {
    if (start.low >= 0 &&
        memory.contains(static_cast<std::uint64_t>(start.low), static_cast<std::uint64_t>(end - start.low))) {
      return {};
    }
  }
  return {fmt::format("bytes {:#x} to {:#x} do not lie in one memory", start.low, end)};
}

}  // namespace archsim
