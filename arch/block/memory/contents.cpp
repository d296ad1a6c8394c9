#include "arch/block/memory/contents.h"

#include <algorithm>

namespace archsim {

void Contents::read(std::uint64_t address, unsigned char* data, std::uint64_t bytes) const {
  while (bytes > 0) {
    const std::uint64_t inside = address % kPageBytes, length = std::min(bytes, kPageBytes - inside);
    const auto page = pages_.find(address / kPageBytes);
    if (page == pages_.end()) {
      std::fill_n(data, length, static_cast<unsigned char>(0));
    } else {
      std::copy_n(page->second->data() + inside, length, data);
    }
    address += length, data += length, bytes -= length;
  }
}

void Contents::write(std::uint64_t address, const unsigned char* data, std::uint64_t bytes) {
  while (bytes > 0) {
    const std::uint64_t inside = address % kPageBytes, length = std::min(bytes, kPageBytes - inside);
    auto& page = pages_[address / kPageBytes];
    if (page == nullptr) page = std::make_unique<Page>();  // zeros
    std::copy_n(data, length, page->data() + inside);
    address += length, data += length, bytes -= length;
  }
}

}  // namespace archsim
