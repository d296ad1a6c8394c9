#include "arch/mapping/emit/emitter.h"

#include <algorithm>
#include <map>
#include <memory>

#include "arch/mapping/emit/work/attention.h"
#include "arch/mapping/emit/work/movement.h"
#include "arch/mapping/emit/work/product.h"
#include "arch/mapping/emit/work/rows.h"
#include "arch/mapping/emit/work/staging.h"

namespace archsim {
namespace {

// After so many, the entry of a repeated body hardly changes any more.
constexpr unsigned kTries = 2;

void emit_part(const MappingContext& context, const Plans& plans, std::uint32_t g, std::uint32_t position, Tape& tape) {
  switch (context.schedule.groups[g].work) {
    case Work::attention:
      return AttentionEmitter(context, g, plans.attentions.at(g), position).emit(tape);
    case Work::staging:
      return emit_staging(context, g, position, tape);
    case Work::vector:
      return RowsEmitter(context, g).emit(tape, position);
    default:
      return MovementEmitter(context, g).emit(tape, position);
  }
}

// By group: the cycles of its largest part; 0 for products, which tell themselves.
std::vector<double> slowest_parts(const MappingContext& context, const Plans& plans) {
  std::vector<double> slowest(context.schedule.groups.size());
  for (std::uint32_t g = 0; g < slowest.size(); ++g) {
    const auto& group = context.schedule.groups[g];
    if (group.work == Work::product || group.work == Work::host) continue;
    for (std::uint32_t position = 0; position < group.accelerators.size(); ++position) {
      Tape part;
      emit_part(context, plans, g, position, part);
      const Timeline timeline(context.machine, group.accelerators[position]);
      slowest[g] = std::max(slowest[g], timeline.cycles(part, 0));
    }
  }
  return slowest;
}

class Emitter {
 public:
  /// `slowest`: by group, the cycles of the accelerator that has most to do; 0 for products.
  Emitter(const MappingContext& context, const Plans& plans, std::uint32_t accelerator,
          const std::vector<double>& slowest, LaunchMode launch)
      : context_(context), plans_(plans), accelerator_(accelerator), slowest_(slowest), launch_(launch) {}

  Tape run() {
    std::vector<std::uint32_t> groups;
    bool follows_begin = false;
    for (const auto& item : context_.schedule.items) {
      if (item.kind == ScheduleItem::Kind::group) {
        groups.push_back(item.index);
        continue;
      }
      const bool is_end = item.kind == ScheduleItem::Kind::loop_end;
      straight(groups, follows_begin && is_end && context_.trace.loops[item.index].count > 1);
      groups.clear();
      follows_begin = !is_end;
      tape_.mark(is_end ? TapeItem::Kind::loop_end : TapeItem::Kind::loop_begin, item.index);
    }
    straight(groups, false);
    return std::move(tape_);
  }

 private:
  // How the load engine enters groups: ahead of them by some time, with what lies in the weight ring.
  struct Entry {
    double lead = 0.0;
    std::vector<TileStream::Occupied> ring;
  };

  // Groups between two loop boundaries share one stream of weights, so that it runs ahead from group to group. What repeats is
  // entered as it was left: tries tell how that is.
  void straight(const std::vector<std::uint32_t>& groups, bool repeats) {
    if (groups.empty()) return;
    if (launch_ != LaunchMode::whole_graph) return one_by_one(groups);
    Entry entry = entry_;
    for (unsigned tries = repeats ? kTries : 0; tries > 0; --tries) {
      Tape dropped;
      entry = straight(groups, repeats, entry, dropped);
    }
    entry_ = straight(groups, repeats, entry, tape_);
  }

  // Each is launched by itself: nothing of it may be done before, not even its weights be loaded.
  void one_by_one(const std::vector<std::uint32_t>& groups) {
    for (const std::uint32_t g : groups) {
      if (context_.schedule.groups[g].work == Work::host) continue;
      tape_.mark(TapeItem::Kind::await_launch, g);
      entry_ = straight({g}, false, entry_, tape_);
    }
  }

  Entry straight(const std::vector<std::uint32_t>& groups, bool repeats, const Entry& entry, Tape& tape) const {
    Timeline timeline(context_.machine, accelerator_);
    timeline.restart(entry.lead);
    TileStream weights(plans_.split.arena);
    weights.begin_behind(entry.ring);
    std::map<std::uint32_t, std::unique_ptr<ProductEmitter>> products;
    for (const std::uint32_t g : groups) {
      const auto position = position_in(g);
      if (context_.schedule.groups[g].work != Work::product || !position) continue;
      const ProductGroup group{g, plans_.shapes.at(g), plans_.products.at(g)};
      products[g] = std::make_unique<ProductEmitter>(context_, group, *position, weights);
    }
    if (repeats) {
      weights.settle_for_repetition(plans_.split.ring);
    } else {
      weights.settle(plans_.split.ring);
    }
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
        timeline.group(tape, first, slowest_[g]);
      }
    }
    weights.pump(tape, next_weight);
    return {timeline.chain() - timeline.stream(), weights.left_behind(timeline.stream())};
  }

  void other(std::uint32_t g, Tape& tape) const {
    const auto position = position_in(g);
    if (!position) {
      tape.mark(TapeItem::Kind::signal, g);
      return;
    }
    emit_part(context_, plans_, g, *position, tape);
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
  const std::vector<double>& slowest_;
  LaunchMode launch_;
  Entry entry_;
  Tape tape_;
};

}  // namespace

std::vector<Tape> emit_tapes(const Trace& trace, const MachineView& machine, const Schedule& schedule,
                             const MemoryPlan& memory, const Plans& plans, LaunchMode launch) {
  const MappingContext context{trace, machine, schedule, memory, plans.split};
  std::vector<Tape> tapes;
  const auto slowest = slowest_parts(context, plans);
  for (std::uint32_t a = 0; a < machine.accelerators.size(); ++a)
    tapes.push_back(Emitter(context, plans, a, slowest, launch).run());
  return tapes;
}

}  // namespace archsim
