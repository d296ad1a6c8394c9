#include "models/noc/packets.h"

#include "arch/units/quantity.h"

namespace archsim {
namespace {

void note_first(Train& train, std::uint64_t offset, std::uint64_t bytes) {
  if (train.bytes > 0) return;
  train.first_address = offset;
  train.first_bytes = bytes;
}

void count_row(std::uint64_t first, std::uint64_t end, const Dealing& dealing, std::uint64_t burst, std::uint64_t flit,
               std::vector<Train>& trains) {
  const std::uint64_t granule = dealing.granule();
  const std::uint64_t from = dealing.granule_of(first), to = dealing.granule_of(end - 1);
  Train& head = trains[dealing.way_of_granule(from)];
  const std::uint64_t head_end = from == to ? end : (from + 1) * granule;
  note_first(head, first, head_end - first);
  head.add(head_end - first, 1, burst, flit);
  if (from == to) return;
  const auto add_granule = [&](std::uint64_t index, std::uint64_t times) {
    Train& train = trains[dealing.way_of_granule(index)];
    note_first(train, index * granule, granule);
    train.add(granule, times, burst, flit);
  };
  // Whole rounds give each way as much; the granules before and after them are dealt one by one.
  std::uint64_t index = from + 1;
  const std::uint64_t first_round = ceil_div(index, dealing.ways()), rounds_end = to / dealing.ways();
  if (first_round < rounds_end) {
    for (; index < first_round * dealing.ways(); ++index) add_granule(index, 1);
    for (unsigned i = 0; i < dealing.ways(); ++i) add_granule(index + i, rounds_end - first_round);
    index = rounds_end * dealing.ways();
  }
  for (; index < to; ++index) add_granule(index, 1);
  Train& tail = trains[dealing.way_of_granule(to)];
  note_first(tail, to * granule, end - to * granule);
  tail.add(end - to * granule, 1, burst, flit);
}

}  // namespace

void Train::add(std::uint64_t piece, std::uint64_t times, std::uint64_t burst, std::uint64_t flit) {
  const std::uint64_t full = piece / burst, rest = piece % burst;
  bytes += piece * times;
  packets += (full + (rest > 0 ? 1 : 0)) * times;
  payload_flits += (full * ceil_div(burst, flit) + ceil_div(rest, flit)) * times;
}

void count_trains(const Rows& rows, const Dealing& dealing, std::uint64_t burst, std::uint64_t flit,
                  std::vector<Train>& trains) {
  trains.assign(dealing.ways(), Train{});
  for (std::uint64_t row = 0; row < rows.count; ++row) {
    const std::uint64_t first = rows.base + row * rows.pitch;
    count_row(first, first + rows.bytes, dealing, burst, flit, trains);
  }
}

}  // namespace archsim
