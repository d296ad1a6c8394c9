#include "app/pictures/palette.h"

#include <fmt/format.h>

namespace archsim::palette {

std::string hex(std::uint32_t colour) { return fmt::format("#{:06x}", colour); }

}  // namespace archsim::palette
