#include "models/cpu/price.h"

#include <cmath>

namespace archsim {
namespace {

double cycles_of(const HostCycles& cycles, OperatorType type) {
  switch (type) {
#define ARCHSIM_CASE(name) \
  case OperatorType::name: \
    return cycles.name
    ARCHSIM_CASE(softmax);
    ARCHSIM_CASE(layernorm);
    ARCHSIM_CASE(rmsnorm);
    ARCHSIM_CASE(groupnorm);
    ARCHSIM_CASE(mish);
    ARCHSIM_CASE(gelu);
    ARCHSIM_CASE(silu);
    ARCHSIM_CASE(relu);
    ARCHSIM_CASE(tanh);
    ARCHSIM_CASE(sigmoid);
    ARCHSIM_CASE(glu);
    ARCHSIM_CASE(rope);
    ARCHSIM_CASE(add);
    ARCHSIM_CASE(sub);
    ARCHSIM_CASE(mul);
    ARCHSIM_CASE(scale);
    ARCHSIM_CASE(axpy);
    ARCHSIM_CASE(cast);
    ARCHSIM_CASE(concat);
    ARCHSIM_CASE(slice);
    ARCHSIM_CASE(sincos);
    ARCHSIM_CASE(broadcast);
    ARCHSIM_CASE(patchify);
    ARCHSIM_CASE(embedding);
    ARCHSIM_CASE(reshape);
    ARCHSIM_CASE(pixel_shuffle);
    ARCHSIM_CASE(im2col);
    ARCHSIM_CASE(maxpool);
    ARCHSIM_CASE(avgpool);
    ARCHSIM_CASE(depthwise_conv);
    ARCHSIM_CASE(argmax);
    ARCHSIM_CASE(exp);
    ARCHSIM_CASE(log);
    ARCHSIM_CASE(sqrt);
    ARCHSIM_CASE(reciprocal);
    ARCHSIM_CASE(erf);
    ARCHSIM_CASE(sin);
    ARCHSIM_CASE(cos);
    ARCHSIM_CASE(abs);
    ARCHSIM_CASE(elu);
    ARCHSIM_CASE(softplus);
    ARCHSIM_CASE(hard_swish);
    ARCHSIM_CASE(leaky_relu);
    ARCHSIM_CASE(hard_sigmoid);
    ARCHSIM_CASE(round);
    ARCHSIM_CASE(clip);
    ARCHSIM_CASE(div);
    ARCHSIM_CASE(pow);
    ARCHSIM_CASE(maximum);
    ARCHSIM_CASE(minimum);
    ARCHSIM_CASE(compare);
    ARCHSIM_CASE(where);
    ARCHSIM_CASE(transpose);
    ARCHSIM_CASE(expand);
    ARCHSIM_CASE(reduce);
    ARCHSIM_CASE(gather);
    ARCHSIM_CASE(pad);
    ARCHSIM_CASE(resize);
    ARCHSIM_CASE(image_preprocess);
    ARCHSIM_CASE(tokenize);
    ARCHSIM_CASE(action_postprocess);
#undef ARCHSIM_CASE
    case OperatorType::linear:
    case OperatorType::matmul:
    case OperatorType::attention:
      break;
  }
  return 0.0;
}

bool multiplies(OperatorType type) {
  return type == OperatorType::linear || type == OperatorType::matmul || type == OperatorType::attention;
}

}  // namespace

Time maintenance_time(const ClusterParams& params, Frequency clock, std::uint64_t bytes) {
  const double cycles = static_cast<double>(ceil_div(bytes, params.memory.line.value)) * params.maintenance_cycles;
  return Time(static_cast<std::uint64_t>(
      std::llround(cycles * static_cast<double>(kPicosecondsPerSecond) / static_cast<double>(clock.value))));
}

std::optional<Time> host_time(const ClusterParams& params, Frequency clock, OperatorType type, std::uint64_t elements) {
  const double each = multiplies(type) ? 1.0 / params.macs_per_cycle : cycles_of(params.cycles_per_element, type);
  if (each <= 0.0) return std::nullopt;
  const double cycles = static_cast<double>(elements) * each / params.cores;
  const double picoseconds = cycles * static_cast<double>(kPicosecondsPerSecond) / static_cast<double>(clock.value);
  return params.fork_join + Time(static_cast<std::uint64_t>(std::llround(picoseconds)));
}

}  // namespace archsim
