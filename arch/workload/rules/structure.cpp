#include "arch/workload/rules/structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <set>
#include <string_view>

#include "arch/describe/near_name.h"
#include "arch/workload/rules/operator_rule.h"
#include "arch/workload/rules/validate.h"
#include "arch/workload/visit.h"

namespace archsim {
namespace {

constexpr std::uint32_t kLargestGroup = 65535;  // 16 bits of a command

class StepWalk {
 public:
  StepWalk(const Trace& trace, Problems& problems)
      : trace_(trace), problems_(problems), used_(trace.loops.size(), false) {}

  void stage(const Stage& stage) { repeat(stage.repeat, 1); }

  void finish() {
    if (next_ != trace_.operators.size()) {
      say(fmt::format("{} of {} operators stand in no stage", trace_.operators.size() - next_,
                      trace_.operators.size()));
    }
  }

 private:
  void say(std::string message, std::optional<std::uint32_t> loop = {}) {
    problems_.push_back({std::move(message), {}, std::nullopt, std::nullopt, loop});
  }

  void repeat(const Repeat& repeat, std::uint64_t instances) {
    if (repeat.loop >= trace_.loops.size()) return say(fmt::format("there is no loop {}", repeat.loop));
    const auto& loop = trace_.loops[repeat.loop];
    if (used_[repeat.loop]) return say(fmt::format("loop `{}` stands in two places", loop.name), repeat.loop);
    used_[repeat.loop] = true;
    if (loop.count == 0) return say(fmt::format("loop `{}` runs zero times", loop.name), repeat.loop);
    instances *= loop.count;
    if (instances > kMostInstances) {
      return say(fmt::format("loop `{}` makes more than 2^40 instances", loop.name), repeat.loop);
    }
    if (repeat.body.empty()) say(fmt::format("loop `{}` has an empty body", loop.name), repeat.loop);
    for (const auto& step : repeat.body) {
      if (const auto* index = std::get_if<std::uint32_t>(&step)) {
        place(*index);
      } else {
        this->repeat(std::get<Repeat>(step), instances);
      }
    }
  }

  void place(std::uint32_t index) {
    if (index >= trace_.operators.size()) return say(fmt::format("there is no operator {}", index));
    if (index != next_) say(fmt::format("operator {} stands where {} should: not in program order", index, next_));
    next_ = index + 1;
  }

  const Trace& trace_;
  Problems& problems_;
  std::vector<bool> used_;
  std::size_t next_ = 0;
};

// Reports, JSON and columns must be able to print it.
bool is_printable(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < 0x7F; });
}

// Whether a name came before. Open addressing over the indices of all names, whose hashes are known before the first is looked up: a
// table of a million is in no cache, so that its places are fetched ahead.
template <class Named>
class Names {
 public:
  explicit Names(const std::vector<Named>& all) : all_(all), slots_(std::bit_ceil(2 * all.size() + 1)) {
    hashes_.reserve(all.size());
    for (const Named& one : all) hashes_.push_back(std::hash<std::string_view>{}(one.name));
  }

  /// Indices in ascending order, each once.
  bool is_first(std::uint32_t index) {
    constexpr std::uint32_t kAhead = 16;
    if (index + kAhead < hashes_.size()) __builtin_prefetch(&slots_[hashes_[index + kAhead] & mask()], 1);
    const std::size_t hash = hashes_[index];
    std::size_t at = hash & mask();
    for (; slots_[at].index != Slot::kFree; at = (at + 1) & mask()) {
      const Slot& other = slots_[at];
      if (other.check == check_of(hash) && all_[other.index].name == all_[index].name) return false;
    }
    slots_[at] = {index, check_of(hash)};
    return true;
  }

 private:
  struct Slot {
    static constexpr std::uint32_t kFree = 0xFFFFFFFF;
    std::uint32_t index = kFree;
    std::uint32_t check = 0;  // bits of the hash that do not choose the slot
  };
  static std::uint32_t check_of(std::size_t hash) { return static_cast<std::uint32_t>(hash >> 32U); }
  std::size_t mask() const { return slots_.size() - 1; }

  const std::vector<Named>& all_;
  std::vector<std::size_t> hashes_;
  std::vector<Slot> slots_;
};

template <class Named>
void check_names(const std::vector<Named>& all, std::string_view what, bool is_operator, Problems& problems) {
  Names seen(all);
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const std::string& name = all[i].name;
    std::string message;
    if (name.empty()) {
      message = fmt::format("{} {} has no name", what, i);
    } else if (!seen.is_first(i)) {
      message = fmt::format("two {}s have the name `{}`", what, name);
    } else if (!is_printable(name)) {
      message = fmt::format("{} {} has blanks or other than ASCII characters in its name", what, i);
    } else {
      continue;
    }
    Problem problem{.message = std::move(message), .help = {}, .operator_index = {}, .tensor_index = {}};
    (is_operator ? problem.operator_index : problem.tensor_index) = i;
    problems.push_back(std::move(problem));
  }
}

