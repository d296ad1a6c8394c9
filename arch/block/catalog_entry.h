// The catalog entry of a model class. A model M offers
//     M::Params, M::Stats, M::Events          described structs; Events has only Counts
//     static constexpr std::string_view kSummary = "on-chip SRAM in word-interleaved banks";
//     M(const sc_core::sc_module_name&, const Params&, const BuildContext&)
//     static BlockCosts costs(const Params&, Frequency clock);   of each of its events, in their order, and of its parts
// and what its kind needs of
//     static AcceleratorCapabilities accelerator(const Params&, Frequency clock);
//     static MemoryCapabilities memory(const Params&, Frequency clock);
//     static HostCapabilities host(const Params&, Frequency clock);
//     static FabricCapabilities fabric(const Params&, Frequency clock);
//     static constexpr bool kIsInitiator = true;                                of a block that only sends transactions
//     static void check(const Params&, const ParamLocation&, Diagnostics&);     where tables do not say everything
//     static constexpr bool kHasClock = false;                                  of a model that brings its own
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "arch/block/block.h"
#include "arch/block/build_context.h"
#include "arch/machine/catalog.h"

namespace archsim {

template <class M>
CatalogEntry catalog_entry(std::string_view kind, std::string_view model) {
  using P = typename M::Params;
  CatalogEntry entry{.kind = std::string(kind),
                     .model = std::string(model),
                     .summary = std::string(M::kSummary),
                     .params = ParamTable::of<P>(),
                     .stats = StatTable::of<typename M::Stats>(),
                     .events = EventTable::of<typename M::Events>()};
  if constexpr (requires { M::kHasClock; }) entry.has_clock = M::kHasClock;
  entry.make = [](const AnyParams& params, const BuildContext& context) -> std::unique_ptr<Block> {
    return std::make_unique<M>(sc_core::sc_module_name(context.name.c_str()), params.get<P>(), context);
  };
  if constexpr (requires {
                  &M::costs;
                }) {  // a model from elsewhere may have none: it is not priced, and reports say so
    entry.costs = [](const AnyParams& params, Frequency clock) { return M::costs(params.get<P>(), clock); };
  }
  if constexpr (requires { &M::accelerator; }) {
    entry.accelerator = [](const AnyParams& params, Frequency clock) { return M::accelerator(params.get<P>(), clock); };
  }
  if constexpr (requires { &M::memory; }) {
    entry.memory = [](const AnyParams& params, Frequency clock) { return M::memory(params.get<P>(), clock); };
  }
  if constexpr (requires { &M::host; }) {
    entry.host = [](const AnyParams& params, Frequency clock) { return M::host(params.get<P>(), clock); };
  }
  if constexpr (requires { &M::fabric; }) {
    entry.fabric = [](const AnyParams& params, Frequency clock) { return M::fabric(params.get<P>(), clock); };
  }
  if constexpr (requires { M::kIsInitiator; }) entry.is_initiator = M::kIsInitiator;
  if constexpr (requires { &M::check; }) {
    entry.check = [](const AnyParams& params, const ParamLocation& where, Diagnostics& out) {
      M::check(params.get<P>(), where, out);
    };
  }
  return entry;
}

}  // namespace archsim
