#include "accel-rtl/dv/surroundings/program_memory.h"

#include <utility>

#include "arch/describe/diagnostic.h"

namespace archsim::rtl {

EncodedStreams encode(const AcceleratorStreams& streams) {
  EncodedStreams encoded;
  for (std::size_t e = 0; e < kEngines; ++e) {
    for (const Command& command : streams.stream[e]) encoded[e].push_back(archsim::encode(command));
    if (encoded[e].empty()) encoded[e].push_back(archsim::encode({.payload = Halt{}}));
  }
  return encoded;
}

ProgramMemory::ProgramMemory(EncodedStreams streams, std::uint64_t latency, const PauseParams& pauses)
    : streams_(std::move(streams)), latency_(latency), fetch_pause_(pauses, 16), command_pause_(pauses, 17) {
  ARCHSIM_ASSERT(latency >= 1, "an answer in the cycle of its request");
}

void ProgramMemory::drive(CoreInputs& in) {
  in.fetch_ready = !fetch_pause_.holds_off();
  const bool is_due = !fetches_.empty() && cycle_ >= fetches_.front().due;
  holds_ = holds_ || (is_due && !command_pause_.holds_off());
  in.command_valid = holds_;
  if (!holds_) return;
  const Fetch& fetch = fetches_.front();
  const auto& stream = streams_[fetch.stream];
  in.command_stream = fetch.stream;
  in.command = fetch.index < stream.size() ? stream[fetch.index] : archsim::encode({.payload = Halt{}});
}

void ProgramMemory::clock(const CoreInputs& in, const CoreOutputs& out) {
  if (in.command_valid && out.command_ready) {
    fetches_.pop_front();
    holds_ = false;
  }
  if (out.fetch_valid && in.fetch_ready) {
    if (out.fetch_index >= streams_.at(out.fetch_stream).size()) ++overruns_;
    fetches_.push_back({out.fetch_stream, out.fetch_index, cycle_ + latency_});
  }
  ++cycle_;
}

}  // namespace archsim::rtl
