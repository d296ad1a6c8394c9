#include "arch/units/text.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>

namespace archsim {
namespace {

template <class Q>
Q value(std::string_view text) {
  const auto parsed = parse<Q>(text);
  EXPECT_TRUE(parsed) << text << ": " << parsed.error;
  return parsed ? *parsed.value : Q::zero();
}

template <class Q>
std::string error(std::string_view text) {
  const auto parsed = parse<Q>(text);
  EXPECT_FALSE(parsed) << text;
  return parsed.error;
}

TEST(Text, KibIs1024AndKbIs1000) {
  EXPECT_EQ(value<Bytes>("256 KiB"), Bytes(256 * 1024));
  EXPECT_EQ(value<Bytes>("256 kB"), Bytes(256 * 1000));
  EXPECT_EQ(value<Bytes>("16 GiB"), Bytes(16ULL * 1024 * 1024 * 1024));
  EXPECT_EQ(value<Bandwidth>("1 KiB/s"), Bandwidth(1024));
}

TEST(Text, DecimalsAreTakenWhereTheyComeOutWhole) {
  EXPECT_EQ(value<Bytes>("1.5 MiB"), Bytes(3 * 512 * 1024));
  EXPECT_EQ(value<Bytes>("2.50 kB"), Bytes(2500));
  EXPECT_EQ(value<Bytes>("3.0 B"), Bytes(3));
  EXPECT_EQ(value<Bytes>("256KiB"), Bytes(256 * 1024));
}

TEST(Text, EveryQuantity) {
  EXPECT_EQ(value<Cycles>("2 cycles"), 2_cycles);
  EXPECT_EQ(value<Cycles>("1 cycle"), 1_cycles);
  EXPECT_EQ(value<Frequency>("1.2 GHz"), Frequency(1'200'000'000));
  EXPECT_EQ(value<Time>("10 us"), 10_us);
  EXPECT_EQ(value<Time>("0.5 ns"), 500_ps);
  EXPECT_EQ(value<Bandwidth>("51.2 GB/s"), Bandwidth(51.2e9));
  EXPECT_EQ(value<Energy>("0.25 pJ"), Energy(0.25e-12));
  EXPECT_EQ(value<Power>("15 mW"), Power(15e-3));
  EXPECT_EQ(value<Area>("1.5 mm2"), Area(1.5e-6));
}

TEST(Text, WhatIsRefusedAndWhy) {
  EXPECT_EQ(error<Bytes>("256"), "it has no unit");
  EXPECT_EQ(error<Bytes>("256  "), "it has no unit");
  EXPECT_EQ(error<Bytes>("2 GHz"), "unknown unit `GHz`");
  EXPECT_EQ(error<Bytes>("2 KB"), "unknown unit `KB`");
  EXPECT_EQ(error<Bytes>("2 KiB "), "unknown unit `KiB `");
  EXPECT_EQ(error<Bytes>("1.5 B"), "it is not a whole number");
  EXPECT_EQ(error<Cycles>("0.5 cycles"), "it is not a whole number");
  EXPECT_EQ(error<Bytes>(""), "it does not start with a number");
  EXPECT_EQ(error<Bytes>("KiB"), "it does not start with a number");
  EXPECT_EQ(error<Bytes>("-1 KiB"), "it does not start with a number");
  EXPECT_EQ(error<Bytes>("1. KiB"), "it does not start with a number");
  EXPECT_EQ(error<Bytes>("1.2.3 KiB"), "it does not start with a number");
  EXPECT_EQ(error<Energy>("1e-12 J"), "unknown unit `e-12 J`");
}

TEST(Text, OverflowIsRefused) {
  EXPECT_EQ(value<Bytes>("16777215 TiB"), Bytes(16777215ULL << 40));
  EXPECT_EQ(error<Bytes>("16777216 TiB"), "it is too large");  // 2^24 x 2^40 = 2^64
  EXPECT_EQ(error<Bytes>("100000000000000000000000000000000000000000 B"), "it has too many digits");
  EXPECT_EQ(value<Time>("18446744 s"), Time(18446744 * kPicosecondsPerSecond));
  EXPECT_EQ(error<Time>("18446745 s"), "it is too large");
  EXPECT_EQ(error<Bandwidth>(std::string(400, '9') + " GB/s"), "it is too large or too small");
}

TEST(Text, ShownInTheLargestUnitThatFits) {
  EXPECT_EQ(show(0_B), "0 B");
  EXPECT_EQ(show(1_MiB), "1 MiB");
  EXPECT_EQ(show(1536_KiB), "1536 KiB");
  EXPECT_EQ(show(1000_B), "1000 B");
  EXPECT_EQ(show(1_cycles), "1 cycle");
  EXPECT_EQ(show(1500_ps), "1.5 ns");
  EXPECT_EQ(show(Frequency(833'333'333)), "833.333333 MHz");
  EXPECT_EQ(show(0_ps), "0 ps");
  EXPECT_EQ(show(Bandwidth(102.4e9)), "102.4 GB/s");
  EXPECT_EQ(show(Bandwidth(1e9)), "1 GB/s");
  EXPECT_EQ(show(Energy(0.25e-12)), "250 fJ");
  EXPECT_EQ(show(Energy(0)), "0 J");
  EXPECT_EQ(show(Area(36e-6)), "36 mm2");
}

template <class Q>
void expect_round_trip(Q quantity) {
  EXPECT_EQ(value<Q>(show(quantity)), quantity) << show(quantity);
}

TEST(Text, WhatIsShownReadsBackExactly) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t whole = random() >> (random() % 64);
    expect_round_trip(Bytes(whole));
    expect_round_trip(Cycles(whole));
    expect_round_trip(Time(whole));
    expect_round_trip(Frequency(whole));
    const double fraction = std::uniform_real_distribution(1.0, 10.0)(random);
    const double real = fraction * std::pow(10.0, static_cast<int>(random() % 40) - 20);
    expect_round_trip(Bandwidth(real));
    expect_round_trip(Energy(real));
    expect_round_trip(Power(real));
    expect_round_trip(Area(real));
  }
  expect_round_trip(Time(std::numeric_limits<std::uint64_t>::max()));
}

TEST(Text, TheExampleOfEachQuantityIsOne) {
  value<Bytes>(QuantityText<Bytes>::units().example);
  value<Cycles>(QuantityText<Cycles>::units().example);
  value<Time>(QuantityText<Time>::units().example);
  value<Frequency>(QuantityText<Frequency>::units().example);
  value<Bandwidth>(QuantityText<Bandwidth>::units().example);
  value<Energy>(QuantityText<Energy>::units().example);
  value<Power>(QuantityText<Power>::units().example);
  value<Area>(QuantityText<Area>::units().example);
}

}  // namespace
}  // namespace archsim
