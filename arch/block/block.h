// What every block model is to the SoC: sockets to bind, work that may be unfinished, and a report.
//
// A model derives from sc_core::sc_module (constructed with an sc_module_name) and from Block. Processes wake on work,
// never on clock edges. Everything that can throw inside a process is caught there and handed to FaultSink.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "arch/machine/memory_map.h"
#include "arch/machine/run_result.h"

namespace archsim {

using InitiatorPort = tlm::tlm_initiator_socket<32>;
using TargetPort = tlm::tlm_target_socket<32>;

class Block {
 public:
  virtual ~Block() = default;

  /// Sockets that send memory transactions; the SoC binds them to the interconnect, in this order.
  virtual std::vector<InitiatorPort*> initiator_ports() { return {}; }
  /// Sockets that serve them: the ports of a memory, the CSR port of an accelerator or cpu.
  virtual std::vector<TargetPort*> target_ports() { return {}; }

  /// What it asked for as an initiator, and what it served as a memory. After a run the sums over all blocks are equal.
  virtual Traffic requested() const { return {}; }
  virtual Traffic served() const { return {}; }

  /// False while it still has commands to execute.
  virtual bool finished() const { return true; }
  /// For the deadlock report, one line an unfinished engine: "load waits for npu1's operator 41, which is at 40".
  virtual std::vector<std::string> waiting() const { return {}; }
  /// Counts that grow whenever something completes; the watchdog watches their sum.
  virtual std::uint64_t progress() const { return 0; }
  /// Until when it is certainly at work on what it has begun, so that this is no standstill; zero if it cannot say.
  virtual Time busy_until() const { return Time::zero(); }
  /// Stats, events and engine shares; the shares of every engine sum to `elapsed`.
  virtual BlockReport report(Time elapsed) const = 0;
};

/// Where a block reports a fault of the simulated machine (illegal command, address outside the map, ...): recorded
/// with block and time, then the simulation stops. The first one wins.
class FaultSink {
 public:
  virtual ~FaultSink() = default;
  virtual void fault(FaultKind kind, const std::string& block, const std::string& what) = 0;
};

/// The time of an sc_time in our unit; both count picoseconds.
inline Time time_of(const sc_core::sc_time& t) { return Time(t.value()); }
inline sc_core::sc_time sc_time_of(Time t) { return sc_core::sc_time::from_value(t.value); }

}  // namespace archsim
