// The register map of the core's AXI4-Lite port: accel-rtl/rtl/packages/accel_csr_pkg.sv for software. tests/rtl holds the two
// together.
#pragma once

#include <cstddef>
#include <cstdint>

namespace archsim::rtl::registers {

constexpr std::uint32_t kSemaphore = 0x0000;  // + 4 * semaphore: a write adds 1
constexpr std::uint32_t kControl = 0x1000;
constexpr std::uint32_t kStatus = 0x1004;
constexpr std::uint32_t kError = 0x1008;
constexpr std::uint32_t kErrorIndex = 0x100C;
constexpr std::uint32_t kInterruptEnable = 0x1010;
constexpr std::uint32_t kInterrupt = 0x1014;
constexpr std::uint32_t kSelfIndex = 0x1018;
constexpr std::uint32_t kRegion = 0x1040;  // + 16 * region: base low, high, end low, high
constexpr std::uint32_t kRegions = 4;
constexpr std::uint32_t kRegionIsDram = 0x8000'0000;  // in the high word of its base
constexpr std::uint32_t kPeerBase = 0x1100;           // + 8 * bank
constexpr std::uint32_t kWindow = 0x2000;             // + 128 * stream
constexpr std::uint32_t kStat = 0x3000;
constexpr std::uint32_t kEngineTime = 0x3100;  // + 64 * engine + 8 * time
enum class EngineTime : std::uint8_t { busy, load, array, vector, store, dependency, host, memory };
constexpr std::size_t kEngineTimes = 8;
constexpr std::uint32_t kCycles = 0x3200;
constexpr std::uint32_t kProgress = 0x3210;  // + 4 * engine

constexpr std::uint32_t kStart = 1;  // Control
constexpr unsigned kFedByHost = 4;   // Control: the first of four bits
constexpr std::uint32_t kFinishedInterrupt = 1, kErrorInterrupt = 2;
constexpr std::uint32_t kRunning = 1, kFinished = 2, kFailed = 4;  // Status

enum class ErrorCode : std::uint8_t { none = 0, illegal_command = 1, bad_address = 2, queue_overflow = 3, bus = 4 };

}  // namespace archsim::rtl::registers
