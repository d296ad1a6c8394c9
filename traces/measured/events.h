// The complete events of a Chrome trace, as they stand in the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arch/describe/diagnostic.h"
#include "traces/measured/signature.h"

namespace archsim {

struct ChromeEvent {
  std::string name, category;
  std::string thread;  // process and thread, as text
  double start_us = 0.0, length_us = 0.0;
  std::optional<std::int64_t> external_id, correlation;
  std::vector<Extents> shapes;         // "Input Dims"
  std::vector<std::string> constants;  // "Concrete Inputs"

  double end_us() const { return start_us + length_us; }
  bool is_on_device() const;
  bool is_a_call() const { return name.starts_with("aten::"); }
};

/// In the order of the file. Errors as of read_profile().
Checked<std::vector<ChromeEvent>> read_chrome_events(std::string_view text, const std::string& path);

}  // namespace archsim
