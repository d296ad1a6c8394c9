// The systolic accelerator as tables: what can be set, what is measured, what is counted.
#pragma once

#include <map>
#include <vector>

#include "arch/describe/fields.h"
#include "arch/describe/stats.h"
#include "arch/program/command.h"
#include "arch/units/quantity.h"
#include "models/accel/timing/array.h"

namespace archsim {

struct ScratchpadParams {
  Bytes capacity = 2_MiB;
  unsigned banks = 16;
  Bytes port_width = 64_B;

  static constexpr auto fields() {
    using P = ScratchpadParams;
    return fields_of(param<&P::capacity>("data held by all banks").between(1_KiB, 1_GiB),
                     param<&P::banks>("banks; all of them together feed array, vector unit and DMA").between(1, 1024),
                     param<&P::port_width>("bytes that one bank, and the memory port, move a cycle")
                         .between(1_B, 4_KiB)
                         .power_of_two());
  }
};

struct AcceleratorDmaParams {
  unsigned outstanding = 16;  // Gemmini's default (ucb-bar/gemmini@8c3f992)
  Bytes burst = 512_B;        // assumed
  Cycles setup = 32_cycles;   // assumed
  unsigned descriptors = 8;   // assumed

  static constexpr auto fields() {
    using P = AcceleratorDmaParams;
    return fields_of(
        param<&P::outstanding>("bursts that each of load and store may have under way").between(1, 4096),
        param<&P::burst>("largest request").between(16_B, 16_KiB).power_of_two(),
        param<&P::setup>("to take up a descriptor, while the one before transfers").between(0_cycles, 100000_cycles),
        param<&P::descriptors>("that each of load and store may have under way").between(1, 256));
  }
};

struct SmmuParams {
  unsigned entries = 0;
  Bytes page = 64_KiB;       // Arm's largest granule (DDI 0487)
  Cycles walk = 200_cycles;  // assumed: two dependent reads of memory

  static constexpr auto fields() {
    using P = SmmuParams;
    return fields_of(param<&P::entries>("pages that the TLB holds; 0: addresses are physical").between(0, 4096),
                     param<&P::page>("that an entry maps").between(4_KiB, 1_GiB).power_of_two(),
                     param<&P::walk>("to find a page that the TLB lacks").between(0_cycles, 1000000_cycles));
  }
};

/// Lane-cycles an element: passes over a row times cycles a pass. 0: the unit does not have the function. All "assumed", for
/// a unit with one multiply-add and one table look-up with interpolation (exp, tanh, erf, 1/x, ...) a lane, each one a
/// cycle: add to sigmoid are one operation each, the approximations of gelu and silu need one more for the product;
/// rmsnorm reads a row twice and has two products, layernorm one more; softmax finds the maximum, takes the exponential
/// and sums, and divides; rope and sincos take an angle and a sine or cosine.
struct VectorCycles {
  double copy = 1, add = 1, sub = 1, mul = 1, scale = 1, axpy = 1;
  double gelu_tanh = 2, gelu_erf = 2, silu = 2, relu = 1, tanh = 1, sigmoid = 1;
  double glu_gelu_tanh = 3, glu_gelu_erf = 3, glu_silu = 3, glu_relu = 2, glu_sigmoid = 2;
  double layernorm = 4, rmsnorm = 3, rope = 3, softmax = 4, softmax_step = 3, softmax_finish = 1, sincos = 3;

  double of(VectorFunction function) const;

  static constexpr auto fields() {
    using P = VectorCycles;
    constexpr auto lane_cycles = []<auto Member>(ParamLine<Member> line) { return line.between(0.0, 1000.0); };
    return fields_of(lane_cycles(param<&P::copy>("copy, cast, requantize")), lane_cycles(param<&P::add>("sum")),
                     lane_cycles(param<&P::sub>("difference")), lane_cycles(param<&P::mul>("product")),
                     lane_cycles(param<&P::scale>("times a constant")), lane_cycles(param<&P::axpy>("plus a multiple")),
                     lane_cycles(param<&P::gelu_tanh>("GELU by tanh")), lane_cycles(param<&P::gelu_erf>("GELU by erf")),
                     lane_cycles(param<&P::silu>("SiLU")), lane_cycles(param<&P::relu>("ReLU")),
                     lane_cycles(param<&P::tanh>("tanh")), lane_cycles(param<&P::sigmoid>("logistic function")),
                     lane_cycles(param<&P::glu_gelu_tanh>("gated unit with GELU by tanh")),
                     lane_cycles(param<&P::glu_gelu_erf>("gated unit with GELU by erf")),
                     lane_cycles(param<&P::glu_silu>("gated unit with SiLU")),
                     lane_cycles(param<&P::glu_relu>("gated unit with ReLU")),
                     lane_cycles(param<&P::glu_sigmoid>("gated unit with the logistic function")),
                     lane_cycles(param<&P::layernorm>("layer norm")), lane_cycles(param<&P::rmsnorm>("RMS norm")),
                     lane_cycles(param<&P::rope>("rotary embedding")),
                     lane_cycles(param<&P::softmax>("softmax of whole rows")),
                     lane_cycles(param<&P::softmax_step>("one key tile of flash attention; rescaling costs `scale`")),
                     lane_cycles(param<&P::softmax_finish>("division by the sum at its end")),
                     lane_cycles(param<&P::sincos>("sine and cosine embedding")));
  }
};

struct SystolicParams {
  unsigned rows = 64, cols = 64;
  std::map<Dtype, double> dtypes = {{Dtype::int8, 1.0}, {Dtype::bf16, 1.0}};
  std::map<Sparsity, double> sparsity;
  bool weight_decoder = true;
  std::vector<Dataflow> dataflows = {Dataflow::weight_stationary, Dataflow::output_stationary};
  Overlap overlap = Overlap::full;
  ScratchpadParams scratchpad;
  Bytes accumulator = 512_KiB;
  unsigned vector_lanes = 128;
  Cycles vector_startup = 16_cycles;  // assumed: depth of a floating-point pipeline with a look-up
  VectorCycles vector_cycles;
  bool requantizing_store = true;
  AcceleratorDmaParams dma;
  SmmuParams smmu;
  unsigned queue_depth = 4;  // assumed: covers the fetch of a command from the next cycle on

