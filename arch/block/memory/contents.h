// The bytes of a memory, for transactions that carry data. Whole extents move none, so this stays small in a run.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace archsim {

class Contents {
 public:
  /// A byte that was never written reads as 0.
  void read(std::uint64_t address, unsigned char* data, std::uint64_t bytes) const;
  void write(std::uint64_t address, const unsigned char* data, std::uint64_t bytes);

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  using Page = std::array<unsigned char, kPageBytes>;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
};

}  // namespace archsim
