// One function a family of operators; see evaluate.h.
#pragma once

#include <string_view>
#include <vector>

#include "arch/program/command.h"
#include "arch/program/reference/values.h"

namespace archsim {

using Inputs = std::vector<const Array*>;
using Outputs = std::vector<Array>;  // on entry of the right shape and type

void evaluate_linear(const Operator& op, const Inputs& in, Outputs& out);
void evaluate_matmul(const Operator& op, const Inputs& in, Outputs& out);
void evaluate_attention(const Operator& op, const Inputs& in, Outputs& out);

/// softmax, norms of rows, rope, sincos: a row at a time.
void evaluate_rows(const Operator& op, const Inputs& in, Outputs& out);
/// Activations, glu, add, sub, mul, scale, axpy, cast.
void evaluate_elementwise(const Operator& op, const Inputs& in, Outputs& out);
/// concat, slice, broadcast, patchify, embedding, reshape, pixel_shuffle, im2col.
void evaluate_rearranging(const Operator& op, const Inputs& in, Outputs& out);
/// image_preprocess, tokenize, action_postprocess, maxpool, avgpool, depthwise_conv, argmax, groupnorm, mish.
void evaluate_host(const Operator& op, const Inputs& in, Outputs& out);

/// exp to where: elementwise functions that the vector unit does not have.
void evaluate_functions(const Operator& op, const Inputs& in, Outputs& out);
/// transpose, expand, reduce, gather, pad, resize.
void evaluate_views(const Operator& op, const Inputs& in, Outputs& out);

/// The vector unit's function for an activation or glu operator's activation ("gelu", "silu", ...).
VectorFunction activation_function(std::string_view name, bool approximate);

}  // namespace archsim