  static constexpr auto fields() {
    using P = SystolicParams;
    return fields_of(
        param<&P::rows>("rows of processing elements").between(1, 4096),
        param<&P::cols>("columns of processing elements").between(1, 4096),
        param<&P::dtypes>("MACs a processing element and cycle, by element type; the wider operand decides")
            .between(1.0 / 64, 64.0)
            .not_empty(),
        param<&P::sparsity>("times as many MACs with weights of this sparsity that are stored as they are multiplied")
            .between(1.0, 4.0),
        param<&P::weight_decoder>("whether the array takes weights of a narrower format than its other operand"),
        param<&P::dataflows>("what may stay in the processing elements").not_empty(),
        param<&P::overlap>("`full`: weights load and results drain while the array works; `none`: one after another"),
        param<&P::scratchpad>("SRAM for operands"),
        param<&P::accumulator>("SRAM for results, 4 bytes an element").between(1_KiB, 256_MiB),
        param<&P::vector_lanes>("elements a cycle of the vector unit; 0: there is none").between(0, 65536),
        param<&P::vector_startup>("of each vector command").between(0_cycles, 10000_cycles),
        param<&P::vector_cycles>("lane-cycles an element, by function; 0: the unit cannot"),
        param<&P::requantizing_store>("whether the store engine requantizes and rounds"),
        param<&P::dma>("load and store engine, each with these"),
        param<&P::smmu>("translation of the addresses that load and store send"),
        param<&P::queue_depth>("commands of each stream that are fetched ahead, or that the host may push ahead")
            .between(1, 256));
  }
};

struct SystolicStats {
  Count commands, macs, mac_slots;
  Total<Cycles> stretched;
  Total<Bytes> load, store, dram;
  Count vector_elements, signals;
  Count walks;

  static constexpr auto fields() {
    using S = SystolicStats;
    return fields_of(
        stat<&S::commands>("work commands executed"), stat<&S::macs>("multiplications that the matmuls ask for"),
        stat<&S::mac_slots>("MACs that the array could have done while it was busy"),
        stat<&S::stretched>("cycles that other engines' scratchpad accesses cost array and vector unit"),
        stat<&S::load>("read through the memory port"), stat<&S::store>("written through the memory port"),
        stat<&S::dram>("of both, from or to DRAM"), stat<&S::vector_elements>("elements that passed the vector lanes"),
        stat<&S::signals>("doorbells rung"), stat<&S::walks>("pages that the TLB lacked"));
  }
};

struct SystolicEvents {
  Count mac_int8, mac_bf16, mac_fp16, mac_fp32;
  Count mac_fp8, mac_int4, mac_mxfp8, mac_fp4, weight_decoded;
  Count scratchpad_read, scratchpad_written;
  Count accumulator_read, accumulator_written;
  Count vector_operation;
  Count dma_byte, dma_descriptor, page_walk;
  Count command;

  static constexpr auto fields() {
    using E = SystolicEvents;
    return fields_of(
        event<&E::mac_int8>("one int8 multiplication, added", "mac.int8"),
        event<&E::mac_bf16>("one bf16 multiplication, added in fp32", "mac.bf16"),
        event<&E::mac_fp16>("one fp16 multiplication, added in fp32", "mac.fp16"),
        event<&E::mac_fp32>("one fp32 multiplication, added", "mac.fp32"),
        event<&E::mac_fp8>("one fp8 multiplication, added in fp32", "mac.fp8"),
        event<&E::mac_int4>("one int4 multiplication, added", "mac.int4"),
        event<&E::mac_mxfp8>("one mxfp8 multiplication, added in fp32, its share of the scales' product with it",
                             "mac.mxfp8"),
        event<&E::mac_fp4>("the same of mxfp4 or nvfp4", "mac.fp4"),
        event<&E::weight_decoded>("a weight that the array's decoder turned into another format",
                                  "accel.weight_decoder"),
        event<&E::scratchpad_read>("a byte read from the scratchpad", "accel.scratchpad.read"),
        event<&E::scratchpad_written>("a byte written to the scratchpad", "accel.scratchpad.write"),
        event<&E::accumulator_read>("a byte read from the accumulator SRAM", "accel.accumulator.read"),
        event<&E::accumulator_written>("a byte written to the accumulator SRAM", "accel.accumulator.write"),
        event<&E::vector_operation>("one lane busy for one cycle", "accel.vector.lane_cycle"),
        event<&E::dma_byte>("a byte through the DMA", "accel.dma.byte"),
        event<&E::dma_descriptor>("a descriptor taken up", "accel.dma.descriptor"),
        event<&E::page_walk>("a page looked up in memory", "accel.smmu.walk"),
        event<&E::command>("a command decoded", "accel.command"));
  }
};

}  // namespace archsim
