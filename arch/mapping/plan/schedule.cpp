#include "arch/mapping/plan/schedule.h"

#include <fmt/format.h>

#include "arch/mapping/plan/fusion.h"
#include "arch/workload/effort.h"

namespace archsim {
namespace {

class ScheduleMaker {
 public:
  ScheduleMaker(const Trace& trace, const MachineView& machine, const MappingOptions& options,
                const JoinedCopies& joined)
      : trace_(trace), machine_(machine), fusion_(trace, machine, options, joined) {
    schedule_.joined = joined;
  }

  Checked<Schedule> make() {
    for (const auto& stage : trace_.stages) repeat(stage.repeat);
    for (const auto& group : schedule_.groups) {
      if (group.work == Work::host) check_host(group);
    }
    if (diagnostics_.has_errors()) return diagnostics_;
    return std::move(schedule_);
  }

 private:
  void repeat(const Repeat& repeat_of) {
    mark(ScheduleItem::Kind::loop_begin, repeat_of.loop);
    std::vector<std::uint32_t> run;
    for (const auto& step : repeat_of.body) {
      if (const auto* op = std::get_if<std::uint32_t>(&step)) {
        run.push_back(*op);
      } else {
        finish(run);
        repeat(std::get<Repeat>(step));
      }
    }
    finish(run);
    mark(ScheduleItem::Kind::loop_end, repeat_of.loop);
  }

  void finish(std::vector<std::uint32_t>& run) {
    for (auto& group : fusion_.run(run)) {
      mark(ScheduleItem::Kind::group, static_cast<std::uint32_t>(schedule_.groups.size()));
      schedule_.groups.push_back(std::move(group));
    }
    run.clear();
  }

  void mark(ScheduleItem::Kind kind, std::uint32_t index) { schedule_.items.push_back({kind, index}); }

  void check_host(const Group& group) {
    const auto& op = trace_.operators[group.last()];
    const auto elements = elements_to_handle(trace_, op);
    if (!machine_.host.estimate || machine_.host.estimate(op, elements)) return;
    diagnostics_.error(
        {}, fmt::format("nothing in soc `{}` can run operator `{}` ({})", machine_.soc, op.name, name_of(op.type)),
        fmt::format("{}, and the host `{}` cannot run {} either", group.why, machine_.host.name, name_of(op.type)));
  }

  const Trace& trace_;
  const MachineView& machine_;
  Fusion fusion_;
  Schedule schedule_;
  Diagnostics diagnostics_;
};

}  // namespace

Checked<Schedule> make_schedule(const Trace& trace, const MachineView& machine, const MappingOptions& options,
                                const JoinedCopies& joined) {
  return ScheduleMaker(trace, machine, options, joined).make();
}

}  // namespace archsim
