// Bases of blocks whose behaviour is a module from outside, which knows only the TLM-2.0 standard.
//
//   struct Params { Bytes capacity = 1_GiB; ... };             its table, as of every model
//   class TheirDram : public OutsideMemory<Params> {
//    public:
//     TheirDram(const sc_core::sc_module_name& name, const Params& params, const BuildContext& context)
//         : OutsideMemory(name, params, context), dram_("dram") { attach(dram_.socket, {.largest = 64}); }
//     static MemoryCapabilities memory(const Params&, Frequency);
//
// Models:     nothing of their own; they pass and count what the module serves or sends.
// Leaves out: non-blocking transport and DMI of the SoC's side: modules are called, and call, by b_transport. A module's
//             simple_target_socket converts that to its own nb_transport.
// Numbers:    all times are the module's.
// Checked by: tests/models/outside.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arch/block/model.h"
#include "arch/block/outside/gate.h"
#include "arch/machine/capabilities.h"

namespace archsim {

/// What a block reports of its gates.
template <Described P>
class OutsideBlock : public Model<P, GateStats, GateEvents> {
 public:
  using Model<P, GateStats, GateEvents>::Model;

  std::uint64_t progress() const override {
    std::uint64_t sum = 0;
    for (const auto& gate : passes_) sum += gate->stats().transactions.value;
    return sum;
  }
  BlockReport report(Time elapsed) const override {
    GateStats stats;
    std::vector<EngineReport> engines;
    for (std::size_t i = 0; i < passes_.size(); ++i) {
      add(stats, passes_[i]->stats());
      const Time busy = passes_[i]->busy(elapsed);
      engines.push_back({.name = "port" + std::to_string(i), .busy = busy, .idle = elapsed - busy});
    }
    GateEvents events;
    events.byte += bytes_of(stats.read) + bytes_of(stats.written);
    BlockReport report = this->make_report({}, {}, stats, events);
    report.engines = std::move(engines);
    return report;
  }

 protected:
  class Pass {
   public:
    virtual ~Pass() = default;
    virtual const GateStats& stats() const = 0;
    virtual Time busy(Time elapsed) const = 0;
  };
  template <unsigned kInto, unsigned kOut>
  struct PassOf : Pass {
    PassOf(const std::string& name, const typename Gate<kInto, kOut>::Setup& setup) : gate(name.c_str(), setup) {}
    const GateStats& stats() const override { return gate.stats(); }
    Time busy(Time elapsed) const override { return gate.busy(elapsed); }
    Gate<kInto, kOut> gate;
  };

  template <unsigned kInto, unsigned kOut>
  Gate<kInto, kOut>& add_gate(const typename Gate<kInto, kOut>::Setup& setup) {
    auto pass = std::make_unique<PassOf<kInto, kOut>>("gate" + std::to_string(passes_.size()), setup);
    Gate<kInto, kOut>& gate = pass->gate;
    passes_.push_back(std::move(pass));
    return gate;
  }
  Traffic passed() const {
    GateStats stats;
    for (const auto& pass : passes_) add(stats, pass->stats());
    return {bytes_of(stats.read), bytes_of(stats.written)};
  }

 private:
  static std::uint64_t bytes_of(const Total<Bytes>& total) { return total.sum.value; }
  static void add(GateStats& into, const GateStats& stats) {
    into.read += stats.read.sum;
    into.written += stats.written.sum;
    into.transactions += stats.transactions.value;
  }

  std::vector<std::unique_ptr<Pass>> passes_;
};

/// A memory (`kind: dram` or `sram`) made of a target from outside.
template <Described P>
class OutsideMemory : public OutsideBlock<P> {
 public:
  using OutsideBlock<P>::OutsideBlock;

  std::vector<TargetPort*> target_ports() override { return ports_; }
  Traffic served() const override { return this->passed(); }

 protected:
  struct Socket {
    std::uint64_t largest = 0;  // bytes that the target takes at once, 0: all; payloads of the SoC have up to 32 KiB
  };
  /// The next port of the memory is `target`. It sees addresses from 0 on. To be called in the constructor, once a port.
  template <unsigned kWidth>
  void attach(tlm::tlm_base_target_socket<kWidth>& target, const Socket& socket = {}) {
    const auto& map = *this->context_.map;
    const Region* region = map.of(this->context_.name, RegionKind::dram);
    if (region == nullptr) region = map.of(this->context_.name, RegionKind::l2);
    auto& gate = this->template add_gate<32, kWidth>({.before = region->base, .largest = socket.largest});
    gate.out.bind(target);
    ports_.push_back(&gate.into);
  }

 private:
  std::vector<TargetPort*> ports_;
};

/// A block that sends transactions and serves none: a sensor, a radio, another company's processor.
template <Described P>
class OutsideInitiator : public OutsideBlock<P> {
 public:
  static constexpr bool kIsInitiator = true;
  using OutsideBlock<P>::OutsideBlock;

  std::vector<InitiatorPort*> initiator_ports() override { return ports_; }
  Traffic requested() const override { return this->passed(); }

 protected:
  /// The block's port is `initiator`, whose address 0 is `base` in the SoC. To be called in the constructor, once.
  template <unsigned kWidth>
  void attach(tlm::tlm_base_initiator_socket<kWidth>& initiator, std::uint64_t base = 0) {
    auto& gate = this->template add_gate<kWidth, 32>({.behind = base});
    initiator.bind(gate.into);
    ports_.push_back(&gate.out);
  }

 private:
  std::vector<InitiatorPort*> ports_;
};

}  // namespace archsim