// The product of all numbers, or 0 if it is 0 or above the limit.
template <class Numbers>
std::uint64_t limited_product(const Numbers& numbers, std::uint64_t start) {
  std::uint64_t product = start;
  for (const std::uint64_t number : numbers) {
    if (number == 0 || number > kMostElements / product) return 0;
    product *= number;
  }
  return product;
}

bool attribute_fits(const AttributeRule& rule, const AttributeValue& value) {
  const auto in_range = [&](std::int64_t number) { return number >= rule.low && number <= rule.high; };
  switch (rule.kind) {
    case AttributeKind::integer: {
      const auto* number = std::get_if<std::int64_t>(&value);
      return number && in_range(*number);
    }
    case AttributeKind::integers: {
      const auto* numbers = std::get_if<std::vector<std::int64_t>>(&value);
      return numbers && !numbers->empty() && std::all_of(numbers->begin(), numbers->end(), in_range);
    }
    case AttributeKind::number: {
      if (std::holds_alternative<std::int64_t>(value)) return true;
      const auto* number = std::get_if<double>(&value);
      return number && std::isfinite(*number);
    }
    case AttributeKind::flag:
      return std::holds_alternative<bool>(value);
    case AttributeKind::text: {
      const auto* text = std::get_if<std::string>(&value);
      return text && std::find(rule.choices.begin(), rule.choices.end(), *text) != rule.choices.end();
    }
  }
  return false;
}

std::string wanted_of(const AttributeRule& rule) {
  switch (rule.kind) {
    case AttributeKind::integer:
    case AttributeKind::integers:
      return fmt::format("{} from {} to {}", name_of(rule.kind), rule.low, rule.high);
    case AttributeKind::number:
      return "a finite number";
    case AttributeKind::flag:
      return std::string(name_of(rule.kind));
    case AttributeKind::text:
      return "one of " + quoted_list({rule.choices.begin(), rule.choices.end()});
  }
  return {};
}

class OperatorCheck {
 public:
  OperatorCheck(const Trace& trace, std::uint32_t index, const Position& position, Problems& problems)
      : trace_(trace),
        index_(index),
        op_(trace.operators[index]),
        rule_(rule_of(op_.type)),
        position_(position),
        problems_(problems) {}

  void run() {
    if (!rule_.inputs.contains(op_.inputs.size()) || !rule_.outputs.contains(op_.outputs.size())) {
      say(fmt::format("has {} inputs and {} outputs", op_.inputs.size(), op_.outputs.size()),
          fmt::format("{} takes {}", name_of(op_.type), rule_.signature));
    }
    attributes();
    for (const auto& use : op_.inputs) check_use(use);
    for (const auto& use : op_.outputs) check_use(use);
  }

 private:
  void say(const std::string& message, std::string help = {}) {
    problems_.push_back({fmt::format("operator `{}` ({}) {}", op_.name, name_of(op_.type), message), std::move(help),
                         index_, std::nullopt});
  }

  void attributes() {
    for (const auto& attribute : rule_.attributes) {
      const auto found = op_.attributes.find(attribute.name);
      if (found == op_.attributes.end()) {
        if (attribute.required) {
          say(fmt::format("lacks its attribute `{}`", attribute.name),
              fmt::format("`{}` is {}: {}", attribute.name, name_of(attribute.kind), attribute.meaning));
        }
      } else if (!attribute_fits(attribute, found->second)) {
        say(fmt::format("has a wrong attribute `{}`", attribute.name),
            fmt::format("it must be {}", wanted_of(attribute)));
      }
    }
    for (const auto& [name, value] : op_.attributes) {
      if (attribute_of(rule_, name) == nullptr) say(fmt::format("has no attribute `{}`", name), help_for(name));
    }
  }

  std::string help_for(const std::string& unknown) const {
    std::vector<std::string> known;
    for (const auto& attribute : rule_.attributes) known.emplace_back(attribute.name);
    return known.empty() ? "" : help_for_unknown(unknown, known);
  }

  void check_use(const TensorUse& use) {
    if (use.tensor >= trace_.tensors.size()) return say(fmt::format("names tensor {}, which there is not", use.tensor));
    const auto& tensor = trace_.tensors[use.tensor];
    if (use.copy.size() != tensor.copies.size()) {
      return say(fmt::format("gives {} copy indices for `{}`, which has {}", use.copy.size(), tensor.name,
                             tensor.copies.size()));
    }
    for (std::size_t d = 0; d < use.copy.size(); ++d) check_copy(tensor, use.copy[d], tensor.copies[d]);
  }

  void check_copy(const Tensor& tensor, const CopyIndex& index, std::uint32_t copies) {
    std::uint64_t last = index.offset;
    if (index.loop != CopyIndex::kFixed) {
      const auto& loops = position_.loops;
      if (std::find(loops.begin(), loops.end(), index.loop) == loops.end()) {
        return say(fmt::format("picks a copy of `{}` by a loop that it does not stand in", tensor.name));
      }
      last += trace_.loops[index.loop].count - 1;
    }
    if (last >= copies) {
      say(fmt::format("uses copy {} of `{}`, which has {} copies", last, tensor.name, copies),
          fmt::format("copies are counted from 0 to {}", copies - 1));
    }
  }

