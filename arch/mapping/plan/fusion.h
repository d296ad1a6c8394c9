// The fusion passes, over the operators that stand between two loop boundaries.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/mapping/plan/schedule.h"

namespace archsim {

class Fusion {
 public:
  Fusion(const Trace& trace, const MachineView& machine, const MappingOptions& options);

  /// The groups of a run of operators, each standing at the place of its last operator.
  std::vector<Group> run(const std::vector<std::uint32_t>& operators) const;

 private:
  // True if `reader` is the only reader of what `writer` leaves, and nobody else needs it.
  std::uint32_t only_reader(std::uint32_t writer) const;
  bool all_have(const Group& group, std::uint32_t op) const;
  bool may_delay(const Group& group, const std::vector<std::uint32_t>& run, std::uint32_t last) const;
  Group group_of(std::uint32_t op) const;
  void grow(Group& group, const std::vector<std::uint32_t>& run) const;
  bool take_glu(Group& group, std::uint32_t reader, const std::vector<std::uint32_t>& run) const;
  bool take_activation(Group& group, std::uint32_t reader) const;
  bool take_residual(Group& group, std::uint32_t reader) const;
  void add(Group& group, std::uint32_t op, const char* pass) const;

  const Trace& trace_;
  const MachineView& machine_;
  const MappingOptions& options_;
  std::vector<std::vector<std::uint32_t>> readers_;  // by tensor: operators, once for each use
  std::vector<unsigned> writers_;                    // by tensor
};

}  // namespace archsim
