// What an operator reads and writes: shape, element type and role. No hardware in here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace archsim {

/// The mx types and nvfp4 are blocks of elements along the contracted dimension, each with a scale inside: 32 elements and
/// an E8M0 scale (OCP Microscaling v1.0; mxfp8 is E4M3, mxfp4 E2M1), or 16 E2M1 elements and an E4M3 scale under an fp32
/// scale of the whole tensor (NVIDIA Blackwell). fp8 as in OCP OFP8 v1.0.
enum class Dtype : std::uint8_t {
  fp32,
  bf16,
  fp16,
  int32,
  int8,
  uint8,
  fp8_e4m3,
  fp8_e5m2,
  int4,
  mxfp8,
  mxfp4,
  nvfp4,
};
constexpr std::size_t kDtypes = static_cast<std::size_t>(Dtype::nvfp4) + 1;
enum class Role : std::uint8_t { weight, activation, kv_cache, constant, input, output };
enum class Layout : std::uint8_t { row_major, channels_last };

/// Bits one element takes in memory, without scales.
unsigned bits(Dtype dtype);
/// Not quantized by a scale of the tensor: fp32, bf16, fp16 and fp8.
bool is_floating(Dtype dtype);
/// True if an element is whole bytes by itself: no block, no half byte. Only such elements have addresses of their own.
bool is_plain(Dtype dtype);

/// Patterns of zeros among weights that hardware may skip; 2:4 keeps two of each four elements.
enum class Sparsity : std::uint8_t { two_of_four };
std::string_view name_of(Sparsity sparsity);

/// What elements along the contracted dimension have in common beyond their type. The contracted dimension of a weight
/// matrix [K, N] is the first, of everything else the last.
struct Grouping {
  std::uint32_t group = 0;      // elements under a scale of their own; 0: no other scales than the type's
  Dtype scale = Dtype::fp32;    // type of these scales
  bool is_two_of_four = false;  // 2:4 sparsity: of each four elements two are kept, and 2 bits each say which
  friend bool operator==(const Grouping&, const Grouping&) = default;
};

/// The smallest run along the contracted dimension that is stored alike everywhere, and what it takes, in bits.
struct Packing {
  std::uint32_t elements = 1;
  std::uint32_t value_bits = 8, scale_bits = 0, metadata_bits = 0;

  std::uint64_t bits() const { return std::uint64_t{value_bits} + scale_bits + metadata_bits; }
  /// Of so many elements, rounded up to whole bytes.
  std::uint64_t bytes(std::uint64_t count) const;
  bool is_plain() const { return elements == 1 && value_bits % 8 == 0; }
  friend bool operator==(const Packing&, const Packing&) = default;
};
Packing packing_of(Dtype dtype, const Grouping& grouping = {});

/// Bytes by what they are.
struct StoredBytes {
  std::uint64_t values = 0, scales = 0, metadata = 0;
  std::uint64_t total() const { return values + scales + metadata; }
  StoredBytes& operator+=(const StoredBytes& more);
  friend StoredBytes operator*(StoredBytes bytes, std::uint64_t times);
};

/// The names in files and reports, such as "bf16", "kv_cache", "row_major".
std::string_view name_of(Dtype dtype);
std::string_view name_of(Role role);
std::string_view name_of(Layout layout);
/// Empty for a name that nothing has.
std::optional<Dtype> dtype_from(std::string_view name);
std::optional<Role> role_from(std::string_view name);
std::optional<Layout> layout_from(std::string_view name);
/// Every name, for "did you mean".
std::vector<std::string_view> dtype_names();
std::vector<std::string_view> role_names();
std::vector<std::string_view> layout_names();

/// A named array. A tensor that the iterations of a loop do not share has one copy for each of them:
/// `copies` holds the extent of each such dimension (the weights of 18 layers are one tensor with copies = {18}).
struct Tensor {
  std::string name;
  Role role = Role::activation;
  std::vector<std::uint64_t> shape;  // of one copy, outermost first
  Dtype dtype = Dtype::bf16;
  Layout layout = Layout::row_major;
  double scale = 1.0;  // a quantized element q stands for q * scale; 1 for floating-point types
  std::vector<std::uint32_t> copies;
  Grouping grouping;

  std::uint64_t elements() const;  // of one copy
  std::uint64_t bytes() const;     // of one copy, rounded up to whole bytes, with scales and metadata
  Packing packing() const { return packing_of(dtype, grouping); }
  std::uint64_t contracted() const;  // extent of the contracted dimension
  /// Of one copy, apart; with the scale of the whole tensor that nvfp4 defines, which travels in the commands.
  StoredBytes stored() const;
  std::uint64_t number_of_copies() const;
};

/// Which copy along one copy dimension: the iteration of a loop, or a fixed one.
struct CopyIndex {
  static constexpr std::uint32_t kFixed = 0xFFFFFFFF;
  std::uint32_t loop = kFixed;  // index into Trace::loops; the copy is this loop's iteration + `offset`
  std::uint32_t offset = 0;
  friend bool operator==(const CopyIndex&, const CopyIndex&) = default;
};

/// One use of a tensor: which copy, one entry for each of the tensor's copy dimensions.
struct TensorUse {
  std::uint32_t tensor = 0;  // index into Trace::tensors
  std::vector<CopyIndex> copy;
  friend bool operator==(const TensorUse&, const TensorUse&) = default;
};

}  // namespace archsim
