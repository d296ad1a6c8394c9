// What a roofline picture shows, as numbers: ceilings, ridge points, and a dot an operator. No drawing in here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/pictures/run_file.h"
#include "arch/machine/soc_spec.h"
#include "arch/workload/trace.h"
#include "models/roofline/bound.h"

namespace archsim {

/// An operator of the trace, all its instances together; operators that were fused into it count with it.
struct RooflineDot {
  std::string name, stage, engine, bound, dtype, operands;
  std::uint64_t instances = 1;
  double time_s = 0.0;  // its windows, each once: iterations done at once share one
  double work = 0.0;    // MACs; of an operator without any, elements through the vector unit
  double bytes = 0.0;   // to and from DRAM
  bool is_vector = false;

  double rate() const { return work / time_s; }  // a second
  bool is_on_chip() const { return bytes == 0.0; }
  double intensity() const { return work / bytes; }  // a DRAM byte; not if is_on_chip
};

/// A horizontal line: MACs, or elements of vector work, a second.
struct FlatCeiling {
  std::string label;
  double per_s = 0.0;
  bool is_vector = false;
};

/// A line of slope 1: bytes a second.
struct SlopeCeiling {
  std::string name;   // "DRAM", "DRAM achievable"
  std::string label;  // "DRAM peak 102 GB/s"
  double bytes_per_s = 0.0;
  bool is_achievable = false;  // less than a peak: what arrives of it
};

/// Where a slope meets the highest flat ceiling.
struct Ridge {
  std::string label;  // "DRAM 160 MAC/B"
  double intensity = 0.0, per_s = 0.0;
};

struct RooflineSeries {
  std::string title;     // "pi0 on edge_lpddr5"
  std::string headline;  // time and what bounds it
  std::string bound;
  double time_s = 0.0;
  std::vector<FlatCeiling> flats;    // highest first
  std::vector<SlopeCeiling> slopes;  // steepest first
  std::vector<RooflineDot> dots;     // longest first
  std::vector<std::string> left_out;

  std::vector<Ridge> ridges() const;
  /// Whether both have the same lines.
  bool has_ceilings_of(const RooflineSeries& other) const;
};

/// Of a run. An error if the file has no ceilings: an older version wrote it.
Checked<RooflineSeries> roofline_of(const RunFile& run);

/// Of no run: every operator alone, at the peak of its resource. `machine` is the view of `spec`.
RooflineSeries roofline_of(const Trace& trace, const SocSpec& spec, const MachineView& machine, const Bound& bound);

}  // namespace archsim
