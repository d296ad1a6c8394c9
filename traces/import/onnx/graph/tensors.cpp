#include "traces/import/onnx/graph/tensors.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

namespace archsim::onnx_graph {
namespace {

double half(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 31) return mantissa != 0 ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(mantissa + 1024, exponent - 25);
}

double brain(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

template <class T, class Into, class Convert>
void unpack(const std::string& raw, std::size_t count, Into& into, Convert convert) {
  if (raw.size() != count * sizeof(T)) {
    throw Unfit{fmt::format("has {} bytes of data for {} elements of {} bytes", raw.size(), count, sizeof(T))};
  }
  into.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    T element;
    std::memcpy(&element, raw.data() + i * sizeof(T), sizeof(T));
    into.push_back(convert(element));
  }
}

Elements from_raw(const onnx::TensorProto& tensor, Type type, std::size_t count) {
  Elements out;
  const auto& raw = tensor.raw_data();
  const auto whole = [](auto element) { return static_cast<std::int64_t>(element); };
  const auto real = [](auto element) { return static_cast<double>(element); };
  switch (type) {
    case Type::int64:
      unpack<std::int64_t>(raw, count, out.whole, whole);
      break;
    case Type::int32:
      unpack<std::int32_t>(raw, count, out.whole, whole);
      break;
    case Type::int8:
      unpack<std::int8_t>(raw, count, out.whole, whole);
      break;
    case Type::uint8:
    case Type::boolean:
      unpack<std::uint8_t>(raw, count, out.whole, whole);
      break;
    case Type::fp32:
      unpack<float>(raw, count, out.real, real);
      break;
    case Type::fp64:
      unpack<double>(raw, count, out.real, real);
      break;
    case Type::fp16:
      unpack<std::uint16_t>(raw, count, out.real, half);
      break;
    case Type::bf16:
      unpack<std::uint16_t>(raw, count, out.real, brain);
      break;
    default:
      break;
  }
  return out;
}

template <class Field, class Into, class Convert>
void copy(const Field& field, std::size_t count, Into& into, Convert convert) {
  if (static_cast<std::size_t>(field.size()) != count) {
    throw Unfit{fmt::format("has {} numbers for {} elements", field.size(), count)};
  }
  into.reserve(count);
  for (const auto element : field) into.push_back(convert(element));
}

Elements from_fields(const onnx::TensorProto& tensor, Type type, std::size_t count) {
  Elements out;
  const auto whole = [](auto element) { return static_cast<std::int64_t>(element); };
  const auto real = [](auto element) { return static_cast<double>(element); };
  switch (type) {
    case Type::int64:
      copy(tensor.int64_data(), count, out.whole, whole);
      break;
    case Type::int32:
    case Type::int8:
    case Type::uint8:
    case Type::boolean:
      copy(tensor.int32_data(), count, out.whole, whole);
      break;
    case Type::fp32:
      copy(tensor.float_data(), count, out.real, real);
      break;
    case Type::fp64:
      copy(tensor.double_data(), count, out.real, real);
      break;
    case Type::fp16:
      copy(tensor.int32_data(), count, out.real, [](auto bits) { return half(static_cast<std::uint16_t>(bits)); });
      break;
    case Type::bf16:
      copy(tensor.int32_data(), count, out.real, [](auto bits) { return brain(static_cast<std::uint16_t>(bits)); });
      break;
    default:
      break;
  }
  return out;
}

bool may_matter(Type type, std::int64_t count) {
  if (type == Type::int32 || type == Type::int64 || type == Type::boolean) return count <= kMostKnown;
  return (is_real(type) || type == Type::int8 || type == Type::uint8) && count <= kMostKnownReals;
}

}  // namespace

Value stored_value(const onnx::TensorProto& tensor) {
  Value value{.name = tensor.name(),
              .type = type_from_onnx(tensor.data_type()),
              .dims = Dims(tensor.dims().begin(), tensor.dims().end()),
              .has_dims = true,
              .is_stored = true};
  const auto count = elements_of(value.dims);
  if (!count) throw Unfit{fmt::format("has impossible extents {}", text_of(value.dims))};
  if (value.type == Type::other) throw Unfit{fmt::format("has element type {} of ONNX", tensor.data_type())};
  const bool is_outside = tensor.data_location() == onnx::TensorProto::EXTERNAL;
  const bool is_small_type = is_real(value.type) || bool(value.type == Type::int8 || value.type == Type::uint8 ||
                                                         value.type == Type::int4 || value.type == Type::uint4);
  value.is_weight = is_small_type && *count > 1;
  if (is_outside || !may_matter(value.type, *count)) return value;
  const auto size = static_cast<std::size_t>(*count);
  value.known = std::make_shared<const Elements>(tensor.has_raw_data() ? from_raw(tensor, value.type, size)
                                                                       : from_fields(tensor, value.type, size));
  return value;
}

}  // namespace archsim::onnx_graph
