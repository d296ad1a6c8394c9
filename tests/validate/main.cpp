// The validation book in short: each anchor, what archsim gives beside what it should give.
//
//   archsim_validate [FAMILY...]     array dram memory noc roofline rtl run labels, all if none is named; mapping, directions, sweep
//                                    and sampled if named. Exit 1 if an anchor does not hold.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/validate/anchor.h"
#include "tests/validate/labels.h"
#include "tests/validate/mapping/validate_mapping.h"
#include "tests/validate/memory/validate_memory.h"
#include "tests/validate/noc/validate_noc.h"

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

struct Family {
  std::string name;
  std::function<bool()> holds;
  bool is_slow = false;  // only if named
};

std::vector<Family> families() {
  const auto of = [](const std::string& name, std::vector<Anchor> (*anchors)(), bool is_slow = false) {
    return Family{.name = name, .holds = [name, anchors] { return print(name, anchors()); }, .is_slow = is_slow};
  };
  return {of("array", array_anchors),
          of("dram", dram_anchors),
          {.name = "memory", .holds = validate_memory},
          {.name = "noc", .holds = validate_noc},
          of("roofline", roofline_anchors),
          of("rtl", rtl_anchors),
          of("run", run_anchors),
          {.name = "labels", .holds = labels_hold},
          {.name = "mapping", .holds = mapping_holds, .is_slow = true},
          of("directions", direction_anchors, true),
          of("sweep", sweep_anchors, true),
          {.name = "sampled", .holds = sampled_holds, .is_slow = true}};
}

int validate(const std::vector<std::string>& wanted) {
  bool all = true;
  std::size_t known = 0;
  std::string names;
  for (const Family& family : families()) {
    names += " " + family.name;
    const bool is_named = std::find(wanted.begin(), wanted.end(), family.name) != wanted.end();
    if (is_named) ++known;
    if (is_named || (wanted.empty() && !family.is_slow)) all = family.holds() && all;
  }
  if (known < wanted.size()) {
    fmt::print(stderr, "the families are:{}\n", names);
    return 2;
  }
  return all ? 0 : 1;
}

}  // namespace
}  // namespace archsim

int main(int argc, char** argv) { return archsim::validate(std::vector<std::string>(argv + 1, argv + argc)); }

// libsystemc.so refers to this symbol.
extern "C" int sc_main(int, char**) { return 0; }
