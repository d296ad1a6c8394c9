// What a stand-alone DMA is, and what it counts. No SystemC in here.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/block/extent.h"
#include "arch/describe/stats.h"
#include "arch/describe/table.h"

namespace archsim {

/// Lists have a value a channel, or one for all; there are as many channels as `reads` has values.
struct DmaParams {
  unsigned outstanding = 16;
  Bytes burst = 512_B;
  Cycles setup = 32_cycles;  // assumed: as the accelerators' DMAs
  Bytes port_width = 64_B;   // assumed: a flit
  ServiceClass service_class = ServiceClass::background;
  std::vector<bool> reads{true};
  std::vector<bool> writes{true};
  std::vector<Bytes> row{4096_B};
  std::vector<unsigned> rows{1};
  std::vector<Bytes> row_pitch{0_B};
  std::vector<unsigned> planes{1};
  std::vector<Bytes> plane_pitch{0_B};
  std::vector<Bytes> source{0_B};
  std::vector<Bytes> destination{0_B};
  std::vector<Time> period{Time(0)};
  std::vector<unsigned> priority{0};
  std::vector<bool> fenced{false};
  std::vector<unsigned> copies{1};
  std::vector<Bytes> copy_pitch{0_B};

  static constexpr auto fields() {
    using P = DmaParams;
    return fields_of(
        param<&P::outstanding>("bursts under way in each direction").between(1, 1024),
        param<&P::burst>("bytes of a request").between(16_B, 4096_B).power_of_two(),
        param<&P::setup>("from the start of a transfer to its first request").between(0_cycles, 100000_cycles),
        param<&P::port_width>("bytes that its port moves in a cycle and direction").between(1_B, 1024_B).power_of_two(),
        param<&P::service_class>("`background`: what memories may hold back for others"),
        param<&P::reads>("a channel that reads and does not write sends it out of the SoC: a display, a radio")
            .not_empty(),
        param<&P::writes>("a channel that writes and does not read has it from outside: a camera; with both it copies")
            .not_empty(),
        param<&P::row>("contiguous bytes").between(1_B, 1_GiB).not_empty(),
        param<&P::rows>("rows of a plane").between(1, 1 << 20).not_empty(),
        param<&P::row_pitch>("from row to row; 0: one behind the other").between(0_B, 1024_GiB).not_empty(),
        param<&P::planes>("planes of a transfer").between(1, 1 << 20).not_empty(),
        param<&P::plane_pitch>("from plane to plane; 0: one behind the other").between(0_B, 1024_GiB).not_empty(),
        param<&P::source>("where a copy or read begins, from the start of the DRAM")
            .between(0_B, 65536_GiB)
            .not_empty(),
        param<&P::destination>("where a copy or write begins, from the start of the DRAM")
            .between(0_B, 65536_GiB)
            .not_empty(),
        param<&P::period>("from one transfer's start to the next's; 0: as fast as it goes")
            .between(Time(0), Time(3600 * kPicosecondsPerSecond))
            .not_empty(),
        param<&P::priority>(
            "of the channels that could send their next piece the one with the highest does; equals take turns")
            .between(0, 15)
            .not_empty(),
        param<&P::fenced>("a transfer begins when all earlier ones of this DMA are complete").not_empty(),
        param<&P::copies>("places that a write's data go to: the interconnect carries them along shared links once")
            .between(1, 64)
            .not_empty(),
        param<&P::copy_pitch>("from place to place; 0: one behind the other").between(0_B, 65536_GiB).not_empty());
  }

  static constexpr auto rules() {
    using P = DmaParams;
    return rules_of(one_each<&P::writes>(), one_each<&P::row>(), one_each<&P::rows>(), one_each<&P::row_pitch>(),
                    one_each<&P::planes>(), one_each<&P::plane_pitch>(), one_each<&P::source>(),
                    one_each<&P::destination>(), one_each<&P::period>(), one_each<&P::priority>(),
                    one_each<&P::fenced>(), one_each<&P::copies>(), one_each<&P::copy_pitch>(),
                    rule<&P::copies>("a channel of several `copies` writes",
                                     [](const P& p) {
                                       for (unsigned i = 0; i < p.channels(); ++i) {
                                         if (of_channel(p.copies, i) > 1 && !of_channel(p.writes, i)) return false;
                                       }
                                       return true;
                                     }),
                    rule<&P::reads>("a channel reads, writes or does both", [](const P& p) {
                      for (unsigned i = 0; i < p.channels(); ++i) {
                        if (!of_channel(p.reads, i) && !of_channel(p.writes, i)) return false;
                      }
                      return true;
                    }));
  }

  unsigned channels() const { return static_cast<unsigned>(reads.size()); }
  template <class T>
  static T of_channel(const std::vector<T>& list, unsigned channel) {
    return channel < list.size() ? list[channel] : list.front();
  }

 private:
  template <auto Member>
  static constexpr Rule<DmaParams> one_each() {
    return rule<Member>("a list has a value for each channel of `reads`, or one for all", [](const DmaParams& p) {
      return (p.*Member).size() == 1 || (p.*Member).size() == p.reads.size();
    });
  }
};

struct DmaStats {
  Count transfers, late;
  Total<Bytes> read, written;
  Peak<Time> longest;
  Total<Time> fence_waited;

  static constexpr auto fields() {
    using S = DmaStats;
    return fields_of(stat<&S::transfers>("transfers that were completed"),
                     stat<&S::late>("of these: after the next one of the channel was due"),
                     stat<&S::read>("bytes read"), stat<&S::written>("bytes written"),
                     stat<&S::longest>("from when a transfer was due to its end, at most"),
                     stat<&S::fence_waited>("by which fences put transfers off, summed"));
  }
};

struct DmaEvents {
  Count byte, descriptor;

  static constexpr auto fields() {
    using E = DmaEvents;
    return fields_of(event<&E::byte>("a byte read or written", "dma.byte"),
                     event<&E::descriptor>("a transfer taken up", "dma.descriptor"));
  }
};

}  // namespace archsim
