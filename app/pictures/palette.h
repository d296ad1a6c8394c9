// Colours that people with any colour vision tell apart: Okabe and Ito, "Color Universal Design" (2008), and greys.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace archsim::palette {

constexpr std::uint32_t kInk = 0x1A1A1A, kSoftInk = 0x5A5A5A, kGrid = 0xE4E4E4, kCeiling = 0x3C3C3C;

/// In this order for things without a colour of their own, such as stages and runs.
constexpr std::array<std::uint32_t, 8> kSeries{0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7,
                                               0xE69F00, 0x56B4E9, 0x8C6D31, 0x777777};

/// One for each label of `bound`; a grey for others.
constexpr std::uint32_t of_bound(std::string_view bound) {
  if (bound == "compute") return 0x0072B2;
  if (bound == "dram") return 0xD55E00;
  if (bound == "vector") return 0x009E73;
  if (bound == "noc") return 0xE69F00;
  if (bound == "sram") return 0x56B4E9;
  if (bound == "dma") return 0xCC79A7;
  if (bound == "cpu") return 0x333333;
  if (bound == "launch") return 0x8C6D31;
  if (bound == "wireless") return 0xB8A800;
  return 0x8C8C8C;
}

/// "#0072b2"
std::string hex(std::uint32_t colour);

}  // namespace archsim::palette
