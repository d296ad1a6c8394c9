// Random small SoCs as SoC files, for property tests.
#pragma once

#include <fmt/format.h>

#include <random>
#include <string>

namespace archsim {

/// A mesh with one to three accelerators of 4 to 32 rows and columns, with or without l2, one to four DRAM channels.
inline std::string random_soc(std::mt19937& random) {
  const auto pick = [&](unsigned low, unsigned high) {
    return std::uniform_int_distribution<unsigned>(low, high)(random);
  };
  const auto power = [&](unsigned low, unsigned high) { return 1U << pick(low, high); };
  const unsigned channels = power(0, 2);
  std::string text = fmt::format("soc: random\nclocks: {{npu: {} MHz, noc: {} MHz, cpu: 2 GHz}}\nblocks:\n",
                                 100 * pick(2, 12), 100 * pick(5, 10));
  text += fmt::format("  cpu: {{kind: cpu, model: cluster, clock: cpu, cores: {}}}\n", pick(1, 4));
  text += fmt::format(
      "  npu: {{kind: accel, model: systolic, count: {}, clock: npu, rows: {}, cols: {}, dtypes: {{int8: {}, bf16: "
      "1}},\n"
      "        scratchpad: {{capacity: {} KiB, banks: 4, port_width: {} B}}, accumulator: {} KiB, vector_lanes: {},\n"
      "        dma: {{outstanding: {}, burst: {} B, setup: {} cycles}}}}\n",
      pick(1, 3), power(2, 5), power(2, 5), pick(1, 2), power(5, 8), power(4, 6), power(4, 6), power(2, 5), power(2, 5),
      power(6, 9), pick(1, 40));
  if (pick(0, 2) > 0) {
    text += fmt::format(
        "  l2: {{kind: sram, model: banked, clock: noc, capacity: {} KiB, slices: {}, banks: 4, mode: "
        "software_managed}}\n",
        power(6, 10), power(0, 1));
  }
  text +=
      fmt::format("  noc: {{kind: noc, model: mesh, clock: noc, columns: 4, rows: 3, link_width: {} B, router: r2}}\n",
                  power(4, 6));
  text += fmt::format(
      "  dram: {{kind: dram, model: banked, standard: lpddr5-6400, channels: {}, ports: 1, interleave: 1 KiB, "
      "capacity: 4 GiB}}\n",
      channels);
  return text;
}

}  // namespace archsim
