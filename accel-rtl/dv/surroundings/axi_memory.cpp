#include "accel-rtl/dv/surroundings/axi_memory.h"

#include <algorithm>
#include <cmath>

#include "arch/describe/diagnostic.h"

namespace archsim::rtl {
namespace {

enum Channel : std::uint8_t { ar, aw, w, r, b };

Response response_of(bool is_served) { return is_served ? Response::okay : Response::decode_error; }

}  // namespace

AxiMemory::AxiMemory(const AxiMemoryParams& params)
    : params_(params),
      ar_pause_(params.pauses, ar),
      aw_pause_(params.pauses, aw),
      w_pause_(params.pauses, w),
      r_pause_(params.pauses, r),
      b_pause_(params.pauses, b) {
  ARCHSIM_ASSERT(params.latency >= 1 && params.bytes_per_cycle > 0.0, "an answer in the cycle of its request");
}

AxiMemory::Target AxiMemory::target_of(std::uint64_t address) const {
  if (address >= params_.base && address - params_.base < params_.size) return Target::memory;
  if (address >= params_.csr_base && address - params_.csr_base < params_.csr_size) return Target::doorbell;
  return Target::nobody;
}

AxiMemory::Burst AxiMemory::accept(const AddressChannel& request, double& free) {
  constexpr std::uint64_t kPage = 4096;
  ARCHSIM_ASSERT(
      (request.address & ~(kPage - 1)) == ((request.address + (request.beats - 1) * request.beat_bytes) & ~(kPage - 1)),
      "an AXI burst crosses a 4 KiB boundary");
  Burst burst{.request = request, .target = target_of(request.address)};
  if (burst.target != Target::memory) {
    burst.first = static_cast<double>(cycle_ + 1);
    return burst;
  }
  burst.first = std::max(static_cast<double>(cycle_ + params_.latency), free);
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < request.beats; ++i) bytes += lanes(burst, i).count;
  free = burst.first + static_cast<double>(bytes) / params_.bytes_per_cycle;
  return burst;
}

AxiMemory::Lanes AxiMemory::lanes(const Burst& burst, std::uint32_t beat) const {
  const std::uint64_t start = burst.request.address, size = burst.request.beat_bytes;
  const std::uint64_t address = beat == 0 ? start : (start / size + beat) * size;
  const std::uint64_t end = (address / size + 1) * size;
  return {.address = address,
          .first = static_cast<std::size_t>(address % params_.port_bytes),
          .count = static_cast<std::size_t>(end - address)};
}

std::uint64_t AxiMemory::cycle_of_next(const Burst& burst) const {
  const double bytes = static_cast<double>(burst.bytes + lanes(burst, burst.beats).count);
  const double end = burst.first + (burst.target == Target::memory ? bytes / params_.bytes_per_cycle : 1.0);
  constexpr double kRounding = 1e-6;
  return static_cast<std::uint64_t>(std::ceil(end - kRounding)) - 1;
}

void AxiMemory::read_beat(const Burst& burst, std::uint32_t beat, Beat& into) const {
  const Lanes at = lanes(burst, beat);
  into.fill(std::byte{0});
  if (burst.target == Target::memory) contents_.read(at.address, std::span(into).subspan(at.first, at.count));
}

void AxiMemory::offer_read(CoreInputs& in) {
  in.r_valid = false;
  if (reads_.empty()) return;
  Burst& burst = reads_.front();
  const bool is_due = cycle_ >= cycle_of_next(burst);
  if (!is_due || (!holds_r_ && r_pause_.holds_off())) return;
  if (!holds_r_) {
    if (burst.sampled.empty()) {
      read_beat(burst, burst.beats, in.r_data);
    } else {
      in.r_data = burst.sampled[burst.beats];
    }
  }
  in.r_valid = true;
  in.r_id = burst.request.id;
  in.r_last = burst.beats + 1 == burst.request.beats;
  in.r_response = response_of(burst.target == Target::memory);
  holds_r_ = true;
}

void AxiMemory::drive(CoreInputs& in) {
  in.ar_ready = !ar_pause_.holds_off();
  in.aw_ready = !aw_pause_.holds_off();
  in.w_ready = !w_pause_.holds_off();
  offer_read(in);
  const bool has_answer = !writes_.empty() && writes_.front().beats == writes_.front().request.beats &&
                          cycle_ >= writes_.front().acknowledge;
  holds_b_ = holds_b_ || (has_answer && !b_pause_.holds_off());
  in.b_valid = holds_b_;
  if (!holds_b_) return;
  in.b_id = writes_.front().request.id;
  in.b_response = response_of(writes_.front().target != Target::nobody);
}

void AxiMemory::take(Burst& burst, const WriteData& beat) {
  const std::uint64_t due = cycle_of_next(burst);
  burst.bytes += lanes(burst, burst.beats).count;
  burst.data.push_back(beat);
  ++burst.beats;
  const bool is_last = burst.beats == burst.request.beats;
  ARCHSIM_ASSERT(beat.last == is_last, "WLAST is not with the last beat of a burst");
  if (!is_last) return;
  const std::uint64_t way = burst.target == Target::memory ? params_.latency : 1;
  burst.acknowledge = std::max(due, cycle_ + way);
  if (params_.is_hasty) commit(burst);
}

void AxiMemory::fill_writes() {
  for (Burst& burst : writes_) {
    while (!beats_.empty() && burst.beats < burst.request.beats) {
      take(burst, beats_.front());
      beats_.pop_front();
    }
    if (burst.beats < burst.request.beats) return;
  }
}

void AxiMemory::commit(const Burst& burst) {
  if (burst.target == Target::doorbell) doorbells_.push_back({burst.request.address, cycle_});
  if (burst.target != Target::memory) return;
  for (std::uint32_t i = 0; i < burst.request.beats; ++i) {
    const WriteData& beat = burst.data[i];
    const std::uint64_t line = lanes(burst, i).address / params_.port_bytes * params_.port_bytes;
    for (std::size_t byte = 0; byte < params_.port_bytes; ++byte) {
      if (!beat.strobe[byte]) continue;
      contents_.write(line + byte, std::span(&beat.data[byte], 1));
      ++bytes_written_;
    }
  }
}

void AxiMemory::clock(const CoreInputs& in, const CoreOutputs& out) {
  if (in.r_valid && out.r_ready) {
    Burst& burst = reads_.front();
    burst.bytes += lanes(burst, burst.beats).count;
    bytes_read_ += lanes(burst, burst.beats).count;
    if (++burst.beats == burst.request.beats) reads_.pop_front();
    holds_r_ = false;
  }
  if (in.b_valid && out.b_ready) {
    if (!params_.is_hasty) commit(writes_.front());
    writes_.pop_front();
    holds_b_ = false;
  }
  if (out.ar.valid && in.ar_ready) {
    Burst burst = accept(out.ar, read_free_);
    for (std::uint32_t i = 0; i < burst.request.beats && !params_.is_hasty; ++i) {
      read_beat(burst, i, burst.sampled.emplace_back());
    }
    reads_.push_back(std::move(burst));
  }
  if (out.aw.valid && in.aw_ready) writes_.push_back(accept(out.aw, write_free_));
  if (out.w.valid && in.w_ready) beats_.push_back(out.w);
  fill_writes();
  ++cycle_;
}

}  // namespace archsim::rtl
