// Matmul and vector commands by hand: operands loaded, one command, result stored.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/unit/program/lab.h"

namespace archsim {
namespace {

using testing::ElementsAre;
using testing::FloatEq;
using testing::Pointwise;

constexpr auto kA = LocalAddress::scratchpad(0);
constexpr auto kW = LocalAddress::scratchpad(256);
constexpr auto kResult = LocalAddress::scratchpad(1024);
constexpr auto kOut = LocalAddress::accumulator(0);

/// A lab whose three operands lie at kA, kW and, if `out` is not empty, kOut.
template <class A, class W, class Out = std::int32_t>
Lab with_operands(const std::vector<A>& a, const std::vector<W>& w, const std::vector<Out>& out = {}) {
  Lab lab;
  lab.put(Lab::kDram, a);
  lab.put(Lab::kDram + 4096, w);
  lab.put(Lab::kDram + 8192, out);
  const auto bytes = [](std::size_t count, std::size_t size) { return static_cast<std::uint32_t>(count * size); };
  lab.add(Engine::load, piece(Lab::kDram, kA, bytes(a.size(), sizeof(A))));
  lab.add(Engine::load, piece(Lab::kDram + 4096, kW, bytes(w.size(), sizeof(W))));
  if (!out.empty()) lab.add(Engine::load, piece(Lab::kDram + 8192, kOut, bytes(out.size(), sizeof(Out))));
  return lab;
}

std::uint32_t loads(Lab& lab) { return static_cast<std::uint32_t>(lab.stream(Engine::load).size()); }

template <class T>
std::vector<T> run_matmul(Lab lab, const Matmul& matmul) {
  const std::uint32_t count = matmul.m * matmul.n;
  lab.add(Engine::array, matmul, {loads(lab), 0, 0, 0});
  lab.add(Engine::store, piece(Lab::kL2, kOut, count * 4), {0, 1, 0, 0});
  lab.end_streams();
  EXPECT_THAT(check_program(lab.program, lab.limits), testing::IsEmpty());
  EXPECT_TRUE(lab.run().finished);
  return lab.get<T>(Lab::kL2, count);
}

Matmul matmul_2x3x2(Dtype dtype) {
  const auto size = static_cast<std::uint32_t>(bytes_of(dtype));
  return {.a = kA,
          .w = kW,
          .out = kOut,
          .m = 2,
          .k = 3,
          .n = 2,
          .a_pitch = 3 * size,
          .w_pitch = 2 * size,
          .out_pitch = 8,
          .a_dtype = dtype,
          .w_dtype = dtype};
}

TEST(MatmulCommand, Int8SumsInInt32) {
  auto lab = with_operands<std::int8_t, std::int8_t>({1, 2, 3, -4, -5, -128}, {1, -1, 2, -2, 3, 127});
  EXPECT_THAT(run_matmul<std::int32_t>(std::move(lab), matmul_2x3x2(Dtype::int8)),
              ElementsAre(1 * 1 + 2 * 2 + 3 * 3, -1 - 2 * 2 + 3 * 127, -4 - 5 * 2 - 128 * 3, 4 + 5 * 2 - 128 * 127));
}

TEST(MatmulCommand, AccumulatesOnWhatIsThere) {
  auto matmul = matmul_2x3x2(Dtype::int8);
  matmul.accumulate = true;
  auto lab = with_operands<std::int8_t, std::int8_t>({1, 0, 0, 0, 1, 0}, {1, 2, 3, 4, 5, 6}, {100, 200, 300, 400});
  EXPECT_THAT(run_matmul<std::int32_t>(std::move(lab), matmul), ElementsAre(101, 202, 303, 404));
}

TEST(MatmulCommand, TransposesW) {
  auto matmul = matmul_2x3x2(Dtype::int8);
  matmul.transpose_w = true;
  matmul.w_pitch = 3;
  auto lab = with_operands<std::int8_t, std::int8_t>({1, 2, 3, 4, 5, 6}, {1, 0, 0, 0, 0, 1});
  EXPECT_THAT(run_matmul<std::int32_t>(std::move(lab), matmul), ElementsAre(1, 3, 4, 6));
}

TEST(MatmulCommand, OverflowWraps) {
  auto matmul = matmul_2x3x2(Dtype::int8);
  matmul.m = 1;
  matmul.accumulate = true;
  auto lab = with_operands<std::int8_t, std::int8_t>({1, 0, 0}, {1, -1, 0, 0, 0, 0}, {2147483647, -2147483647 - 1});
  EXPECT_THAT(run_matmul<std::int32_t>(std::move(lab), matmul), ElementsAre(-2147483647 - 1, 2147483647));
}

TEST(MatmulCommand, Fp32SumsRunInAscendingK) {
  // 2^24 + 1 is no fp32: added one by one, both ones vanish; added first, they would make 2^24 + 2.
  auto lab = with_operands<float, float>({0x1p24F, 1, 1, 1, 1, 0x1p24F}, {1, 0, 1, 0, 1, 0});
  const auto out = run_matmul<float>(std::move(lab), matmul_2x3x2(Dtype::fp32));
  EXPECT_EQ(out[0], 0x1p24F + 1.0F + 1.0F);
  EXPECT_EQ(out[0], 0x1p24F);
  EXPECT_EQ(out[2], 0x1p24F + 2.0F);
}

TEST(MatmulCommand, Bf16ProductsAreExact) {
  // (1 + 2^-7)^2 = 1 + 2^-6 + 2^-14 needs 15 bits.
  const std::uint16_t x = bf16_from(1.0F + 0x1p-7F);
  auto matmul = matmul_2x3x2(Dtype::bf16);
  matmul.m = matmul.k = matmul.n = 1;
  EXPECT_THAT(run_matmul<float>(with_operands<std::uint16_t, std::uint16_t>({x}, {x}), matmul),
              ElementsAre(1.0F + 0x1p-6F + 0x1p-14F));
}

/// Runs one vector command on rows of fp32 at kA (source 0) and kW (source 1); fp32 at kResult.
std::vector<float> run_vector(const std::vector<float>& a, const std::vector<float>& b, Vector vector) {
  auto lab = with_operands<float, float>(a, b);
  const std::uint32_t pitch = vector.columns * 4;
  vector.source[0] = {.address = kA, .pitch = pitch, .dtype = Dtype::fp32, .scale = vector.source[0].scale};
  vector.source[1] = {.address = kW, .pitch = b.size() == vector.columns ? 0 : pitch, .dtype = Dtype::fp32};
  if (vector.function == VectorFunction::layernorm) {
    vector.source[2] = vector.source[1];
  }
  vector.destination = {.address = kResult, .pitch = pitch, .dtype = Dtype::fp32};
  lab.add(Engine::vector, vector, {loads(lab), 0, 0, 0});
  lab.add(Engine::store, piece(Lab::kL2, kResult, vector.rows * pitch), {0, 0, 1, 0});
  lab.end_streams();
  EXPECT_THAT(check_program(lab.program, lab.limits), testing::IsEmpty());
  EXPECT_TRUE(lab.run().finished);
  return lab.get<float>(Lab::kL2, std::size_t{vector.rows} * vector.columns);
}

TEST(VectorCommand, Elementwise) {
  const std::vector<float> a{1, -2, 3, -4};
  const std::vector<float> b{10, 20, 30, 40};
  const auto run = [&](VectorFunction function, float parameter0 = 0.0F) {
    return run_vector(a, b, {.function = function, .rows = 2, .columns = 2, .parameter0 = parameter0});
  };
  EXPECT_THAT(run(VectorFunction::copy), ElementsAre(1, -2, 3, -4));
  EXPECT_THAT(run(VectorFunction::add), ElementsAre(11, 18, 33, 36));
  EXPECT_THAT(run(VectorFunction::sub), ElementsAre(-9, -22, -27, -44));
  EXPECT_THAT(run(VectorFunction::mul), ElementsAre(10, -40, 90, -160));
  EXPECT_THAT(run(VectorFunction::scale, 0.5F), ElementsAre(0.5F, -1, 1.5F, -2));
  EXPECT_THAT(run(VectorFunction::axpy, 0.1F),
              ElementsAre(1 + 0.1F * 10, -2 + 0.1F * 20, 3 + 0.1F * 30, -4 + 0.1F * 40));
  EXPECT_THAT(run(VectorFunction::relu), ElementsAre(1, 0, 3, 0));
  EXPECT_THAT(run(VectorFunction::glu_relu), ElementsAre(10, 0, 90, 0));
}

TEST(VectorCommand, PitchZeroBroadcastsARow) {
  EXPECT_THAT(run_vector({1, 2, 3, 4}, {10, 20}, {.function = VectorFunction::add, .rows = 2, .columns = 2}),
              ElementsAre(11, 22, 13, 24));
}

TEST(VectorCommand, Activations) {
  const std::vector<float> x{-3, -0.5F, 0, 2};
  const auto expect = [&](VectorFunction function, double (*exact)(double)) {
    std::vector<float> wanted;
    for (const float value : x) wanted.push_back(static_cast<float>(exact(value)));
    EXPECT_THAT(run_vector(x, {1}, {.function = function, .rows = 1, .columns = 4}), Pointwise(FloatEq(), wanted))
        << name_of(function);
  };
  expect(VectorFunction::tanh, [](double v) { return std::tanh(v); });
  expect(VectorFunction::sigmoid, [](double v) { return 1 / (1 + std::exp(-v)); });
  expect(VectorFunction::silu, [](double v) { return v / (1 + std::exp(-v)); });
  expect(VectorFunction::gelu_erf, [](double v) { return v * 0.5 * std::erfc(-v / std::sqrt(2.0)); });
  expect(VectorFunction::gelu_tanh,
         [](double v) { return v * 0.5 * (1 + std::tanh(0.7978845608028654 * (v + 0.044715 * v * v * v))); });
}

TEST(VectorCommand, Norms) {
  // Mean 2, variance (1 + 1) / 2 = 1; gamma and beta are one row: {10, 20}.
  EXPECT_THAT(run_vector({1, 3}, {10, 20}, {.function = VectorFunction::layernorm, .rows = 1, .columns = 2}),
              ElementsAre(-1 * 10 + 10, 1 * 20 + 20));
  // Mean square (9 + 16) / 2 = 12.5 minus epsilon -> root 5 with epsilon 12.5.
  EXPECT_THAT(
      run_vector({3, 4}, {10, 20},
                 {.function = VectorFunction::rmsnorm, .rows = 1, .columns = 2, .parameter0 = 12.5F, .parameter1 = 1}),
      ElementsAre(3.0F / 5 * (1 + 10), 4.0F / 5 * (1 + 20)));
}

TEST(VectorCommand, SoftmaxSeesWhatIsVisible) {
  const double e = std::exp(1.0);
  EXPECT_THAT(run_vector({1, 2}, {0}, {.function = VectorFunction::softmax, .rows = 1, .columns = 2, .parameter0 = 1}),
              Pointwise(FloatEq(), {static_cast<float>(1 / (1 + e)), static_cast<float>(e / (1 + e))}));
  EXPECT_THAT(run_vector({5, 9, 5, 5, 7, 7}, {0},
                         {.function = VectorFunction::softmax,
                          .rows = 3,
                          .columns = 2,
                          .parameter0 = 1,
                          .visible = 0,
                          .visible_step = 1}),
              ElementsAre(0, 0, 1, 0, 0.5F, 0.5F));
}

TEST(VectorCommand, RopeTurnsTheHalvesOfEachHead) {
  // Position 3, head_dim 2: angle 3 * theta^0 = 3.
  const float c = static_cast<float>(std::cos(3.0));
  const float s = static_cast<float>(std::sin(3.0));
  EXPECT_THAT(run_vector({1, 0, 0, 1}, {0},
                         {.function = VectorFunction::rope,
                          .rows = 1,
                          .columns = 4,
                          .parameter0 = 10000,
                          .integer0 = 2,
                          .integer1 = 3}),
              ElementsAre(c, s, -s, c));
  // head_dim 4: element 0 pairs with 2, and element 1 with 3 at theta^(-1/2) = 1/100 of the speed.
  const float slow_c = static_cast<float>(std::cos(0.03));
  const float slow_s = static_cast<float>(std::sin(0.03));
  EXPECT_THAT(run_vector({1, 1, 0, 0}, {0},
                         {.function = VectorFunction::rope,
                          .rows = 1,
                          .columns = 4,
                          .parameter0 = 10000,
                          .integer0 = 4,
                          .integer1 = 3}),
              Pointwise(FloatEq(), {c, slow_c, s, slow_s}));
}

TEST(VectorCommand, SincosRunsFromPeriodToPeriod) {
  auto lab = with_operands<float, float>({0.25F}, {0});
  lab.add(Engine::vector,
          Vector{.function = VectorFunction::sincos,
                 .rows = 1,
                 .columns = 4,
                 .source = {{{.address = kA, .dtype = Dtype::fp32}}},
                 .destination = {.address = kResult, .dtype = Dtype::fp32},
                 .parameter0 = 1,
                 .parameter1 = 4},
          {loads(lab), 0, 0, 0});
  lab.add(Engine::store, piece(Lab::kL2, kResult, 16), {0, 0, 1, 0});
  lab.end_streams();
  ASSERT_TRUE(lab.run().finished);
  const double quarter = std::acos(0.0);
  EXPECT_THAT(lab.get<float>(Lab::kL2, 4),
              Pointwise(FloatEq(), {1.0F, static_cast<float>(std::sin(quarter / 4)),
                                    static_cast<float>(std::cos(quarter)), static_cast<float>(std::cos(quarter / 4))}));
}

TEST(VectorCommand, ReadsAndWritesInScales) {
  auto lab = with_operands<std::int32_t, std::int8_t>({7, -100}, {4, -6});
  lab.add(Engine::vector,
          Vector{.function = VectorFunction::add,
                 .rows = 1,
                 .columns = 2,
                 .source = {{{.address = kA, .dtype = Dtype::int32, .scale = 0.5F},
                             {.address = kW, .dtype = Dtype::int8, .scale = 0.25F}}},
                 .destination = {.address = kResult, .dtype = Dtype::int8, .scale = 2.0F}},
          {loads(lab), 0, 0, 0});
  lab.add(Engine::store, piece(Lab::kL2, kResult, 2), {0, 0, 1, 0});
  lab.end_streams();
  ASSERT_TRUE(lab.run().finished);
  // (7 / 2 + 4 / 4) / 2 = 2.25 and (-100 / 2 - 6 / 4) / 2 = -25.75
  EXPECT_THAT(lab.get<std::int8_t>(Lab::kL2, 2), ElementsAre(2, -26));
}

/// Two key tiles of flash attention: scores s at kA, values are the identity, so the output is the softmax itself.
TEST(VectorCommand, SoftmaxStepsJoinTiles) {
  const std::vector<float> scores{1, 3, 2, 4};
  auto lab = with_operands<float, float>(scores, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
  const auto state = LocalAddress::scratchpad(512);
  const auto p = LocalAddress::scratchpad(640);
  for (std::uint32_t tile = 0; tile < 2; ++tile) {
    lab.add(Engine::vector,
            Vector{.function = VectorFunction::softmax_step,
                   .rows = 1,
                   .columns = 2,
                   .source = {{{.address = LocalAddress::scratchpad(tile * 8), .dtype = Dtype::fp32},
                               {.address = state, .dtype = Dtype::fp32},
                               {.address = kOut, .dtype = Dtype::fp32}}},
                   .destination = {.address = p, .dtype = Dtype::fp32},
                   .parameter0 = 0.5F,
                   .integer0 = 4,
                   .integer1 = tile == 0 ? 1U : 0U},
            {2, tile, 0, 0});
    lab.add(Engine::array,
            Matmul{.a = p,
                   .w = LocalAddress::scratchpad(256 + tile * 32),
                   .out = kOut,
                   .m = 1,
                   .k = 2,
                   .n = 4,
                   .a_pitch = 8,
                   .w_pitch = 16,
                   .out_pitch = 16,
                   .a_dtype = Dtype::fp32,
                   .w_dtype = Dtype::fp32,
                   .accumulate = true},
            {0, 0, tile + 1, 0});
  }
  lab.add(Engine::vector,
          Vector{.function = VectorFunction::softmax_finish,
                 .rows = 1,
                 .columns = 4,
                 .source = {{{.address = kOut, .dtype = Dtype::fp32}, {.address = state, .dtype = Dtype::fp32}}},
                 .destination = {.address = kResult, .dtype = Dtype::fp32}},
          {0, 2, 0, 0});
  lab.add(Engine::store, piece(Lab::kL2, kResult, 16), {0, 0, 3, 0});
  lab.end_streams();
  EXPECT_THAT(check_program(lab.program, lab.limits), testing::IsEmpty());
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    ASSERT_TRUE(lab.run(seed).finished);
    double sum = 0;
    for (const float s : scores) sum += std::exp(s / 2);
    std::vector<float> wanted;
    for (const float s : scores) wanted.push_back(static_cast<float>(std::exp(s / 2) / sum));
    EXPECT_THAT(lab.get<float>(Lab::kL2, 4), Pointwise(testing::FloatNear(1e-6F), wanted));
  }
}

}  // namespace
}  // namespace archsim
