#include "models/accel/rtl/rtl.h"

#include <fmt/format.h>

#include <cstring>
#include <map>

#include "accel-rtl/dv/registers.h"
#include "accel-rtl/dv/surroundings/csr_host.h"
#include "accel-rtl/dv/surroundings/program_memory.h"
#include "arch/block/guarded.h"
#include "arch/block/work_end.h"
#include "models/accel/rtl/axi_bridge.h"
#include "models/accel/rtl/built.h"
#include "models/accel/rtl/ledger.h"
#include "models/stream/command_window.h"
#include "models/stream/semaphore_bank.h"

namespace archsim {
namespace {

std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

FaultKind fault_kind(rtl::registers::ErrorCode code) {
  using rtl::registers::ErrorCode;
  if (code == ErrorCode::queue_overflow) return FaultKind::queue_overflow;
  return code == ErrorCode::bad_address || code == ErrorCode::bus ? FaultKind::bad_address : FaultKind::illegal_command;
}

std::string_view name_of(rtl::registers::ErrorCode code) {
  constexpr std::array<std::string_view, 5> kNames{"nothing", "an illegal command", "a bad address", "a queue overflow",
                                                   "an answer with an error"};
  return kNames.at(static_cast<std::size_t>(code));
}

}  // namespace

class RtlCore {
 public:
  RtlCore(const SystolicParams& params, const BuildContext& context)
      : context_(context),
        built_(*core_for(params, 1, {})),
        core_(built_->make()),
        grid_(context.clock),
        csr_(csr_bases(context)),
        memory_("memory"),
        registers_("registers"),
        bridge_(memory_, grid_, built_->params.port_bytes, *context.map),
        program_(rtl::encode(context.program->accelerators.at(context.accelerator)), 1, {}),
        host_({}),
        ledger_(rtl_subset(params), context_) {
    registers_.register_b_transport(this, &RtlCore::transport);
    // Verilated code has deep frames.
    constexpr int kStackBytes = 1 << 20;
    sc_core::sc_spawn_options options;
    options.set_stack_size(kStackBytes);
    sc_core::sc_spawn([this] { run_guarded(context_, [this] { run(); }); }, "clock", &options);
  }

  bool has_finished() const { return has_finished_; }
  InitiatorPort* memory_port() { return memory_.socket(); }
  TargetPort* register_port() { return &registers_; }
  const AxiBridge& bridge() const { return bridge_; }
  const Ledger& ledger() const { return ledger_; }

 private:
  /// A doorbell or a word of a command, to the core's own AXI4-Lite port at its time.
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t address = payload.get_address(), base = csr_[context_.accelerator];
    const std::uint64_t offset = address - base;
    const bool is_word = offset >= CommandWindow::kOffset && CommandWindow::contains(offset - CommandWindow::kOffset);
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (address < base || (offset / kSemaphoreBytes >= csr_.size() && !is_word)) return;
    payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    if (!payload.is_write()) return;
    std::uint32_t value = 0;
    std::memcpy(&value, payload.get_data_ptr(), sizeof value);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    writes_.emplace(grid_.edge_at(time_of(sc_core::sc_time_stamp() + delay)).value, Write{low(offset), value});
    rung_.notify(delay);
  }

  void run() {
    if (built_->params.semaphores < csr_.size()) {
      return context_.faults->fault(FaultKind::illegal_command, context_.name,
                                    fmt::format("the built core has {} semaphores, and this SoC needs {}",
                                                built_->params.semaphores, csr_.size()));
    }
    start();
    unsigned quiet = 0;
    for (std::uint64_t edge = 0;; ++edge) {
      const Time at = grid_.time_of(Cycles(edge)), now = time_of(sc_core::sc_time_stamp());
      if (at > now) sc_core::wait(sc_time_of(at - now));
      ring(edge);
      quiet = cycle(edge) ? 0 : quiet + 1;
      if (irq_) return end(edge);
      constexpr unsigned kQuiet = 64;  // longer than a command needs to pass through the core to where it waits
      if (quiet < kQuiet || !bridge_.is_idle() || !writes_.empty() || !ledger_.is_blocked()) continue;
      // Nothing can happen before somebody rings. The core's clock stands still until then.
      sc_core::wait(rung_);
      edge = grid_.edge_at(time_of(sc_core::sc_time_stamp())).value;
      quiet = 0;
    }
  }

  void ring(std::uint64_t edge) {
    while (!writes_.empty() && writes_.begin()->first <= edge) {
      const Write& write = writes_.begin()->second;
      host_.write(write.offset, write.value);
      if (write.offset / kSemaphoreBytes < csr_.size()) ledger_.raised(write.offset / kSemaphoreBytes, edge);
      writes_.erase(writes_.begin());
    }
  }

  /// One clock cycle, which begins at `edge`. False if nothing was to be seen of the core.
  bool cycle(std::uint64_t edge) {
    bridge_.drive(in_, edge);
    program_.drive(in_);
    host_.drive(in_);
    const rtl::CoreOutputs& out = core_->settle(in_);
    irq_ = out.irq;
    bool is_active = out.ar.valid || out.aw.valid || out.w.valid || out.fetch_valid || !host_.is_idle();
    for (std::size_t e = 0; e < kEngines; ++e) {
      if (!out.complete[e]) continue;
      is_active = true;
      ledger_.complete(static_cast<Engine>(e), edge + 1);
    }
    bridge_.clock(in_, out, edge);
    program_.clock(in_, out);
    host_.clock(in_, out);
    while (host_.take_answer()) {
    }
    core_->clock();
    return is_active;
  }

