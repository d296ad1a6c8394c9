#include "models/dram/controller/scheduler.h"

#include "models/dram/controller/bank_machines.h"
#include "models/dram/controller/bank_queues.h"
#include "models/dram/controller/request_buffer.h"

namespace archsim {

std::unique_ptr<DramScheduler> DramScheduler::make(const ControllerParams& params, DramDevice& device,
                                                   BurstSink& sink) {
  switch (params.scheduler) {
    case SchedulerKind::request_buffer:
      return std::make_unique<RequestBuffer>(params, device, sink);
    case SchedulerKind::bank_machines:
      return std::make_unique<BankMachines>(params, device, sink);
    case SchedulerKind::bank_queues:
      return std::make_unique<BankQueues>(params, device, sink);
  }
  return nullptr;
}

DramScheduler::DramScheduler(const ControllerParams& params, DramDevice& device, BurstSink& sink)
    : params_(params), device_(device), timing_(device.timing()), sink_(sink), refresh_(device.timing(), params) {}

void DramScheduler::step(Slot now, BurstSource& source) {
  wake_ = kNever;
  admit(now, source);
  refresh_.poll(now);
  if (issue(now, source)) wake_ = now + 1;
  wake_at(refresh_.next_due());
}

bool DramScheduler::admit(Slot now, BurstSource& source) {
  const Burst* offered = source.offered(now);
  if (offered == nullptr || !has_room(*offered)) return false;
  if (params_.power_down_after.value > 0 && reads_waiting_ + writes_waiting_ == 0) leave_power_down(now);
  Burst burst = *offered;
  burst.arrival = now;
  source.accepted(now);
  accept(burst);
  for (unsigned i = 0; params_.admits_requests_whole && i < burst.followers; ++i) {
    Burst follower = source.follower();
    follower.arrival = now;
    source.accepted(now);
    accept(follower);
  }
  return true;
}

void DramScheduler::leave_power_down(Slot now) {
  const Slot asleep = idle_since_ + params_.power_down_after.value * timing_.edges;
  if (now <= asleep) return;
  const Slot awake = std::max(now, asleep + timing_.power_down_stay);
  powered_down_ += awake - asleep;
  device_.hold_until(awake + timing_.power_down_exit);
}

bool DramScheduler::refresh_elsewhere(Slot now) {
  const Slot slot = device_.earliest_on_bus(DramCommand::refresh, now);
  if (slot > now) return wake_at(slot), false;
  device_.issue_elsewhere(now);
  refresh_.done();
  return true;
}

void DramScheduler::serve(const Burst& burst, Slot now, bool closes) {
  device_.issue(burst.command(), burst.at, now, closes);
  --(burst.is_write ? writes_waiting_ : reads_waiting_);
  const Slot latency = burst.is_write ? timing_.write_latency : timing_.read_latency;
  idle_since_ = now + latency + timing_.burst;
  sink_.done(burst, now + latency + timing_.burst);
}

}  // namespace archsim
