#include "arch/program/command.h"

namespace archsim {
namespace {

constexpr std::array<std::string_view, kEngines> kEngineNames{"load", "array", "vector", "store"};
constexpr std::array<std::string_view, kConverts> kConvertNames{"none", "bf16_to_fp32", "fp32_to_bf16", "requantize"};
constexpr std::array<std::string_view, kDataflows> kDataflowNames{"weight_stationary", "output_stationary",
                                                                  "input_stationary"};
constexpr std::array<std::string_view, kVectorFunctions> kFunctionNames{
    "copy",        "add",       "sub",     "mul",     "scale",         "axpy",         "gelu_tanh",      "gelu_erf",
    "silu",        "relu",      "tanh",    "sigmoid", "glu_gelu_tanh", "glu_gelu_erf", "glu_silu",       "glu_relu",
    "glu_sigmoid", "layernorm", "rmsnorm", "rope",    "softmax",       "softmax_step", "softmax_finish", "sincos"};
constexpr std::array<std::string_view, std::variant_size_v<Payload>> kOpcodeNames{
    "halt",   "loop_begin", "stride", "end_loop", "wait_semaphore",
    "signal", "dma",        "matmul", "vector",   "host_operation"};

/// Empty for a value outside the enumeration, which only a damaged encoding can hold.
template <class Enum, std::size_t Size>
std::string_view name_in(const std::array<std::string_view, Size>& names, Enum value) {
  const auto index = static_cast<std::size_t>(value);
  return index < Size ? names[index] : std::string_view{};
}

}  // namespace

std::string_view name_of(Engine engine) { return name_in(kEngineNames, engine); }
std::string_view name_of(Convert convert) { return name_in(kConvertNames, convert); }
std::string_view name_of(Dataflow dataflow) { return name_in(kDataflowNames, dataflow); }
std::string_view name_of(VectorFunction function) { return name_in(kFunctionNames, function); }
std::string_view opcode_name(const Command& command) { return kOpcodeNames[command.payload.index()]; }

bool Command::is_work() const {
  return std::holds_alternative<Dma>(payload) || std::holds_alternative<Matmul>(payload) ||
         std::holds_alternative<Vector>(payload);
}

}  // namespace archsim
