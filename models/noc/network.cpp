#include "models/noc/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "models/noc/job.h"

namespace archsim {

using noc::delay_until;
using noc::now;
using noc::set_piece;

namespace {

std::uint64_t ascending_pitch(const Extent& extent) {
  return static_cast<std::uint64_t>(extent.pitch < 0 ? -extent.pitch : extent.pitch);
}

/// Where in its row the byte at `address` lies.
std::uint64_t offset_in_row(const Extent& extent, std::uint64_t address) {
  const std::uint64_t offset = address - Rows::of(extent).base, pitch = ascending_pitch(extent);
  return offset < extent.row_bytes ? offset : offset - ((offset - extent.row_bytes) / pitch + 1) * pitch;
}

/// Which initiators are caches before a region: they send for others.
std::vector<bool> caches_of(const BuildContext& context) {
  std::vector<bool> caches;
  for (const Attachment& initiator : context.fabric->initiators) {
    const auto& regions = context.map->regions;
    caches.push_back(std::any_of(regions.begin(), regions.end(), [&](const Region& region) {
      return region.front && region.front->block == initiator.block;
    }));
  }
  return caches;
}

/// Each initiator's class: the priorities there are, counted from the lowest.
std::vector<unsigned> classes_of(const Fabric& fabric, const std::vector<bool>& acts_for_others) {
  std::set<unsigned> used;
  for (std::size_t i = 0; i < fabric.initiators.size(); ++i) {
    if (!acts_for_others[i]) used.insert(fabric.initiators[i].priority);
  }
  std::vector<unsigned> classes;
  for (const Attachment& initiator : fabric.initiators) {
    const auto below = std::distance(used.begin(), used.lower_bound(initiator.priority));
    classes.push_back(static_cast<unsigned>(below));
  }
  return classes;
}

}  // namespace

struct Network::Entrance {
  Entrance(Network& network, int index) : socket(fmt::format("in{}", index).c_str()) {
    socket.register_b_transport(&network, &Network::transport, index);
    socket.register_transport_dbg(&network, &Network::debug, index);
  }
  tlm_utils::simple_target_socket_tagged<Network> socket;
};

Network::Network(const sc_core::sc_module_name& name, const NocShape& noc, const NocParams& params,
                 const BuildContext& context)
    : Model(name, params, context),
      grid_(context.clock),
      acts_for_others_(caches_of(context)),
      classes_(classes_of(*context.fabric, acts_for_others_)),
      links_(noc, classes_.empty() ? 1 : *std::max_element(classes_.begin(), classes_.end()) + 1),
      shares_(context.fabric->initiators.size()),
      delivered_(context.fabric->targets.size()) {
  const NocPaths& paths = links_.paths();
  const NocShape& shape = paths.shape();
  const Fabric& fabric = *context.fabric;
  for (const Region& region : context.map->regions) {
    spaces_.push_back({&region, Dealing::to_ports(region.interleave), region.first_target, spaces_.size()});
  }
  for (const Region& region : context.map->regions) {
    if (!region.front) continue;
    spaces_.push_back(
        {&region, Dealing::to_ports(region.front->interleave), region.front->first_target, spaces_.size()});
  }
  for (const Attachment& from : fabric.initiators) {
    for (const Attachment& to : fabric.targets) {
      const unsigned source = shape.tile_at(from.column, from.row), sink = shape.tile_at(to.column, to.row);
      routes_.push_back({paths.between(source, sink), paths.between(sink, source)});
    }
  }
  hot_.resize(spaces_.size() * fabric.initiators.size() * 2);
  for (std::size_t i = 0; i < fabric.initiators.size(); ++i) entrances_.emplace_back(*this, static_cast<int>(i));
  for (std::size_t i = 0; i < fabric.targets.size(); ++i) exits_.emplace_back(fmt::format("out{}", i).c_str());
}

Network::~Network() = default;

std::vector<InitiatorPort*> Network::initiator_ports() {
  std::vector<InitiatorPort*> ports;
  for (auto& exit : exits_) ports.push_back(&exit);
  return ports;
}

std::vector<TargetPort*> Network::target_ports() {
  std::vector<TargetPort*> ports;
  for (Entrance& entrance : entrances_) ports.push_back(&entrance.socket);
  return ports;
}

void Network::transport(int initiator, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  links_.drop_before(grid_.edge_at(now()));
  ++stats_.transactions;
  const auto index = static_cast<unsigned>(initiator);
  if (auto* extent = payload.get_extension<Extent>()) {
    transport_extent(index, payload, *extent, delay);
  } else {
    transport_plain(index, payload, delay);
  }
}

const Network::Space* Network::find(unsigned initiator, std::uint64_t first, std::uint64_t end,
                                    tlm::tlm_generic_payload& payload) {
  const Region* region = context_.map->at(first);
  if (region != nullptr && end - region->base <= region->size) {
    return &seen_by(initiator, *region);
  }
  payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  const std::string where =
      region == nullptr ? "where nothing is mapped"
                        : fmt::format("past the end of {} at {:#x}", region->block, region->base + region->size);
  context_.faults->fault(
      FaultKind::bad_address, context_.fabric->initiators[initiator].block,
      fmt::format("{} {} bytes at {:#x}, {}", payload.is_write() ? "writes" : "reads", end - first, first, where));
  return nullptr;
}

void Network::transport_extent(unsigned initiator, tlm::tlm_generic_payload& payload, Extent& extent,
                               sc_core::sc_time& delay) {
  extent.served_whole = true;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  if (Rows::of(extent).count == 0) return;
  const std::optional<Spaces> spaces = spaces_of(initiator, payload, extent);
  if (!spaces) return;

  if (idle_jobs_.empty()) idle_jobs_.push_back(std::make_unique<Job>());
  std::unique_ptr<Job> job = std::move(idle_jobs_.back());
  idle_jobs_.pop_back();
  Asked asked{.initiator = initiator,
              .priority = classes_[acts_for_others_[initiator] ? extent.initiator : initiator],
              .start = now() + time_of(delay),
              .data = now() + time_of(std::max(delay, extent.first_data))};
  if (extent.copies > 1) send_copies(asked, *spaces, extent, *job);
  Served served;
  for (asked.copy = 0; asked.copy < extent.copies; ++asked.copy) {
    visit_ports(asked, *(*spaces)[asked.copy], payload, extent, *job, served);
  }
  idle_jobs_.push_back(std::move(job));

  delay = delay_until(served.last.end);
  if (payload.is_read()) extent.first_data = delay_until(served.first_data);
  extent.unloaded_latency += sc_core::sc_time::from_value(served.unloaded.value() / served.ports);
  extent.needs = served.needs;
  for (std::size_t i = 0; i < kResources; ++i) extent.spent[i] += served.last.spent[i];
  extent.add(Resource::noc, sc_time_of(served.last.network));
  (payload.is_write() ? stats_.written : stats_.read) += Bytes(served.bytes);
}

std::optional<Network::Spaces> Network::spaces_of(unsigned initiator, tlm::tlm_generic_payload& payload,
                                                  const Extent& extent) {
  const Rows rows = Rows::of(extent);
  Spaces spaces;
  for (std::uint32_t copy = 0; copy < extent.copies; ++copy) {
    const std::uint64_t further = copy * extent.copy_pitch;
    spaces.push_back(find(initiator, rows.base + further, rows.end() + further, payload));
    if (spaces.back() == nullptr) return {};
  }
  return spaces;
}

void Network::visit_ports(const Asked& asked, const Space& space, tlm::tlm_generic_payload& payload, Extent& extent,
                          Job& job, Served& served) {
  Extent own = extent;
  own.base += asked.copy * extent.copy_pitch;
  own.copies = 1;
  Rows rows = Rows::of(own);
  rows.base -= space.region->base;
  count_trains(rows, space.ports, extent.burst_bytes, params_.link_width.value, job.trains);
  if (extent.only_port) {
    for (unsigned port = 0; port < space.ports.ways(); ++port) {
      if (port != *extent.only_port) job.trains[port] = {};
    }
  }
  if (asked.copy == 0)
    served.needs = needs_of(asked.initiator, space, payload.is_write(), extent.burst_bytes, job.trains);
  for (unsigned port = 0; port < space.ports.ways(); ++port) {
    if (job.trains[port].bytes == 0) continue;
    const std::uint32_t target = space.first_target + port;
    const Visit to{asked, target, port, extent.copies > 1 ? &job.copied[asked.copy].at(target) : nullptr};
    const Outcome outcome = visit(to, space, payload, own, job);
    attribute(asked.initiator, target, space, payload, job.trains[port].bytes);
    if (outcome.end > served.last.end) served.last = outcome;
    served.first_data = std::min(served.first_data, outcome.first_data);
    served.unloaded += outcome.unloaded;
    extent.burst_takes(outcome.burst_time);
    served.needs.memory = outcome.needs.memory;
    served.needs.memory_ps += outcome.needs.memory_ps;
    served.needs.dram_ps += outcome.needs.dram_ps;
    served.needs.dram_bytes += outcome.needs.dram_bytes;
    ++served.ports;
    served.bytes += job.trains[port].bytes;
  }
}

Network::Outcome Network::visit(const Visit& visit, const Space& space, tlm::tlm_generic_payload& payload,
                                const Extent& extent, Job& job) {
  const Train& train = job.trains[visit.port];
  const Asked& asked = visit.asked;
  const Routes& route = routes(asked.initiator, visit.target);
  const Way there{route.forward, asked.initiator, asked.priority}, back{route.back, asked.initiator, asked.priority};
  const std::uint64_t data_flits = train.packets * header_flits(params_.header) + train.payload_flits;
  const bool is_write = payload.is_write();
  const Cycles sent = grid_.edge_at(is_write ? asked.data : asked.start);
  const FlitStream arrival = visit.copied != nullptr ? *visit.copied
                             : is_write              ? carry(there, {sent, sent, data_flits}, train.packets)
                                                     : carry_single_flits(there, {sent, sent, train.packets});

  const Time arrived = grid_.time_of(arrival.first);
  sc_core::sc_time delay = delay_until(arrived);
  send(visit, space, payload, extent, job, delay);
  const Time served = now() + time_of(delay);

  Outcome outcome;
  if (is_write) {
    outcome.end = acknowledge(back, std::max(served, grid_.time_of(arrival.last)), train.packets);
  } else {
    const Cycles last = grid_.edge_at(served), all_at_once = last - std::min(last, Cycles(data_flits - 1));
    const Cycles first = job.extent.served_whole ? grid_.edge_at(now() + time_of(job.extent.first_data))
                                                 : std::max(all_at_once, arrival.first);
    const FlitStream answer = carry(back, {first, last, data_flits}, train.packets);
    outcome.first_data = grid_.time_of(answer.first);
    outcome.end = grid_.time_of(answer.last);
  }
  outcome.network = outcome.end - asked.start - (served - arrived);
  outcome.spent = job.extent.spent;
  outcome.needs = job.extent.needs;
  const std::uint64_t burst = std::min<std::uint64_t>(extent.burst_bytes, train.bytes);
  const Cycles burst_flits(header_flits(params_.header) + ceil_div(burst, params_.link_width.value));
  const NocPaths& paths = links_.paths();
  const Cycles round_trip = paths.idle_latency(is_write ? route.back : route.forward, 1) +
                            paths.idle_latency(is_write ? route.forward : route.back, burst_flits.value);
  outcome.unloaded = job.extent.unloaded_latency + sc_time_of(grid_.span(round_trip));
  outcome.burst_time = std::max(job.extent.burst_time, sc_time_of(grid_.span(burst_flits)));
  return outcome;
}

void Network::send(const Visit& visit, const Space& space, tlm::tlm_generic_payload& payload, const Extent& extent,
                   Job& job, sc_core::sc_time& delay) {
  auto& exit = exits_[visit.target];
  const std::uint64_t base = space.region->base;
  const Train& train = job.trains[visit.port];
  const std::uint64_t address = base + train.first_address, in_row = offset_in_row(extent, address);
  set_piece(job.payload, payload, address, in_row, std::min(train.first_bytes, extent.row_bytes - in_row));
  job.extent = extent;
  job.extent.initiator = visit.asked.initiator;
  job.extent.served_whole = false;
  job.extent.first_data = delay;
  job.extent.unloaded_latency = sc_core::SC_ZERO_TIME;
  job.extent.burst_time = sc_core::SC_ZERO_TIME;
  job.extent.spent = {};
  job.extent.needs = {};
  exit->b_transport(job.payload, delay);
  if (job.payload.is_response_error()) payload.set_response_status(job.payload.get_response_status());
  if (job.extent.served_whole || job.payload.is_response_error()) return;

  const std::uint64_t lowest = Rows::of(extent).base;
  bool is_first = true;
  for (std::uint64_t row = 0; row < extent.rows; ++row) {
    const std::uint64_t first = lowest + row * ascending_pitch(extent) - base;
    space.ports.for_each_piece(first, first + extent.row_bytes, visit.port, [&](std::uint64_t from, std::uint64_t to) {
      if (std::exchange(is_first, false) || payload.is_response_error()) return;
      set_piece(job.plain, payload, base + from, from - first, to - from);
      exit->b_transport(job.plain, delay);
      if (job.plain.is_response_error()) payload.set_response_status(job.plain.get_response_status());
    });
  }
}

void Network::attribute(unsigned initiator, std::uint32_t target, const Space& space,
                        const tlm::tlm_generic_payload& payload, std::uint64_t bytes) {
  if (space.region->kind == RegionKind::csr || payload.is_response_error()) return;
  for (Traffic* traffic : {&shares_[initiator].traffic, &delivered_[target]}) {
    (payload.is_write() ? traffic->written : traffic->read) += bytes;
  }
}

FlitStream Network::carry(const Way& way, FlitStream stream, std::uint64_t packets) {
  count(way.route.size(), hops_of(way.route.size()), packets, stream.flits);
  const Cycles before = links_.waited();
  const FlitStream arrival = packets == 1 ? links_.carry_packet(way.route, stream, way.priority)
                                          : links_.carry(way.route, stream, way.priority);
  shares_[way.initiator].waited += links_.waited() - before;
  return arrival;
}

FlitStream Network::carry_single_flits(const Way& way, FlitStream stream) {
  count(way.route.size(), hops_of(way.route.size()), stream.flits, stream.flits);
  return links_.carry_express(way.route, stream, way.priority);
}

Time Network::acknowledge(const Way& way, Time last, std::uint64_t packets) {
  const Cycles ready = grid_.edge_at(last);
  const Cycles first = ready - std::min(ready, Cycles(packets - 1));
  return grid_.time_of(carry_single_flits(way, {first, ready, packets}).last);
}

void Network::count(std::uint64_t links, std::uint64_t routers, std::uint64_t packets, std::uint64_t flits) {
  stats_.packets += packets;
  stats_.flits += flits;
  events_.link_flits += flits * links;
  events_.router_flits += flits * routers;
}

}  // namespace archsim
