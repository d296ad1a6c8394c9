#include "arch/workload/rules/validate.h"

#include "arch/workload/rules/structure.h"

namespace archsim {

Problems problems_of(const Trace& trace) {
  Problems problems;
  check_steps(trace, problems);
  check_tensors(trace, problems);
  if (!problems.empty()) return problems;
  check_operators(trace, problems);
  if (!problems.empty()) return problems;
  check_operands(trace, problems);
  check_order(trace, problems);
  if (problems.empty()) check_data_flow(trace, problems);
  return problems;
}

Diagnostics validate(const Trace& trace, const Location& where) {
  Diagnostics out;
  for (const auto& problem : problems_of(trace)) out.error(where, problem.message, problem.help);
  return out;
}

}  // namespace archsim
