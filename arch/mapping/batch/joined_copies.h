// Tensors that stand for all copies of another one, row below row.
#pragma once

#include <cstdint>
#include <map>

namespace archsim {

/// A joined tensor has no place of its own: its bytes are those of all copies of its storage, in their order.
struct JoinedCopies {
  std::map<std::uint32_t, std::uint32_t> storage;  // by joined tensor

  /// The tensor whose bytes `tensor` has.
  std::uint32_t of(std::uint32_t tensor) const {
    const auto found = storage.find(tensor);
    return found == storage.end() ? tensor : found->second;
  }
  bool is_joined(std::uint32_t tensor) const { return storage.contains(tensor); }
};

}  // namespace archsim
