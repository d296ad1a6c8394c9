#include "arch/program/reference/values.h"

#include <algorithm>
#include <random>

#include "arch/describe/diagnostic.h"
#include "arch/program/numbers/element.h"

namespace archsim {
namespace {

/// The largest id + 1 for a tensor of ids, by the tables that operators index with it; 0 for other tensors.
std::uint64_t id_limit(const Trace& trace, std::uint32_t tensor) {
  std::uint64_t limit = 0;
  for (const auto& op : trace.operators) {
    std::uint64_t rows = 0;
    if (op.type == OperatorType::embedding && op.inputs[0].tensor == tensor) {
      rows = trace.tensors[op.inputs[1].tensor].shape[0];
    } else if (op.type == OperatorType::gather && op.inputs[1].tensor == tensor) {
      rows = static_cast<std::uint64_t>(op.integers("extents")[static_cast<std::size_t>(op.integer("axis", 0))]);
    } else {
      continue;
    }
    limit = limit == 0 ? rows : std::min(limit, rows);
  }
  return limit;
}

/// The same numbers on every machine, unlike the distributions of <random>.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  std::int32_t between(std::int64_t low, std::int64_t high) {
    const auto span = static_cast<std::uint64_t>(high - low + 1);
    return static_cast<std::int32_t>(low + static_cast<std::int64_t>(engine_() % span));
  }
  float unit() { return static_cast<float>(static_cast<double>(engine_() >> 11) * 0x1p-52 - 1.0); }

 private:
  std::mt19937_64 engine_;
};

void fill(Array& array, std::uint64_t ids, Draw& draw) {
  // A bias of the size of a sum of some int8 products.
  constexpr std::int32_t kBias = 1 << 14;
  for (std::uint64_t i = 0; i < array.elements(); ++i) {
    if (ids != 0) {
      array.set_integer(i, draw.between(0, static_cast<std::int64_t>(ids) - 1));
    } else if (array.dtype == Dtype::int8) {
      array.set_integer(i, draw.between(-128, 127));
    } else if (array.dtype == Dtype::uint8) {
      array.set_integer(i, draw.between(0, 255));
    } else if (array.dtype == Dtype::int32) {
      array.set_integer(i, draw.between(-kBias, kBias));
    } else {
      array.set(i, draw.unit());
    }
  }
}

}  // namespace

Array Array::like(const Tensor& tensor) {
  return {.dtype = tensor.dtype,
          .scale = tensor.scale,
          .shape = tensor.shape,
          .bytes = std::vector<std::byte>(tensor.bytes(), std::byte{0xFF})};
}

std::uint64_t Array::elements() const {
  std::uint64_t product = 1;
  for (const auto extent : shape) product *= extent;
  return product;
}

float Array::stored(std::uint64_t element) const { return read_element(&bytes[element * bytes_of(dtype)], dtype); }
float Array::value(std::uint64_t element) const { return stored(element) * static_cast<float>(scale); }

std::int32_t Array::integer(std::uint64_t element) const {
  return read_integer(&bytes[element * bytes_of(dtype)], dtype);
}

void Array::set(std::uint64_t element, float value) {
  write_element(&bytes[element * bytes_of(dtype)], dtype, value, static_cast<float>(scale));
}

void Array::set_integer(std::uint64_t element, std::int32_t q) {
  write_integer(&bytes[element * bytes_of(dtype)], dtype, q);
}

std::vector<float> Array::row(std::uint64_t r) const {
  std::vector<float> values(columns());
  for (std::uint64_t c = 0; c < columns(); ++c) values[c] = value(r * columns() + c);
  return values;
}

void Array::set_row(std::uint64_t r, std::span<const float> values) {
  for (std::uint64_t c = 0; c < columns(); ++c) set(r * columns() + c, values[c]);
}

std::vector<std::uint32_t> copy_of(const TensorUse& use, const Iterations& iterations) {
  std::vector<std::uint32_t> copy;
  for (const auto& index : use.copy) {
    copy.push_back(index.offset + (index.loop == CopyIndex::kFixed ? 0 : iterations[index.loop]));
  }
  return copy;
}

TensorValues::TensorValues(const Trace& trace) {
  for (const auto& tensor : trace.tensors) {
    extents_.push_back(tensor.copies);
    copies_.emplace_back(tensor.number_of_copies(), Array::like(tensor));
  }
}

std::size_t TensorValues::index(std::uint32_t tensor, const std::vector<std::uint32_t>& copy) const {
  const auto& extents = extents_[tensor];
  ARCHSIM_ASSERT(copy.size() == extents.size());
  std::size_t index = 0;
  for (std::size_t d = 0; d < copy.size(); ++d) {
    ARCHSIM_ASSERT(copy[d] < extents[d], "a copy that the tensor does not have");
    index = index * extents[d] + copy[d];
  }
  return index;
}

Array& TensorValues::at(std::uint32_t tensor, const std::vector<std::uint32_t>& copy) {
  return copies_[tensor][index(tensor, copy)];
}

const Array& TensorValues::at(std::uint32_t tensor, const std::vector<std::uint32_t>& copy) const {
  return copies_[tensor][index(tensor, copy)];
}

std::vector<bool> given_tensors(const Trace& trace) {
  std::vector<bool> given;
  for (const auto& tensor : trace.tensors) {
    given.push_back(tensor.role != Role::activation && tensor.role != Role::output);
  }
  for (const auto& op : trace.operators) {
    for (const auto& use : op.outputs) {
      if (trace.tensors[use.tensor].role == Role::kv_cache) given[use.tensor] = false;
    }
  }
  return given;
}

TensorValues random_values(const Trace& trace, std::uint64_t seed) {
  TensorValues values(trace);
  const auto given = given_tensors(trace);
  for (std::uint32_t t = 0; t < trace.tensors.size(); ++t) {
    if (!given[t]) continue;
    Draw draw(seed * 1'000'003 + t);
    const auto ids = id_limit(trace, t);
    for_each_copy(trace.tensors[t], [&](const auto& copy) { fill(values.at(t, copy), ids, draw); });
  }
  return values;
}

}  // namespace archsim
