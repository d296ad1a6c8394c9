// The shape and element type rules that the operator table points to. Operand counts and attributes were checked before.
#pragma once

#include "arch/workload/rules/operand_check.h"

namespace archsim {

void check_linear(OperandCheck& check);
/// inputs[2] starts the accumulator of a product of inputs[0] and inputs[1].
void check_bias(OperandCheck& check, std::uint64_t columns);
void check_matmul(OperandCheck& check);
void check_attention(OperandCheck& check);
void check_norm(OperandCheck& check);
void check_groupnorm(OperandCheck& check);
void check_rope(OperandCheck& check);
/// Output like inputs[0]; a second input is like it or one row.
void check_elementwise(OperandCheck& check);
/// Output and inputs are alike.
void check_same_shapes(OperandCheck& check);
void check_cast(OperandCheck& check);
void check_concat(OperandCheck& check);
void check_slice(OperandCheck& check);
void check_sincos(OperandCheck& check);
void check_broadcast(OperandCheck& check);
void check_patchify(OperandCheck& check);
void check_reshape(OperandCheck& check);
void check_pixel_shuffle(OperandCheck& check);
void check_im2col(OperandCheck& check);
void check_maxpool(OperandCheck& check);
void check_avgpool(OperandCheck& check);
void check_depthwise_conv(OperandCheck& check);
void check_argmax(OperandCheck& check);
void check_embedding(OperandCheck& check);
void check_image_preprocess(OperandCheck& check);
void check_tokenize(OperandCheck& check);
void check_action_postprocess(OperandCheck& check);

}  // namespace archsim
