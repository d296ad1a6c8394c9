#include "arch/program/datapath/datapath.h"

#include <fmt/format.h>

#include "arch/describe/diagnostic.h"
#include "arch/program/accesses.h"
#include "arch/program/datapath/units.h"
#include "arch/program/numbers/element.h"

namespace archsim {
namespace {

/// One row on its way; both spans hold the same number of elements.
void convert_row(const Dma& dma, std::span<const std::byte> from, std::span<std::byte> to) {
  const Requantization by{.multiplier = dma.multiplier, .shift = dma.shift};
  switch (dma.convert) {
    case Convert::none:
      std::copy(from.begin(), from.end(), to.begin());
      return;
    case Convert::bf16_to_fp32:
      for (std::size_t i = 0; 2 * i < from.size(); ++i) {
        write_element(&to[4 * i], Dtype::fp32, read_element(&from[2 * i], Dtype::bf16), 1.0F);
      }
      return;
    case Convert::fp32_to_bf16:
      for (std::size_t i = 0; 4 * i < from.size(); ++i) {
        write_element(&to[2 * i], Dtype::bf16, read_element(&from[4 * i], Dtype::fp32), 1.0F);
      }
      return;
    case Convert::requantize:
      for (std::size_t i = 0; 4 * i < from.size(); ++i) {
        write_integer(&to[i], Dtype::int8, requantize(read_integer(&from[4 * i], Dtype::int32), by));
      }
      return;
  }
}

void execute_dma(const Dma& dma, Engine engine, LocalMemories& local, AddressSpace& memory) {
  std::vector<std::byte> row(dma.row_bytes);
  for (std::uint64_t plane = 0; plane < dma.planes; ++plane) {
    for (std::uint64_t r = 0; r < dma.rows; ++r) {
      const auto offset = static_cast<std::int64_t>(plane) * dma.memory_plane_pitch +
                          static_cast<std::int64_t>(r) * dma.memory_row_pitch;
      const std::uint64_t address = dma.memory_address + static_cast<std::uint64_t>(offset);
      const std::uint64_t local_offset = plane * dma.local_plane_pitch + r * dma.local_row_pitch;
      const LocalAddress start{dma.local.value + static_cast<std::uint32_t>(local_offset)};
      const auto bytes = local.at(start, local_row_bytes(dma));
      if (engine == Engine::store) {
        convert_row(dma, bytes, row);
        memory.write(address, row);
      } else {
        memory.read(address, row);
        convert_row(dma, row, bytes);
      }
    }
  }
}

}  // namespace

void AddressSpace::check(std::uint64_t address, std::size_t count) const {
  for (const auto& range : ranges_) {
    if (range.contains(address, count)) return;
  }
  throw MachineFault(fmt::format("{} bytes at {:#x} lie in no memory", count, address));
}

void AddressSpace::read(std::uint64_t address, std::span<std::byte> into) const {
  check(address, into.size());
  bytes_.read(address, into);
}

void AddressSpace::write(std::uint64_t address, std::span<const std::byte> from) {
  check(address, from.size());
  bytes_.write(address, from);
}

std::span<std::byte> LocalMemories::at(LocalAddress address, std::uint64_t count) {
  auto& bytes = address.in_accumulator() ? accumulator_ : scratchpad_;
  if (count > bytes.size() || address.byte() > bytes.size() - count) {
    throw MachineFault(fmt::format("{} bytes at {:#x} lie outside the {} of {} bytes", count, address.byte(),
                                   address.in_accumulator() ? "accumulator" : "scratchpad", bytes.size()));
  }
  return std::span(bytes).subspan(address.byte(), count);
}

void execute(const Command& command, Engine engine, LocalMemories& local, AddressSpace& memory) {
  for (const auto& access : local_accesses(command, engine)) local.at(access.start, access.extent());
  if (const auto* dma = std::get_if<Dma>(&command.payload)) {
    execute_dma(*dma, engine, local, memory);
  } else if (const auto* matmul = std::get_if<Matmul>(&command.payload)) {
    execute_matmul(*matmul, local);
  } else {
    const auto* vector = std::get_if<Vector>(&command.payload);
    ARCHSIM_ASSERT(vector != nullptr, "not a command of an engine");
    execute_vector(*vector, local);
  }
}

}  // namespace archsim
