// One DRAM channel whose commands go in the order that the default controller gives them. No SystemC in here.
//
// Models:     what ExactChannel does with configs/dram/controllers/default.yaml and one rank: the buffers of reads and of writes, row
//             hits first, the drains of writes, every timing between commands, all-bank refresh.
// Leaves out: forwarding from waiting writes, other ranks. A run of at least 32 bursts that has the buffer for itself goes in closed
//             form, and a shorter one behind such a run if its rows are open in time. An answer is due at the call, and what comes
//             later may still go first: the time of a read's last data is what it would be if nothing else came. A write is through
//             when the buffer has it.
// Numbers:    configs/dram/*.yaml; the controller's by ControllerWindow, which a test holds to its file.
// Checked by: tests/properties/dram (the exact channel on random streams).
#pragma once

#include "models/dram/channel.h"
#include "models/dram/window/window.h"

namespace archsim {

class OrderedChannel {
 public:
  explicit OrderedChannel(const DramStandard& standard);

  /// The bytes [first, end) of the channel's own address space; all of them asked for at `arrival`.
  Channel::Service serve(Cycles arrival, std::uint64_t first, std::uint64_t end, bool is_write);
  /// Serves what still waits; when the last data are through, at the device.
  Cycles drain() { return clocks(window_.drain()); }

  ChannelCounts counts() const;
  std::uint64_t refreshes(Cycles elapsed) const { return elapsed / timing_.refi; }
  Channel::Shares shares() const;

 private:
  Channel::Service serve_run(Slot arrival, const ControllerWindow::Run& run);
  Cycles clocks(Slot slot) const { return Cycles((slot + edges_ - 1) / edges_); }

  ChannelTiming timing_;
  unsigned edges_;
  unsigned stripe_shift_, bank_shift_, burst_shift_;
  Cycles taken_until_ = Cycles::zero();
  ControllerWindow window_;
};

}  // namespace archsim
