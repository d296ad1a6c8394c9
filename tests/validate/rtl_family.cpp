#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <systemc>

#include "accel-rtl/dv/core.h"
#include "tests/rtl_clock/rtl_clock.h"
#include "tests/validate/anchor.h"

namespace archsim {
namespace {

constexpr std::size_t kPrograms = 200, kArrayPrograms = 20, kArrayCommands = 200, kTold = 10;
constexpr std::uint64_t kSeed = 7;
constexpr std::uint32_t kLargest = 160;

/// The kernel is global and runs once: another one for as long as this lives.
class FreshKernel {
 public:
  FreshKernel() { use(new sc_core::sc_simcontext()); }
  ~FreshKernel() {
    delete sc_core::sc_curr_simcontext;
    use(before_);
  }
  FreshKernel(const FreshKernel&) = delete;
  FreshKernel& operator=(const FreshKernel&) = delete;

 private:
  static void use(sc_core::sc_simcontext* context) {
    sc_core::sc_curr_simcontext = context;
    sc_core::sc_default_global_context = context;
  }
  sc_core::sc_simcontext* before_ = sc_core::sc_curr_simcontext;
};

struct Row {
  ClockCase one;
  CosimResult result;
  ClockVerdict told;
};

std::vector<Row> run_all() {
  std::vector<Row> rows;
  for (const ClockCase& one : clock_cases(kPrograms, kSeed, kLargest)) {
    const FreshKernel kernel;
    Row row{.one = one, .result = run_product(one)};
    row.told = verdict(row.result);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// By latency: how many programs, and the median and worst error.
void print_table(const std::vector<Row>& rows) {
  constexpr std::uint64_t kStep = 100;
  std::map<std::uint64_t, std::vector<double>> errors;
  for (const Row& row : rows) errors[row.one.latency / kStep].push_back(row.told.program_error);
  fmt::print("{:>14} {:>9} {:>10} {:>10}\n", "latency cycles", "programs", "median", "worst");
  for (auto& [step, of_step] : errors) {
    std::sort(of_step.begin(), of_step.end());
    fmt::print("{:>9} - {:>3} {:>8} {:>8.3f} % {:>8.3f} %\n", std::max<std::uint64_t>(10, step * kStep),
               step * kStep + kStep - 1, of_step.size(), 100 * of_step[of_step.size() / 2], 100 * of_step.back());
  }
}

void print_worst(std::vector<const Row*> rows) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row* a, const Row* b) { return a->told.program_error > b->told.program_error; });
  rows.resize(std::min(rows.size(), kTold));
  fmt::print("\n{:<48} {:>9} {:>9} {:>9} {:>9} {:>8}\n", "the worst (MxNxK)", "model", "RTL", "error", "commands",
             "off most");
  for (const Row* row : rows) {
    fmt::print("{:<48} {:>9} {:>9} {:>+7.3f} % {:>9} {:>8}\n", row->one.name(), row->result.model_cycles,
               row->result.rtl_cycles, 100 * row->result.error(), row->told.commands, row->told.farthest);
  }
  fmt::print("\n");
}

Anchor at_most(std::string what, double given, double limit, std::string ground) {
  return {
      .what = std::move(what), .given = given, .expected = limit, .is_upper_limit = true, .ground = std::move(ground)};
}

}  // namespace

std::vector<Anchor> rtl_anchors() {
  if (rtl::built_cores().empty()) {
    fmt::print("this build has no RTL: install Verilator and configure again\n");
    return {};
  }
  double inexact = 0, unequal = 0, far = 0, commands = 0;
  for (std::uint64_t seed = 1; seed <= kArrayPrograms; ++seed) {
    const FreshKernel kernel;
    const CosimResult result = run_array(seed, kArrayCommands);
    unequal += result.data_match ? 0 : 1;
    const ClockVerdict told = verdict(result);
    inexact += static_cast<double>(told.inexact_array.size());
    for (const CosimCommand& command : told.inexact_array) fmt::print("matmuls {}: {}\n", seed, text_of(command));
  }
  const std::vector<Row> rows = run_all();
  std::vector<double> errors;
  std::vector<const Row*> pointers;
  for (const Row& row : rows) {
    if (!row.result.problem.empty()) fmt::print("{}: {}\n", row.one.name(), row.result.problem);
    unequal += row.result.data_match ? 0 : 1;
    far += static_cast<double>(row.told.far.size());
    for (const CosimCommand& command : row.told.far) fmt::print("{}: {}\n", row.one.name(), text_of(command));
    commands += static_cast<double>(row.told.commands);
    errors.push_back(row.told.program_error);
    pointers.push_back(&row);
  }
  print_table(rows);
  print_worst(pointers);
  std::sort(errors.begin(), errors.end());
  const std::string array = fmt::format("{} x {} matmuls", kArrayPrograms, kArrayCommands);
  const std::string programs = fmt::format("{} products, latency 10..500", rows.size());
  return {at_most("programs whose RTL data differ from the functional executor", unequal, 0, programs + ", " + array),
          at_most("array commands that do not take exactly as long as in the RTL", inexact, 0, array),
          at_most("commands neither within 1 % nor within 2 cycles of the RTL", far, 0, fmt::format("of {}", commands)),
          at_most("worst error of a whole program", errors.back(), 0.02, programs),
          at_most("median error of a whole program", errors[errors.size() / 2], 0.005, programs)};
}

}  // namespace archsim
