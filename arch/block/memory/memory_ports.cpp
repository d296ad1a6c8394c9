#include "arch/block/memory/memory_ports.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "arch/describe/diagnostic.h"

namespace archsim {
namespace {

std::uint64_t base_of(const BuildContext& context, RegionKind kind) {
  const Region* region = context.map == nullptr ? nullptr : context.map->of(context.name, kind);
  return region == nullptr ? 0 : region->base;
}

}  // namespace

MemoryPorts::MemoryPorts(const BuildContext& context, const Setup& setup, Serve serve)
    : name_(context.name),
      faults_(context.faults),
      setup_(setup),
      serve_(std::move(serve)),
      base_(setup.stands_before == nullptr ? base_of(context, setup.region) : setup.stands_before->base),
      fabric_(context.fabric),
      shares_(1 + (context.fabric == nullptr ? 0 : context.fabric->initiators.size())) {
  for (unsigned port = 0; port < setup.interleave.ports; ++port) {
    auto& socket = sockets_.emplace_back(fmt::format("port{}", port).c_str());
    socket.register_b_transport(this, &MemoryPorts::transport, static_cast<int>(port));
    socket.register_transport_dbg(this, &MemoryPorts::debug, static_cast<int>(port));
  }
}

std::vector<TargetPort*> MemoryPorts::ports() {
  std::vector<TargetPort*> ports;
  for (auto& socket : sockets_) ports.push_back(&socket);
  return ports;
}

bool MemoryPorts::lies_inside(const tlm::tlm_generic_payload& payload, std::uint64_t first, std::uint64_t end) const {
  if (first >= base_ && first < end && end - base_ <= setup_.capacity.value) return true;
  faults_->fault(FaultKind::bad_address, name_,
                 fmt::format("was asked to {} {} bytes at {:#x}, and has {} at {:#x}",
                             payload.is_write() ? "write" : "read", end - first, first, setup_.capacity.value, base_));
  return false;
}

void MemoryPorts::transport(int port, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  ++transactions_;
  const Time now = time_of(sc_core::sc_time_stamp());
  auto* extent = payload.get_extension<Extent>();
  const std::uint64_t address = payload.get_address(), bytes = payload.get_data_length();
  MemoryAccess access{.port = static_cast<unsigned>(port),
                      .is_write = payload.is_write(),
                      .rows = extent != nullptr ? Rows::of(*extent) : Rows{address, bytes, 1, 0},
                      .start = now + time_of(delay),
                      .first_data = now + time_of(delay),
                      .burst_bytes = extent != nullptr ? extent->burst_bytes : bytes,
                      .service_class = extent != nullptr ? extent->service_class : ServiceClass::normal,
                      .initiator = extent != nullptr ? extent->initiator : 0};
  payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  if (extent != nullptr) extent->served_whole = true;
  if (!lies_inside(payload, access.rows.base, access.rows.end())) return;
  access.rows.base -= base_;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  if (extent != nullptr) return transport_extent(access, *extent, delay);
  const MemoryService service = serve_(access);
  attribute(access, service, nullptr);
  move_data(payload);
  delay = sc_time_of(service.end) - sc_core::sc_time_stamp();
}

void MemoryPorts::transport_extent(const MemoryAccess& access, Extent& extent, sc_core::sc_time& delay) {
  MemoryAccess whole = access;
  if (access.is_write) whole.first_data += time_of(std::max(extent.first_data, delay) - delay);
  ARCHSIM_ASSERT(extent.copies == 1, "copies are the interconnect's to make");
  const MemoryService service = serve_(whole);
  attribute(whole, service, &extent);
  if (!access.is_write) extent.first_data = sc_time_of(service.first_data) - sc_core::sc_time_stamp();
  const sc_core::sc_time spent = sc_time_of(service.end - access.start);
  delay = sc_time_of(service.end) - sc_core::sc_time_stamp();  // a memory that holds traffic back waits in serve_
  Time own = time_of(spent);
  for (std::size_t i = 0; i < kResources; ++i) {
    extent.spent[i] += sc_time_of(service.behind.spent[i]);
    own -= service.behind.spent[i];
  }
  extent.add(setup_.resource, sc_time_of(own));
  extent.unloaded_latency += sc_time_of(service.unloaded);
  extent.burst_takes(sc_time_of(service.burst_time));
  extent.needs.memory = setup_.resource == Resource::dram ? Needs::Memory::dram : Needs::Memory::sram;
  extent.needs.memory_ps += service.busy_ps;
  extent.needs.dram_ps += service.behind.dram_ps;
  extent.needs.dram_bytes += setup_.resource == Resource::dram ? service.bytes : service.behind.dram_bytes;
}

void MemoryPorts::attribute(const MemoryAccess& access, const MemoryService& service, const Extent* extent) {
  const bool is_known = extent != nullptr && extent->initiator + 1 < shares_.size();
  Share& share = is_known ? shares_[extent->initiator] : shares_.back();
  (access.is_write ? served_.written : served_.read) += service.bytes;
  (access.is_write ? share.traffic.written : share.traffic.read) += service.bytes;
  const Time took = service.end - access.first_data;
  share.waited += took - std::min(took, service.own);
}

std::vector<InitiatorReport> MemoryPorts::initiators() const {
  std::vector<InitiatorReport> reports;
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    const Share& share = shares_[i];
    if (share.traffic == Traffic{}) continue;
    const std::string name = i + 1 < shares_.size() ? fabric_->initiators[i].block : "";
    if (reports.empty() || reports.back().name != name) reports.push_back({.name = name, .traffic = {}});
    reports.back().traffic += share.traffic;
    reports.back().waited += share.waited;
  }
  return reports;
}

void MemoryPorts::move_data(tlm::tlm_generic_payload& payload) {
  if (payload.get_data_ptr() == nullptr || payload.get_command() == tlm::TLM_IGNORE_COMMAND) return;
  const std::uint64_t address = payload.get_address() - base_;
  const unsigned width = std::max(1u, payload.get_streaming_width());
  if (payload.get_byte_enable_ptr() == nullptr && width >= payload.get_data_length()) {
    return move_bytes(payload.is_write(), address, payload.get_data_ptr(), payload.get_data_length());
  }
  for (unsigned i = 0; i < payload.get_data_length(); ++i) {
    const unsigned char* enable = payload.get_byte_enable_ptr();
    if (enable != nullptr && enable[i % payload.get_byte_enable_length()] == TLM_BYTE_DISABLED) continue;
    move_bytes(payload.is_write(), address + i % width, payload.get_data_ptr() + i, 1);
  }
}

void MemoryPorts::move_bytes(bool is_write, std::uint64_t address, unsigned char* data, unsigned bytes) {
  if (setup_.behind == nullptr) {
    return is_write ? contents_.write(address, data, bytes) : contents_.read(address, data, bytes);
  }
  tlm::tlm_generic_payload there;
  there.set_command(is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  there.set_address(base_ + address);
  there.set_data_ptr(data);
  there.set_data_length(bytes);
  there.set_streaming_width(bytes);
  (*setup_.behind)->transport_dbg(there);
}

unsigned MemoryPorts::debug(int, tlm::tlm_generic_payload& payload) {
  const std::uint64_t first = payload.get_address(), bytes = payload.get_data_length();
  if (first < base_ || first - base_ + bytes > setup_.capacity.value) return 0;
  move_data(payload);
  return payload.get_data_length();
}

}  // namespace archsim
