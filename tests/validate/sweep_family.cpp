#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "sweep/analyse/pareto.h"
#include "sweep/run/runner.h"
#include "tests/source_dir.h"
#include "tests/validate/anchor.h"

namespace archsim {
namespace {

namespace fs = std::filesystem;

using Rows = std::set<std::vector<std::string>>;

struct Outcome {
  Rows front;
  SweepCounts counts;
};

Outcome outcome_of(Plan plan, bool is_refined) {
  plan.is_refined = is_refined;
  const fs::path folder = fs::temp_directory_path() / ("archsim_validate_" + std::to_string(::getpid()));
  fs::remove_all(folder);
  fs::create_directories(folder);
  SweepOptions options{.folder = folder.string(), .version = "validate"};
  options.jobs = std::max(1U, std::thread::hardware_concurrency());
  Outcome outcome;
  outcome.counts = run_sweep(plan, options);
  const auto results = read_results(folder.string());
  const auto found = pareto(*results, "");
  for (const auto row : found->rows) outcome.front.insert(results->rows[row].axes);
  fs::remove_all(folder);
  return outcome;
}

double missing(const Rows& wanted, const Rows& in) {
  double count = 0.0;
  for (const auto& row : wanted) count += in.contains(row) ? 0.0 : 1.0;
  return count;
}

}  // namespace

std::vector<Anchor> sweep_anchors() {
  fs::current_path(ARCHSIM_SOURCE_DIR);
  const Source source = *read_source("tests/validate/refine.yaml");
  const Outcome all = outcome_of(*read_plan(source), false), refined = outcome_of(*read_plan(source), true);
  const auto points = static_cast<double>(all.counts.run);
  return {{.what = "machines simulated", .given = points, .expected = 2100.0, .ground = "3 * 4 * 5 * 5 * 7 values"},
          {.what = "points of their front that refinement lacks",
           .given = missing(all.front, refined.front),
           .expected = 0.0,
           .ground = std::to_string(all.front.size()) + " points"},
          {.what = "points of the refined front that are not on it",
           .given = missing(refined.front, all.front),
           .expected = 0.0,
           .ground = std::to_string(refined.front.size()) + " points"},
          {.what = "simulations of refinement",
           .given = points - static_cast<double>(refined.counts.bounded),
           .expected = 0.8 * points,
           .is_upper_limit = true,
           .ground = "a fifth is left out by bounds"}};
}

}  // namespace archsim
