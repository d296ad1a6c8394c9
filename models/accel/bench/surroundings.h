// What stands around a block that is simulated alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arch/block/block.h"
#include "arch/describe/diagnostic.h"
#include "models/stream/memory_port.h"
#include "models/stream/semaphore_bank.h"

namespace archsim {

class FirstFault final : public FaultSink {
 public:
  void fault(FaultKind kind, const std::string& block, const std::string& what) override {
    if (!first) first = Fault{.kind = kind, .block = block, .time = time_of(sc_core::sc_time_stamp()), .what = what};
    sc_core::sc_stop();
  }
  std::optional<Fault> first;
};

/// Rings a block's doorbells from outside: when, and which semaphore.
class Ringer : public sc_core::sc_module {
 public:
  Ringer(const sc_core::sc_module_name& name, std::uint64_t csr_base, std::vector<std::pair<Time, unsigned>> doorbells)
      : sc_core::sc_module(name),
        port("port"),
        requester_(port),
        csr_base_(csr_base),
        doorbells_(std::move(doorbells)) {
    std::stable_sort(doorbells_.begin(), doorbells_.end());
    sc_core::sc_spawn([this] { run(); }, "ring");
  }
  MemoryPort port;

 private:
  void run() {
    for (const auto& [at, semaphore] : doorbells_) {
      const Time now = time_of(sc_core::sc_time_stamp());
      if (at > now) sc_core::wait(sc_time_of(at - now));
      ARCHSIM_ASSERT(requester_.ring(csr_base_ + kSemaphoreBytes * semaphore), "a semaphore that does not exist");
    }
  }
  Requester requester_;
  std::uint64_t csr_base_;
  std::vector<std::pair<Time, unsigned>> doorbells_;
};

/// A write of 4 bytes into a block's registers.
struct RegisterWrite {
  Time at = Time::zero();
  std::uint64_t address = 0;
  std::uint32_t value = 0;
};

/// Writes a block's registers from outside.
class RegisterWriter : public sc_core::sc_module {
 public:
  RegisterWriter(const sc_core::sc_module_name& name, std::vector<RegisterWrite> writes)
      : sc_core::sc_module(name), port("port"), writes_(std::move(writes)) {
    std::stable_sort(writes_.begin(), writes_.end(),
                     [](const RegisterWrite& a, const RegisterWrite& b) { return a.at < b.at; });
    sc_core::sc_spawn([this] { run(); }, "write");
  }
  MemoryPort port;

 private:
  void run() {
    for (RegisterWrite& write : writes_) {
      const Time now = time_of(sc_core::sc_time_stamp());
      if (write.at > now) sc_core::wait(sc_time_of(write.at - now));
      tlm::tlm_generic_payload payload;
      payload.set_command(tlm::TLM_WRITE_COMMAND);
      payload.set_address(write.address);
      payload.set_data_ptr(reinterpret_cast<unsigned char*>(&write.value));
      payload.set_data_length(sizeof write.value);
      payload.set_streaming_width(sizeof write.value);
      payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      port.transport(payload, delay);
      ARCHSIM_ASSERT(payload.is_response_ok(), "a register that does not exist");
    }
  }
  std::vector<RegisterWrite> writes_;
};

}  // namespace archsim
