// A DMA's bursts under way, in every lane: models/stream/burst_window.h by the piece instead of by the burst.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "arch/block/what_if/lane_memory.h"

namespace archsim {

class LaneWindow {
 public:
  /// `doubled`: as many in the lane `dma`.
  LaneWindow(std::uint64_t outstanding, std::uint64_t doubled)
      : outstanding_(outstanding),
        doubled_(doubled),
        mask_(std::bit_ceil(std::max(outstanding, doubled) + 2) - 1),
        pieces_(mask_ + 1) {}

  /// When the next burst can be requested.
  const Lanes& free() const { return free_; }

  /// The piece that was requested at `sent`; `port`: what all of it takes at the initiator's port. When its last burst is there.
  Lanes transfer(const Lanes& sent, const LaneMemory::Reply& reply, const LaneMemory::Request& request,
                 const Lanes& port) {
    const auto bursts = static_cast<std::uint64_t>(request.bursts);
    // Bursts beyond the window go when those before them are back.
    const std::uint64_t whole_rounds = (bursts - 1) / outstanding_, fewer_rounds = (bursts - 1) / doubled_;
    const auto rounds = static_cast<double>(whole_rounds), fewer = static_cast<double>(fewer_rounds);
    const Lanes paced =
        Lanes(request.latency_ps * (1.0 + rounds)).with(Doubling::dma, request.latency_ps * (1.0 + fewer));
    const Lanes at_port = later(reply.first, last_) + port;
    last_ = later(later(reply.done, sent + paced), at_port);
    Piece& piece = pieces_[count_++ & mask_];
    piece = {.begin = requested_, .bursts = bursts, .first = earlier(reply.first, last_), .last = last_};
    requested_ += bursts;
    free_ = freed(outstanding_, oldest_);
    free_.set(Doubling::dma, freed_in(Doubling::dma, doubled_, oldest_doubled_));
    return last_;
  }

 private:
  struct Piece {
    std::uint64_t begin = 0, bursts = 0;  // its first burst's number, and how many
    Lanes first{0.0}, last{0.0};          // when they were back
  };

  /// The piece with the burst that stands `window` before the next one, and what part of it is back with that burst. `oldest`
  /// is the piece where it was found last.
  struct Place {
    const Piece& piece;
    double part;
  };
  Place find(std::uint64_t window, std::uint64_t& oldest) const {
    const std::uint64_t burst = requested_ - window;
    const auto at = [&](std::uint64_t index) -> const Piece& { return pieces_[index & mask_]; };
    while (at(oldest).begin + at(oldest).bursts <= burst) ++oldest;
    const Piece& piece = at(oldest);
    return {piece, static_cast<double>(burst - piece.begin + 1) / static_cast<double>(piece.bursts)};
  }
  Lanes freed(std::uint64_t window, std::uint64_t& oldest) const {
    if (requested_ < window) return Lanes(0.0);
    const auto [piece, part] = find(window, oldest);
    return piece.first + (piece.last - piece.first) * part;
  }
  double freed_in(Doubling lane, std::uint64_t window, std::uint64_t& oldest) const {
    if (requested_ < window) return 0.0;
    const auto [piece, part] = find(window, oldest);
    return piece.first[lane] + (piece.last[lane] - piece.first[lane]) * part;
  }

  std::uint64_t outstanding_, doubled_;
  std::uint64_t mask_;  // of a number of pieces that holds all bursts under way, be they pieces of one
  std::vector<Piece> pieces_;
  std::uint64_t count_ = 0, requested_ = 0;
  std::uint64_t oldest_ = 0, oldest_doubled_ = 0;
  Lanes free_{0.0}, last_{0.0};
};

}  // namespace archsim
