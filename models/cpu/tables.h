// The CPU cluster as tables: what can be set, what is measured, what is counted.
#pragma once

#include "arch/describe/fields.h"
#include "arch/describe/stats.h"
#include "arch/units/quantity.h"
#include "arch/workload/operator.h"

namespace archsim {

/// Cycles that one core takes for an element produced. All "assumed", for 128-bit SIMD at fp32 with loads and stores in L1/L2:
/// an arithmetic operation with its load and store half a cycle, a copy a quarter, an exponential with its polynomial four;
/// image preprocessing is dominated by decoding (about 5 cycles a decoded byte, a 640 x 480 frame for 224 x 224 x 3 out);
/// tokenizing by table look-ups that miss.
struct HostCycles {
  double softmax = 5, layernorm = 2, groupnorm = 2, rmsnorm = 1.5;
  double gelu = 5, silu = 4.5, mish = 10, relu = 0.5, tanh = 4, sigmoid = 4, glu = 5.5;
  double rope = 3, add = 0.5, sub = 0.5, mul = 0.5, scale = 0.5, axpy = 0.5, cast = 0.5;
  double concat = 0.25, slice = 0.25, sincos = 20, broadcast = 0.25, patchify = 0.5, embedding = 0.5;
  double reshape = 0.25, pixel_shuffle = 0.5, im2col = 0.5, maxpool = 0.5, argmax = 0.5;
  double avgpool = 0.5, depthwise_conv = 0.5;
  // As above; a division or a root takes two, a power is a logarithm and an exponential; a transposition
  // misses in L1 on one of its sides.
  double exp = 4, log = 4, sqrt = 2, reciprocal = 2, erf = 5, sin = 5, cos = 5, abs = 0.5, elu = 5, softplus = 8;
  double hard_swish = 1.5, leaky_relu = 1, hard_sigmoid = 1, round = 0.5, clip = 0.5, div = 2, pow = 9;
  double maximum = 0.5, minimum = 0.5, compare = 0.5, where = 0.75;
  double transpose = 1, expand = 0.25, reduce = 0.5, gather = 0.5, pad = 0.25, resize = 2;
  double image_preprocess = 30, tokenize = 400, action_postprocess = 2;

  static constexpr auto fields() {
    using P = HostCycles;
    constexpr auto cycles = []<auto Member>(ParamLine<Member> line) { return line.between(0.0, 1e6); };
    return fields_of(
        cycles(param<&P::softmax>("softmax")), cycles(param<&P::layernorm>("layer norm")),
        cycles(param<&P::groupnorm>("group norm")), cycles(param<&P::mish>("Mish")),
        cycles(param<&P::rmsnorm>("RMS norm")), cycles(param<&P::gelu>("GELU")), cycles(param<&P::silu>("SiLU")),
        cycles(param<&P::relu>("ReLU")), cycles(param<&P::tanh>("tanh")),
        cycles(param<&P::sigmoid>("logistic function")), cycles(param<&P::glu>("gated linear unit")),
        cycles(param<&P::rope>("rotary embedding")), cycles(param<&P::add>("sum")),
        cycles(param<&P::sub>("difference")), cycles(param<&P::mul>("product")),
        cycles(param<&P::scale>("times a constant")), cycles(param<&P::axpy>("plus a multiple")),
        cycles(param<&P::cast>("conversion")), cycles(param<&P::concat>("concatenation")),
        cycles(param<&P::slice>("part of a tensor")), cycles(param<&P::sincos>("sine and cosine embedding")),
        cycles(param<&P::broadcast>("repeated row")), cycles(param<&P::patchify>("patches as rows")),
        cycles(param<&P::embedding>("gathered rows")), cycles(param<&P::reshape>("elements in another shape")),
        cycles(param<&P::pixel_shuffle>("neighbours joined")),
        cycles(param<&P::im2col>("elements under a kernel as rows")),
        cycles(param<&P::maxpool>("largest under a kernel, each element under it")),
        cycles(param<&P::avgpool>("mean under a kernel, each element under it")),
        cycles(param<&P::depthwise_conv>("a kernel for each channel, each element under it")),
        cycles(param<&P::argmax>("search for the largest")), cycles(param<&P::exp>("exponential")),
        cycles(param<&P::log>("logarithm")), cycles(param<&P::sqrt>("square root")),
        cycles(param<&P::reciprocal>("reciprocal")), cycles(param<&P::erf>("error function")),
        cycles(param<&P::sin>("sine")), cycles(param<&P::cos>("cosine")), cycles(param<&P::abs>("absolute value")),
        cycles(param<&P::elu>("ELU")), cycles(param<&P::softplus>("softplus")),
        cycles(param<&P::hard_swish>("hard swish")), cycles(param<&P::leaky_relu>("leaky ReLU")),
        cycles(param<&P::hard_sigmoid>("hard sigmoid")), cycles(param<&P::round>("to whole numbers")),
        cycles(param<&P::clip>("within limits")), cycles(param<&P::div>("quotient")), cycles(param<&P::pow>("power")),
        cycles(param<&P::maximum>("larger of two")), cycles(param<&P::minimum>("smaller of two")),
        cycles(param<&P::compare>("comparison")), cycles(param<&P::where>("choice by a condition")),
        cycles(param<&P::transpose>("axes in another order")), cycles(param<&P::expand>("axes repeated")),
        cycles(param<&P::reduce>("an axis made one element, each element of the operand")),
        cycles(param<&P::gather>("places of an axis by ids")), cycles(param<&P::pad>("axes made longer")),
        cycles(param<&P::resize>("a grid of another size")),
        cycles(param<&P::image_preprocess>("decode, resize and normalise an image")),
        cycles(param<&P::tokenize>("byte-pair encoding")),
        cycles(param<&P::action_postprocess>("un-normalise and clip actions")));
  }
};

struct HostMemoryParams {
  unsigned outstanding = 32;  // assumed: half of the 64 misses that four cores of this class keep under way
  Bytes line = 64_B;

