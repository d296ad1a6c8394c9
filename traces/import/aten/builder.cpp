#include "traces/import/aten/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace archsim {
namespace {

struct NamedType {
  std::string_view name;
  Dtype dtype;
  bool is_bookkeeping;
};
// c10::demangle of the C++ types, and what newer versions call them. Truth values take a byte in PyTorch.
constexpr std::array kTypes = {
    NamedType{"float", Dtype::fp32, false},         NamedType{"float32", Dtype::fp32, false},
    NamedType{"c10::BFloat16", Dtype::bf16, false}, NamedType{"bfloat16", Dtype::bf16, false},
    NamedType{"c10::Half", Dtype::fp16, false},     NamedType{"half", Dtype::fp16, false},
    NamedType{"float16", Dtype::fp16, false},       NamedType{"signed char", Dtype::int8, false},
    NamedType{"int8", Dtype::int8, false},          NamedType{"unsigned char", Dtype::uint8, false},
    NamedType{"uint8", Dtype::uint8, false},        NamedType{"long int", Dtype::int32, true},
    NamedType{"long", Dtype::int32, true},          NamedType{"int64", Dtype::int32, true},
    NamedType{"int", Dtype::int32, true},           NamedType{"int32", Dtype::int32, true},
    NamedType{"bool", Dtype::uint8, true}};

std::vector<std::uint64_t> unsigned_of(const Sizes& sizes) { return {sizes.begin(), sizes.end()}; }

}  // namespace

Dtype dtype_of(const std::string& type) {
  for (const auto& each : kTypes) {
    if (each.name == type) return each.dtype;
  }
  throw NotExpressible{fmt::format("has a tensor of `{}`, which archsim does not compute with", type)};
}

bool is_bookkeeping(const std::string& type) {
  return std::any_of(kTypes.begin(), kTypes.end(),
                     [&](const NamedType& each) { return each.name == type && each.is_bookkeeping; });
}

AtenBuilder::AtenBuilder(std::string model) {
  trace_.model = std::move(model);
  trace_.loops = {{"graph", 1}};
  trace_.stages = {{"graph", {0, {}}}};
}

Strided AtenBuilder::at(const AtenTensor& tensor) {
  const auto found = bound_.find(tensor.id);
  if (found != bound_.end() && found->second.value.shape == tensor.shape) return found->second.value;
  if (found != bound_.end()) {
    if (const auto same = reshaped(found->second.value, tensor.shape)) return *same;
  }
  // The id may have come back for another object.
  const auto elements = product(tensor.shape);
  const auto [place, is_new] = external_.try_emplace({tensor.storage, tensor.offset, elements, tensor.type},
                                                     static_cast<std::uint32_t>(bases_.size()));
  if (is_new) {
    bases_.push_back({fmt::format("t{}", tensor.id), dtype_of(tensor.type), false, false, 0, elements});
  }
  return plain(place->second, tensor.shape);
}

void AtenBuilder::bind(const AtenTensor& tensor, const Strided& value) {
  auto seen = reshaped(value, tensor.shape);
  if (!seen && value.elements() != product(tensor.shape)) {
    throw NotExpressible{"writes a tensor of another shape than it should"};
  }
  bound_[tensor.id] = {seen ? *seen : value, ++bindings_};
}

void AtenBuilder::forget(const AtenTensor& tensor, bool is_constant) {
  const auto base = static_cast<std::uint32_t>(bases_.size());
  bases_.push_back(
      {fmt::format("t{}", tensor.id), dtype_of(tensor.type), false, is_constant, 0, product(tensor.shape)});
  bound_[tensor.id] = {plain(base, tensor.shape), ++bindings_};
}

void AtenBuilder::overwrite(const AtenTensor& target, const Strided& value) {
  const auto old = at(target);
  const bool repeats = std::any_of(old.strides.begin(), old.strides.end(), [](auto stride) { return stride == 0; });
  const bool is_all = !repeats && old.elements() == bases_[old.base].elements;
  for (auto& [id, bound] : bound_) {
    if (id == target.id || bound.value.base != old.base) continue;
    if (!is_all) throw NotExpressible{"writes into a part of a tensor that is also used as a whole"};
    if (!old.is_plain() || !value.is_plain())
      throw NotExpressible{"writes a tensor whose axes are also seen in another order"};
    bound.value.base = value.base;
    bound.order = ++bindings_;
  }
  if (!is_all) throw NotExpressible{"writes into a part of a tensor"};
  bind(target, value);
}

std::int64_t AtenBuilder::last_binding(const AtenTensor& tensor) const {
  const auto found = bound_.find(tensor.id);
  return found == bound_.end() ? 0 : found->second.order;
}

