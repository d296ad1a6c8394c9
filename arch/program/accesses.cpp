#include "arch/program/accesses.h"

namespace archsim {
namespace {

constexpr std::array<std::string_view, 3> kSourceNames{"source0", "source1", "source2"};

LocalAccess matrix(std::string_view operand, LocalAddress start, std::uint64_t rows, std::uint64_t row_bytes,
                   std::uint64_t pitch) {
  return {
      .operand = operand, .start = start, .row_bytes = row_bytes, .rows = pitch == 0 ? 1 : rows, .row_pitch = pitch};
}

struct MatrixSize {
  std::uint64_t rows = 0, columns = 0, pitch = 0;
};

/// What is no plain matrix lies without gaps.
LocalAccess operand(std::string_view name, LocalAddress start, const Packing& packing, MatrixSize size) {
  if (!packing.is_plain()) return matrix(name, start, 1, packing.bytes(size.rows * size.columns), 0);
  return matrix(name, start, size.rows, packing.bytes(size.columns), size.pitch);
}

LocalAccess reading(LocalAccess access) {
  access.reads = true;
  return access;
}

std::vector<LocalAccess> accesses_of(const Dma& dma, Engine engine) {
  LocalAccess local = matrix("local", dma.local, dma.rows, local_row_bytes(dma), dma.local_row_pitch);
  local.planes = dma.local_plane_pitch == 0 ? 1 : dma.planes;
  local.plane_pitch = dma.local_plane_pitch;
  local.reads = engine == Engine::store;
  local.writes = engine != Engine::store;
  return {local};
}

std::vector<LocalAccess> accesses_of(const Matmul& matmul) {
  const std::uint64_t w_rows = matmul.transpose_w ? matmul.n : matmul.k;
  const std::uint64_t w_columns = matmul.transpose_w ? matmul.k : matmul.n;
  auto out = matrix("out", matmul.out, matmul.m, std::uint64_t{matmul.n} * 4, matmul.out_pitch);
  out.writes = true;
  out.reads = matmul.accumulate;
  return {reading(operand("a", matmul.a, matmul.a_packing(), {matmul.m, matmul.k, matmul.a_pitch})),
          reading(operand("w", matmul.w, matmul.w_packing(), {w_rows, w_columns, matmul.w_pitch})), out};
}

std::vector<LocalAccess> accesses_of(const Vector& vector) {
  std::vector<LocalAccess> all;
  for (std::size_t s = 0; s < vector.source.size(); ++s) {
    const auto columns = source_columns(vector, s);
    if (columns == 0) continue;
    const auto& source = vector.source[s];
    auto access = reading(
        matrix(kSourceNames[s], source.address, vector.rows, packing_of(source.dtype).bytes(columns), source.pitch));
    // The running state and the output accumulator of flash attention are updated in place.
    if (vector.function == VectorFunction::softmax_step && s > 0) {
      access.writes = true;
      access.reads = vector.integer1 == 0;
    }
    all.push_back(access);
  }
  const auto& to = vector.destination;
  auto destination =
      matrix("destination", to.address, vector.rows, packing_of(to.dtype).bytes(vector.columns), to.pitch);
  destination.writes = true;
  all.push_back(destination);
  return all;
}

}  // namespace

std::uint64_t LocalAccess::extent() const {
  if (rows == 0 || planes == 0 || row_bytes == 0) return 0;
  return (planes - 1) * plane_pitch + (rows - 1) * row_pitch + row_bytes;
}

std::uint64_t local_row_bytes(const Dma& dma) {
  switch (dma.convert) {
    case Convert::none:
      return dma.row_bytes;
    case Convert::bf16_to_fp32:
    case Convert::fp32_to_bf16:
      return std::uint64_t{dma.row_bytes} * 2;
    case Convert::requantize:
      return std::uint64_t{dma.row_bytes} * 4;
  }
  return 0;
}

std::uint32_t source_columns(const Vector& vector, std::size_t s) {
  const auto function = vector.function;
  if (s == 0) return function == VectorFunction::sincos ? 1 : vector.columns;
  switch (function) {
    case VectorFunction::layernorm:
      return vector.columns;
    case VectorFunction::softmax_step:
      return s == 1 ? 2 : vector.integer0;
    case VectorFunction::softmax_finish:
      return s == 1 ? 2 : 0;
    case VectorFunction::add:
    case VectorFunction::sub:
    case VectorFunction::mul:
    case VectorFunction::axpy:
    case VectorFunction::rmsnorm:
    case VectorFunction::glu_gelu_tanh:
    case VectorFunction::glu_gelu_erf:
    case VectorFunction::glu_silu:
    case VectorFunction::glu_relu:
    case VectorFunction::glu_sigmoid:
      return s == 1 ? vector.columns : 0;
    default:
      return 0;
  }
}

std::vector<LocalAccess> local_accesses(const Command& command, Engine engine) {
  if (const auto* dma = std::get_if<Dma>(&command.payload)) return accesses_of(*dma, engine);
  if (const auto* matmul = std::get_if<Matmul>(&command.payload)) return accesses_of(*matmul);
  if (const auto* vector = std::get_if<Vector>(&command.payload)) return accesses_of(*vector);
  return {};
}

}  // namespace archsim
