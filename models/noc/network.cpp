#include "models/noc/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace archsim {
namespace {

Time now() { return time_of(sc_core::sc_time_stamp()); }
sc_core::sc_time delay_until(Time time) {
  const Time present = now();
  return time > present ? sc_time_of(time - present) : sc_core::SC_ZERO_TIME;
}

std::uint64_t ascending_pitch(const Extent& extent) {
  return static_cast<std::uint64_t>(extent.pitch < 0 ? -extent.pitch : extent.pitch);
}

/// Where in its row the byte at `address` lies.
std::uint64_t offset_in_row(const Extent& extent, std::uint64_t address) {
  const std::uint64_t offset = address - Rows::of(extent).base, pitch = ascending_pitch(extent);
  return offset < extent.row_bytes ? offset : offset - ((offset - extent.row_bytes) / pitch + 1) * pitch;
}

/// Makes `piece` the `bytes` at `address` of the transaction `whole`, whose data begins `offset` into its data array.
void set_piece(tlm::tlm_generic_payload& piece, const tlm::tlm_generic_payload& whole, std::uint64_t address,
               std::uint64_t offset, std::uint64_t bytes) {
  piece.set_command(whole.get_command());
  piece.set_address(address);
  piece.set_data_ptr(whole.get_data_ptr() == nullptr ? nullptr : whole.get_data_ptr() + offset);
  piece.set_data_length(static_cast<unsigned>(bytes));
  piece.set_streaming_width(static_cast<unsigned>(bytes));
  piece.set_byte_enable_ptr(nullptr);
  piece.set_dmi_allowed(false);
  piece.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

}  // namespace

struct Network::Entrance {
  Entrance(Network& network, int index) : socket(fmt::format("in{}", index).c_str()) {
    socket.register_b_transport(&network, &Network::transport, index);
    socket.register_transport_dbg(&network, &Network::debug, index);
  }
  tlm_utils::simple_target_socket_tagged<Network> socket;
};

struct Network::Job {
  Job() { payload.set_extension(&extent); }
  ~Job() { payload.clear_extension(&extent); }

  tlm::tlm_generic_payload payload;  // carries `extent`
  tlm::tlm_generic_payload plain;
  Extent extent;
  std::vector<Train> trains;
};

Network::Network(const sc_core::sc_module_name& name, NocTopology topology, const NocParams& params,
                 const BuildContext& context)
    : Model(name, params, context),
      grid_(context.clock),
      links_(params.shape(topology)),
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
  Rows rows = Rows::of(extent);
  if (rows.count == 0) return;
  const Space* space = find(initiator, rows.base, rows.end(), payload);
  if (space == nullptr) return;

  if (idle_jobs_.empty()) idle_jobs_.push_back(std::make_unique<Job>());
  std::unique_ptr<Job> job = std::move(idle_jobs_.back());
  idle_jobs_.pop_back();
  rows.base -= space->region->base;
  count_trains(rows, space->ports, extent.burst_bytes, params_.link_width.value, job->trains);
  if (extent.only_port) {
    for (unsigned port = 0; port < space->ports.ways(); ++port) {
      if (port != *extent.only_port) job->trains[port] = {};
    }
  }

  Outcome last;
  Time first_data = Time(~std::uint64_t{0});
  sc_core::sc_time unloaded = sc_core::SC_ZERO_TIME;
  std::uint64_t ports = 0, bytes = 0;
  Needs needs = needs_of(initiator, *space, payload.is_write(), extent.burst_bytes, job->trains);
  const Time start = now() + time_of(delay), data = now() + time_of(std::max(delay, extent.first_data));
  for (unsigned port = 0; port < space->ports.ways(); ++port) {
    if (job->trains[port].bytes == 0) continue;
    const Visit to{initiator, space->first_target + port, port, start, data};
    const Outcome outcome = visit(to, *space, payload, extent, *job);
    attribute(initiator, to.target, *space, payload, job->trains[port].bytes);
    if (outcome.end > last.end) last = outcome;
    first_data = std::min(first_data, outcome.first_data);
    unloaded += outcome.unloaded;
    extent.burst_takes(outcome.burst_time);
    needs.memory = outcome.needs.memory;
    needs.memory_ps += outcome.needs.memory_ps;
    needs.dram_ps += outcome.needs.dram_ps;
    needs.dram_bytes += outcome.needs.dram_bytes;
    ++ports;
    bytes += job->trains[port].bytes;
  }
  idle_jobs_.push_back(std::move(job));

