// What every controller has in common: a source of bursts, a sink for what is done, a device that it commands, refreshes that
// are due, power-down when there is nothing to do.
#pragma once

#include <memory>

#include "models/dram/controller/params.h"
#include "models/dram/controller/refresh_timer.h"
#include "models/dram/exact/device.h"

namespace archsim {

/// Offers bursts in order, at most one in a slot (or one request, where requests enter as a whole).
class BurstSource {
 public:
  virtual ~BurstSource() = default;
  /// The next burst, if it is offered at `now`; else null.
  virtual const Burst* offered(Slot now) = 0;
  /// It was accepted at `now`.
  virtual void accepted(Slot now) = 0;
  /// The burst after the one that was just accepted, of the same request.
  virtual const Burst& follower() = 0;
  /// When the next burst is offered; kNever without one.
  virtual Slot next_offer() const = 0;
};

class BurstSink {
 public:
  virtual ~BurstSink() = default;
  /// Its data are through at `end`; of a write, in the device.
  virtual void done(const Burst& burst, Slot end) = 0;
};

class DramScheduler {
 public:
  static std::unique_ptr<DramScheduler> make(const ControllerParams& params, DramDevice& device, BurstSink& sink);
  virtual ~DramScheduler() = default;

  /// For `burst`, with its followers if requests enter as a whole.
  bool has_room(const Burst& burst) const {
    return has_room(burst.is_write, params_.admits_requests_whole ? 1U + burst.followers : 1U);
  }
  /// Nothing waits, but for writes that wait for more to come.
  virtual bool is_drained() const = 0;
  /// Accepts what is offered at `now`, and issues the commands of this slot. Slots may be left out if nothing is offered in
  /// them and they are before wake().
  void step(Slot now, BurstSource& source);
  /// The next slot in which a command may go, if nothing more is offered.
  Slot wake() const { return wake_; }
  Slot powered_down() const { return powered_down_; }

 protected:
  DramScheduler(const ControllerParams& params, DramDevice& device, BurstSink& sink);

  virtual bool has_room(bool is_write, unsigned bursts) const = 0;
  virtual void accept(const Burst& burst) = 0;
  /// Issues what goes at `now`; true if something went.
  virtual bool issue(Slot now, BurstSource& source) = 0;

  bool admit(Slot now, BurstSource& source);
  /// A command that may go at `slot` at the earliest.
  void wake_at(Slot slot) { wake_ = std::min(wake_, slot); }
  /// Issues the read or write of `burst` and tells the sink.
  void serve(const Burst& burst, Slot now, bool closes);
  /// Issues the first pending refresh if it is of another pseudo-channel and the bus is free.
  bool refresh_elsewhere(Slot now);
  /// A write's data, still waiting, answer a read of the same address in the next slot.
  void forward(const Burst& read) { sink_.done(read, read.arrival + timing_.edges); }

  const ControllerParams& params_;
  DramDevice& device_;
  const ExactTiming& timing_;
  BurstSink& sink_;
  RefreshTimer refresh_;
  unsigned reads_waiting_ = 0, writes_waiting_ = 0;

 private:
  void leave_power_down(Slot now);

  Slot wake_ = 0;
  Slot idle_since_ = 0, powered_down_ = 0;
};

}  // namespace archsim
