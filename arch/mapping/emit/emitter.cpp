#include "arch/mapping/emit/emitter.h"

#include <algorithm>
#include <map>
#include <memory>

#include "arch/mapping/emit/attention.h"
#include "arch/mapping/emit/movement.h"
#include "arch/mapping/emit/product.h"
#include "arch/mapping/emit/rows.h"
#include "arch/mapping/emit/staging.h"

namespace archsim {
namespace {

class Emitter {
 public:
  Emitter(const MappingContext& context, const Plans& plans, std::uint32_t accelerator)
      : context_(context), plans_(plans), accelerator_(accelerator) {}

  Tape run() {
    std::vector<std::uint32_t> groups;
    for (const auto& item : context_.schedule.items) {
      if (item.kind == ScheduleItem::Kind::group) {
        groups.push_back(item.index);
        continue;
      }
      straight(groups);
      groups.clear();
      tape_.mark(item.kind == ScheduleItem::Kind::loop_begin ? TapeItem::Kind::loop_begin : TapeItem::Kind::loop_end,
                 item.index);
    }
    straight(groups);
    return std::move(tape_);
  }

 private:
  // Groups between two loop boundaries share one stream of weights, so that it runs ahead from group to group. In a loop the
  // load engine enters the body ahead of the groups by as much as it was at the body's end: a first try tells how much.
  void straight(const std::vector<std::uint32_t>& groups) {
    if (groups.empty()) return;
    Tape first_try;
    Timeline timeline(context_.machine, accelerator_);
    straight(groups, first_try, timeline);
    timeline.restart(timeline.chain() - timeline.stream());
    straight(groups, tape_, timeline);
  }

  void straight(const std::vector<std::uint32_t>& groups, Tape& tape, Timeline& timeline) const {
    TileStream weights(plans_.split.arena);
    std::map<std::uint32_t, std::unique_ptr<ProductEmitter>> products;
    for (const std::uint32_t g : groups) {
      const auto position = position_in(g);
      if (context_.schedule.groups[g].work != Work::product || !position) continue;
      const ProductGroup group{g, plans_.shapes.at(g), plans_.products.at(g)};
      products[g] = std::make_unique<ProductEmitter>(context_, group, *position, weights);
    }
    weights.settle_for_repetition(plans_.split.ring);
    std::uint32_t next_weight = 0;
    for (const std::uint32_t g : groups) {
      if (context_.schedule.groups[g].work == Work::host) continue;
      weights.pump_until(tape, next_weight, timeline, timeline.chain());
      if (const auto product = products.find(g); product != products.end()) {
        product->second->emit(tape, timeline);
        if (context_.trace.operators[context_.schedule.groups[g].products[0]].type == OperatorType::linear)
          next_weight = product->second->next_weight();
      } else {
        const std::size_t first = tape.items().size();
        other(g, tape);
        timeline.group(tape, first);
      }
    }
    weights.pump(tape, next_weight);
  }

  void other(std::uint32_t g, Tape& tape) const {
    const auto position = position_in(g);
    if (!position) {
      tape.mark(TapeItem::Kind::signal, g);
      return;
    }
    switch (context_.schedule.groups[g].work) {
      case Work::attention:
        return AttentionEmitter(context_, g, plans_.attentions.at(g), *position).emit(tape);
      case Work::staging:
        return emit_staging(context_, g, *position, tape);
      case Work::vector:
        return RowsEmitter(context_, g).emit(tape, *position);
      default:
        return MovementEmitter(context_, g).emit(tape, *position);
    }
  }

  std::optional<std::uint32_t> position_in(std::uint32_t g) const {
    const auto& shared = context_.schedule.groups[g].accelerators;
    const auto found = std::find(shared.begin(), shared.end(), accelerator_);
    if (found == shared.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - shared.begin());
  }

  const MappingContext& context_;
  const Plans& plans_;
  std::uint32_t accelerator_;
  Tape tape_;
};

}  // namespace

std::vector<Tape> emit_tapes(const Trace& trace, const MachineView& machine, const Schedule& schedule,
                             const MemoryPlan& memory, const Plans& plans) {
  const MappingContext context{trace, machine, schedule, memory, plans.split};
  std::vector<Tape> tapes;
  for (std::uint32_t a = 0; a < machine.accelerators.size(); ++a) tapes.push_back(Emitter(context, plans, a).run());
  return tapes;
}

}  // namespace archsim
