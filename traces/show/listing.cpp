#include "traces/show/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace archsim {
namespace {

// A loop's own name, without those of the loops around it.
std::string_view short_name(std::string_view name) {
  const auto dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

std::string copy_text(const TensorUse& use, const std::vector<Loop>& loops) {
  if (use.copy.empty()) return {};
  std::vector<std::string> parts;
  for (const auto& index : use.copy) {
    if (index.loop == CopyIndex::kFixed) {
      parts.push_back(fmt::format("{}", index.offset));
    } else if (index.offset == 0) {
      parts.emplace_back(short_name(loops[index.loop].name));
    } else {
      parts.push_back(fmt::format("{} + {}", short_name(loops[index.loop].name), index.offset));
    }
  }
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string use_text(const TensorUse& use, const std::vector<Tensor>& tensors, const std::vector<Loop>& loops) {
  const auto& tensor = tensors[use.tensor];
  return fmt::format("{}{}:{}[{}]", tensor.name, copy_text(use, loops), name_of(tensor.dtype),
                     fmt::join(tensor.shape, ","));
}

std::string uses_text(const std::vector<TensorUse>& uses, const std::vector<Tensor>& tensors,
                      const std::vector<Loop>& loops) {
  std::vector<std::string> parts;
  parts.reserve(uses.size());
  for (const auto& use : uses) parts.push_back(use_text(use, tensors, loops));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string value_text(const AttributeValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  return fmt::format("[{}]", fmt::join(std::get<std::vector<std::int64_t>>(value), ","));
}

std::string grouping_text(const Grouping& grouping) {
  std::string text;
  if (grouping.group > 0) text += fmt::format(" group {} {}", grouping.group, name_of(grouping.scale));
  if (grouping.is_two_of_four) text += fmt::format(" {}", name_of(Sparsity::two_of_four));
  return text;
}

std::string tensor_text(const Tensor& tensor) {
  std::string text = fmt::format("{} {} {}[{}]", name_of(tensor.role), tensor.name, name_of(tensor.dtype),
                                 fmt::join(tensor.shape, ","));
  text += grouping_text(tensor.grouping);
  if (!tensor.copies.empty()) text += fmt::format(" copies [{}]", fmt::join(tensor.copies, ","));
  if (tensor.layout != Layout::row_major) text += fmt::format(" {}", name_of(tensor.layout));
  if (tensor.scale != 1.0) text += fmt::format(" scale {}", tensor.scale);
  return text;
}

class Lister {
 public:
  explicit Lister(const Trace& trace) : trace_(trace) {}

  Listing run() {
    line(0, fmt::format("trace {}", trace_.model));
    for (const auto& [name, value] : trace_.parameters) line(1, fmt::format("parameter {} = {}", name, value));
    line(0, "tensors");
    for (const auto& tensor : trace_.tensors) {
      line(1, tensor_text(tensor));
      out_.tensor_lines.push_back(lines_);
    }
    out_.operator_lines.resize(trace_.operators.size(), 1);
    out_.loop_lines.resize(trace_.loops.size(), 1);
    for (const auto& stage : trace_.stages) {
      line(0, fmt::format("stage {} x {}", stage.name, trace_.loops[stage.repeat.loop].count));
      out_.loop_lines[stage.repeat.loop] = lines_;
      body(stage.repeat, 1);
    }
    return std::move(out_);
  }

 private:
  void line(std::size_t depth, const std::string& text) {
    out_.text.append(2 * depth, ' ');
    out_.text += text;
    out_.text += '\n';
    ++lines_;
  }

  void body(const Repeat& repeat, std::size_t depth) {
    for (const auto& step : repeat.body) {
      if (const auto* inner = std::get_if<Repeat>(&step)) {
        const auto& loop = trace_.loops[inner->loop];
        line(depth, fmt::format("repeat {} x {}", short_name(loop.name), loop.count));
        out_.loop_lines[inner->loop] = lines_;
        body(*inner, depth + 1);
        continue;
      }
      const auto index = std::get<std::uint32_t>(step);
      const auto& op = trace_.operators[index];
      line(depth, operator_text(op, trace_.tensors, trace_.loops) + dependencies(op));
      out_.operator_lines[index] = lines_;
    }
  }

  std::string dependencies(const Operator& op) const {
    std::string text;
    for (const auto before : op.dependencies) {
      const bool exists = before < trace_.operators.size();
      text += fmt::format("{}{}", text.empty() ? " after " : ", ",
                          exists ? trace_.operators[before].name : fmt::format("operator {}", before));
    }
    return text;
  }

  const Trace& trace_;
  Listing out_;
  unsigned lines_ = 0;
};

}  // namespace

std::string format_text(Dtype dtype, const Grouping& grouping) {
  return std::string(name_of(dtype)) + grouping_text(grouping);
}

Listing list_trace(const Trace& trace) { return Lister(trace).run(); }

std::string operator_text(const Operator& op, const std::vector<Tensor>& tensors, const std::vector<Loop>& loops) {
  std::string text = fmt::format("{} {}({}) -> {}", name_of(op.type), op.name, uses_text(op.inputs, tensors, loops),
                                 uses_text(op.outputs, tensors, loops));
  if (!op.attributes.empty()) text += fmt::format(" {{{}}}", attribute_text(op));
  if (op.dead) text += " dead";
  return text;
}

std::string attribute_text(const Operator& op) {
  std::vector<std::string> attributes;
  for (const auto& [name, value] : op.attributes) attributes.push_back(fmt::format("{}={}", name, value_text(value)));
  return fmt::format("{}", fmt::join(attributes, ", "));
}

}  // namespace archsim
