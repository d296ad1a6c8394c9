// The coefficients of a technology, declared once: a technology file gives every one of them, and nothing else is priced.
//
// An energy is that of one event of the named thing, all of it switching as in use; what scales with size is scaled by shape.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace archsim {

enum class Cost : std::uint8_t {
  mac_int4,
  mac_int8,
  mac_fp8,
  mac_mxfp8,
  mac_fp4,
  mac_bf16,
  mac_fp16,
  mac_fp32,
  register_bit,
  clock_bit,
  idle_clock_share,
  vector_lane_cycle,
  weight_decode,
  command_decode,
  dma_byte,
  dma_descriptor,
  page_walk,
  sram_read,
  sram_write_ratio,
  sram_size_exponent,
  sram_width_exponent,
  sram_two_port_energy,
  sram_cell,
  sram_efficiency,
  sram_half_size,
  sram_two_port_area,
  sram_leakage,
  gate_area,
  logic_leakage,
  leakage_kelvin,
  gates_mac_int8,
  gates_mac_bf16,
  gates_mac_fp32,
  gates_vector_lane,
  gates_register_bit,
  gates_dma,
  gates_sequencer,
  gates_array_edge,
  router_bit,
  router_bit_area,
  link_bit_mm,
  cpu_cycle,
  cpu_line,
  cpu_area,
  cpu_leakage,
  dram_controller_gates,
  die_overhead,
  wafer_price,
  defect_density,
  ddr4_read_bit,
  ddr4_write_bit,
  ddr4_activate,
  ddr4_refresh,
  ddr4_background,
  ddr4_io_bit,
  ddr4_phy_area,
  ddr5_read_bit,
  ddr5_write_bit,
  ddr5_activate,
  ddr5_refresh,
  ddr5_background,
  ddr5_io_bit,
  ddr5_phy_area,
  lpddr4_read_bit,
  lpddr4_write_bit,
  lpddr4_activate,
  lpddr4_refresh,
  lpddr4_background,
  lpddr4_io_bit,
  lpddr4_phy_area,
  lpddr5_read_bit,
  lpddr5_write_bit,
  lpddr5_activate,
  lpddr5_refresh,
  lpddr5_background,
  lpddr5_io_bit,
  lpddr5_phy_area,
  hbm2_read_bit,
  hbm2_write_bit,
  hbm2_activate,
  hbm2_refresh,
  hbm2_background,
  hbm2_io_bit,
  hbm2_phy_area,
  hbm3_read_bit,
  hbm3_write_bit,
  hbm3_activate,
  hbm3_refresh,
  hbm3_background,
  hbm3_io_bit,
  hbm3_phy_area,
};

/// What happens to a coefficient when a technology is made of another one by `scale`.
enum class Scaling : std::uint8_t {
  none,
  logic_energy,
  sram_energy,
  wire_energy,
  logic_area,
  sram_area,
  analog_area,
  leakage,
  cpu_energy,
  cpu_area
};
constexpr std::array<std::string_view, 10> kScalings{"none",       "logic_energy", "sram_energy", "wire_energy",
                                                     "logic_area", "sram_area",    "analog_area", "leakage",
                                                     "cpu_energy", "cpu_area"};

struct CostLine {
  std::string_view name, unit;
  Scaling scaling;
  std::string_view doc;
};

// One family of DRAM: the device's core per bit and command, and what carries its bits to and from the controller.
#define ARCHSIM_DRAM_LINES(family)                                                                                \
  CostLine{family "_read_bit", "pJ", Scaling::none, "device core: a bit read, its row open"},                     \
      CostLine{family "_write_bit", "pJ", Scaling::none, "device core: a bit written, its row open"},             \
      CostLine{family "_activate", "pJ", Scaling::none, "device core: a row opened and closed, of one channel"},  \
      CostLine{family "_refresh", "pJ", Scaling::none, "device core: one refresh of all banks of a channel"},     \
      CostLine{family "_background", "mW", Scaling::none, "devices of one channel, standing by with rows open"},  \
      CostLine{family "_io_bit", "pJ", Scaling::none, "a bit through device I/O, PHY and controller"}, CostLine { \
    family "_phy_area", "mm2", Scaling::analog_area, "PHY on the SoC, for each GB/s of peak"                      \
  }

