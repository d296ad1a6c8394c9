// An AXI4-Lite host: reads and writes registers, one after another.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "accel-rtl/dv/pins.h"
#include "accel-rtl/dv/surroundings/pauses.h"

namespace archsim::rtl {

class CsrHost {
 public:
  explicit CsrHost(const PauseParams& pauses);

  void write(std::uint32_t address, std::uint32_t data) { accesses_.push_back({true, address, data}); }
  void read(std::uint32_t address) { accesses_.push_back({false, address, 0}); }
  bool is_idle() const { return accesses_.empty(); }
  /// What the reads so far gave, in order; `okay` of every access.
  struct Answer {
    std::uint32_t data = 0;
    Response response = Response::okay;
  };
  std::optional<Answer> take_answer();

  void drive(CoreInputs& in);
  void clock(const CoreInputs& in, const CoreOutputs& out);

 private:
  struct Access {
    bool is_write = false;
    std::uint32_t address = 0, data = 0;
  };
  std::deque<Access> accesses_;
  std::deque<Answer> answers_;  // of every access, in order
  bool address_taken_ = false, data_taken_ = false;
  bool holds_address_ = false, holds_data_ = false;
  Pauses address_pause_, data_pause_, answer_pause_;
};

}  // namespace archsim::rtl
