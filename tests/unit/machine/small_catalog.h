// Models with tables and capabilities but no behaviour, for tests of what is read and derived.
#pragma once

#include <string>

#include "arch/block/catalog_entry.h"

namespace archsim::small {

struct Stats {
  Count served;
  static constexpr auto fields() { return fields_of(stat<&Stats::served>("requests")); }
};
struct Events {
  Count beat;
  static constexpr auto fields() { return fields_of(event<&Events::beat>("a beat", "test.beat")); }
};

template <class P>
class Model : public sc_core::sc_module, public Block {
 public:
  using Params = P;
  using Stats = small::Stats;
  using Events = small::Events;
  static constexpr std::string_view kSummary = "a model without behaviour";
  Model(const sc_core::sc_module_name& name, const P&, const BuildContext&) : sc_core::sc_module(name) {}
  BlockReport report(Time) const override { return {}; }
};

struct ScratchpadParams {
  Bytes capacity = 1_MiB;
  unsigned banks = 8;
  static constexpr auto fields() {
    using P = ScratchpadParams;
    return fields_of(param<&P::capacity>("bytes").between(1_KiB, 64_MiB), param<&P::banks>("banks").between(1, 64));
  }
};

struct AccelParams {
  unsigned rows = 16;
  ScratchpadParams scratchpad;
  static constexpr auto fields() {
    using P = AccelParams;
    return fields_of(param<&P::rows>("PE rows").between(1, 1024), param<&P::scratchpad>("local memory"));
  }
};
struct Accel : Model<AccelParams> {
  using Model::Model;
  static AcceleratorCapabilities accelerator(const AccelParams& params, Frequency clock) {
    AcceleratorCapabilities can;
    can.clock = clock;
    can.rows = can.columns = params.rows;
    can.macs_per_pe = {{Dtype::int8, 1.0}};
    can.scratchpad = params.scratchpad.capacity;
    return can;
  }
};

struct MemoryParams {
  Bytes capacity = 1_GiB;
  unsigned ports = 1;
  static constexpr auto fields() {
    using P = MemoryParams;
    return fields_of(param<&P::capacity>("bytes").between(1_KiB, 64_GiB), param<&P::ports>("ports").between(1, 16));
  }
};
template <bool kOwnClock>
struct Memory : Model<MemoryParams> {
  using Model<MemoryParams>::Model;
  static constexpr bool kHasClock = !kOwnClock;
  static MemoryCapabilities memory(const MemoryParams& params, Frequency) {
    MemoryCapabilities can;
    can.capacity = params.capacity;
    can.interleave = {.granule = 1024, .ways = params.ports, .ports = params.ports};
    can.peak = Bandwidth(100e9);
    can.latency = 50_ns;
    return can;
  }
  static void check(const MemoryParams& params, const ParamLocation& where, Diagnostics& out) {
    if (params.ports == 3) out.error(where("ports"), "three is not a good number of ports");
  }
};

struct MeshParams {
  unsigned columns = 2, rows = 2;
  static constexpr auto fields() {
    using P = MeshParams;
    return fields_of(param<&P::columns>("columns").between(1, 64), param<&P::rows>("rows").between(1, 64));
  }
};
struct Mesh : Model<MeshParams> {
  using Model::Model;
  static FabricCapabilities fabric(const MeshParams& params, Frequency) {
    const auto way = [columns = params.columns](unsigned from, unsigned to) {
      const auto apart = [](unsigned a, unsigned b) { return a > b ? a - b : b - a; };
      const unsigned links = apart(from % columns, to % columns) + apart(from / columns, to / columns);
      return Time(1000 * (links + 1));
    };
    return {params.columns, params.rows, Bandwidth(64e9), way};
  }
};

struct CpuParams {
  unsigned cores = 1;
  static constexpr auto fields() { return fields_of(param<&CpuParams::cores>("cores").between(1, 64)); }
};
struct Cpu : Model<CpuParams> {
  using Model::Model;
  static HostCapabilities host(const CpuParams&, Frequency) { return {}; }
};

inline Catalog catalog() {
  Catalog catalog;
  catalog.add(catalog_entry<Accel>("accel", "square"));
  catalog.add(catalog_entry<Memory<false>>("sram", "flat"));
  catalog.add(catalog_entry<Memory<true>>("dram", "flat"));
  catalog.add(catalog_entry<Mesh>("noc", "mesh"));
  catalog.add(catalog_entry<Cpu>("cpu", "plain"));
  return catalog;
}

}  // namespace archsim::small
