// A trace with loops and the same trace written out give programs that compute the same.
#include <gmock/gmock.h>

#include "arch/mapping/map.h"
#include "arch/program/functional/compare.h"
#include "arch/program/reference/evaluate.h"
#include "tests/properties/mapping/machine.h"
#include "tests/random_trace/random_trace.h"

namespace archsim {
namespace {

TensorUse fixed(TensorUse use, const Iterations& iterations) {
  for (auto& index : use.copy) {
    if (index.loop == CopyIndex::kFixed) continue;
    index.offset += iterations[index.loop];
    index.loop = CopyIndex::kFixed;
  }
  return use;
}

Trace unrolled(const Trace& trace) {
  Trace flat = trace;
  flat.loops = {{.name = "once", .count = 1}};
  flat.stages = {{.name = "all", .repeat = {.loop = 0, .body = {}}}};
  flat.operators.clear();
  for_each_instance(trace, [&](std::uint32_t index, const Iterations& iterations) {
    Operator op = trace.operators[index];
    op.name += "." + std::to_string(flat.operators.size());
    op.dependencies.clear();
    for (auto* uses : {&op.inputs, &op.outputs}) {
      for (auto& use : *uses) use = fixed(use, iterations);
    }
    flat.stages[0].repeat.body.emplace_back(static_cast<std::uint32_t>(flat.operators.size()));
    flat.operators.push_back(std::move(op));
  });
  return flat;
}

TEST(Unrolled, ComputesTheSame) {
  constexpr MappingOptions kNoFusion{
      .fuse = {.linear_activation = false, .linear_glu = false, .linear_residual = false}};
  const MachineView view = view_of({.accelerators = 2, .l2 = 16 * 1024});
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    const Trace looped = random_trace(seed, {.attention = false}), flat = unrolled(looped);
    TensorValues a = random_values(looped, seed), b = random_values(flat, seed);
    evaluate(looped, a);
    evaluate(flat, b);
    for (const auto tensor : result_tensors(looped)) {
      for_each_copy(looped.tensors[tensor],
                    [&](const auto& copy) { EXPECT_EQ(a.at(tensor, copy).bytes, b.at(tensor, copy).bytes); });
    }
    for (const Trace* trace : {&looped, &flat}) {
      const auto program = map(*trace, view, kNoFusion);
      ASSERT_TRUE(program) << render(program.diagnostics());
      EXPECT_THAT(check_equivalence(*trace, *program, limits_of(view), {.value_seed = seed, .order_seeds = {seed}}),
                  testing::IsEmpty())
          << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace archsim
