#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/fresh_kernel.h"
#include "tests/models/accel/commands.h"

namespace archsim {
namespace {

using testing::HasSubstr;

class AcceleratorFaults : public FreshKernel {
 protected:
  void expect_fault(Engine engine, const Payload& payload, FaultKind kind, const std::string& what) {
    TearDown();
    SetUp();
    const auto result = run_alone(AloneSetup{}, streams({{engine, {command(payload)}}}));
    ASSERT_TRUE(result.fault) << what;
    EXPECT_EQ(result.fault->kind, kind) << what;
    EXPECT_EQ(result.fault->block, "npu0");
    EXPECT_THAT(result.fault->what, HasSubstr(what));
    EXPECT_FALSE(result.has_finished);
  }
  template <class P>
  P changed(P payload, const std::function<void(P&)>& change) {
    change(payload);
    return payload;
  }
  Matmul matmul(const std::function<void(Matmul&)>& change) { return changed(int8_matmul(16, 16, 16), change); }
  Vector vector(const std::function<void(Vector&)>& change) {
    return changed(bf16_vector(VectorFunction::add, 4, 16), change);
  }
  Dma dma(const std::function<void(Dma&)>& change) { return changed(dense(512), change); }
};

TEST_F(AcceleratorFaults, IllegalCommands) {
  const auto kind = FaultKind::illegal_command;
  expect_fault(Engine::array, dense(512), kind, "dma on the array stream");
  expect_fault(Engine::load, int8_matmul(1, 1, 1), kind, "on the load stream");
  expect_fault(Engine::array, matmul([](Matmul& m) { m.k = 0; }), kind, "an empty matmul");
  expect_fault(Engine::array, matmul([](Matmul& m) { m.a_dtype = Dtype::fp16; }), kind, "no such element type");
  expect_fault(Engine::array, matmul([](Matmul& m) { m.dataflow = Dataflow::input_stationary; }), kind,
               "no input_stationary");
  expect_fault(Engine::array, matmul([](Matmul& m) { m.out = LocalAddress::scratchpad(0); }), kind,
               "writes the accumulator");
  expect_fault(Engine::vector, vector([](Vector& v) { v.rows = 0; }), kind, "an empty vector command");
  expect_fault(Engine::load, dma([](Dma& d) { d.rows = 0; }), kind, "an empty transfer");
  expect_fault(Engine::load, dma([](Dma& d) { d.convert = Convert::requantize; }), kind,
               "the load engine has no requantize");
  expect_fault(Engine::store, dma([](Dma& d) { d.convert = Convert::bf16_to_fp32; }), kind, "the store engine has no");
  expect_fault(Engine::load, WaitSemaphore{.semaphore = 9, .value = 1}, kind, "no semaphore 9");
  expect_fault(Engine::load, Signal{.semaphore = 0, .first = 1, .count = 1}, kind, "a block that does not exist");
}

TEST_F(AcceleratorFaults, BadAddresses) {
  const auto kind = FaultKind::bad_address;
  expect_fault(Engine::array, matmul([](Matmul& m) { m.a = LocalAddress::scratchpad((2 << 20) - 255); }), kind,
               "a ends at byte");
  expect_fault(Engine::array, matmul([](Matmul& m) { m.out = LocalAddress::accumulator(2); }), kind,
               "not aligned to 4");
  expect_fault(Engine::array, matmul([](Matmul& m) { m.out_pitch = 32; }), kind, "rows of out overlap");
  expect_fault(Engine::vector, vector([](Vector& v) { v.destination.address.value += 1; }), kind, "not aligned to 2");
  expect_fault(Engine::load, dma([](Dma& d) { d.memory_address = 0; }), kind, "does not lie in one memory");
  expect_fault(Engine::load, dma([](Dma& d) { d.memory_address = AloneSetup::kCsrBase; }), kind,
               "does not lie in one memory");
  expect_fault(Engine::load, dma([](Dma& d) {
                 d.rows = 3;
                 d.memory_row_pitch = -4096;
                 d.local_row_pitch = 512;
               }),
               kind, "does not lie in one memory");
  expect_fault(Engine::load, dma([](Dma& d) { d.local = LocalAddress::scratchpad((2 << 20) - 511); }), kind,
               "ends at byte");
  expect_fault(Engine::load, dma([](Dma& d) {
                 d.convert = Convert::bf16_to_fp32;
                 d.memory_address += 1;
               }),
               kind, "not aligned to 2");
}

TEST_F(AcceleratorFaults, WhatIsSwitchedOffIsIllegal) {
  AloneSetup setup;
  setup.params.vector_lanes = 0;
  const auto result = run_alone(setup, streams({{Engine::vector, {command(bf16_vector(VectorFunction::add, 1, 1))}}}));
  ASSERT_TRUE(result.fault);
  EXPECT_THAT(result.fault->what, HasSubstr("the vector unit has no add"));
}

TEST_F(AcceleratorFaults, AFaultHappensAtItsTime) {
  const auto bad = after(command(int8_matmul(0, 1, 1)), Engine::load, 1);
  AloneSetup setup;
  setup.memory.latency = 100_ns;
  const auto result = run_alone(setup, streams({{Engine::load, {command(dense(512))}}, {Engine::array, {bad}}}));
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->time, 32_ns + 100_ns + 8_ns);  // set-up, latency, beats
  for (const EngineReport& engine : result.report.engines) EXPECT_EQ(sum_of(engine), result.time) << engine.name;
}

}  // namespace
}  // namespace archsim
