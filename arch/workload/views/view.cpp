#include "arch/workload/views/view.h"

namespace archsim {

Extents extents_of(const Operator& op, std::string_view name) {
  Extents extents;
  for (const auto extent : op.integers(name)) extents.push_back(static_cast<std::uint64_t>(extent));
  return extents;
}

Extents result_extents(const Operator& op, std::uint64_t ids) {
  Extents extents = extents_of(op, "extents");
  const auto axis = static_cast<std::size_t>(op.integer("axis", 0));
  switch (op.type) {
    case OperatorType::transpose: {
      Extents result;
      for (const auto from : extents_of(op, "order")) result.push_back(extents[from]);
      return result;
    }
    case OperatorType::expand:
      return extents_of(op, "result");
    case OperatorType::reduce:
      extents[axis] = 1;
      return extents;
    case OperatorType::gather:
      extents[axis] = ids;
      return extents;
    case OperatorType::pad: {
      const Extents begin = extents_of(op, "begin"), end = extents_of(op, "end");
      for (std::size_t d = 0; d < extents.size(); ++d) extents[d] += begin[d] + end[d];
      return extents;
    }
    default:
      return extents;
  }
}

void Places::next() {
  for (std::size_t d = place_.size(); d-- > 0;) {
    if (++place_[d] < extents_[d]) return;
    place_[d] = 0;
  }
}

std::uint64_t index_of(const Extents& place, const Extents& extents) {
  std::uint64_t index = 0;
  for (std::size_t d = 0; d < extents.size(); ++d) index = index * extents[d] + place[d];
  return index;
}

}  // namespace archsim