TensorUse AtenBuilder::use(const Strided& x, const Sizes& shape, Role role) {
  if (x.elements() == 0) throw NotExpressible{"has a tensor without elements"};
  const Base& base = bases_[x.base];
  if (!base.is_written) return {from_outside(x, shape, role), {}};
  if (x.is_plain() && x.elements() == base.elements) return {as_shape(base.tensor, shape), {}};
  const Key key{x.base, x.offset, x.shape, x.strides, shape};
  const auto found = made_.find(key);
  if (found != made_.end()) return {found->second, {}};
  const auto made = rearranged(x, shape);
  made_[key] = made;
  return {made, {}};
}

TensorUse AtenBuilder::constant(const Sizes& shape, Dtype dtype) {
  return {add_tensor(unique(label_ + ".constant"), shape, dtype, Role::constant), {}};
}

Strided AtenBuilder::emit(OperatorType type, std::vector<TensorUse> inputs, const Sizes& shape, Dtype dtype,
                          Attributes attributes) {
  const auto tensor = add_operator(type, std::move(inputs), shape, dtype, std::move(attributes));
  const auto base = static_cast<std::uint32_t>(bases_.size());
  bases_.push_back({trace_.tensors[tensor].name, dtype, true, false, tensor, product(shape)});
  return plain(base, shape);
}

Trace AtenBuilder::finish() {
  std::vector<bool> is_read(trace_.tensors.size(), false);
  for (const auto& op : trace_.operators) {
    for (const auto& use : op.inputs) is_read[use.tensor] = true;
  }
  for (std::size_t i = 0; i < is_read.size(); ++i) {
    if (!is_read[i]) trace_.tensors[i].role = Role::output;
  }
  for (std::uint32_t i = 0; i < trace_.operators.size(); ++i) trace_.stages[0].repeat.body.emplace_back(i);
  return std::move(trace_);
}

std::string AtenBuilder::unique(const std::string& name) {
  const auto times = ++names_[name];
  return times == 1 ? name : fmt::format("{}.{}", name, times);
}

Sizes AtenBuilder::shape_of(std::uint32_t tensor) const {
  const auto& shape = trace_.tensors[tensor].shape;
  return {shape.begin(), shape.end()};
}

std::uint32_t AtenBuilder::add_tensor(const std::string& name, const Sizes& shape, Dtype dtype, Role role) {
  if (product(shape) <= 0) throw NotExpressible{"has a tensor without elements"};
  Tensor tensor{.name = name, .role = role, .shape = unsigned_of(shape), .dtype = dtype};
  if (tensor.shape.empty()) tensor.shape = {1};
  trace_.tensors.push_back(std::move(tensor));
  return static_cast<std::uint32_t>(trace_.tensors.size() - 1);
}

std::uint32_t AtenBuilder::add_operator(OperatorType type, std::vector<TensorUse> inputs, const Sizes& shape,
                                        Dtype dtype, Attributes attributes) {
  Operator op;
  op.name = unique(label_);
  op.type = type;
  op.attributes = std::move(attributes);
  op.inputs = std::move(inputs);
  const auto tensor = add_tensor(unique(op.name + ".y"), shape, dtype, Role::activation);
  op.outputs = {{tensor, {}}};
  trace_.operators.push_back(std::move(op));
  return tensor;
}

std::uint32_t AtenBuilder::from_outside(const Strided& x, const Sizes& shape, Role role) {
  const Base base = bases_[x.base];
  if (base.is_constant) role = Role::constant;
  if (base.dtype == Dtype::int32 && role == Role::weight) role = Role::input;
  const Key key{x.base, x.offset, x.shape, x.strides, shape};
  const auto found = made_.find(key);
  if (found == made_.end()) {
    const auto made = add_tensor(unique(base.name), shape, base.dtype, role);
    made_[key] = made;
    return made;
  }
  if (role == Role::weight) trace_.tensors[found->second].role = role;
  return found->second;
}

std::uint32_t AtenBuilder::as_shape(std::uint32_t tensor, const Sizes& shape) {
  if (shape_of(tensor) == shape || (shape.empty() && shape_of(tensor) == Sizes{1})) return tensor;
  const auto dtype = trace_.tensors[tensor].dtype;
  const Key key{~tensor, 0, {}, {}, shape};  // no base has so high a number
  const auto found = made_.find(key);
  if (found != made_.end()) return found->second;
  const auto made = add_operator(OperatorType::reshape, {{tensor, {}}}, shape, dtype, {});
  made_[key] = made;
  return made;
}

}  // namespace archsim