  delay = delay_until(last.end);
  if (payload.is_read()) extent.first_data = delay_until(first_data);
  extent.unloaded_latency += sc_core::sc_time::from_value(unloaded.value() / ports);
  extent.needs = needs;
  for (std::size_t i = 0; i < kResources; ++i) extent.spent[i] += last.spent[i];
  extent.add(Resource::noc, sc_time_of(last.network));
  (payload.is_write() ? stats_.written : stats_.read) += Bytes(bytes);
}

Network::Outcome Network::visit(const Visit& visit, const Space& space, tlm::tlm_generic_payload& payload,
                                const Extent& extent, Job& job) {
  const Train& train = job.trains[visit.port];
  const Routes& route = routes(visit.initiator, visit.target);
  const std::uint64_t data_flits = train.packets * header_flits(params_.header) + train.payload_flits;
  const bool is_write = payload.is_write();
  const Cycles sent = grid_.edge_at(is_write ? visit.data : visit.start);
  const FlitStream arrival = is_write ? carry(visit.initiator, route.forward, {sent, sent, data_flits}, train.packets)
                                      : carry_single_flits(route.forward, {sent, sent, train.packets});

  const Time arrived = grid_.time_of(arrival.first);
  sc_core::sc_time delay = delay_until(arrived);
  send(visit, space, payload, extent, job, delay);
  const Time served = now() + time_of(delay);

  Outcome outcome;
  if (is_write) {
    outcome.end = acknowledge(route.back, std::max(served, grid_.time_of(arrival.last)), train.packets);
  } else {
    const Cycles last = grid_.edge_at(served), all_at_once = last - std::min(last, Cycles(data_flits - 1));
    const Cycles first = job.extent.served_whole ? grid_.edge_at(now() + time_of(job.extent.first_data))
                                                 : std::max(all_at_once, arrival.first);
    const FlitStream answer = carry(visit.initiator, route.back, {first, last, data_flits}, train.packets);
    outcome.first_data = grid_.time_of(answer.first);
    outcome.end = grid_.time_of(answer.last);
  }
  outcome.network = outcome.end - visit.start - (served - arrived);
  outcome.spent = job.extent.spent;
  outcome.needs = job.extent.needs;
  const std::uint64_t hops = hops_of(route.forward.size());
  const std::uint64_t burst = std::min<std::uint64_t>(extent.burst_bytes, train.bytes);
  const Cycles burst_flits(header_flits(params_.header) + ceil_div(burst, params_.link_width.value));
  const Cycles round_trip =
      idle_packet_latency(params_.router, hops, 1) + idle_packet_latency(params_.router, hops, burst_flits.value);
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
  job.extent.initiator = visit.initiator;
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

void Network::transport_plain(unsigned initiator, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::uint64_t address = payload.get_address(), bytes = std::max(1u, payload.get_data_length());
  const Space* space = find(initiator, address, address + bytes, payload);
  if (space == nullptr) return;
  (payload.is_write() ? stats_.written : stats_.read) += Bytes(payload.get_data_length());
  const std::uint64_t base = space->region->base, first = address - base;
  const auto target = [&](std::uint64_t offset) { return space->first_target + space->ports.way_of(offset); };
  const Time start = now() + time_of(delay);
  Time end = start;
  if (space->ports.granule_of(first) == space->ports.granule_of(first + bytes - 1)) {
    end = forward(initiator, target(first), payload, start);
    attribute(initiator, target(first), *space, payload, payload.get_data_length());
  } else if (payload.get_byte_enable_ptr() != nullptr || payload.get_streaming_width() < bytes) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);  // such a payload stays within a granule
  } else {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    for (std::uint64_t from = first, to = 0; from < first + bytes && payload.is_response_ok(); from = to) {
      to = std::min(first + bytes, (space->ports.granule_of(from) + 1) * space->ports.granule());
      tlm::tlm_generic_payload piece;
      set_piece(piece, payload, base + from, from - first, to - from);
      end = std::max(end, forward(initiator, target(from), piece, start));
      attribute(initiator, target(from), *space, piece, to - from);
      payload.set_response_status(piece.get_response_status());
    }
  }
  delay = delay_until(end);
}

