#include "arch/program/functional/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "arch/program/check/check.h"
#include "arch/program/functional/tensor_access.h"
#include "arch/program/reference/evaluate.h"

namespace archsim {
namespace {

struct Difference {
  std::uint64_t elements = 0;  // that differ by more than the tolerance
  std::uint64_t first = 0;
  double root_mean_square = 0.0;
  double largest = 0.0;
};

bool both_nan(float a, float b) { return std::isnan(a) && std::isnan(b); }

Difference exact_difference(const Array& expected, const Array& actual, int int8_steps) {
  Difference found;
  for (std::uint64_t i = 0; i < expected.elements(); ++i) {
    const float a = expected.stored(i);
    const float b = actual.stored(i);
    const auto steps = expected.dtype == Dtype::int8 ? static_cast<float>(int8_steps) : 0.0F;
    if (both_nan(a, b) || std::fabs(a - b) <= steps) continue;
    if (a == b) continue;  // infinities
    if (found.elements++ == 0) found.first = i;
  }
  return found;
}

/// In terms of the largest expected magnitude.
Difference relative_difference(const Array& expected, const Array& actual) {
  Difference found;
  double magnitude = 0.0;
  double squares = 0.0;
  for (std::uint64_t i = 0; i < expected.elements(); ++i) {
    const double a = expected.value(i);
    const double b = actual.value(i);
    const double difference = std::isnan(a) != std::isnan(b) ? INFINITY : std::isnan(a) ? 0.0 : std::fabs(a - b);
    if (!std::isnan(a)) magnitude = std::max(magnitude, std::fabs(a));
    squares += difference * difference;
    if (difference > found.largest) {
      found.largest = difference;
      found.first = i;
    }
  }
  const double unit = magnitude > 0.0 ? magnitude : 1.0;
  found.largest /= unit;
  found.root_mean_square =
      std::sqrt(squares / static_cast<double>(std::max<std::uint64_t>(1, expected.elements()))) / unit;
  return found;
}

std::string compare_copy(const Array& expected, const Array& actual, bool exact, const Tolerance& tolerance) {
  if (exact) {
    const auto found = exact_difference(expected, actual, tolerance.int8_steps);
    if (found.elements == 0) return {};
    return fmt::format("{} of {} elements differ, first [{}]: expected {}, is {}", found.elements, expected.elements(),
                       found.first, expected.value(found.first), actual.value(found.first));
  }
  const auto found = relative_difference(expected, actual);
  if (found.root_mean_square <= tolerance.root_mean_square && found.largest <= tolerance.largest) return {};
  return fmt::format(
      "differs by {:.4f} root mean square and {:.4f} at most of its largest value, at [{}]: expected {}, is {}",
      found.root_mean_square, found.largest, found.first, expected.value(found.first), actual.value(found.first));
}

std::string copy_text(const std::vector<std::uint32_t>& copy) {
  return copy.empty() ? std::string{} : fmt::format(" copy ({})", fmt::join(copy, ", "));
}

}  // namespace

std::vector<bool> reproducible_exactly(const Trace& trace) {
  std::vector<bool> exact(trace.tensors.size(), true);
  // Loops carry values backwards, so one pass is not enough.
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& op : trace.operators) {
      bool approximate = op.type == OperatorType::attention || op.type == OperatorType::softmax;
      for (const auto& use : op.inputs) approximate = approximate || !exact[use.tensor];
      for (const auto& use : op.outputs) {
        changed = changed || (approximate && exact[use.tensor]);
        if (approximate) exact[use.tensor] = false;
      }
    }
  }
  return exact;
}

Trace with_wide_tensors(Trace trace, const std::set<std::uint32_t>& tensors) {
  for (const auto index : tensors) {
    trace.tensors[index].dtype = Dtype::fp32;
    trace.tensors[index].scale = 1.0;
  }
  return trace;
}

void load_values(const Trace& trace, const Program& program, const TensorValues& values, AddressSpace& memory) {
  const auto given = given_tensors(trace);
  for (std::uint32_t t = 0; t < trace.tensors.size(); ++t) {
    if (!given[t]) continue;
    for_each_copy(trace.tensors[t],
                  [&](const auto& copy) { write_tensor(trace, program, memory, t, copy, values.at(t, copy)); });
  }
}

std::vector<std::uint32_t> result_tensors(const Trace& trace) {
  std::vector<std::uint32_t> results;
  for (std::uint32_t t = 0; t < trace.tensors.size(); ++t) {
    const auto role = trace.tensors[t].role;
    if (role == Role::output || role == Role::kv_cache) results.push_back(t);
  }
  return results;
}

std::vector<std::string> differences(const Trace& trace, const Program& program, const TensorValues& expected,
                                     const AddressSpace& memory, const std::vector<std::uint32_t>& tensors,
                                     const Tolerance& tolerance) {
  const auto exact = reproducible_exactly(trace);
  std::vector<std::string> all;
  for (const auto t : tensors) {
    for_each_copy(trace.tensors[t], [&](const auto& copy) {
      const auto text =
          compare_copy(expected.at(t, copy), read_tensor(trace, program, memory, t, copy), exact[t], tolerance);
      if (!text.empty()) all.push_back(fmt::format("{}{}: {}", trace.tensors[t].name, copy_text(copy), text));
    });
  }
  return all;
}

std::vector<std::string> check_equivalence(const Trace& trace, const Program& program, const ProgramLimits& limits,
                                           const EquivalenceRequest& request) {
  for (const auto& tensor : trace.tensors) {
    if (tensor.packing().is_plain()) continue;
    return {
        fmt::format("`{}` is {} in blocks, groups or half bytes, which the functional executor does not compute with",
                    tensor.name, name_of(tensor.dtype))};
  }
  auto wrong = check_program(program, limits);
  if (!wrong.empty()) return wrong;
  const Trace as_computed = with_wide_tensors(trace, request.wide);
  TensorValues expected = random_values(as_computed, request.value_seed);
  const TensorValues given = expected;
  evaluate(as_computed, expected);
  const auto tensors = request.tensors.empty() ? result_tensors(trace) : request.tensors;
  for (const auto seed : request.order_seeds) {
    FunctionalMachine machine(trace, program, limits);
    load_values(trace, program, given, machine.memory());
    const auto result = machine.run(seed);
    if (!result.finished) {
      wrong.push_back(fmt::format("order {}: {}", seed, result.report));
      continue;
    }
    for (const auto& text : differences(as_computed, program, expected, machine.memory(), tensors, request.tolerance)) {
      wrong.push_back(fmt::format("order {}: {}", seed, text));
    }
  }
  return wrong;
}

}  // namespace archsim
