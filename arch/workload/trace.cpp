#include "arch/workload/trace.h"

#include <functional>
#include <utility>

#include "arch/workload/visit.h"

namespace archsim {

std::uint64_t Tensor::elements() const {
  std::uint64_t product = 1;
  for (const auto extent : shape) product *= extent;
  return product;
}

std::uint64_t Tensor::bytes() const { return packing().bytes(elements()); }

std::uint64_t Tensor::number_of_copies() const {
  std::uint64_t product = 1;
  for (const auto extent : copies) product *= extent;
  return product;
}

std::int64_t Operator::integer(std::string_view attribute, std::int64_t otherwise) const {
  const auto found = attributes.find(attribute);
  if (found == attributes.end()) return otherwise;
  const auto* value = std::get_if<std::int64_t>(&found->second);
  return value ? *value : otherwise;
}

double Operator::number(std::string_view attribute, double otherwise) const {
  const auto found = attributes.find(attribute);
  if (found == attributes.end()) return otherwise;
  if (const auto* value = std::get_if<double>(&found->second)) return *value;
  if (const auto* value = std::get_if<std::int64_t>(&found->second)) return static_cast<double>(*value);
  return otherwise;
}

std::string Operator::text(std::string_view attribute, std::string_view otherwise) const {
  const auto found = attributes.find(attribute);
  if (found == attributes.end()) return std::string(otherwise);
  const auto* value = std::get_if<std::string>(&found->second);
  return value ? *value : std::string(otherwise);
}

bool Operator::flag(std::string_view attribute, bool otherwise) const {
  const auto found = attributes.find(attribute);
  if (found == attributes.end()) return otherwise;
  const auto* value = std::get_if<bool>(&found->second);
  return value ? *value : otherwise;
}

std::vector<std::int64_t> Operator::integers(std::string_view attribute) const {
  const auto found = attributes.find(attribute);
  if (found == attributes.end()) return {};
  const auto* value = std::get_if<std::vector<std::int64_t>>(&found->second);
  return value ? *value : std::vector<std::int64_t>{};
}

namespace {

using Visit = std::function<void(std::uint32_t index, const Position& position)>;

void walk(const Trace& trace, const Repeat& repeat, Position& here, const Visit& visit) {
  const std::uint64_t outside = here.instances;
  here.loops.push_back(repeat.loop);
  here.instances *= trace.loops[repeat.loop].count;
  for (const auto& step : repeat.body) {
    if (const auto* index = std::get_if<std::uint32_t>(&step)) {
      visit(*index, here);
    } else {
      walk(trace, std::get<Repeat>(step), here, visit);
    }
  }
  here.loops.pop_back();
  here.instances = outside;
}

}  // namespace

void visit_positions(const Trace& trace, const Visit& visit) {
  for (std::uint32_t index = 0; index < trace.stages.size(); ++index) {
    Position start;
    start.stage = index;
    walk(trace, trace.stages[index].repeat, start, visit);
  }
}

std::vector<Position> positions(const Trace& trace) {
  std::vector<Position> out(trace.operators.size());
  visit_positions(trace, [&](std::uint32_t index, const Position& position) { out[index] = position; });
  return out;
}

bool Window::fits() const { return height + 2 * padding[0] >= kernel[0] && width + 2 * padding[1] >= kernel[1]; }

Window window_of(const Operator& op) {
  Window window{.height = static_cast<std::uint64_t>(op.integer("height", 1)),
                .width = static_cast<std::uint64_t>(op.integer("width", 1))};
  const auto pair = [&op](std::string_view name, std::array<std::uint64_t, 2>& into) {
    const auto values = op.integers(name);
    for (std::size_t d = 0; d < into.size() && d < values.size(); ++d) into[d] = static_cast<std::uint64_t>(values[d]);
  };
  pair("kernel", window.kernel);
  pair("stride", window.stride);
  pair("padding", window.padding);
  return window;
}

}  // namespace archsim
