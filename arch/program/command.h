// What an accelerator executes: the one command set of the functional executor, the SystemC model and the RTL.
//
// Each accelerator has four in-order command streams, one an engine. A command of fixed width (128 bytes, field table in
// arch/program/encoding.h) names its operands by byte address, so hardware needs no other context. Commands of one
// stream issue in order and complete in order; several may be in flight. Streams meet through progress counters: every
// engine counts its completed load, store, matmul and vector commands, and a command may wait for the counters of its accelerator
// (`wait_for`). Within one stream commands take effect in order, so only commands of *different* engines need a wait: a
// command reads and writes at any time between its issue and its completion. Accelerators and the host meet through
// semaphores, which count up and are never reset (timeline semaphores), so an expected value is a linear function of the
// loop iterations and needs no reset protocol.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "arch/workload/tensor.h"

namespace archsim {

enum class Engine : std::uint8_t { load, array, vector, store };
constexpr std::size_t kEngines = 4;
std::string_view name_of(Engine engine);

/// Each stream has 32 loop registers of 48 bits, all 0 at the start. Registers 1..4 are added to `wait_for` of load,
/// array, vector, store; 5 to semaphore values of accelerators, 6 to those of the host; 7.. are for addresses. Register 0
/// is never the target of a stride.
namespace loop_register {
constexpr std::uint8_t kZero = 0;  // always reads 0
constexpr std::uint8_t kProgress = 1;
constexpr std::uint8_t kAcceleratorSemaphore = 5;
constexpr std::uint8_t kHostSemaphore = 6;
constexpr std::uint8_t kFirstAddress = 7;
constexpr std::uint8_t kCount = 32;
}  // namespace loop_register

/// What every progress counter and every semaphore holds at reset. Not 0: in a loop's first iteration "one iteration back"
/// is a count below the start, and must be an ordinary number that is reached already. So the n-th completion (n from 1)
/// brings a counter to kCounterStart + n, and that is the value to wait for.
constexpr std::uint32_t kCounterStart = 0x4000'0000;

/// A byte in the accelerator: scratchpad, or accumulator SRAM if bit 31 is set.
struct LocalAddress {
  std::uint32_t value = 0;
  static constexpr std::uint32_t kAccumulatorBit = 0x8000'0000;
  static constexpr LocalAddress scratchpad(std::uint64_t byte) { return {static_cast<std::uint32_t>(byte)}; }
  static constexpr LocalAddress accumulator(std::uint64_t byte) {
    return {static_cast<std::uint32_t>(byte) | kAccumulatorBit};
  }
  constexpr bool in_accumulator() const { return (value & kAccumulatorBit) != 0; }
  constexpr std::uint32_t byte() const { return value & ~kAccumulatorBit; }
  friend constexpr bool operator==(LocalAddress, LocalAddress) = default;
};

/// Runs the commands up to the matching `end_loop` `count` times (at least once). The `stride` commands right behind
/// it say how registers move: after each iteration but the last `register += stride`; after the last one each register
/// returns to its value before the loop. Loops nest. Every loop stands for one loop of the trace.
struct LoopBegin {
  std::uint32_t count = 1;
  friend bool operator==(const LoopBegin&, const LoopBegin&) = default;
};
struct Stride {
  std::uint8_t register_index = 0;
  std::int64_t stride = 0;  // 48 bits, signed
  friend bool operator==(const Stride&, const Stride&) = default;
};
struct EndLoop {
  friend bool operator==(const EndLoop&, const EndLoop&) = default;
};
struct Halt {
  friend bool operator==(const Halt&, const Halt&) = default;
};

/// Blocks the stream until semaphore `semaphore` is at least `value` + register (both count from kCounterStart). Each
/// accelerator and the host has its own bank of semaphores, one for each accelerator and one for the host. Semaphore
/// s < accelerators counts the operators that accelerator s has completed; semaphore number `accelerators` the host's.
struct WaitSemaphore {
  std::uint16_t semaphore = 0;
  std::uint32_t value = 0;
  std::uint8_t register_index = loop_register::kZero;
  friend bool operator==(const WaitSemaphore&, const WaitSemaphore&) = default;
};

/// Once every earlier command of this stream has completed (it does not block later ones): adds 1 to semaphore
/// `semaphore` in the banks of accelerators first..first+count-1, and in the host's if `to_host`. Any stream may signal.
struct Signal {
  std::uint16_t semaphore = 0;
  std::uint16_t first = 0;
  std::uint16_t count = 0;
  bool to_host = false;
  friend bool operator==(const Signal&, const Signal&) = default;
};

/// What a DMA does to elements on the way.
enum class Convert : std::uint8_t {
  none,
  bf16_to_fp32,  // widening load, memory bf16 -> local fp32
  fp32_to_bf16,  // store, round to nearest even
  requantize,    // store, int32 -> int8: saturate8((x * multiplier + (1 << (shift-1))) >> shift), arithmetic, 64 bits
};
constexpr std::size_t kConverts = static_cast<std::size_t>(Convert::requantize) + 1;
std::string_view name_of(Convert convert);

/// `load`: memory -> local. `store`: local -> memory. Moves planes x rows x row_bytes; row_bytes, pitches and both
/// addresses count bytes as they lie on that side (so with a conversion the local row is longer or shorter by the ratio
/// of element sizes; `row_bytes` is the memory side's). A memory pitch of 0 repeats a row (a bias broadcast to all rows).
struct Dma {
  std::uint64_t memory_address = 0;  // 48 bits; the register is added
  std::uint8_t address_register = loop_register::kZero;
  LocalAddress local;
  std::uint32_t row_bytes = 0;
  std::uint32_t rows = 1;
  std::uint32_t planes = 1;
  std::int64_t memory_row_pitch = 0;    // 48 bits
  std::int64_t memory_plane_pitch = 0;  // 48 bits
  std::uint32_t local_row_pitch = 0;
  std::uint32_t local_plane_pitch = 0;
  Convert convert = Convert::none;
  std::int32_t multiplier = 1;  // requantize
  std::uint8_t shift = 0;       // requantize, 1..62 (0: no shift, no rounding term)
  friend bool operator==(const Dma&, const Dma&) = default;
};

enum class Dataflow : std::uint8_t { weight_stationary, output_stationary, input_stationary };
constexpr std::size_t kDataflows = static_cast<std::size_t>(Dataflow::input_stationary) + 1;
std::string_view name_of(Dataflow dataflow);

/// out[m,n] (+)= a[m,k] w[k,n] on the systolic array. int8 x int8 accumulates in int32; every other pair of element
/// types multiplies exactly (fp32 x fp32: rounded to fp32) and accumulates in fp32, one sum in ascending k that starts at +0,
/// or at what `out` holds; int32 wraps. Integer elements enter as they are, without their tensor's scale. Operands lie in
/// the scratchpad (a, w) and the
/// accumulator SRAM (out, 4 bytes an element). Pitches in bytes. `transpose_w`: w is stored as [n,k]. A w of another type
/// than a, or with `w_grouping`, passes the array's weight decoder, which makes it values of a's type. Operands in blocks or
/// groups or of half bytes lie without gaps, whatever their pitch.
struct Matmul {
  LocalAddress a, w, out;
  std::uint32_t m = 0, k = 0, n = 0;
  std::uint32_t a_pitch = 0, w_pitch = 0, out_pitch = 0;
  Dtype a_dtype = Dtype::int8, w_dtype = Dtype::int8;
  bool accumulate = false;  // add to what `out` holds; else overwrite
  bool transpose_w = false;
  Dataflow dataflow = Dataflow::weight_stationary;
  Grouping w_grouping;

