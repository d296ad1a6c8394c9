// The validation book in short: each anchor, what archsim gives beside what it should give.
//
//   archsim_validate [FAMILY...]     array dram roofline run labels, all if none is named; directions if named. Exit 1 if an
//                                    anchor does not hold.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/validate/anchor.h"
#include "tests/validate/labels.h"

namespace archsim {

bool Anchor::holds() const {
  if (is_upper_limit) return given <= expected;
  return std::abs(given - expected) <= tolerance * std::abs(expected);
}

namespace {

bool print(const std::string& family, const std::vector<Anchor>& anchors) {
  std::size_t held = 0;
  for (const auto& anchor : anchors) {
    held += anchor.holds() ? 1 : 0;
    const auto error = anchor.expected == 0.0 ? 0.0 : 100.0 * (anchor.given / anchor.expected - 1.0);
    fmt::print("{:4} {:9} {:<75} {:>14.7g} {} {:>14.7g}  {:+8.3f} %  {}\n", anchor.holds() ? "ok" : "MISS", family,
               anchor.what, anchor.given, anchor.is_upper_limit ? "<=" : "=~", anchor.expected, error, anchor.ground);
  }
  fmt::print("{}: {} of {} anchors hold\n\n", family, held, anchors.size());
  return held == anchors.size() && !anchors.empty();
}

int validate(const std::vector<std::string>& wanted) {
  const std::vector<std::pair<std::string, std::function<std::vector<Anchor>()>>> families = {
      {"array", array_anchors},
      {"dram", dram_anchors},
      {"roofline", roofline_anchors},
      {"run", run_anchors},
      {"directions", direction_anchors}};
  const std::string slow = "directions";
  bool all = true;
  std::size_t known = 0;
  for (const auto& [name, anchors] : families) {
    const bool is_wanted =
        (wanted.empty() && name != slow) || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
    if (!is_wanted) continue;
    ++known;
    all = print(name, anchors()) && all;
  }
  if (wanted.empty() || std::find(wanted.begin(), wanted.end(), "labels") != wanted.end()) {
    ++known;
    all = labels_hold() && all;
  }
  if (known < wanted.size()) {
    fmt::print(stderr, "the families are: array dram roofline run labels directions\n");
    return 2;
  }
  return all ? 0 : 1;
}

}  // namespace
}  // namespace archsim

int main(int argc, char** argv) { return archsim::validate(std::vector<std::string>(argv + 1, argv + argc)); }

// libsystemc.so refers to this symbol.
extern "C" int sc_main(int, char**) { return 0; }
