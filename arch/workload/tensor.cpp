#include "arch/workload/tensor.h"

#include <numeric>

namespace archsim {
namespace {

constexpr std::uint32_t kMxBlock = 32, kNvfp4Block = 16, kBlockScaleBits = 8;
constexpr std::uint64_t kNvfp4TensorScaleBytes = 4;

std::uint64_t bytes_for(std::uint64_t bits) { return (bits + 7) / 8; }

}  // namespace

unsigned bits(Dtype dtype) {
  switch (dtype) {
    case Dtype::fp32:
    case Dtype::int32:
      return 32;
    case Dtype::bf16:
    case Dtype::fp16:
      return 16;
    case Dtype::int8:
    case Dtype::uint8:
    case Dtype::fp8_e4m3:
    case Dtype::fp8_e5m2:
    case Dtype::mxfp8:
      return 8;
    case Dtype::int4:
    case Dtype::mxfp4:
    case Dtype::nvfp4:
      return 4;
  }
  return 0;
}

bool is_floating(Dtype dtype) {
  switch (dtype) {
    case Dtype::fp32:
    case Dtype::bf16:
    case Dtype::fp16:
    case Dtype::fp8_e4m3:
    case Dtype::fp8_e5m2:
      return true;
    default:
      return false;
  }
}

bool is_plain(Dtype dtype) { return packing_of(dtype).is_plain(); }

std::uint64_t Packing::bytes(std::uint64_t count) const {
  if (elements == 1) return bytes_for(count * bits());  // no division for most formats
  const std::uint64_t rest = count % elements;
  return bytes_for(count / elements * bits() + (rest * bits() + elements - 1) / elements);
}

Packing packing_of(Dtype dtype, const Grouping& grouping) {
  Packing packing{.elements = 1, .value_bits = bits(dtype)};
  if (dtype == Dtype::mxfp8 || dtype == Dtype::mxfp4) {
    packing.elements = kMxBlock;
    packing.scale_bits = kBlockScaleBits;
  } else if (dtype == Dtype::nvfp4) {
    packing.elements = kNvfp4Block;
    packing.scale_bits = kBlockScaleBits;
  } else if (grouping.group > 0) {
    packing.elements = grouping.group;
    packing.scale_bits = archsim::bits(grouping.scale);
  }
  if (grouping.is_two_of_four) {
    const auto whole = std::lcm(packing.elements, 4U);
    packing.scale_bits *= whole / packing.elements;
    packing.elements = whole;
    packing.metadata_bits = whole / 2 * 2;
    packing.value_bits = whole / 2 * bits(dtype);
  } else {
    packing.value_bits = packing.elements * bits(dtype);
  }
  return packing;
}

StoredBytes& StoredBytes::operator+=(const StoredBytes& more) {
  values += more.values;
  scales += more.scales;
  metadata += more.metadata;
  return *this;
}

StoredBytes operator*(StoredBytes bytes, std::uint64_t times) {
  bytes.values *= times;
  bytes.scales *= times;
  bytes.metadata *= times;
  return bytes;
}

std::uint64_t Tensor::contracted() const {
  if (shape.empty()) return 1;
  const bool is_matrix = (role == Role::weight || role == Role::constant) && shape.size() == 2;
  return is_matrix ? shape.front() : shape.back();
}

StoredBytes Tensor::stored() const {
  const auto pack = packing();
  const auto part = [&](std::uint32_t of) {
    return Packing{.elements = pack.elements, .value_bits = of}.bytes(elements());
  };
  StoredBytes bytes{.scales = part(pack.scale_bits), .metadata = part(pack.metadata_bits)};
  bytes.values = this->bytes() - bytes.scales - bytes.metadata;
  if (dtype == Dtype::nvfp4) bytes.scales += kNvfp4TensorScaleBytes;
  return bytes;
}

}  // namespace archsim
