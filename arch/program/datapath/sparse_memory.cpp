#include "arch/program/datapath/sparse_memory.h"

#include <algorithm>

namespace archsim {

void SparseMemory::read(std::uint64_t address, std::span<std::byte> into) const {
  while (!into.empty()) {
    const std::uint64_t offset = address % kPageBytes;
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), kPageBytes - offset));
    const auto page = pages_.find(address / kPageBytes);
    if (page == pages_.end()) {
      std::fill_n(into.begin(), count, std::byte{0xFF});
    } else {
      std::copy_n(page->second.begin() + static_cast<std::ptrdiff_t>(offset), count, into.begin());
    }
    address += count;
    into = into.subspan(count);
  }
}

void SparseMemory::write(std::uint64_t address, std::span<const std::byte> from) {
  while (!from.empty()) {
    const std::uint64_t offset = address % kPageBytes;
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(from.size(), kPageBytes - offset));
    const auto [page, is_new] = pages_.try_emplace(address / kPageBytes);
    if (is_new) page->second.fill(std::byte{0xFF});
    std::copy_n(from.begin(), count, page->second.begin() + static_cast<std::ptrdiff_t>(offset));
    address += count;
    from = from.subspan(count);
  }
}

}  // namespace archsim
