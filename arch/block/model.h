// The base of every block model: a SystemC module with its params, its context, and a report made from its tables.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "arch/block/block.h"
#include "arch/block/build_context.h"
#include "arch/describe/table.h"
#include "arch/machine/costs.h"

namespace archsim {

template <Described P, Described S, Described E>
class Model : public sc_core::sc_module, public Block {
 public:
  using Params = P;
  using Stats = S;
  using Events = E;

  Model(const sc_core::sc_module_name& name, const P& params, const BuildContext& context)
      : sc_core::sc_module(name), params_(params), context_(context) {}

 protected:
  /// Names of kind and model as the catalog has them.
  BlockReport make_report(std::string kind, std::string model, const S& stats, const E& events) const {
    BlockReport report;
    report.name = context_.name;
    report.kind = std::move(kind);
    report.model = std::move(model);
    for (const StatValue& stat : StatTable::of<S>().values(&stats)) {
      const auto number = [](auto value) { return static_cast<double>(value); };
      report.stats.emplace_back(stat.key, std::visit(number, stat.value));
    }
    report.events = EventTable::of<E>().counts(&events);
    return report;
  }

  const P params_;
  const BuildContext context_;
};

}  // namespace archsim
