#include "tests/random_trace/trace_builder.h"

#include <utility>

namespace archsim {

std::uint32_t TraceBuilder::tensor(Tensor tensor) {
  trace_.tensors.push_back(std::move(tensor));
  return static_cast<std::uint32_t>(trace_.tensors.size() - 1);
}

void TraceBuilder::begin_stage(const std::string& name, std::uint32_t count) {
  stage_ = name;
  begin_repeat(name, count);
}

void TraceBuilder::end_stage() {
  trace_.stages.push_back({.name = stage_, .repeat = std::move(open_.back())});
  open_.clear();
}

std::uint32_t TraceBuilder::begin_repeat(const std::string& name, std::uint32_t count) {
  trace_.loops.push_back({.name = name, .count = count});
  open_.push_back({.loop = static_cast<std::uint32_t>(trace_.loops.size() - 1), .body = {}});
  return loop();
}

void TraceBuilder::end_repeat() {
  Repeat done = std::move(open_.back());
  open_.pop_back();
  open_.back().body.emplace_back(std::move(done));
}

std::string TraceBuilder::unique(const std::string& name) {
  return stage_ + "." + name + "_" + std::to_string(number_++);
}

void TraceBuilder::add(OperatorType type, const std::string& name, const std::vector<TensorUse>& inputs,
                       const std::vector<TensorUse>& outputs, Attributes attributes) {
  open_.back().body.emplace_back(static_cast<std::uint32_t>(trace_.operators.size()));
  trace_.operators.push_back(
      {.name = unique(name), .type = type, .attributes = std::move(attributes), .inputs = inputs, .outputs = outputs});
}

}  // namespace archsim