  static constexpr auto fields() {
    using P = HostMemoryParams;
    return fields_of(param<&P::outstanding>("cache lines under way, all cores together").between(1, 4096),
                     param<&P::line>("bytes of one").between(16_B, 1_KiB).power_of_two());
  }
};

struct ClusterParams {
  unsigned cores = 4;
  // Assumed: half of what two 128-bit dot-product pipes do with int8.
  double macs_per_cycle = 16;
  HostCycles cycles_per_element;
  Time fork_join = 2_us;  // assumed: wake the cores' threads and gather them again
  // Assumed: a driver call of 0.2 us (measured on an x86 virtual machine, not an Arm SoC), cache maintenance or barrier, doorbell. A GPU
  // framework's launch takes 20 us (V100, PyTorch element-wise, Nsight).
  Time launch = 2_us;
  // An event-file-descriptor round trip with two wake-ups, p50 5.7 us on an x86 virtual machine; a real-time kernel on an isolated Orin
  // core stays below 20 us.
  Time interrupt = 6_us;
  // 0: the interconnect keeps caches coherent, as those of today's robot SoCs do (I/O coherence by Arm's ACE-Lite).
  double maintenance_cycles = 0;
  HostMemoryParams memory;

  static constexpr auto fields() {
    using P = ClusterParams;
    return fields_of(
        param<&P::cores>("cores that share each operation").between(1, 256),
        param<&P::macs_per_cycle>("of one core, for linear, matmul and attention").between(0.01, 4096.0),
        param<&P::cycles_per_element>("of one core, by operator"),
        param<&P::fork_join>("of each operation: to put all cores to work and gather them").between(0_us, 1000_ms),
        param<&P::launch>("host-side cost of starting work on the accelerators").between(0_us, 1000_ms),
        param<&P::interrupt>("from an accelerator's completion to the waiting thread running").between(0_us, 1000_ms),
        param<&P::maintenance_cycles>("of one core, to clean or invalidate a cache line of what accelerators read or "
                                      "wrote; 0: caches are coherent")
            .between(0.0, 10000.0),
        param<&P::memory>("what the cores together ask of memory"));
  }
};

struct ClusterStats {
  Count operations, elements, launches, interrupts, maintained;
  Total<Bytes> read, written;

  static constexpr auto fields() {
    using S = ClusterStats;
    return fields_of(stat<&S::operations>("host operations executed"),
                     stat<&S::elements>("elements produced; for linear, matmul and attention MACs done"),
                     stat<&S::launches>("doorbells rung at accelerators"),
                     stat<&S::interrupts>("waits for accelerators that put the thread to sleep"),
                     stat<&S::maintained>("cache lines cleaned or invalidated because accelerators share them"),
                     stat<&S::read>("read through the memory port"),
                     stat<&S::written>("written through the memory port"));
  }
};

struct ClusterEvents {
  Count core_cycle, line_moved;

  static constexpr auto fields() {
    using E = ClusterEvents;
    return fields_of(event<&E::core_cycle>("one core busy for one cycle", "cpu.cycle"),
                     event<&E::line_moved>("a cache line read or written through the memory port", "cpu.line"));
  }
};

}  // namespace archsim
