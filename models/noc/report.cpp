// What a network tells after a run, and before one.
#include <fmt/format.h>

#include <algorithm>

#include "arch/describe/values/enum_names.h"
#include "models/noc/network.h"

namespace archsim {

BlockReport Network::report(Time elapsed) const {
  NocStats stats = stats_;
  stats.waited += grid_.span(links_.waited());
  std::vector<EngineReport> engines;
  for (const std::string_view name : enum_names<LinkDirection>()) {
    const LinkDirection direction = *enum_from<LinkDirection>(name);
    if (!links_.has(direction)) continue;
    const Time taken = grid_.span(links_.busiest(direction));
    stats.busiest_link.observe(taken);
    const Time busy = std::min(taken, elapsed);  // a run that was stopped has bookings that lie ahead
    engines.push_back({.name = std::string(name), .busy = busy, .idle = elapsed - busy});
  }
  BlockReport report = make_report("noc", std::string(enum_name(links_.paths().shape().topology)), stats, events_);
  report.engines = std::move(engines);
  report.initiators = initiators();
  report.targets = targets();
  const auto leak = links_.leak();
  ARCHSIM_ASSERT(!leak, fmt::format("router {} of {} does not send on what it gets", leak.value_or(0), context_.name));
  return report;
}

std::vector<InitiatorReport> Network::initiators() const {
  std::vector<InitiatorReport> reports;
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    const std::string& name = context_.fabric->initiators[i].block;
    if (reports.empty() || reports.back().name != name) reports.push_back({.name = name, .traffic = {}});
    reports.back().traffic += shares_[i].traffic;
    reports.back().waited += grid_.span(shares_[i].waited);
  }
  return reports;
}

std::vector<TargetReport> Network::targets() const {
  std::vector<TargetReport> reports;
  for (std::size_t i = 0; i < delivered_.size(); ++i) {
    const std::string& name = context_.fabric->targets[i].block;
    if (reports.empty() || reports.back().name != name) reports.push_back({.name = name, .traffic = {}});
    reports.back().traffic += delivered_[i];
  }
  return reports;
}

FabricCapabilities Network::fabric(const NocShape& shape, Bytes width, PacketHeader header, Frequency clock) {
  const ClockGrid grid(clock);
  const auto paths = std::make_shared<const NocPaths>(shape);
  const Bandwidth link(static_cast<double>(width.value) * static_cast<double>(clock.value));
  return {.columns = shape.columns,
          .rows = shape.rows,
          .link = link,
          .idle_latency = [paths, grid](
                              unsigned from,
                              unsigned to) { return grid.span(paths->idle_latency(paths->between(from, to), 1)); },
          .uniform_limit =
              [paths, link, width, header](const std::vector<unsigned>& sources, const std::vector<unsigned>& sinks,
                                           Bytes burst) {
                const auto payload = static_cast<double>(ceil_div(burst, width));
                const double used = static_cast<double>(burst.value) / static_cast<double>(width.value);
                return link * (used / (static_cast<double>(header_flits(header)) + payload) /
                               most_loaded_share(*paths, sources, sinks));
              },
          .most_classes = shape.vcs / std::min(shape.vcs, paths->routes().classes())};
}

}  // namespace archsim
