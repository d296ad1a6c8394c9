#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "arch/machine/soc_spec.h"
#include "arch/workload/count.h"
#include "models/accel/timing/array.h"
#include "models/catalog.h"
#include "models/dram/banked.h"
#include "models/dram/channel.h"
#include "models/roofline/bound.h"
#include "tests/source_dir.h"
#include "tests/validate/anchor.h"
#include "traces/generate/generate.h"

namespace archsim {

std::vector<Anchor> array_anchors() {
  const std::map<std::string, Dataflow> dataflows = {
      {"ws", Dataflow::weight_stationary}, {"os", Dataflow::output_stationary}, {"is", Dataflow::input_stationary}};
  std::ifstream file(ARCHSIM_SOURCE_DIR "/tests/data/array_reference.csv");
  std::vector<Anchor> anchors;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#") || line.starts_with("tool,")) continue;
    std::vector<std::string> cell;
    std::istringstream cells(line);
    for (std::string text; cell.size() < 9 && std::getline(cells, text, ',');) cell.push_back(text);
    const ArrayGeometry array{.rows = std::stoull(cell.at(2)), .columns = std::stoull(cell.at(3))};
    const ArrayWork work{.m = std::stoull(cell.at(5)),
                         .k = std::stoull(cell.at(7)),
                         .n = std::stoull(cell.at(6)),
                         .dataflow = dataflows.at(cell.at(4))};
    // SCALE-Sim prints the index of the last cycle.
    const auto given = fold_timing(array, work).latency(Overlap::none).value - 1;
    anchors.push_back({.what = "cycles of " + cell[5] + "x" + cell[7] + "x" + cell[6] + " on " + cell[2] + "x" +
                               cell[3] + " " + cell[4],
                       .given = static_cast<double>(given),
                       .expected = std::stod(cell.at(8)),
                       .ground = "SCALE-Sim v3"});
  }
  return anchors;
}

std::vector<Anchor> dram_anchors() {
  std::vector<Anchor> anchors;
  for (const std::string name : {"lpddr5-6400", "lpddr5x-8533", "hbm3-6400", "ddr4-3200"}) {
    const ChannelTiming timing(*find_dram_standard(name, {}));
    const auto efficiency = [&](std::uint64_t bytes, Cycles clocks) {
      const double peak = static_cast<double>(timing.burst_bytes) / static_cast<double>(timing.burst.value);
      return static_cast<double>(bytes) / static_cast<double>(clocks.value) / peak;
    };
    const auto stream = [&](std::uint64_t count, std::uint64_t pitch) {
      Channel channel(timing);
      Cycles end = Cycles::zero();
      for (std::uint64_t i = 0; i < count; ++i) {
        end = std::max(end, channel.serve(Cycles::zero(), i * pitch, i * pitch + 64, false).last);
      }
      return efficiency(64 * count, end);
    };
    const double refresh = 1.0 - static_cast<double>((timing.rfc + timing.rp + timing.rcd_read).value) /
                                     static_cast<double>(timing.refi.value);
    const Cycles last = timing.ccd_l * (timing.unit_bursts - 1);
    const Cycles row = std::max(timing.rc, timing.rcd_read + last + timing.rtp + timing.rp);
    anchors.push_back({.what = name + " sequential reads, part of peak",
                       .given = stream(40000, 64),
                       .expected = refresh,
                       .tolerance = 0.01,
                       .ground = "1 - refresh"});
    anchors.push_back({.what = name + " row conflicts, part of peak",
                       .given = stream(10000, timing.stripe_bytes * timing.banks),
                       .expected = refresh * efficiency(64, row),
                       .tolerance = 0.01,
                       .ground = "a row cycle each"});
  }
  return anchors;
}

std::vector<Anchor> roofline_anchors() {
  const auto spec = read_soc(*read_source(ARCHSIM_SOURCE_DIR "/configs/soc/edge_lpddr5.yaml"), {}, catalog());
  const auto machine = machine_view(*spec);
  const auto trace = build_trace(ARCHSIM_SOURCE_DIR "/traces/workloads/pi0.yaml", {"dtype=int8"});
  const auto stages = count(*trace).stages;
  const auto found = bound(*trace, machine);
  const auto gmac = [&](std::size_t stage) { return static_cast<double>(stages[stage].once.macs) / 1e9; };
  const double peak = 16384e9, bandwidth = 102.4e9;
  return {
      {.what = "pi0 GMAC of one image",
       .given = gmac(1),
       .expected = 110.0883,
       .tolerance = 1e-6,
       .ground = "vla_stages.csv"},
      {.what = "pi0 GMAC of the prefill",
       .given = gmac(2),
       .expected = 1666.2481,
       .tolerance = 1e-7,
       .ground = "vla_stages.csv"},
      {.what = "pi0 GMAC of a flow step",
       .given = gmac(3),
       .expected = 19.3034,
       .tolerance = 1e-5,
       .ground = "vla_stages.csv"},
      {.what = "edge_lpddr5 MAC/s of int8",
       .given = machine.peak_macs_per_second(Dtype::int8),
       .expected = peak,
       .ground = "4 x 64 x 64 at 1 GHz"},
      {.what = "edge_lpddr5 bytes/s",
       .given = machine.dram.peak.value,
       .expected = bandwidth,
       .ground = "8 channels of lpddr5-6400"},
      {.what = "earliest end of the prefill, s",
       .given = seconds(found.stages[2]),
       .expected = (3 * 110.0883e9 + 1666.2481e9) / peak,
       .tolerance = 0.02,
       .ground = "MACs at peak"},
      {.what = "prefill's MACs at peak, s, within the bound",
       .given = 1666.2481e9 / peak,
       .expected = seconds(found.stages[2]),
       .is_upper_limit = true,
       .ground = "MACs at peak"},
      {.what = "nine fetches of a flow step's weights beyond the chip, s, within the bound",
       .given = 9 * (314.7131e6 - static_cast<double>(machine.on_chip_capacity().value)) / bandwidth,
       .expected = seconds(found.time),
       .is_upper_limit = true,
       .ground = "bytes at peak"},
  };
}

}  // namespace archsim
