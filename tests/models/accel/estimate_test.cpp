// The mapper's estimate against the SystemC block alone: what each of many equal commands adds.
#include <gtest/gtest.h>

#include <random>

#include "tests/fresh_kernel.h"
#include "tests/models/accel/commands.h"

namespace archsim {
namespace {

class Estimate : public FreshKernel {
 protected:
  static constexpr std::size_t kFew = 4, kMany = 20;

  Cycles completion(const AloneSetup& setup, Engine engine, const Payload& payload, std::size_t times) {
    TearDown();
    SetUp();
    const auto result = run_alone(setup, streams({{engine, repeated(payload, times)}}));
    EXPECT_TRUE(result.has_finished) << (result.fault ? result.fault->what : "");
    return result.last(engine);
  }

  void expect_estimate(const AloneSetup& setup, Engine engine, const Payload& payload, const std::string& what) {
    const double few = static_cast<double>(completion(setup, engine, payload, kFew).value);
    const double many = static_cast<double>(completion(setup, engine, payload, kMany).value);
    const double measured = (many - few) / static_cast<double>(kMany - kFew);
    const auto estimate = Systolic::accelerator(setup.params, setup.clock).estimate(command(payload));
    EXPECT_NEAR(static_cast<double>(estimate.value), measured, std::max(2.0, 0.01 * measured)) << what;
  }
};

AloneSetup fast_memory() {
  AloneSetup setup;
  setup.memory.latency = 20_ns;
  return setup;
}

TEST_F(Estimate, OfMatmuls) {
  std::mt19937 random(1);
  const auto up_to = [&random](std::uint32_t most) { return static_cast<std::uint32_t>(1 + random() % most); };
  AloneSetup setup = fast_memory();
  setup.params.dataflows = {Dataflow::weight_stationary, Dataflow::output_stationary, Dataflow::input_stationary};
  for (int i = 0; i < 30; ++i) {
    setup.params.overlap = i % 5 == 0 ? Overlap::none : Overlap::full;
    Matmul matmul = int8_matmul(up_to(300), up_to(300), up_to(300), static_cast<Dataflow>(i % 3));
    expect_estimate(setup, Engine::array, matmul,
                    std::to_string(matmul.m) + "x" + std::to_string(matmul.k) + "x" + std::to_string(matmul.n));
  }
}

TEST_F(Estimate, OfVectorCommands) {
  for (std::size_t i = 0; i < kVectorFunctions; ++i) {
    const auto function = static_cast<VectorFunction>(i);
    Vector vector = bf16_vector(function, 33, 200);
    if (function == VectorFunction::softmax_step) {
      vector.source[1] = {.address = LocalAddress::scratchpad(1 << 19), .pitch = 8, .dtype = Dtype::fp32};
      vector.source[2] = {.address = LocalAddress::accumulator(0), .pitch = 4 * 64, .dtype = Dtype::fp32};
      vector.integer0 = 64;
    }
    expect_estimate(fast_memory(), Engine::vector, vector, std::string(name_of(function)));
  }
}

TEST_F(Estimate, OfTransfers) {
  std::mt19937 random(2);
  for (int i = 0; i < 24; ++i) {
    const auto rows = static_cast<std::uint32_t>(1 + random() % 60);
    const auto row_bytes = static_cast<std::uint32_t>(2 * (1 + random() % 4000));
    Dma dma{.memory_address = AloneSetup::kMemoryBase,
            .local = LocalAddress::scratchpad(0),
            .row_bytes = row_bytes,
            .rows = rows,
            .memory_row_pitch = i % 2 == 0 ? row_bytes : 8192,
            .local_row_pitch = 2 * row_bytes};
    const bool is_load = i % 3 != 0;
    if (i % 4 == 1 && is_load) dma.convert = Convert::bf16_to_fp32;
    expect_estimate(fast_memory(), is_load ? Engine::load : Engine::store, dma,
                    std::to_string(rows) + " rows of " + std::to_string(row_bytes));
  }
}

}  // namespace
}  // namespace archsim
