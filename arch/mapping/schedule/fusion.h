// The fusion passes, over the operators that stand between two loop boundaries.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/mapping/overrule/choices.h"
#include "arch/mapping/schedule/schedule.h"

namespace archsim {

class Fusion {
 public:
  Fusion(const Trace& trace, const MachineView& machine, const MappingOptions& options, const JoinedCopies& joined,
         const Overrules& overrules);

  /// The groups of a run of operators, each standing at the place of its last operator.
  std::vector<Group> run(const std::vector<std::uint32_t>& operators) const;

 private:
  // The operator that alone reads what `writer` leaves, or kNone.
  std::uint32_t only_reader(std::uint32_t writer) const;
  bool all_have(const Group& group, std::uint32_t op) const;
  bool may_delay(const Group& group, const std::vector<std::uint32_t>& run, std::uint32_t last) const;
  Group group_of(std::uint32_t op) const;
  void grow(Group& group, const std::vector<std::uint32_t>& run) const;
  bool take_glu(Group& group, std::uint32_t reader, const std::vector<std::uint32_t>& run) const;
  bool take_activation(Group& group, std::uint32_t reader) const;
  bool take_residual(Group& group, std::uint32_t reader) const;
  // Of the groups of a run, each single linear takes in those of the same input that follow.
  void join_siblings(std::vector<Group>& groups, const std::vector<std::uint32_t>& run) const;
  bool may_stand_beside(const Group& first, const Group& second, const std::vector<std::uint32_t>& run) const;
  bool is_alone(const Group& group) const;
  // Of the groups of a run, each attention takes in the rotary embeddings of its queries and keys.
  void take_ropes(std::vector<Group>& groups, const std::vector<std::uint32_t>& run) const;
  bool may_turn(const Group& attention, std::size_t input, const Group& rope,
                const std::vector<std::uint32_t>& run) const;
  void add(Group& group, std::uint32_t op, const char* pass) const;
  // Whether the user leaves it open, or wants, that `op` is fused into `main`.
  bool may_join(std::uint32_t main, std::uint32_t op) const;
  // The same of all that is fused into the group's first product.
  bool may_be(const Group& group) const;

  const Trace& trace_;
  const MachineView& machine_;
  const MappingOptions& options_;
  const JoinedCopies& joined_;
  const Overrules& overrules_;
  struct Access {
    std::uint32_t op = 0;
    bool is_write = false;
  };
  void number_runs(const Repeat& repeat);

  std::vector<std::vector<Access>> accesses_;  // by tensor that has the bytes, in program order
  std::vector<std::uint32_t> run_of_;          // by operator: number of its run between two loop boundaries
  std::uint32_t runs_ = 0;
};

}  // namespace archsim
