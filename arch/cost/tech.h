// A technology as data: what an event, a gate, a bit costs, each with a band and a source. Read from configs/tech/NAME.yaml.
//
//     tech: n7
//     node: 7 nm
//     voltage: 0.75 V
//     sources:
//       tpuv4i: {text: "Jouppi et al., ISCA 2021, table 2", status: quoted}
//     coefficients:
//       mac_int8: {low: 0.05, nominal: 0.1, high: 0.14, unit: pJ, source: tpuv4i}
//
// A technology may be made `from` another one: what it does not give itself is the other's, times the factor of its `scale`.
#pragma once

#include <array>
#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "arch/cost/coefficients.h"
#include "arch/describe/diagnostic.h"
#include "arch/describe/yaml.h"

namespace archsim {

struct Band {
  double low = 0.0, nominal = 0.0, high = 0.0;
};

struct Coefficient {
  Band value;          // in the unit of its line
  std::string source;  // key of `sources`
  std::string text;    // what the source is, and how it was scaled
  std::string status;  // read, quoted, computed, measured, recalled, assumed, set
};

/// One coefficient of each line, as numbers, and which of them somebody asked for.
struct CostValues {
  std::array<double, kCostCount> values{};
  double tile_pitch_mm = 0.0;  // length of a link of the interconnect; of the machine, not of the technology
  double warm = 1.0;           // leakage over that at 350 K
  mutable std::bitset<kCostCount> used;

  double operator()(Cost cost) const {
    const auto i = static_cast<std::size_t>(cost);
    used.set(i);
    return values[i];
  }
};

struct Tech {
  std::string name;
  double node_nm = 0.0, voltage_v = 0.0;
  double temperature_k = 350.0;
  std::array<Coefficient, kCostCount> coefficients;

  CostValues nominal() const;
  const Coefficient& operator[](Cost cost) const { return coefficients[static_cast<std::size_t>(cost)]; }
};

/// A technology as a SoC file or command line asks for it: a name, and coefficients in place of those of its file.
struct TechChoice {
  std::string name;
  Location where;
  std::vector<YamlEntry>
      overrides;  // name of a coefficient: `0.3 pJ`, or {low: ..., nominal: ..., high: ..., unit: ...}
};

/// Those there are, by name, sorted: files of the folders.
std::vector<std::string> technologies(const std::string& user_file = {});
/// Tells every mistake of the file, of those it is made from, and of the overrides, each where the user wrote it.
Checked<Tech> find_tech(const TechChoice& choice);

}  // namespace archsim
