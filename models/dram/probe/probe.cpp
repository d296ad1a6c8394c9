#include "models/dram/probe/probe.h"

#include <algorithm>
#include <cmath>

namespace archsim {
namespace {

/// Requests of a stream as bursts, at most one a clock, none before it arrives.
class StreamSource final : public BurstSource {
 public:
  StreamSource(const DramProbe& probe, const ExactTiming& timing, const AddressMap& map)
      : stream_(probe.pattern, probe.access, row_stride(timing)),
        map_(map),
        burst_bytes_(timing.burst_bytes),
        bursts_of_request_(std::max<std::uint64_t>(1, 64 / timing.burst_bytes)),
        requests_(probe.requests),
        slots_between_(probe.load ? 64.0 / (timing.peak_bytes_per_second() * *probe.load) / timing.slot_seconds : 0.0) {
    prepare_request();
  }

  const Burst* offered(Slot now) override { return now >= offer_ ? &burst_ : nullptr; }
  void accepted(Slot now) override;
  Slot next_offer() const override { return offer_; }
  const Burst& follower() override { return burst_; }

  double arrival(std::uint64_t request) const { return slots_between_ * static_cast<double>(request); }

 private:
  void prepare_request();
  void prepare_burst();

  DramStream stream_;
  const AddressMap& map_;
  std::uint64_t burst_bytes_, bursts_of_request_, requests_;
  double slots_between_;
  std::uint64_t address_ = 0, part_ = 0;
  Burst burst_;
  Slot offer_ = 0;
};

void StreamSource::prepare_request() {
  if (stream_.index() == requests_) {
    offer_ = kNever;
    return;
  }
  address_ = stream_.next_address();
  part_ = 0;
  const auto arrives = static_cast<Slot>(std::ceil(arrival(stream_.index()) - 1e-6));
  offer_ = std::max(offer_, arrives);
  prepare_burst();
}

void StreamSource::prepare_burst() {
  burst_.address = address_ + part_ * burst_bytes_;
  burst_.tag = stream_.index() * bursts_of_request_ + part_;
  burst_.is_write = stream_.is_write();
  burst_.followers = static_cast<std::uint8_t>(bursts_of_request_ - 1 - part_);
  burst_.at = map_.place(burst_.address);
}

void StreamSource::accepted(Slot now) {
  offer_ = now + 1;
  if (++part_ < bursts_of_request_) return prepare_burst();
  stream_.advance();
  prepare_request();
}

/// Latencies of the reads, in slots, as their bursts come back.
class LatencySink final : public BurstSink {
 public:
  LatencySink(std::uint64_t requests, std::uint64_t bursts_of_request)
      : first_(requests, kNever), last_(requests, 0), left_(bursts_of_request) {}

  void done(const Burst& burst, Slot end) override {
    end_ = std::max(end_, end);
    if (burst.is_write) return;
    const std::uint64_t request = burst.tag / left_;
    first_[request] = std::min(first_[request], burst.arrival);
    last_[request] = std::max(last_[request], end);
  }

  std::vector<Slot> latencies() const {
    std::vector<Slot> all;
    for (std::size_t i = 0; i < first_.size(); ++i) {
      if (first_[i] != kNever) all.push_back(last_[i] - first_[i]);
    }
    return all;
  }
  Slot last(std::uint64_t request) const { return last_[request]; }
  bool is_read(std::uint64_t request) const { return first_[request] != kNever; }
  Slot end() const { return end_; }

 private:
  std::vector<Slot> first_, last_;
  std::uint64_t left_;
  Slot end_ = 0;
};

double mean(const std::vector<Slot>& values) {
  double sum = 0.0;
  for (const Slot value : values) sum += static_cast<double>(value);
  return sum / static_cast<double>(values.size());
}

/// The smallest value that at least this part of all values does not exceed.
Slot quantile(const std::vector<Slot>& sorted, double part) {
  const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

}  // namespace

void set_latencies(DramProbeResult& result, std::vector<Slot> latencies, double from_arrival, double unit_s) {
  if (latencies.empty()) return;
  result.latency_avg_s = mean(latencies) * unit_s;
  result.latency_from_arrival_avg_s = from_arrival / static_cast<double>(latencies.size()) * unit_s;
  std::sort(latencies.begin(), latencies.end());
  result.latency_p50_s = static_cast<double>(quantile(latencies, 0.50)) * unit_s;
  result.latency_p99_s = static_cast<double>(quantile(latencies, 0.99)) * unit_s;
}

Checked<DramProbeResult> probe_exactly(const DramProbe& probe, std::vector<LoggedCommand>* log) {
  const ExactTiming timing(probe.standard, probe.temperature);
  const auto map = AddressMap::make(timing, probe.controller.address_map, probe.controller.xor_row_into);
  if (!map) return map.diagnostics();
  StreamSource source(probe, timing, *map);
  LatencySink sink(probe.requests, std::max<std::uint64_t>(1, 64 / timing.burst_bytes));
  ExactChannel channel(probe.standard, probe.controller, sink, probe.temperature);
  channel.log_to(log);
  channel.run(source);

  DramProbeResult result;
  result.time_s = static_cast<double>(sink.end()) * timing.slot_seconds;
  result.bandwidth_bytes_per_s = 64.0 * static_cast<double>(probe.requests) / result.time_s;
  result.peak_bytes_per_s = timing.peak_bytes_per_second();
  result.counts = channel.counts();
  result.powered_down_s = static_cast<double>(channel.powered_down()) * timing.slot_seconds;
  double from_arrival = 0.0;
  for (std::uint64_t i = 0; i < probe.requests; ++i) {
    if (sink.is_read(i)) from_arrival += static_cast<double>(sink.last(i)) - source.arrival(i);
  }
  set_latencies(result, sink.latencies(), from_arrival, timing.slot_seconds);
  return result;
}

}  // namespace archsim
