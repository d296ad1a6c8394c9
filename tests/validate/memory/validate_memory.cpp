// Our exact DRAM channel beside three reference simulators, row by row.
#include "tests/validate/memory/validate_memory.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <map>

#include "arch/describe/values/enum_names.h"
#include "tests/validate/memory/reference.h"

namespace archsim {
namespace {

/// Loads that a controller serves without its queue growing: the 70 % of what it reaches at saturation.
constexpr double kLoadLimit = 0.70;

struct Tally {
  std::size_t held = 0, of = 0;
  void add(bool holds) { ++of, held += holds ? 1 : 0; }
};
using Tallies = std::map<std::string, std::map<std::string, Tally>>;  // tool, limit

double off(double given, double expected) { return expected == 0.0 ? 0.0 : given / expected - 1.0; }

struct Saturation {
  std::map<std::string, double> bandwidth;  // of a tool's own run, by everything but the load
  static std::string key(const ReferenceRow& row) {
    return row.tool + row.config + row.pattern + row.access + row.address_map;
  }
};

struct CountCheck {
  const char* name;
  std::uint64_t given, expected;
};

void check_row(const ReferenceRow& row, const Saturation& saturation, Tallies& tallies) {
  const auto machine = machine_of(row.tool, row.config);
  if (!machine) return;
  const auto result = probe_exactly(probe_of(row, *machine));
  ARCHSIM_ASSERT(result.has_value(), "a reference row cannot be probed");
  auto& tally = tallies[row.tool];
  std::string misses;
  const auto note = [&](const std::string& limit, bool holds, const std::string& what) {
    tally[limit].add(holds);
    if (!holds) misses += " " + what;
  };
  const double bandwidth = off(result->bandwidth_bytes_per_s * 1e-9, row.bandwidth);
  if (row.load == "sat")
    note("bandwidth 3 %", std::abs(bandwidth) <= 0.03, fmt::format("bandwidth {:+.1f} %", 100 * bandwidth));
  if (row.latency_ns) {
    const double latency = off(*result->latency_avg_s * 1e9, *row.latency_ns);
    const double load = row.load == "sat" ? 1.0 : std::stod(row.load);
    const double peak = result->peak_bytes_per_s * 1e-9;
    const auto saturated = saturation.bandwidth.find(Saturation::key(row));
    const bool counts =
        row.load != "sat" && saturated != saturation.bandwidth.end() && load * peak <= kLoadLimit * saturated->second;
    const std::string what = fmt::format("latency {:+.1f} %", 100 * latency);
    if (counts) note("latency 10 %", std::abs(latency) <= 0.10, what);
    if (!counts) note("(latency 10 % beyond)", std::abs(latency) <= 0.10, "(" + what + ")");
  }
  const DramCounts& counts = result->counts;
  for (const CountCheck& check :
       {CountCheck{"ACT", counts.activates, row.activates}, CountCheck{"PRE", counts.precharges, row.precharges},
        CountCheck{"RD", counts.reads, row.reads}, CountCheck{"WR", counts.writes, row.writes},
        CountCheck{"REF", counts.refreshes, row.refreshes}}) {
    const double apart = std::abs(static_cast<double>(check.given) - static_cast<double>(check.expected));
    // A run's last event may fall on either side of its end.
    const bool holds = apart <= std::max(static_cast<double>(machine->standard.pseudo_channels),
                                         0.03 * static_cast<double>(check.expected));
    note(std::string(check.name) + " 3 %", holds, fmt::format("{} {} for {}", check.name, check.given, check.expected));
  }
  fmt::print("{:4} {:10} {:<45} {:6.2f} % of peak for {:6.2f} {}\n", misses.empty() ? "ok" : "MISS", row.tool,
             row.name(), 100 * result->bandwidth_bytes_per_s / result->peak_bytes_per_s,
             100 * row.bandwidth / (result->peak_bytes_per_s * 1e-9), misses);
}

void check_idle(const ReferenceIdle& row, Tallies& tallies) {
  const auto machine = machine_of(row.tool, row.config);
  if (!machine) return;
  const auto given = idle_latency(machine->standard, machine->controller);
  ARCHSIM_ASSERT(given.has_value(), "a reference row cannot be probed");
  const double clock = 1e9 / static_cast<double>(machine->standard.clock.value);
  const std::array<std::pair<double, double>, 3> pairs = {{{given->closed_bank_s, row.closed_bank_ns},
                                                           {given->row_hit_s, row.row_hit_ns},
                                                           {given->row_conflict_s, row.row_conflict_ns}}};
  std::string text;
  bool all = true;
  for (const auto& [ours, theirs] : pairs) {
    // That run's "row hit" is the latency of a closed bank: its second read found the row closed.
    if (row.config == "LPDDR5_6400_wckon" && theirs == row.row_hit_ns && theirs == row.closed_bank_ns &&
        ours < given->closed_bank_s)
      continue;
    const double clocks = (ours * 1e9 - theirs) / clock;
    const bool holds = std::abs(clocks) <= 2.05;  // their nanoseconds are rounded
    tallies[row.tool]["idle 2 clocks"].add(holds);
    all = all && holds;
    text += fmt::format(" {:+.1f}", clocks);
  }
  fmt::print("{:4} {:10} {:<45} clocks off, closed bank, row hit, row conflict:{}\n", all ? "ok" : "MISS", row.tool,
             row.config, text);
}

std::string as_ramulator(const LoggedCommand& command, bool splits) {
  switch (command.command) {
    case DramCommand::activate:
      return splits ? "ACT1" : "ACT";
    case DramCommand::activate_second:
      return "ACT2";
    case DramCommand::precharge:
      return "PREpb";
    case DramCommand::precharge_all:
      return "PREab";
    case DramCommand::sync:
      return "CAS_RD";
    case DramCommand::read:
      return "RD";
    case DramCommand::write:
      return "WR";
    case DramCommand::refresh:
      return "REFab";
    case DramCommand::refresh_bank:
      return "REFpb";
  }
  return "";
}

bool check_commands(const std::string& config, DramPattern pattern, Tallies& tallies) {
  const auto machine = machine_of("Ramulator2", config);
  const std::string run = config + "_" + std::string(enum_name(pattern)) + "_r";
  const auto expected = reference_commands(run);
  std::vector<LoggedCommand> given;
  DramProbe probe{.standard = machine->standard, .controller = machine->controller, .pattern = pattern};
  probe.requests = 400;
  const auto result = probe_exactly(probe, &given);
  ARCHSIM_ASSERT(result.has_value(), "a reference run cannot be probed");
  const ExactTiming timing(machine->standard);
  std::size_t equal = 0, near = 0;
  for (std::size_t i = 0; i < std::min(given.size(), expected.size()); ++i) {
    const ReferenceCommand& want = expected[i];
    const LoggedCommand& have = given[i];
    const bool same = as_ramulator(have, timing.splits_activate) == want.command &&
                      have.at.bank == want.group * timing.banks + want.bank && have.at.row == want.row;
    // Its clock of a request's arrival is the one before that of the first command.
    const auto apart = static_cast<std::int64_t>(have.slot + 1) - static_cast<std::int64_t>(want.clock);
    equal += same && apart == 0 ? 1 : 0;
    near += same && std::abs(apart) <= 2 ? 1 : 0;
  }
  const auto all = static_cast<double>(expected.size());
  const bool is_seq = pattern == DramPattern::seq;
  const bool holds =
      given.size() == expected.size() && (is_seq ? equal == expected.size() : static_cast<double>(near) >= 0.95 * all);
  tallies["Ramulator2"]["commands"].add(holds);
  fmt::print("{:4} Ramulator2 commands of {:<34} {} of {} equal, {} within 2 clocks (ours: {})\n",
             holds ? "ok" : "MISS", run, equal, expected.size(), near, given.size());
  return holds;
}

}  // namespace

bool validate_memory() {
  const auto rows = reference_rows();
  Saturation saturation;
  for (const ReferenceRow& row : rows) {
    if (row.load == "sat") saturation.bandwidth[Saturation::key(row)] = row.bandwidth;
  }
  Tallies tallies;
  for (const ReferenceRow& row : rows) check_row(row, saturation, tallies);
  for (const ReferenceIdle& row : reference_idles()) check_idle(row, tallies);
  for (const std::string config : {"DDR4_3200AA", "HBM2_2000", "HBM3_6400", "LPDDR5_6400", "LPDDR5X_8533"}) {
    for (const DramPattern pattern : {DramPattern::seq, DramPattern::rand}) check_commands(config, pattern, tallies);
  }
  bool all = true;
  for (const auto& [tool, limits] : tallies) {
    for (const auto& [limit, tally] : limits) {
      fmt::print("{:10} {:<24} {:4} of {:4} hold\n", tool, limit, tally.held, tally.of);
      all = all && (tally.held == tally.of || limit.starts_with("("));
    }
  }
  return all;
}

}  // namespace archsim