constexpr std::array kCosts{
    CostLine{"mac_int4", "pJ", Scaling::logic_energy, "int4 product, added"},
    CostLine{"mac_int8", "pJ", Scaling::logic_energy, "int8 product, added in int32"},
    CostLine{"mac_fp8", "pJ", Scaling::logic_energy, "fp8 product, added in fp32"},
    CostLine{"mac_mxfp8", "pJ", Scaling::logic_energy, "mxfp8 product with its share of the scales', added in fp32"},
    CostLine{"mac_fp4", "pJ", Scaling::logic_energy,
             "mxfp4 or nvfp4 product with its share of the scales', added in fp32"},
    CostLine{"mac_bf16", "pJ", Scaling::logic_energy, "bf16 product, added in fp32"},
    CostLine{"mac_fp16", "pJ", Scaling::logic_energy, "fp16 product, added in fp32"},
    CostLine{"mac_fp32", "pJ", Scaling::logic_energy, "fp32 product, added"},
    CostLine{"register_bit", "pJ", Scaling::logic_energy,
             "a bit passed on by a register: operand delivery in the array"},
    CostLine{"clock_bit", "pJ", Scaling::logic_energy,
             "clock tree and pin of one register bit, each cycle that it is clocked"},
    CostLine{"idle_clock_share", "1", Scaling::none,
             "of a block's clock power that gating leaves while it has no work"},
    CostLine{"vector_lane_cycle", "pJ", Scaling::logic_energy, "an fp32 multiply-add and look-up lane, one cycle"},
    CostLine{"weight_decode", "pJ", Scaling::logic_energy, "a weight turned into another format"},
    CostLine{"command_decode", "pJ", Scaling::logic_energy, "a command fetched and decoded"},
    CostLine{"dma_byte", "pJ", Scaling::logic_energy, "a byte through a DMA's alignment and buffers"},
    CostLine{"dma_descriptor", "pJ", Scaling::logic_energy, "a descriptor taken up"},
    CostLine{"page_walk", "pJ", Scaling::logic_energy, "a page looked up, beside the memory's own energy"},
    CostLine{"sram_read", "pJ", Scaling::sram_energy, "a 64-bit read of a 32 KiB single-port macro"},
    CostLine{"sram_write_ratio", "1", Scaling::none, "a write's energy over a read's"},
    CostLine{"sram_size_exponent", "1", Scaling::none, "energy grows with (size / 32 KiB) to this power"},
    CostLine{"sram_width_exponent", "1", Scaling::none, "energy grows with (width / 64 bit) to this power"},
    CostLine{"sram_two_port_energy", "1", Scaling::none,
             "energy of a macro with a read and a write port over a single-port one's"},
    CostLine{"sram_cell", "um2", Scaling::sram_area, "a bit's cell"},
    CostLine{"sram_efficiency", "1", Scaling::none, "cells' part of a large macro's area"},
    CostLine{"sram_half_size", "KiB", Scaling::none, "size of a macro with half the large one's efficiency"},
    CostLine{"sram_two_port_area", "1", Scaling::none,
             "area of a macro with a read and a write port over a single-port one's"},
    CostLine{"sram_leakage", "mW", Scaling::leakage, "of one MiB, at 350 K"},
    CostLine{"gate_area", "um2", Scaling::logic_area, "a gate (NAND2 equivalent), placed and routed"},
    CostLine{"logic_leakage", "mW", Scaling::none, "of one mm2 of logic, at 350 K"},
    CostLine{"leakage_kelvin", "K", Scaling::none, "warming that multiplies leakage by e"},
    CostLine{"gates_mac_int8", "gates", Scaling::none, "int8 multiplier with its part of an int32 adder"},
    CostLine{"gates_mac_bf16", "gates", Scaling::none,
             "fp8, bf16 or fp16 multiplier with an fp32 adder, beside int8's"},
    CostLine{"gates_mac_fp32", "gates", Scaling::none, "fp32 multiplier with an adder, beside the others"},
    CostLine{"gates_vector_lane", "gates", Scaling::none,
             "fp32 multiply-add, look-up with interpolation, formats, registers"},
    CostLine{"gates_register_bit", "gates", Scaling::none, "a register bit"},
    CostLine{"gates_dma", "gates", Scaling::none,
             "address generation and control of a load or store engine, or channel"},
    CostLine{"gates_sequencer", "gates", Scaling::none, "command streams, registers, interrupts of an accelerator"},
    CostLine{"gates_array_edge", "gates", Scaling::none,
             "feeding, skewing and draining, for a row or column of the array"},
    CostLine{"router_bit", "pJ", Scaling::wire_energy,
             "a bit of a flit through a router's buffer, crossbar and arbiter"},
    CostLine{"router_bit_area", "um2", Scaling::logic_area, "of a router, for each port and bit of width"},
    CostLine{"link_bit_mm", "pJ", Scaling::wire_energy, "a bit over a mm of repeated wire, at random data"},
    CostLine{"cpu_cycle", "pJ", Scaling::cpu_energy, "a core with its L1 and L2 busy for a cycle"},
    CostLine{"cpu_line", "pJ", Scaling::cpu_energy, "a cache line between cluster and interconnect"},
    CostLine{"cpu_area", "mm2", Scaling::cpu_area, "a core with L1, L2 and its part of the cluster"},
    CostLine{"cpu_leakage", "mW", Scaling::none, "of a core, at 350 K, powered"},
    CostLine{"dram_controller_gates", "gates", Scaling::none, "controller of one channel"},
    CostLine{"die_overhead", "1", Scaling::none,
             "pads, PLLs, test, power grid and spare, over the blocks of a whole chip"},
    CostLine{"wafer_price", "USD", Scaling::none, "a processed wafer of 300 mm"},
    CostLine{"defect_density", "1/cm2", Scaling::none, "defects that kill a die, in mature production"},
    ARCHSIM_DRAM_LINES("ddr4"),
    ARCHSIM_DRAM_LINES("ddr5"),
    ARCHSIM_DRAM_LINES("lpddr4"),
    ARCHSIM_DRAM_LINES("lpddr5"),
    ARCHSIM_DRAM_LINES("hbm2"),
    ARCHSIM_DRAM_LINES("hbm3"),
};
#undef ARCHSIM_DRAM_LINES
constexpr std::size_t kCostCount = kCosts.size();
static_assert(kCostCount == static_cast<std::size_t>(Cost::hbm3_phy_area) + 1, "a coefficient has no line");
static_assert(kCosts[static_cast<std::size_t>(Cost::cpu_cycle)].name == "cpu_cycle", "lines in another order");
static_assert(kCosts[static_cast<std::size_t>(Cost::hbm3_read_bit)].name == "hbm3_read_bit", "lines in another order");

}  // namespace archsim
