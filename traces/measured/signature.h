// What tells that a call measured elsewhere and an operator of a trace are the same work: the kind of work and its sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arch/workload/trace.h"

namespace archsim {

struct Signature {
  std::string work;                  // "product", "attention", "softmax", ..., or "named"
  std::vector<std::uint64_t> sizes;  // see below
  std::string name;                  // of `named`: the operator's own
  friend auto operator<=>(const Signature&, const Signature&) = default;
};

/// | work      | sizes
/// |-----------|-------------------------------------------------------------------
/// | product   | batch, M, N, K
/// | depthwise | batch, rows out, channels, taps
/// | attention | batch x heads, Sq, S, head dimension
/// | embedding | ids, columns
/// | others    | elements of the result; a norm's or softmax's and the rows' length
/// "16x192x64", with "4 of " before it if there are several.
std::string show(const Signature& signature);

/// The ways in which an operator may have been measured, best first: under its own name, as it stands, or as several calls
/// whose times add up (attention as two products and a softmax, a glu as an activation and a product of elements).
std::vector<std::vector<Signature>> ways_to_measure(const Trace& trace, const Operator& op);

using Extents = std::vector<std::int64_t>;

/// A call of PyTorch's dispatcher as its profiler records it.
struct ProfiledCall {
  std::string_view name;        // "aten::linear"
  std::vector<Extents> shapes;  // of each argument; empty for what is no tensor
  std::vector<std::string>
      constants;  // of each argument that is a number or a list: "[2, 2]"; may be missing altogether
};

/// What an ATen call computes; nothing for one that only moves or views, that is not known, or whose shapes do not tell.
/// Sizes are those of the schemas in aten/src/ATen/native/native_functions.yaml.
std::optional<Signature> signature_of(const ProfiledCall& call);

}  // namespace archsim