  const Trace& trace_;
  std::uint32_t index_;
  const Operator& op_;
  const OperatorRule& rule_;
  const Position& position_;
  Problems& problems_;
};

}  // namespace

void check_steps(const Trace& trace, Problems& problems) {
  StepWalk walk(trace, problems);
  std::set<std::string_view> names;
  const auto say = [&](std::string message, std::optional<std::uint32_t> loop = {}) {
    problems.push_back({std::move(message), {}, std::nullopt, std::nullopt, loop});
  };
  if (!is_printable(trace.model)) say("the model's name has blanks or other than ASCII characters");
  for (std::uint32_t i = 0; i < trace.loops.size(); ++i) {
    if (!is_printable(trace.loops[i].name)) say("a loop's name has blanks or other than ASCII characters", i);
  }
  for (const auto& stage : trace.stages) {
    if (stage.name.empty() || !is_printable(stage.name)) {
      say("a stage's name is empty, or has blanks or other than ASCII characters", stage.repeat.loop);
    }
    if (!names.insert(stage.name).second) {
      say(fmt::format("two stages have the name `{}`", stage.name), stage.repeat.loop);
    }
    walk.stage(stage);
  }
  walk.finish();
}

// Why a tensor cannot be stored in its blocks, groups or half bytes; empty if it can.
std::string grouping_problem(const Tensor& tensor) {
  const auto& grouping = tensor.grouping;
  if (tensor.shape.empty()) return {};
  const bool is_quantized = tensor.dtype == Dtype::int4 || tensor.dtype == Dtype::int8 ||
                            tensor.dtype == Dtype::fp8_e4m3 || tensor.dtype == Dtype::fp8_e5m2;
  if (grouping.group > 0 && !is_quantized)
    return fmt::format("is {}, which takes no group scales", name_of(tensor.dtype));
  if (grouping.group > kLargestGroup) return fmt::format("has groups of more than {} elements", kLargestGroup);
  const bool is_stored = tensor.role == Role::weight || tensor.role == Role::constant;
  if ((grouping.group > 0 || grouping.is_two_of_four) && !is_stored) {
    return fmt::format("is {}; only weights have groups or 2:4 sparsity", name_of(tensor.role));
  }
  const auto along = tensor.contracted();
  if (grouping.group > 0 && along % grouping.group != 0) {
    return fmt::format("has {} elements along its contracted dimension, which groups of {} do not divide", along,
                       grouping.group);
  }
  const auto block = packing_of(tensor.dtype).elements;
  if (along % block != 0) {
    return fmt::format("has {} elements along its contracted dimension, which {} blocks of {} do not divide", along,
                       name_of(tensor.dtype), block);
  }
  if (grouping.is_two_of_four && along % 4 != 0) {
    return fmt::format("has {} elements along its contracted dimension, no multiple of 4, and is 2:4 sparse", along);
  }
  // A weight matrix lies in blocks of columns, without gaps; rows of everything else begin at a byte.
  const bool is_matrix = is_stored && tensor.shape.size() == 2;
  if (!is_matrix && tensor.shape.back() * bits(tensor.dtype) % 8 != 0) {
    return fmt::format("has rows of {} elements, which end in half a byte", tensor.shape.back());
  }
  return {};
}

void check_tensors(const Trace& trace, Problems& problems) {
  check_names(trace.tensors, "tensor", false, problems);
  for (std::uint32_t i = 0; i < trace.tensors.size(); ++i) {
    const auto& tensor = trace.tensors[i];
    const auto say = [&](const std::string& message) {
      problems.push_back({fmt::format("tensor `{}` {}", tensor.name, message), {}, std::nullopt, i});
    };
    if (tensor.shape.empty()) say("has no dimensions");
    const auto elements = limited_product(tensor.shape, 1);
    if (elements == 0 || limited_product(tensor.copies, elements) == 0) {
      say("has an extent of 0, or more than 2^44 elements in all its copies");
    }
    if (const auto why = grouping_problem(tensor); !why.empty()) say(why);
    if (!std::isfinite(tensor.scale) || tensor.scale <= 0) {
      say(fmt::format("has scale {}, which is no positive number", tensor.scale));
    } else if (is_floating(tensor.dtype) && tensor.scale != 1.0) {
      say(fmt::format("is {} and has scale {}; only integers are scaled", name_of(tensor.dtype), tensor.scale));
    }
  }
}

void check_operators(const Trace& trace, Problems& problems) {
  check_names(trace.operators, "operator", true, problems);
  visit_positions(trace, [&](std::uint32_t index, const Position& position) {
    OperatorCheck(trace, index, position, problems).run();
  });
}

}  // namespace archsim
