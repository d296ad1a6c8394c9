// What is done in which order: the trace's operators gathered into groups that are mapped as one, and its loops.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch/describe/diagnostic.h"
#include "arch/machine/capabilities.h"
#include "arch/mapping/batch/joined_copies.h"
#include "arch/mapping/map.h"
#include "arch/mapping/overrule/choices.h"
#include "arch/workload/trace.h"

namespace archsim {

/// Which template maps a group.
enum class Work : std::uint8_t { product, attention, vector, movement, staging, host };

struct Group {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  Work work = Work::vector;
  std::vector<std::uint32_t> operators;     // in program order; the last one writes what the group leaves
  std::vector<std::uint32_t> accelerators;  // that can run it; empty for the host
  std::string why;                          // why on the host

  // Work::product: one linear or matmul, or two linears whose results meet in `glu`; what follows is fused.
  std::vector<std::uint32_t> products;
  std::vector<std::uint32_t> beside;  // linears of the same input, whose results stand beside that of products[0]
  std::uint32_t activation = kNone;
  std::uint32_t glu = kNone;
  std::uint32_t residual = kNone;
  TensorUse residual_input;         // what is added to the result
  std::vector<std::string> passes;  // by operator: the pass that fused it, or empty

  // Work::attention: by input, the rotary embedding that is done on its tiles once they are loaded; kNone: none.
  std::vector<std::uint32_t> ropes;

  // Work::staging (plan/staging.h): tensors. `operators` holds the first that reads the copy.
  std::uint32_t staged_from = kNone, staged_to = kNone;

  std::uint32_t last() const { return operators.back(); }
  /// All that read the input: `products` or products[0] and those beside it, in the order of their columns.
  std::vector<std::uint32_t> linears() const {
    std::vector<std::uint32_t> all = products;
    all.insert(all.end(), beside.begin(), beside.end());
    return all;
  }
};

/// The operator that a group is called by: its (first) product, attention, or only operator.
std::uint32_t main_operator(const Group& group);

struct ScheduleItem {
  enum class Kind : std::uint8_t { loop_begin, loop_end, group };
  Kind kind = Kind::group;
  std::uint32_t index = 0;  // of the trace's loop, or into Schedule::groups
};

struct Schedule {
  std::vector<Group> groups;
  std::vector<ScheduleItem> items;
  JoinedCopies joined;  // among the trace's tensors
};

/// Runs the fusion passes and decides where each group runs. Errors: an operator that nothing can run, and
/// choices of the user that cannot be.
Checked<Schedule> make_schedule(const Trace& trace, const MachineView& machine, const MappingOptions& options,
                                const JoinedCopies& joined, const Overrules& overrules = {});

}  // namespace archsim