Time Network::forward(unsigned initiator, std::uint32_t target, tlm::tlm_generic_payload& payload, Time start) {
  const Routes& route = routes(initiator, target);
  const bool is_write = payload.is_write();
  const std::uint64_t payload_flits = ceil_div(payload.get_data_length(), params_.link_width.value);
  const Cycles sent = grid_.edge_at(start);
  const auto carry_data = [&](const Route& way, Cycles first) {
    const FlitStream stream{first, first, std::max<std::uint64_t>(1, header_flits(params_.header) + payload_flits)};
    return payload_flits > 1 ? carry(initiator, way, stream, 1) : carry_single_flits(way, stream);
  };
  const FlitStream arrival =
      is_write ? carry_data(route.forward, sent) : carry_single_flits(route.forward, {sent, sent, 1});
  // A standard-only target takes its data at once, so a write begins when all of it is there.
  sc_core::sc_time delay = delay_until(grid_.time_of(is_write ? arrival.last : arrival.first));
  exits_[target]->b_transport(payload, delay);
  const Time served = now() + time_of(delay);
  if (is_write) return acknowledge(route.back, served, 1);
  return grid_.time_of(carry_data(route.back, grid_.edge_at(served)).last);
}

void Network::attribute(unsigned initiator, std::uint32_t target, const Space& space,
                        const tlm::tlm_generic_payload& payload, std::uint64_t bytes) {
  if (space.region->kind == RegionKind::csr || payload.is_response_error()) return;
  for (Traffic* traffic : {&shares_[initiator].traffic, &delivered_[target]}) {
    (payload.is_write() ? traffic->written : traffic->read) += bytes;
  }
}

FlitStream Network::carry(unsigned initiator, const Route& route, FlitStream stream, std::uint64_t packets) {
  count(route, packets, stream.flits);
  const Cycles before = links_.waited();
  const FlitStream arrival = packets == 1 ? links_.carry_packet(route, stream) : links_.carry(route, stream);
  shares_[initiator].waited += links_.waited() - before;
  return arrival;
}

FlitStream Network::carry_single_flits(const Route& route, FlitStream stream) {
  count(route, stream.flits, stream.flits);
  return links_.carry_express(route, stream);
}

Time Network::acknowledge(const Route& route, Time last, std::uint64_t packets) {
  const Cycles ready = grid_.edge_at(last);
  const Cycles first = ready - std::min(ready, Cycles(packets - 1));
  return grid_.time_of(carry_single_flits(route, {first, ready, packets}).last);
}

void Network::count(const Route& route, std::uint64_t packets, std::uint64_t flits) {
  stats_.packets += packets;
  stats_.flits += flits;
  events_.link_flits += flits * route.size();
  events_.router_flits += flits * hops_of(route.size());
}

unsigned Network::debug(int initiator, tlm::tlm_generic_payload& payload) {
  static_cast<void>(initiator);
  unsigned done = 0;
  const Region* region = context_.map->at(payload.get_address());
  if (region == nullptr) return 0;
  const Space& space = spaces_[static_cast<std::size_t>(region - context_.map->regions.data())];
  const std::uint64_t first = payload.get_address() - region->base;
  const std::uint64_t end = std::min(first + payload.get_data_length(), region->size);
  for (std::uint64_t from = first, to = 0; from < end; from = to) {
    to = std::min(end, (space.ports.granule_of(from) + 1) * space.ports.granule());
    tlm::tlm_generic_payload piece;
    set_piece(piece, payload, region->base + from, from - first, to - from);
    const unsigned moved = exits_[region->target_of(region->base + from)]->transport_dbg(piece);
    done += moved;
    if (moved < to - from) break;
  }
  return done;
}

}  // namespace archsim
