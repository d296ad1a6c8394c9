#include "models/dma/dma.h"

#include <fmt/format.h>

#include <algorithm>

#include "arch/block/guarded.h"
#include "arch/block/work_end.h"

namespace archsim {
namespace {

Time now_of_kernel() { return time_of(sc_core::sc_time_stamp()); }

std::uint64_t base_of_dram(const BuildContext& context) {
  for (const Region& region : context.map->regions) {
    if (region.kind == RegionKind::dram) return region.base;
  }
  return 0;
}

}  // namespace

StandAloneDma::StandAloneDma(const sc_core::sc_module_name& name, const DmaParams& params, const BuildContext& context)
    : Model(name, params, context),
      grid_(context.clock),
      port_("memory"),
      requester_(port_, params.service_class),
      reads_(params.outstanding, grid_.span(Cycles(1))),
      writes_(params.outstanding, grid_.span(Cycles(1))) {
  for (unsigned i = 0; i < params.channels(); ++i) {
    lanes_.push_back({.channel = DmaChannel(params, i, base_of_dram(context))});
  }
  sc_core::sc_spawn([this] { run_guarded(context_, [this] { run(); }); }, "channels");
}

void StandAloneDma::run() {
  while (context_.work == nullptr || !context_.work->is_done()) {
    const Time now = now_of_kernel();
    begin_due(now);
    Lane* const lane = choose(now);
    if (lane == nullptr) {
      sleep_until(next_moment(now));
    } else if (!send(*lane, now)) {
      return;
    }
  }
}

void StandAloneDma::sleep_until(Time time) const {
  const sc_core::sc_time span = sc_time_of(time - now_of_kernel());
  if (context_.work == nullptr) return sc_core::wait(span);
  sc_core::wait(span, context_.work->done());
}

Time StandAloneDma::complete_before(std::uint64_t fence) const {
  Time last = Time::zero();
  for (auto open = open_.begin(); open != open_.end() && open->first < fence; ++open) {
    last = std::max(last, open->second);
  }
  return last;
}

void StandAloneDma::begin_due(Time now) {
  std::erase_if(open_, [&](const auto& transfer) { return transfer.second <= now; });
  for (Lane& lane : lanes_) {
    if (lane.channel.is_under_way() || lane.channel.due() > now) continue;
    if (lane.channel.is_fenced()) {
      if (!lane.fence) lane.fence = transfer_;
      if (complete_before(*lane.fence) > now) continue;
      stats_.fence_waited += now - lane.channel.due();
      lane.fence.reset();
    }
    lane.transfer = transfer_++;
    open_.insert_or_assign(lane.transfer, kNever);
    lane.channel.begin(now, grid_.span(params_.setup));
    ++events_.descriptor;
  }
}

Time StandAloneDma::can_send(const DmaChannel& channel) const {
  return (channel.writes_next() ? writes_ : reads_).next_request(channel.ready());
}

StandAloneDma::Lane* StandAloneDma::choose(Time now) {
  Lane* best = nullptr;
  for (Lane& lane : lanes_) {
    if (!lane.channel.is_under_way() || can_send(lane.channel) > now) continue;
    const bool is_better = best == nullptr || lane.channel.priority() > best->channel.priority() ||
                           (lane.channel.priority() == best->channel.priority() && lane.turn < best->turn);
    if (is_better) best = &lane;
  }
  return best;
}

Time StandAloneDma::next_moment(Time now) const {
  Time next = kNever;
  for (const Lane& lane : lanes_) {
    if (lane.channel.is_under_way()) {
      next = std::min(next, can_send(lane.channel));
    } else {
      next = std::min(next, lane.fence ? complete_before(*lane.fence) : lane.channel.due());
    }
  }
  return std::max(next, now);
}

bool StandAloneDma::send(Lane& lane, Time now) {
  const DmaChannel::Request request = lane.channel.next();
  const Piece& piece = request.piece;
  const auto burst = static_cast<std::uint32_t>(params_.burst.value);
  Copies copies;
  if (request.is_write) copies = {lane.channel.copies(), lane.channel.copy_pitch()};
  const Requester::Reply reply = requester_.send(piece, request.is_write, burst, copies);
  if (reply.is_error) {
    context_.faults->fault(FaultKind::bad_address, context_.name,
                           fmt::format("memory at {:#x} does not answer", piece.base));
    return false;
  }
  std::uint64_t left = piece.row_bytes;
  const auto next = [&] {
    const std::uint64_t bytes = std::min<std::uint64_t>(left, burst);
    left = left == bytes ? piece.row_bytes : left - bytes;
    return BurstWindow::Burst{.bytes = bytes, .port = grid_.span(Cycles(ceil_div(bytes, params_.port_width.value)))};
  };
  BurstWindow& window = request.is_write ? writes_ : reads_;
  const Time returned = window.read(reply.served, piece.rows * ceil_div(piece.row_bytes, burst), next);
  (request.is_write ? stats_.written : stats_.read) += Bytes(piece.bytes() * copies.number);
  events_.byte += piece.bytes();
  busy_ += returned - std::min(returned, std::max(now, busy_until_));
  busy_until_ = std::max(busy_until_, returned);
  lane.turn = ++turn_;
  if (lane.channel.answered(request, returned)) end_transfer(lane);
  return true;
}

void StandAloneDma::end_transfer(const Lane& lane) {
  const DmaChannel& channel = lane.channel;
  open_.insert_or_assign(lane.transfer, channel.complete());
  ++stats_.transfers;
  stats_.longest.observe(channel.complete() - channel.began_due());
  if (channel.period() > Time::zero() && channel.complete() > channel.began_due() + channel.period()) ++stats_.late;
}

Traffic StandAloneDma::requested() const { return {stats_.read.sum.value, stats_.written.sum.value}; }

BlockReport StandAloneDma::report(Time elapsed) const {
  BlockReport report = make_report("dma", "channels", stats_, events_);
  const Time busy = std::min(busy_, elapsed);  // a run that ended has transfers that lie ahead
  report.engines.push_back({.name = "channels", .busy = busy, .idle = elapsed - busy});
  return report;
}

}  // namespace archsim
