// The validation book in short: each anchor, what archsim gives beside what it should give.
//
//   archsim_validate [FAMILY...] [--json FILE|-]     array dram memory noc roofline rtl run labels, all if none is named; mapping, directions, sweep
//                                    and sampled if named. Exit 1 if an anchor does not hold.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/files/write_file.h"
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

using Json = nlohmann::ordered_json;

Json json_of(const Anchor& anchor) {
  return {{"what", anchor.what},
          {"given", anchor.given},
          {"expected", anchor.expected},
          {"tolerance", anchor.tolerance},
          {"at_most", anchor.is_upper_limit},
          {"holds", anchor.holds()},
          {"ground", anchor.ground}};
}

bool print(const std::string& family, const std::vector<Anchor>& anchors, Json& told) {
  std::size_t held = 0;
  for (const auto& anchor : anchors) {
    held += anchor.holds() ? 1 : 0;
    const auto error = anchor.expected == 0.0 ? 0.0 : 100.0 * (anchor.given / anchor.expected - 1.0);
    fmt::print("{:4} {:9} {:<75} {:>14.7g} {} {:>14.7g}  {:+8.3f} %  {}\n", anchor.holds() ? "ok" : "MISS", family,
               anchor.what, anchor.given, anchor.is_upper_limit ? "<=" : "=~", anchor.expected, error, anchor.ground);
    told["anchors"].push_back(json_of(anchor));
  }
  fmt::print("{}: {} of {} anchors hold\n\n", family, held, anchors.size());
  return held == anchors.size() && !anchors.empty();
}

struct Family {
  std::string name;
  std::function<bool(Json&)> holds;  // the JSON gets its anchors, if it is made of such
  bool is_slow = false;              // only if named
};

std::vector<Family> families() {
  const auto of = [](const std::string& name, std::vector<Anchor> (*anchors)(), bool is_slow = false) {
    return Family{.name = name,
                  .holds = [name, anchors](Json& told) { return print(name, anchors(), told); },
                  .is_slow = is_slow};
  };
  const auto by_itself = [](const std::string& name, bool (*holds)(), bool is_slow = false) {
    return Family{.name = name, .holds = [holds](Json&) { return holds(); }, .is_slow = is_slow};
  };
  return {of("array", array_anchors),
          of("dram", dram_anchors),
          by_itself("memory", validate_memory),
          by_itself("noc", validate_noc),
          of("roofline", roofline_anchors),
          of("rtl", rtl_anchors),
          of("run", run_anchors),
          by_itself("labels", labels_hold),
          by_itself("mapping", mapping_holds, true),
          of("directions", direction_anchors, true),
          of("sweep", sweep_anchors, true),
          by_itself("sampled", sampled_holds, true)};
}

// Families by name, and where JSON goes.
struct Request {
  std::vector<std::string> wanted;
  std::string json;
};

Request read(const std::vector<std::string>& words) {
  Request request;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--json" && i + 1 < words.size()) {
      request.json = words[++i];
    } else {
      request.wanted.push_back(words[i]);
    }
  }
  return request;
}

bool are_known(const std::vector<std::string>& wanted) {
  std::string names;
  std::size_t known = 0;
  for (const Family& family : families()) {
    names += " " + family.name;
    known += static_cast<std::size_t>(std::count(wanted.begin(), wanted.end(), family.name));
  }
  if (known == wanted.size()) return true;
  fmt::print(stderr, "error: there is no such family of anchors\nhelp: they are:{}\n", names);
  return false;
}

int validate(const Request& request) {
  if (!are_known(request.wanted)) return 2;
  // What is printed for people makes room for JSON.
  const int out = ::dup(STDOUT_FILENO);
  if (request.json == "-") ::dup2(STDERR_FILENO, STDOUT_FILENO);
  bool all = true;
  Json told{{"schema", "archsim.validate/1"}, {"families", Json::array()}};
  for (const Family& family : families()) {
    const auto& wanted = request.wanted;
    const bool is_named = std::find(wanted.begin(), wanted.end(), family.name) != wanted.end();
    if (!is_named && (!wanted.empty() || family.is_slow)) continue;
    Json entry{{"name", family.name}, {"holds", false}, {"anchors", Json::array()}};
    const bool holds = family.holds(entry);
    entry["holds"] = holds;
    told["families"].push_back(std::move(entry));
    all = holds && all;
    std::fflush(stdout);
  }
  told["holds"] = all;
  const std::string text = told.dump(1) + "\n";
  if (request.json == "-") {
    ::dup2(out, STDOUT_FILENO);
    if (write_stdout(text).has_errors()) return 2;
  } else if (!request.json.empty()) {
    const auto wrong = write_file(request.json, text);
    fmt::print(stderr, "{}", render(wrong));
    if (wrong.has_errors()) return 2;
  }
  return all ? 0 : 1;
}

}  // namespace
}  // namespace archsim

int main(int argc, char** argv) {
  return archsim::validate(archsim::read(std::vector<std::string>(argv + 1, argv + argc)));
}

// libsystemc.so refers to this symbol.
extern "C" int sc_main(int, char**) { return 0; }