  Packing a_packing() const { return packing_of(a_dtype); }
  Packing w_packing() const { return packing_of(w_dtype, w_grouping); }
  /// Whether w is multiplied as it is stored: of a's type, without groups; 2:4 sparse or not.
  bool is_w_native() const { return w_dtype == a_dtype && w_grouping.group == 0; }
  friend bool operator==(const Matmul&, const Matmul&) = default;
};

/// The vector unit's functions. Sources are read as q * scale in fp32 (an int32 q is first rounded to fp32), computed in fp32
/// with every operation rounded, and written as saturate(round_half_even(y / scale)) for integer destinations (NaN becomes 0),
/// or rounded to nearest even for bf16/fp16 (`scale` of the destination unused). exp, tanh, erf, sin, cos and powers are the
/// fp32 next to the exact value. Sums over a row run in ascending column order. A row is read whole before it is written,
/// so a destination may be one of its sources. `rows` x `columns` are those of the destination.
enum class VectorFunction : std::uint8_t {
  copy,  // y = src0 (casts, requantizes, moves, broadcasts with pitch 0)
  add,
  sub,
  mul,    // y = src0 op src1 (a pitch of 0 broadcasts a row)
  scale,  // y = src0 * parameter0
  axpy,   // y = src0 + parameter0 * src1
  gelu_tanh,
  gelu_erf,
  silu,
  relu,
  tanh,
  sigmoid,
  glu_gelu_tanh,
  glu_gelu_erf,
  glu_silu,
  glu_relu,
  glu_sigmoid,  // y = act(src0) * src1
  layernorm,    // rows of src0; gamma src1, beta src2; epsilon parameter0
  rmsnorm,      // x / sqrt(mean(x^2) + parameter0) * (parameter1 + gamma src1)
  rope,     // head_dim integer0, theta parameter0, position of the first row integer1. Elements i of the first and of
            // the second half of a head turn together by position * theta^(-2i/head_dim)
  softmax,  // softmax(src0 * parameter0) over each row: exp(x - max) / sum
  softmax_step,  // one key tile of flash attention: scores src0[rows,columns] * parameter0; src1 = running state of each row
                 // {max, sum} fp32; src2 = output accumulator [rows, integer0 columns] fp32, rescaled in place;
                 // dst = p = exp(score - new max); f = exp(old max - new max); sum = sum * f + (sum of p, unrounded);
                 // output *= f; integer1 = 1 on the first tile (state and output are taken as -inf, 0, 0)
  softmax_finish,  // y = src0[rows,columns] / sum of src1's state
  sincos,          // dst[rows, columns]: first half sin, second half cos of src0[row] * 2 pi / period_i,
                   // period_i = parameter0 * (parameter1/parameter0)^(i/(columns/2-1)); parameter0 if columns is 2
};
constexpr std::size_t kVectorFunctions = static_cast<std::size_t>(VectorFunction::sincos) + 1;
std::string_view name_of(VectorFunction function);

struct VectorOperand {
  LocalAddress address;
  std::uint32_t pitch = 0;  // bytes from row to row; 0 repeats one row
  Dtype dtype = Dtype::bf16;
  float scale = 1.0F;
  friend bool operator==(const VectorOperand&, const VectorOperand&) = default;
};

struct Vector {
  VectorFunction function = VectorFunction::copy;
  std::uint32_t rows = 0, columns = 0;
  std::array<VectorOperand, 3> source;
  VectorOperand destination;
  float parameter0 = 0.0F, parameter1 = 0.0F;
  std::uint32_t integer0 = 0, integer1 = 0;
  /// softmax and softmax_step: row r sees its first visible + r * visible_step columns (clamped to 0..columns). What it
  /// does not see counts as a score of minus infinity, so the destination is 0 there; a row that sees nothing keeps its state.
  std::int32_t visible = kSeesAll;
  std::int32_t visible_step = 0;
  static constexpr std::int32_t kSeesAll = 0x7FFF'FFFF;
  friend bool operator==(const Vector&, const Vector&) = default;
};

/// Host stream only: runs Program::host_operations[index] on the CPU.
struct HostOperation {
  std::uint32_t index = 0;
  friend bool operator==(const HostOperation&, const HostOperation&) = default;
};

/// The order of the alternatives is the opcode.
using Payload =
    std::variant<Halt, LoopBegin, Stride, EndLoop, WaitSemaphore, Signal, Dma, Matmul, Vector, HostOperation>;

struct Command {
  std::uint32_t tag = kNoOperator;  // the trace's operator, for attribution
  /// Issue only when the counter of engine e of this accelerator is at least `wait_for[e]` + register[kProgress + e], where
  /// counters start at kCounterStart; 0: no wait, whatever the register holds. Holds for wait_semaphore and signal too, but
  /// not for loop_begin, stride, end_loop and halt.
  std::array<std::uint32_t, kEngines> wait_for{};
  Payload payload;

  static constexpr std::uint32_t kNoOperator = 0xFFFFFFFF;
  /// True for the commands that the progress counters count.
  bool is_work() const;
  friend bool operator==(const Command&, const Command&) = default;
};

std::string_view opcode_name(const Command& command);

}  // namespace archsim
