// What stands around a mesh in tests: a fault sink, an initiator, and a target that knows nothing but TLM-2.0.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arch/block/block.h"
#include "arch/block/build_context.h"
#include "arch/block/extent.h"
#include "arch/block/memory/contents.h"
#include "arch/block/memory/send_extent.h"
#include "models/noc/topologies.h"

namespace archsim {

struct RecordedFaults : FaultSink {
  std::vector<std::string> told;
  void fault(FaultKind kind, const std::string& block, const std::string& what) override {
    told.push_back(std::string(name_of(kind)) + ": " + block + " " + what);
  }
};

struct Initiator : sc_core::sc_module {
  explicit Initiator(const sc_core::sc_module_name& name) : sc_core::sc_module(name), port("port") {}

  struct Result {
    Time end, first_data, unloaded;
    Extent extent;
    bool is_ok;
  };
  /// Sends an extent that starts at `start` after the present time.
  Result send(std::uint64_t base, std::uint64_t row_bytes, std::uint64_t rows, std::int64_t pitch, bool is_write,
              Time start = Time::zero(), std::vector<unsigned char>* data = nullptr) {
    std::vector<unsigned char> row(row_bytes);
    Extent extent;
    extent.base = base;
    extent.row_bytes = row_bytes;
    extent.rows = rows;
    extent.pitch = pitch;
    tlm::tlm_generic_payload payload;
    payload.set_command(is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(base);
    payload.set_data_ptr(data != nullptr ? data->data() : row.data());
    payload.set_data_length(static_cast<unsigned>(row_bytes));
    payload.set_streaming_width(static_cast<unsigned>(row_bytes));
    payload.set_extension(&extent);
    sc_core::sc_time delay = sc_time_of(start);
    extent.first_data = delay;
    send_extent(port, payload, extent, delay);
    payload.clear_extension(&extent);
    return {time_of(delay), time_of(extent.first_data), time_of(extent.unloaded_latency), extent,
            payload.is_response_ok()};
  }
  /// As an initiator that knows only the standard does; returns when it is complete.
  Time plain(std::uint64_t address, std::vector<unsigned char>& data, bool is_write, Time start = Time::zero()) {
    tlm::tlm_generic_payload payload;
    payload.set_command(is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(data.data());
    payload.set_data_length(static_cast<unsigned>(data.size()));
    payload.set_streaming_width(static_cast<unsigned>(data.size()));
    sc_core::sc_time delay = sc_time_of(start);
    port->b_transport(payload, delay);
    return payload.is_response_ok() ? time_of(delay) : Time::zero();
  }

  tlm_utils::simple_initiator_socket<Initiator> port;
};

/// A memory that uses nothing but the standard: it moves the payload's data and takes `latency`.
struct PlainTarget : sc_core::sc_module {
  struct Piece {
    std::uint64_t address, bytes;
    bool is_write;
  };
  PlainTarget(const sc_core::sc_module_name& name, Time latency)
      : sc_core::sc_module(name), port("port"), latency_(sc_time_of(latency)) {
    port.register_b_transport(this, &PlainTarget::transport);
  }
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    pieces.push_back({payload.get_address(), payload.get_data_length(), payload.is_write()});
    if (payload.is_write()) {
      contents.write(payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
    } else {
      contents.read(payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
    }
    delay += latency_;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  tlm_utils::simple_target_socket<PlainTarget> port;
  Contents contents;
  std::vector<Piece> pieces;

 private:
  sc_core::sc_time latency_;
};

/// A mesh with its map and fabric. Add endpoints, then build().
struct MeshBench {
  MemoryMap map;
  Fabric fabric;
  RecordedFaults faults;
  std::unique_ptr<Mesh> mesh;

  void add_initiator(const std::string& block, unsigned column, unsigned row, unsigned priority = 0) {
    fabric.initiators.push_back({.block = block, .column = column, .row = row, .priority = priority});
  }
  /// Ports stand on the tiles from (0, row) on.
  void add_memory(const std::string& block, RegionKind kind, std::uint64_t base, std::uint64_t size,
                  const Interleave& interleave, unsigned row) {
    map.regions.push_back({.block = block,
                           .kind = kind,
                           .base = base,
                           .size = size,
                           .interleave = interleave,
                           .first_target = static_cast<std::uint32_t>(fabric.targets.size())});
    for (unsigned port = 0; port < interleave.ports; ++port) {
      fabric.targets.push_back({.block = block, .port = port, .column = port, .row = row});
    }
  }
  BuildContext context(const std::string& name, Frequency clock) {
    return {.name = name, .clock = clock, .faults = &faults, .map = &map, .fabric = &fabric};
  }
  /// Ends elaboration; sockets are bound by now. Transactions may then be sent from outside any process.
  static void start() {
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  void build(const NocParams& params, Frequency clock = 1_GHz) {
    mesh = std::make_unique<Mesh>("noc", params, context("noc", clock));
  }
};

}  // namespace archsim
