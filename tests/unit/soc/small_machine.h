// The smallest blocks that behave: an accelerator that reads words of DRAM and then does as its param says, a memory that takes
// a fixed time, and a crossbar that forwards by the memory map.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/unit/machine/small_catalog.h"

namespace archsim::small {

enum class Ending { halts, waits_forever, spins, loses_a_byte, faults };

struct ReaderParams {
  unsigned reads = 3;
  Ending ending = Ending::halts;
  static constexpr auto fields() {
    using P = ReaderParams;
    return fields_of(param<&P::reads>("reads").between(0, 1000), param<&P::ending>("what it does in the end"));
  }
};

class Reader : public Model<ReaderParams> {
 public:
  Reader(const sc_core::sc_module_name& name, const ReaderParams& params, const BuildContext& context)
      : Model(name, params, context), params_(params), context_(context) {
    doorbell_.register_b_transport(this, &Reader::ring);
    SC_HAS_PROCESS(Reader);
    SC_THREAD(work);
  }
  static AcceleratorCapabilities accelerator(const ReaderParams&, Frequency clock) {
    AcceleratorCapabilities can;
    can.clock = clock;
    can.scratchpad = 1_KiB;
    return can;
  }

  std::vector<InitiatorPort*> initiator_ports() override { return {&memory_}; }
  std::vector<TargetPort*> target_ports() override { return {&doorbell_}; }
  Traffic requested() const override { return {read_, 0}; }
  bool finished() const override { return finished_; }
  std::vector<std::string> waiting() const override {
    return finished_ ? std::vector<std::string>{} : std::vector<std::string>{"load waits for nobody"};
  }
  std::uint64_t progress() const override { return read_; }
  BlockReport report(Time elapsed) const override {
    BlockReport report;
    report.engines.push_back({.name = "load", .busy = elapsed});
    return report;
  }

 private:
  void ring(tlm::tlm_generic_payload&, sc_core::sc_time&) {}

  void work() {
    const std::uint64_t base = context_.map->of("dram", RegionKind::dram)->base;
    for (unsigned i = 0; i < params_.reads; ++i) {
      std::uint32_t data = 0;
      tlm::tlm_generic_payload payload;
      payload.set_read();
      payload.set_address(base + 4096 * i);
      payload.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
      payload.set_data_length(sizeof data);
      sc_core::sc_time delay;
      memory_->b_transport(payload, delay);
      wait(delay);
      read_ += sizeof data;
    }
    if (params_.ending == Ending::faults)
      context_.faults->fault(FaultKind::bad_address, context_.name, "nothing lies at 0x0");
    if (params_.ending == Ending::loses_a_byte) read_ -= 1;
    while (params_.ending == Ending::spins) wait(1, sc_core::SC_US);
    finished_ = params_.ending != Ending::waits_forever;
  }

  const ReaderParams params_;
  const BuildContext context_;
  tlm_utils::simple_initiator_socket<Reader> memory_{"memory"};
  tlm_utils::simple_target_socket<Reader> doorbell_{"doorbell"};
  std::uint64_t read_ = 0;
  bool finished_ = false;
};

constexpr std::uint64_t kReadNanoseconds = 50;

class Store : public Memory<true> {
 public:
  Store(const sc_core::sc_module_name& name, const MemoryParams& params, const BuildContext& context)
      : Memory(name, params, context) {
    for (unsigned i = 0; i < params.ports; ++i) {
      ports_.push_back(std::make_unique<tlm_utils::simple_target_socket<Store>>(("port" + std::to_string(i)).c_str()));
      ports_.back()->register_b_transport(this, &Store::serve);
    }
  }
  std::vector<TargetPort*> target_ports() override {
    std::vector<TargetPort*> ports;
    for (auto& port : ports_) ports.push_back(port.get());
    return ports;
  }
  Traffic served() const override { return {read_, 0}; }

 private:
  void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    delay += sc_core::sc_time(static_cast<double>(kReadNanoseconds), sc_core::SC_NS);
    read_ += payload.get_data_length();
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  std::vector<std::unique_ptr<tlm_utils::simple_target_socket<Store>>> ports_;
  std::uint64_t read_ = 0;
};

class Host : public Cpu {
 public:
  Host(const sc_core::sc_module_name& name, const CpuParams& params, const BuildContext& context)
      : Cpu(name, params, context) {
    doorbell_.register_b_transport(this, &Host::ring);
  }
  std::vector<InitiatorPort*> initiator_ports() override { return {&memory_}; }
  std::vector<TargetPort*> target_ports() override { return {&doorbell_}; }

 private:
  void ring(tlm::tlm_generic_payload&, sc_core::sc_time&) {}
  tlm_utils::simple_initiator_socket<Host> memory_{"memory"};
  tlm_utils::simple_target_socket<Host> doorbell_{"doorbell"};
};

class Crossbar : public Mesh {
 public:
  Crossbar(const sc_core::sc_module_name& name, const MeshParams& params, const BuildContext& context)
      : Mesh(name, params, context), context_(context) {
    for (std::size_t i = 0; i < context.fabric->initiators.size(); ++i) {
      in_.push_back(std::make_unique<tlm_utils::simple_target_socket<Crossbar>>(("in" + std::to_string(i)).c_str()));
      in_.back()->register_b_transport(this, &Crossbar::forward);
    }
    for (std::size_t i = 0; i < context.fabric->targets.size(); ++i) {
      out_.push_back(
          std::make_unique<tlm_utils::simple_initiator_socket<Crossbar>>(("out" + std::to_string(i)).c_str()));
    }
  }
  std::vector<TargetPort*> target_ports() override {
    std::vector<TargetPort*> ports;
    for (auto& port : in_) ports.push_back(port.get());
    return ports;
  }
  std::vector<InitiatorPort*> initiator_ports() override {
    std::vector<InitiatorPort*> ports;
    for (auto& port : out_) ports.push_back(port.get());
    return ports;
  }

 private:
  void forward(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const Region* region = context_.map->at(payload.get_address());
    (*out_[region->target_of(payload.get_address())])->b_transport(payload, delay);
  }
  const BuildContext context_;
  std::vector<std::unique_ptr<tlm_utils::simple_target_socket<Crossbar>>> in_;
  std::vector<std::unique_ptr<tlm_utils::simple_initiator_socket<Crossbar>>> out_;
};

inline Catalog machine_catalog() {
  Catalog catalog;
  catalog.add(catalog_entry<Reader>("accel", "reader"));
  catalog.add(catalog_entry<Store>("dram", "store"));
  catalog.add(catalog_entry<Crossbar>("noc", "crossbar"));
  catalog.add(catalog_entry<Host>("cpu", "idle"));
  return catalog;
}

}  // namespace archsim::small
