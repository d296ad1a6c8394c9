// What a cache is, for the tables. No SystemC in here.
#pragma once

#include <cstdint>

#include "arch/describe/fields.h"
#include "arch/units/quantity.h"

namespace archsim {

enum class WritePolicy : std::uint8_t { write_back, write_through };
enum class Replacement : std::uint8_t { lru, fifo };

struct CacheParams {
  unsigned ways = 16;
  Bytes line = Bytes(128);  // assumed: as GPUs' second-level caches have
  unsigned mshrs = 64;      // assumed: four slices of these cover 100 GB/s at 300 ns
  WritePolicy write = WritePolicy::write_back;
  Replacement replacement = Replacement::lru;

  static constexpr auto fields() {
    using P = CacheParams;
    return fields_of(
        param<&P::ways>("lines of a set, any of which can hold an address").between(1, 64),
        param<&P::line>("bytes that are fetched and displaced together").between(Bytes(16), Bytes(4096)).power_of_two(),
        param<&P::mshrs>(
            "lines of a slice that may be on their way from DRAM together; as many may be on their way to it")
            .between(1, 1024),
        param<&P::write>(
            "`write_back`: a write takes a line, which goes to DRAM when it is displaced, and fetches it if it "
            "covers only a part; `write_through`: every write goes to DRAM, and takes no line"),
        param<&P::replacement>(
            "which line of a full set goes: `lru` that used longest ago, `fifo` that fetched longest ago"));
  }
};

}  // namespace archsim
