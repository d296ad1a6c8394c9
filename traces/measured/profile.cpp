#include "traces/measured/profile.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "traces/measured/events.h"

namespace archsim {
namespace {

constexpr double kMicrosecond = 1e-6;
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// Calls by nesting, then times to the outermost call that is understood.
class Attribution {
 public:
  explicit Attribution(const std::vector<ChromeEvent>& events)
      : events_(events), owner_(events.size(), kNone), inside_(events.size(), kNone) {
    has_calls_ = std::any_of(events.begin(), events.end(), [](const auto& event) { return event.is_a_call(); });
    has_kernels_ = std::any_of(events.begin(), events.end(), [](const auto& event) { return event.is_on_device(); });
  }

  Profile run() {
    nest();
    if (has_calls_ && has_kernels_) {
      add_kernels();
    } else {
      add_calls();
    }
    return finish();
  }

 private:
  struct Sum {
    std::string name;
    std::uint64_t calls = 0;
    double time_us = 0.0;
  };

  // What counts by itself, not as an annotation around others.
  bool counts(std::size_t i) const {
    if (events_[i].is_on_device()) return false;
    return !has_calls_ || events_[i].is_a_call() || events_[i].category == "cpu_op";
  }

  std::optional<Signature> signature(std::size_t i) const {
    const ChromeEvent& event = events_[i];
    if (!has_calls_) return Signature{"named", {}, event.name};
    return signature_of({event.name, event.shapes, event.constants});
  }

  // Complete events of a thread nest: one that starts before another's end lies within.
  void nest() {
    std::map<std::string_view, std::vector<std::size_t>> threads;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (!events_[i].is_on_device()) threads[events_[i].thread].push_back(i);
    }
    for (auto& [thread, own] : threads) {
      std::stable_sort(own.begin(), own.end(), [&](std::size_t a, std::size_t b) {
        const ChromeEvent &x = events_[a], &y = events_[b];
        return x.start_us != y.start_us ? x.start_us < y.start_us : x.length_us > y.length_us;
      });
      std::vector<std::size_t> open;
      for (const std::size_t i : own) {
        while (!open.empty() && events_[open.back()].end_us() <= events_[i].start_us) open.pop_back();
        settle(i, open);
        open.push_back(i);
      }
    }
  }

  void settle(std::size_t i, const std::vector<std::size_t>& open) {
    for (auto outer = open.rbegin(); outer != open.rend() && inside_[i] == kNone; ++outer) {
      if (counts(*outer)) inside_[i] = *outer;
    }
    if (has_calls_ && inside_[i] != kNone) owner_[i] = owner_[inside_[i]];
    if (owner_[i] != kNone || !counts(i)) return;
    if (auto found = signature(i)) {
      owner_[i] = i;
      Sum& sum = known_[*std::move(found)];
      sum.name = events_[i].name;
      ++sum.calls;
    }
  }

  Sum& sum_of(std::size_t i) {
    if (owner_[i] != kNone) return known_.at(*signature(owner_[i]));
    Sum& sum = others_[events_[i].name];
    sum.name = events_[i].name;
    return sum;
  }

  // Each one's own time, without what is nested in it.
  void add_calls() {
    std::vector<double> own(events_.size(), 0.0);
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (!counts(i)) continue;
      own[i] += events_[i].length_us;
      if (inside_[i] != kNone) own[inside_[i]] -= events_[i].length_us;
    }
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (!counts(i)) continue;
      Sum& sum = sum_of(i);
      // Whole microseconds in old files: a child may seem longer than its parent.
      sum.time_us += own[i];
      if (owner_[i] == kNone) ++sum.calls;
    }
  }

  void add_kernels() {
    std::unordered_map<std::int64_t, std::size_t> by_external_id, by_correlation;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const ChromeEvent& event = events_[i];
      if (event.is_on_device()) continue;
      if (counts(i) && event.external_id) by_external_id.emplace(*event.external_id, i);
      if (!counts(i) && event.correlation && inside_[i] != kNone)
        by_correlation.emplace(*event.correlation, inside_[i]);
    }
    const auto find = [](const auto& among, const std::optional<std::int64_t>& id) {
      const auto found = id ? among.find(*id) : among.end();
      return found == among.end() ? kNone : found->second;
    };
    for (const ChromeEvent& event : events_) {
      if (!event.is_on_device()) continue;
      std::size_t launcher = find(by_external_id, event.external_id);
      if (launcher == kNone) launcher = find(by_correlation, event.correlation);
      if (launcher != kNone) {
        sum_of(launcher).time_us += event.length_us;
        if (owner_[launcher] == kNone) ++others_[events_[launcher].name].calls;
      } else {
        Sum& sum = others_[event.name];
        sum.name = event.name;
        sum.time_us += event.length_us;
        ++sum.calls;
      }
    }
  }

  Profile finish() const {
    Profile profile;
    profile.is_of_kernels = has_calls_ && has_kernels_;
    for (const auto& [signature, sum] : known_) {
      profile.known.push_back({signature, sum.name, sum.calls, std::max(sum.time_us, 0.0) * kMicrosecond});
    }
    for (const auto& [name, sum] : others_) {
      if (sum.time_us > 0.0) profile.others.push_back({{}, name, sum.calls, sum.time_us * kMicrosecond});
    }
    std::stable_sort(profile.others.begin(), profile.others.end(),
                     [](const Measured& a, const Measured& b) { return a.time_s > b.time_s; });
    for (const auto* all : {&profile.known, &profile.others}) {
      for (const Measured& one : *all) profile.time_s += one.time_s;
    }
    return profile;
  }

  const std::vector<ChromeEvent>& events_;
  bool has_calls_ = false, has_kernels_ = false;
  std::vector<std::size_t> owner_;   // by event: the outermost call around it, or itself, that is understood
  std::vector<std::size_t> inside_;  // by event: the innermost one around it that counts
  std::map<Signature, Sum> known_;
  std::map<std::string, Sum> others_;
};

}  // namespace

const Measured* Profile::find(const Signature& signature) const {
  const auto at = std::lower_bound(known.begin(), known.end(), signature,
                                   [](const Measured& one, const Signature& than) { return one.signature < than; });
  return at != known.end() && at->signature == signature ? &*at : nullptr;
}

Checked<Profile> read_profile(std::string_view text, const std::string& path) {
  const auto events = read_chrome_events(text, path);
  if (!events) return events.diagnostics();
  return Attribution(*events).run();
}

}  // namespace archsim
