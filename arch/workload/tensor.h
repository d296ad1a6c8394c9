// What an operator reads and writes: shape, element type and role. No hardware in here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace archsim {

enum class Dtype : std::uint8_t { fp32, bf16, fp16, int32, int8, uint8 };
enum class Role : std::uint8_t { weight, activation, kv_cache, constant, input, output };
enum class Layout : std::uint8_t { row_major, channels_last };

/// Bits one element takes in memory.
unsigned bits(Dtype dtype);
bool is_floating(Dtype dtype);

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

  std::uint64_t elements() const;  // of one copy
  std::uint64_t bytes() const;     // of one copy, rounded up to whole bytes
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
