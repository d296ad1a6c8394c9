#include "traces/file/format.h"

#include <fmt/format.h>
#include <xxhash.h>

#include "arch/describe/diagnostic.h"

namespace archsim {

struct RunningDigest::State {
  XXH3_state_t* xxh = XXH3_createState();
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { XXH3_freeState(xxh); }
};

RunningDigest::RunningDigest() : state_(std::make_unique<State>()) {
  ARCHSIM_ASSERT(state_->xxh && XXH3_128bits_reset(state_->xxh) == XXH_OK);
}
RunningDigest::~RunningDigest() = default;
RunningDigest::RunningDigest(RunningDigest&&) noexcept = default;
RunningDigest& RunningDigest::operator=(RunningDigest&&) noexcept = default;

void RunningDigest::add(std::string_view bytes) {
  ARCHSIM_ASSERT(XXH3_128bits_update(state_->xxh, bytes.data(), bytes.size()) == XXH_OK);
}

std::uint64_t RunningDigest::low64() const { return XXH3_128bits_digest(state_->xxh).low64; }

std::string RunningDigest::hex() const {
  const auto digest = XXH3_128bits_digest(state_->xxh);
  return fmt::format("{:016x}{:016x}", digest.high64, digest.low64);
}

}  // namespace archsim
