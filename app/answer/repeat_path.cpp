#include "app/answer/repeat_path.h"

#include <fmt/format.h>

namespace archsim {

std::string repeat_path(const Trace& trace, const Position& position, std::uint64_t iteration) {
  std::string path;
  for (auto loop = position.loops.rbegin(); loop != position.loops.rend(); ++loop) {
    const Loop& at = trace.loops[*loop];
    if (at.count > 1) path = fmt::format("{}={}{}{}", at.name, iteration % at.count, path.empty() ? "" : "/", path);
    iteration /= at.count;
  }
  return path;
}

}  // namespace archsim
