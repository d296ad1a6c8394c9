#include <array>
#include <utility>

#include "arch/workload/operator.h"
#include "arch/workload/tensor.h"

namespace archsim {
namespace {

template <class Enum>
using Name = std::pair<Enum, std::string_view>;

constexpr std::array<Name<Dtype>, kDtypes> kDtypeNames{{{Dtype::fp32, "fp32"},
                                                        {Dtype::bf16, "bf16"},
                                                        {Dtype::fp16, "fp16"},
                                                        {Dtype::int32, "int32"},
                                                        {Dtype::int8, "int8"},
                                                        {Dtype::uint8, "uint8"},
                                                        {Dtype::fp8_e4m3, "fp8_e4m3"},
                                                        {Dtype::fp8_e5m2, "fp8_e5m2"},
                                                        {Dtype::int4, "int4"},
                                                        {Dtype::mxfp8, "mxfp8"},
                                                        {Dtype::mxfp4, "mxfp4"},
                                                        {Dtype::nvfp4, "nvfp4"}}};

constexpr std::array<Name<Role>, 6> kRoles{{{Role::weight, "weight"},
                                            {Role::activation, "activation"},
                                            {Role::kv_cache, "kv_cache"},
                                            {Role::constant, "constant"},
                                            {Role::input, "input"},
                                            {Role::output, "output"}}};

constexpr std::array<Name<Layout>, 2> kLayouts{
    {{Layout::row_major, "row_major"}, {Layout::channels_last, "channels_last"}}};

constexpr std::array<Name<OperatorType>, 64> kOperatorTypes{{{OperatorType::linear, "linear"},
                                                             {OperatorType::matmul, "matmul"},
                                                             {OperatorType::attention, "attention"},
                                                             {OperatorType::softmax, "softmax"},
                                                             {OperatorType::layernorm, "layernorm"},
                                                             {OperatorType::rmsnorm, "rmsnorm"},
                                                             {OperatorType::gelu, "gelu"},
                                                             {OperatorType::silu, "silu"},
                                                             {OperatorType::relu, "relu"},
                                                             {OperatorType::tanh, "tanh"},
                                                             {OperatorType::sigmoid, "sigmoid"},
                                                             {OperatorType::glu, "glu"},
                                                             {OperatorType::rope, "rope"},
                                                             {OperatorType::add, "add"},
                                                             {OperatorType::sub, "sub"},
                                                             {OperatorType::mul, "mul"},
                                                             {OperatorType::scale, "scale"},
                                                             {OperatorType::axpy, "axpy"},
                                                             {OperatorType::cast, "cast"},
                                                             {OperatorType::concat, "concat"},
                                                             {OperatorType::slice, "slice"},
                                                             {OperatorType::sincos, "sincos"},
                                                             {OperatorType::broadcast, "broadcast"},
                                                             {OperatorType::patchify, "patchify"},
                                                             {OperatorType::embedding, "embedding"},
                                                             {OperatorType::image_preprocess, "image_preprocess"},
                                                             {OperatorType::tokenize, "tokenize"},
                                                             {OperatorType::action_postprocess, "action_postprocess"},
                                                             {OperatorType::reshape, "reshape"},
                                                             {OperatorType::pixel_shuffle, "pixel_shuffle"},
                                                             {OperatorType::im2col, "im2col"},
                                                             {OperatorType::maxpool, "maxpool"},
                                                             {OperatorType::argmax, "argmax"},
                                                             {OperatorType::groupnorm, "groupnorm"},
                                                             {OperatorType::mish, "mish"},
                                                             {OperatorType::depthwise_conv, "depthwise_conv"},
                                                             {OperatorType::avgpool, "avgpool"},
                                                             {OperatorType::exp, "exp"},
                                                             {OperatorType::log, "log"},
                                                             {OperatorType::sqrt, "sqrt"},
                                                             {OperatorType::reciprocal, "reciprocal"},
                                                             {OperatorType::erf, "erf"},
                                                             {OperatorType::sin, "sin"},
                                                             {OperatorType::cos, "cos"},
                                                             {OperatorType::abs, "abs"},
                                                             {OperatorType::elu, "elu"},
                                                             {OperatorType::softplus, "softplus"},
                                                             {OperatorType::hard_swish, "hard_swish"},
                                                             {OperatorType::leaky_relu, "leaky_relu"},
                                                             {OperatorType::hard_sigmoid, "hard_sigmoid"},
                                                             {OperatorType::round, "round"},
                                                             {OperatorType::clip, "clip"},
                                                             {OperatorType::div, "div"},
                                                             {OperatorType::pow, "pow"},
                                                             {OperatorType::maximum, "maximum"},
                                                             {OperatorType::minimum, "minimum"},
                                                             {OperatorType::compare, "compare"},
                                                             {OperatorType::where, "where"},
                                                             {OperatorType::transpose, "transpose"},
                                                             {OperatorType::expand, "expand"},
                                                             {OperatorType::reduce, "reduce"},
                                                             {OperatorType::gather, "gather"},
                                                             {OperatorType::pad, "pad"},
                                                             {OperatorType::resize, "resize"}}};
static_assert(kOperatorTypes.size() == static_cast<std::size_t>(OperatorType::resize) + 1);

template <class Table, class Enum>
std::string_view find_name(const Table& table, Enum value) {
  for (const auto& [entry, name] : table) {
    if (entry == value) return name;
  }
  return {};
}

template <class Enum, std::size_t Size>
std::optional<Enum> find_value(const std::array<Name<Enum>, Size>& table, std::string_view wanted) {
  for (const auto& [value, name] : table) {
    if (name == wanted) return value;
  }
  return std::nullopt;
}

template <class Table>
std::vector<std::string_view> all_names(const Table& table) {
  std::vector<std::string_view> names;
  names.reserve(std::size(table));
  for (const auto& entry : table) names.push_back(entry.second);
  return names;
}

}  // namespace

std::string_view name_of(Dtype dtype) { return find_name(kDtypeNames, dtype); }
std::string_view name_of(Sparsity) { return "two_of_four"; }
std::string_view name_of(Role role) { return find_name(kRoles, role); }
std::string_view name_of(Layout layout) { return find_name(kLayouts, layout); }
std::string_view name_of(OperatorType type) { return find_name(kOperatorTypes, type); }

std::optional<Dtype> dtype_from(std::string_view name) { return find_value(kDtypeNames, name); }
std::optional<Role> role_from(std::string_view name) { return find_value(kRoles, name); }
std::optional<Layout> layout_from(std::string_view name) { return find_value(kLayouts, name); }
std::optional<OperatorType> operator_type_from(std::string_view name) { return find_value(kOperatorTypes, name); }

std::vector<std::string_view> dtype_names() { return all_names(kDtypeNames); }
std::vector<std::string_view> role_names() { return all_names(kRoles); }
std::vector<std::string_view> layout_names() { return all_names(kLayouts); }
std::vector<std::string_view> operator_type_names() { return all_names(kOperatorTypes); }

}  // namespace archsim
