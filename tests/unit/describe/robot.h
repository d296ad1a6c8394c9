// A made-up model's tables with a param of every kind that there is.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arch/describe/fields.h"
#include "arch/describe/stats.h"
#include "arch/units/quantity.h"

namespace archsim {

enum class Mode { cached, software_managed };
enum class Number { int8, bf16, fp32 };

struct ArmParams {
  Bytes capacity = 2_MiB;
  unsigned banks = 16;

  static constexpr auto fields() {
    using P = ArmParams;
    return fields_of(param<&P::capacity>("data held").between(4_KiB, 64_MiB),
                     param<&P::banks>("banks, word-interleaved").between(1, 64).power_of_two());
  }
  static constexpr auto rules() {
    using P = ArmParams;
    return rules_of(rule<&P::capacity>("`capacity` must be a whole number of bytes in every bank",
                                       [](const P& p) { return p.capacity.value % p.banks == 0; }));
  }
};

struct RobotParams {
  unsigned rows = 64;
  std::uint64_t seed = 1;
  double gain = 0.5;
  bool is_fast = false;
  std::string label = "walker";
  Mode mode = Mode::cached;
  Cycles latency = 2_cycles;
  Bandwidth link = Bandwidth(51.2e9);
  std::vector<Mode> modes = {Mode::cached};
  std::map<Number, unsigned> dtypes = {{Number::int8, 1}};
  std::optional<Bytes> limit = {};
  ArmParams arm = {.capacity = 1_MiB};

  static constexpr auto fields() {
    using P = RobotParams;
    return fields_of(param<&P::rows>("rows of joints").between(1, 1024), param<&P::seed>("of the random numbers"),
                     param<&P::gain>("of the controller").between(0.0, 1.0), param<&P::is_fast>("whether it runs"),
                     param<&P::label>("painted on it").not_empty(), param<&P::mode>("how its memory is used"),
                     param<&P::latency>("from eye to arm").between(1_cycles, 16_cycles),
                     param<&P::link>("to the other robots"), param<&P::modes>("that it can change to").not_empty(),
                     param<&P::dtypes>("numbers it counts with, and how many at once").between(1, 8),
                     param<&P::limit>("on what it carries").power_of_two(), param<&P::arm>("its one arm"));
  }
};

struct RobotStats {
  Total<Bytes> carried;
  Total<Cycles> stall_cycles;
  Total<Time> moved;
  Peak<Bytes> load;
  Count steps;
  TimeShares leg;

  static constexpr auto fields() {
    using S = RobotStats;
    return fields_of(stat<&S::carried>("bytes carried"), stat<&S::stall_cycles>("cycles it stood"),
                     stat<&S::moved>("time it moved"), stat<&S::load>("most bytes carried at once"),
                     stat<&S::steps>("steps taken"), stat<&S::leg>("its leg's time"));
  }
};

template <class T>
struct RobotEvents {
  T step, fall;

  static constexpr auto fields() {
    using E = RobotEvents;
    return fields_of(event<&E::step>("one step", "leg.step"), event<&E::fall>("one fall", "leg.fall"));
  }
};

}  // namespace archsim
