#include "app/report/run_sections/sampled_table.h"

#include <fmt/format.h>

namespace archsim {

TextTable sampled_table(const SampledFacts& facts, Time time) {
  const double share = time == Time::zero() ? 0.0 : seconds(facts.error) / seconds(time);
  TextTable table{
      fmt::format("sampled: time to within about {:.3f} ms, {:.2f} %", seconds(facts.error) * 1e3, share * 100),
      {"<loop", "iterations", "executed", "stand for the rest"},
      {}};
  for (const SampledLoop& loop : facts.sampling.loops) {
    if (loop.copied == 0) continue;
    table.rows.push_back(
        {loop.name, fmt::to_string(loop.count), fmt::to_string(loop.simulated), fmt::to_string(loop.copied)});
  }
  return table;
}

}  // namespace archsim
