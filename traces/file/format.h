// What a trace file consists of, apart from the records themselves (traces/archsim_trace.proto).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace archsim {

constexpr std::string_view kTraceMagic = "ARCHSIMTRACE";
/// Raised whenever an older reader would misunderstand a file.
constexpr std::uint32_t kTraceVersion = 1;
/// Repeats within repeats; keeps a file from exhausting the stack.
constexpr std::size_t kDeepestBody = 64;

/// XXH3 with 128 bits over bytes as they come.
class RunningDigest {
 public:
  RunningDigest();
  ~RunningDigest();
  RunningDigest(RunningDigest&&) noexcept;
  RunningDigest& operator=(RunningDigest&&) noexcept;

  void add(std::string_view bytes);
  std::uint64_t low64() const;
  std::string hex() const;  // 32 digits

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace archsim
