#include "models/cpu/cluster.h"

#include "models/cpu/host_core.h"
#include "models/cpu/price.h"

namespace archsim {

Cluster::Cluster(const sc_core::sc_module_name& name, const Params& params, const BuildContext& context)
    : Model(name, params, context), core_(std::make_unique<HostCore>(params, context)) {}

Cluster::~Cluster() = default;

HostCapabilities Cluster::host(const Params& params, Frequency clock) {
  HostCapabilities can;
  can.launch = params.launch;
  can.interrupt = params.interrupt;
  can.maintenance = [params, clock](std::uint64_t bytes) { return maintenance_time(params, clock, bytes); };
  can.estimate = [params, clock](const Operator& operation, std::uint64_t elements) {
    return host_time(params, clock, operation.type, elements);
  };
  return can;
}

std::vector<InitiatorPort*> Cluster::initiator_ports() { return {core_->memory().socket()}; }

std::vector<TargetPort*> Cluster::target_ports() { return {core_->semaphores().socket()}; }

Traffic Cluster::requested() const {
  return {.read = core_->stats().read.sum.value, .written = core_->stats().written.sum.value};
}

bool Cluster::finished() const { return core_->has_halted(); }

std::vector<std::string> Cluster::waiting() const {
  std::vector<std::string> lines;
  if (auto line = core_->waiting(); !line.empty()) lines.push_back(std::move(line));
  return lines;
}

std::uint64_t Cluster::progress() const { return core_->progress(); }

Time Cluster::busy_until() const { return core_->busy_until(); }

BlockReport Cluster::report(Time elapsed) const {
  BlockReport report = make_report("cpu", "cluster", core_->stats(), core_->events());
  report.engines.push_back(core_->report(elapsed));
  return report;
}

}  // namespace archsim
