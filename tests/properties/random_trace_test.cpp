#include "tests/random_trace/random_trace.h"

#include <gmock/gmock.h>

#include <cmath>

#include "arch/program/functional/compare.h"
#include "arch/program/reference/evaluate.h"
#include "arch/workload/rules/validate.h"
#include "tests/random_trace/host_program.h"

namespace archsim {
namespace {

constexpr std::uint64_t kTraces = 40;

TEST(RandomTrace, EvaluatesToNumbers) {
  for (std::uint64_t seed = 1; seed <= kTraces; ++seed) {
    const Trace trace = random_trace(seed);
    TensorValues values = random_values(trace, seed);
    evaluate(trace, values);
    for (const auto t : result_tensors(trace)) {
      for_each_copy(trace.tensors[t], [&](const auto& copy) {
        const Array& result = values.at(t, copy);
        double magnitude = 0.0;
        int at_limit = 0;
        for (std::uint64_t i = 0; i < result.elements(); ++i) {
          const double value = result.value(i);
          ASSERT_TRUE(std::isfinite(value)) << "seed " << seed << " " << trace.tensors[t].name << " [" << i << "]";
          magnitude = std::max(magnitude, std::fabs(value));
          if (result.dtype == Dtype::int8 && std::abs(result.integer(i)) >= 127) ++at_limit;
        }
        EXPECT_GT(magnitude, 0.0) << "seed " << seed << " " << trace.tensors[t].name;
        // A saturated result would hide mistakes.
        EXPECT_LT(at_limit, 0.2 * static_cast<double>(result.elements()))
            << "seed " << seed << " " << trace.tensors[t].name;
      });
    }
  }
}

TEST(RandomTrace, IsValid) {
  for (std::uint64_t seed = 1; seed <= kTraces; ++seed) {
    const auto problems = validate(random_trace(seed));
    EXPECT_TRUE(problems.empty()) << "seed " << seed << "\n" << render(problems);
  }
}

TEST(RandomTrace, TheSameSeedGivesTheSameTraceAndValues) {
  const Trace a = random_trace(7);
  const Trace b = random_trace(7);
  ASSERT_EQ(a.operators.size(), b.operators.size());
  const TensorValues x = random_values(a, 3);
  const TensorValues y = random_values(b, 3);
  for (std::uint32_t t = 0; t < a.tensors.size(); ++t) {
    for_each_copy(a.tensors[t], [&](const auto& copy) { EXPECT_EQ(x.at(t, copy).bytes, y.at(t, copy).bytes); });
  }
}

TEST(RandomTrace, EveryKindOfOperatorComesUp) {
  std::set<OperatorType> seen;
  for (std::uint64_t seed = 1; seed <= kTraces; ++seed) {
    for (const auto& op : random_trace(seed).operators) seen.insert(op.type);
  }
  for (const auto type : {OperatorType::linear, OperatorType::attention, OperatorType::softmax, OperatorType::layernorm,
                          OperatorType::rmsnorm, OperatorType::glu, OperatorType::rope, OperatorType::concat,
                          OperatorType::embedding, OperatorType::patchify, OperatorType::action_postprocess}) {
    EXPECT_TRUE(seen.contains(type)) << name_of(type);
  }
}

TEST(Equivalence, AProgramThatRunsEverythingOnTheHostEqualsTheEvaluation) {
  for (std::uint64_t seed = 1; seed <= kTraces; ++seed) {
    const Trace trace = random_trace(seed);
    const auto made = host_program(trace, seed);
    EXPECT_THAT(check_equivalence(trace, made.program, made.limits, {.value_seed = seed, .order_seeds = {1}}),
                testing::IsEmpty())
        << "seed " << seed;
  }
}

TEST(Equivalence, AForgottenOperatorIsFound) {
  const Trace trace = random_trace(3);
  auto made = host_program(trace, 3);
  auto& host = made.program.host;
  const auto last = std::find_if(host.rbegin(), host.rend(), [](const Command& command) {
    return std::holds_alternative<HostOperation>(command.payload);
  });
  host.erase(std::next(last).base());
  EXPECT_THAT(check_equivalence(trace, made.program, made.limits, {.order_seeds = {1}}),
              testing::Not(testing::IsEmpty()));
}

}  // namespace
}  // namespace archsim
