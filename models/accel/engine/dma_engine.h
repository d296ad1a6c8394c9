// The load or the store engine: descriptors become bursts, a limited number of them under way.
//
// Set-up of a descriptor runs while the one before transfers, and hands over when that one has requested its last burst.
// Descriptors complete in order. Reads and writes have their own windows and data channels, as on AXI4.
#pragma once

#include <algorithm>
#include <vector>

#include "arch/block/what_if/lane_window.h"
#include "models/accel/engine/stream_engine.h"

namespace archsim {

class DmaEngine final : public StreamEngine {
 public:
  DmaEngine(Tile& tile, Engine engine);

  std::uint64_t bytes() const { return bytes_; }

 protected:
  bool execute(const Command& command) override;
  Cycles takes_next() const override { return std::max(setup_free_, completed_[descriptor_]); }

 private:
  /// When the first burst may be requested.
  Time set_up(const Command& command);
  /// The same in every lane.
  Lanes set_up_again();
  static void sleep_until(Time time);
  /// Sleeps until the piece's pages are known.
  void translate(const Piece& piece);
  void gather(const Requester::Reply& reply, std::uint64_t bursts, std::uint64_t bytes, Time port_time);
  void transfer_again();
  bool transfer(const Command& command, const Piece& piece, OperatorLog::Span& span);
  void account(const Command& command, const Requester::Reply& reply, Time returned, Time port_time,
               OperatorLog::Span& span);
  bool is_in_dram(std::uint64_t address);
  void count(const Dma& dma);

  Requester requester_;
  BurstWindow window_;
  std::vector<std::uint32_t> beats_;  // of the burst under way: the cycles that each takes in the local SRAM
  DmaPlan plan_;
  std::uint64_t bytes_ = 0;
  Cycles setup_free_ = Cycles::zero();
  std::vector<Cycles> completed_;  // of the last descriptors that may be under way together
  std::size_t descriptor_ = 0;
  Time returned_ = Time::zero();
  /// Pieces that go through the what-if timing together, so that it costs little.
  struct Gathered {
    Needs needs;
    std::uint64_t bytes = 0, bursts = 0;
    Time latency = Time::zero(), took = Time::zero(), port = Time::zero();
  };
  static constexpr std::uint64_t kGathered = 64 << 10;  // bytes, at most
  Gathered gathered_;
  LaneWindow lanes_window_;
  std::vector<Lanes> lanes_completed_;
  Lanes lanes_first_{0.0}, lanes_setup_free_{0.0}, lanes_returned_{0.0};
  const Region* region_ = nullptr;  // of the latest piece
};

}  // namespace archsim
