// When a shared resource (a link, a bus, a port) is taken, booked ahead of time.
//
// A booking takes all free time from `earliest` on until it has its length: gaps that later-starting bookings left are
// filled first, so no time is lost, whatever order the bookings are made in. Booked time merges with its neighbours;
// time that has passed is dropped. Appending and dropping are O(1) amortised; filling a gap searches what lies ahead.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace archsim {

/// `Q` is Cycles or Time.
template <class Q>
class Calendar {
 public:
  struct Booking {
    Q begin, end;  // end - begin exceeds the length where the booking was split around others
  };

  Booking book(Q earliest, Q length) {
    if (length == Q::zero()) return {earliest, earliest};
    booked_ += length;
    if (head_ == taken_.size() || taken_.back().end < earliest) return append(earliest, length);
    if (taken_.back().begin <= earliest) {
      Interval& last = taken_.back();
      const Booking booking{last.end, last.end + length};
      last.end = booking.end;
      return booking;
    }
    return fill(earliest, length);
  }

  /// For a stream whose first part is there at `first` and whose last one at `last` (exclusive): takes the latest free time of
  /// that window, so that a slow stream leaves room for others; if the window has too little, books from `first` on.
  /// `begin` is the first free instant, `end` is `last` or, if it did not fit, when the stream has passed.
  Booking book_within(Q first, Q last, Q length) {
    if (length == Q::zero()) return {first, last};
    if (head_ == taken_.size() || taken_.back().begin <= first) {
      const Q from = end() > first ? end() : first;
      if (from + length > last) return book(first, length);
      booked_ += length;
      if (from + length == last && from == end() && head_ < taken_.size()) {
        taken_.back().end = last;
      } else {
        taken_.push_back({last - length, last});
      }
      return {from, last};
    }
    return backfill(first, last, length);
  }

  /// Time in [first, last) that nobody has booked.
  Q free_within(Q first, Q last) const {
    Q free = last - first;
    for (std::size_t i = taken_.size(); i > head_ && taken_[i - 1].end > first; --i) {
      const Interval& taken = taken_[i - 1];
      if (taken.begin < last) free -= std::min(taken.end, last) - std::max(taken.begin, first);
    }
    return free;
  }

  /// Nobody will book anything before `now` any more.
  void drop_before(Q now) {
    while (head_ < taken_.size() && taken_[head_].end < now) ++head_;
    if (head_ >= kCompactAt && head_ * 2 >= taken_.size()) {
      taken_.erase(taken_.begin(), taken_.begin() + static_cast<std::ptrdiff_t>(head_));
      head_ = 0;
    }
  }

  /// The end of the last booking; zero if nothing lies ahead.
  Q end() const { return head_ == taken_.size() ? Q::zero() : taken_.back().end; }
  /// The sum of all lengths ever booked.
  Q booked() const { return booked_; }

 private:
  struct Interval {
    Q begin, end;
  };
  static constexpr std::size_t kCompactAt = 64;

  Booking append(Q earliest, Q length) {
    taken_.push_back({earliest, earliest + length});
    return {earliest, earliest + length};
  }

  /// All time from the booking's begin to its end is taken afterwards, so everything it meets becomes one interval.
  Booking fill(Q earliest, Q length) {
    const auto first = std::lower_bound(taken_.begin() + static_cast<std::ptrdiff_t>(head_), taken_.end(), earliest,
                                        [](const Interval& interval, Q from) { return interval.end < from; });
    Interval merged{std::min(first->begin, earliest), earliest};
    Booking booking{earliest, earliest};
    bool has_begun = false;
    Q position = earliest;
    auto next = first;
    while (length > Q::zero() && next != taken_.end() && next->begin <= position + length) {
      if (next->begin > position) {
        if (!has_begun) booking.begin = position;
        has_begun = true;
        length -= next->begin - position;
        booking.end = next->begin;
      }
      position = next->end;
      ++next;
    }
    if (length > Q::zero()) {
      if (!has_begun) booking.begin = position;
      position += length;
      booking.end = position;
    }
    merged.end = position;
    if (next == first) {
      taken_.insert(first, merged);
    } else {
      *first = merged;
      taken_.erase(first + 1, next);
    }
    return booking;
  }

  /// All time from where it begins to `last` is taken afterwards.
  Booking backfill(Q first, Q last, Q length) {
    const auto from = taken_.begin() + static_cast<std::ptrdiff_t>(head_);
    const auto after = std::upper_bound(from, taken_.end(), last,
                                        [](Q until, const Interval& interval) { return until < interval.begin; });
    Interval merged{last, last};
    Q left = length;
    auto next = after;  // one behind the interval to look at
    for (; left > Q::zero() && next != from && std::prev(next)->end > first; --next) {
      const Interval& before = *std::prev(next);
      const Q gap = merged.begin > before.end ? merged.begin - before.end : Q::zero();
      if (gap >= left) break;
      left -= gap;
      merged.begin = std::min(merged.begin, before.begin);
      merged.end = std::max(merged.end, before.end);
    }
    if (left > Q::zero()) {
      if (merged.begin < first + left) return fill_counted(first, length);
      merged.begin -= left;
      if (next != from && std::prev(next)->end == merged.begin) merged.begin = (--next)->begin;
    }
    booked_ += length;
    const Booking booking{first_free(first), last};
    if (next == after) {
      taken_.insert(next, merged);
    } else {
      *next = merged;
      taken_.erase(next + 1, after);
    }
    return booking;
  }

  Booking fill_counted(Q earliest, Q length) {
    booked_ += length;
    return fill(earliest, length);
  }

  Q first_free(Q from) const {
    const auto at = std::upper_bound(taken_.begin() + static_cast<std::ptrdiff_t>(head_), taken_.end(), from,
                                     [](Q time, const Interval& interval) { return time < interval.end; });
    return at != taken_.end() && at->begin <= from ? at->end : from;
  }

  std::vector<Interval> taken_;  // ascending, disjoint, not touching; those before head_ have passed
  std::size_t head_ = 0;
  Q booked_ = Q::zero();
};

}  // namespace archsim