  /// Registers are set before the simulation's time begins.
  void start() {
    using namespace rtl::registers;
    constexpr int kResetCycles = 4;
    for (int i = 0; i < kResetCycles; ++i) {
      core_->settle({.reset = true});
      core_->clock();
    }
    std::uint32_t region = 0;
    for (const Region& memory_region : context_.map->regions) {
      if (memory_region.kind != RegionKind::dram && memory_region.kind != RegionKind::l2) continue;
      ARCHSIM_ASSERT(region < kRegions, "the core knows four memories");
      const bool is_dram = memory_region.kind == RegionKind::dram;
      const std::uint64_t end = memory_region.base + memory_region.size;
      const std::uint32_t at = kRegion + 16 * region++;
      write(at, low(memory_region.base));
      write(at + 4, high(memory_region.base) | (is_dram ? kRegionIsDram : 0));
      write(at + 8, low(end));
      write(at + 12, high(end));
    }
    write(kSelfIndex, context_.accelerator);
    for (std::uint32_t bank = 0; bank < built_->params.semaphores; ++bank) {
      // The last bank is the host's, however few accelerators there are.
      const std::uint64_t base = bank < context_.accelerators ? csr_[bank] : csr_.back();
      write(kPeerBase + 8 * bank, low(base));
      write(kPeerBase + 8 * bank + 4, high(base));
    }
    write(kInterruptEnable, kFinishedInterrupt | kErrorInterrupt);
    write(kControl, kStart);
  }

  void write(std::uint32_t address, std::uint32_t value) {
    host_.write(address, value);
    finish_access();
  }
  std::uint32_t read(std::uint32_t address) {
    host_.read(address);
    return finish_access();
  }
  /// In cycles outside of the simulation's time: nothing else is under way.
  std::uint32_t finish_access() {
    in_.r_valid = in_.b_valid = in_.command_valid = in_.fetch_ready = false;
    in_.ar_ready = in_.aw_ready = in_.w_ready = false;
    while (!host_.is_idle()) {
      host_.drive(in_);
      host_.clock(in_, core_->settle(in_));
      core_->clock();
    }
    return host_.take_answer()->data;
  }

  void end(std::uint64_t edge) {
    using namespace rtl::registers;
    // What is under way ends, behind the time that counts.
    const std::uint64_t ended = edge;
    while (!bridge_.is_idle()) cycle(++edge);
    ledger_.end(ended);
    ledger_.stats().signals += bridge_.doorbells();
    if ((read(kStatus) & kFailed) == 0) {
      has_finished_ = true;
      if (context_.work != nullptr) context_.work->tell();
      return;
    }
    const std::uint32_t error = read(kError);
    constexpr std::uint32_t kCode = 0xFF, kStream = 3;
    const auto code = static_cast<ErrorCode>(error & kCode);
    context_.faults->fault(
        fault_kind(code), context_.name,
        fmt::format("{} command {}: the RTL reports {}", archsim::name_of(static_cast<Engine>((error >> 8) & kStream)),
                    read(kErrorIndex), name_of(code)));
  }

  const BuildContext context_;
  const rtl::BuiltCore* built_;
  std::unique_ptr<rtl::Core> core_;
  ClockGrid grid_;
  std::vector<std::uint64_t> csr_;  // of every semaphore bank
  MemoryPort memory_;
  tlm_utils::simple_target_socket<RtlCore> registers_;
  AxiBridge bridge_;
  rtl::ProgramMemory program_;
  rtl::CsrHost host_;
  Ledger ledger_;
  rtl::CoreInputs in_;
  bool irq_ = false, has_finished_ = false;
  struct Write {
    std::uint32_t offset = 0, value = 0;
  };
  std::multimap<std::uint64_t, Write> writes_;  // of registers, by their edge
  sc_core::sc_event rung_;
};

Rtl::Rtl(const sc_core::sc_module_name& name, const Params& params, const BuildContext& context)
    : Model(name, params, context), core_(std::make_unique<RtlCore>(params, context_)) {}

Rtl::~Rtl() = default;

AcceleratorCapabilities Rtl::accelerator(const Params& params, Frequency clock) {
  return rtl_capabilities(params, clock);
}

void Rtl::check(const Params& params, const ParamLocation& where, Diagnostics& out) {
  out.append(core_for(params, 1, where("")).diagnostics());
}

std::vector<InitiatorPort*> Rtl::initiator_ports() { return {core_->memory_port()}; }

std::vector<TargetPort*> Rtl::target_ports() { return {core_->register_port()}; }

Traffic Rtl::requested() const { return core_->bridge().traffic(); }

bool Rtl::finished() const { return core_->has_finished(); }

std::vector<std::string> Rtl::waiting() const {
  if (core_->has_finished()) return {};
  std::vector<std::string> lines;
  const auto done = core_->ledger().completed();
  for (std::size_t e = 0; e < kEngines; ++e) {
    lines.push_back(fmt::format("{} has completed {} commands", archsim::name_of(static_cast<Engine>(e)), done[e]));
  }
  return lines;
}

std::uint64_t Rtl::progress() const { return core_->ledger().completions(); }

BlockReport Rtl::report(Time elapsed) const {
  BlockReport report = make_report("accel", "rtl", core_->ledger().stats(), core_->ledger().events());
  report.engines = core_->ledger().engines(elapsed);
  return report;
}

}  // namespace archsim
