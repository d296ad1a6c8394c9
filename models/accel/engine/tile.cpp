#include "models/accel/engine/tile.h"

#include <fmt/format.h>

namespace archsim {
namespace {

SystolicParams doubled(SystolicParams params, Doubling doubling) {
  if (doubling == Doubling::compute) {
    for (auto& [dtype, rate] : params.dtypes) rate *= 2.0;
  }
  if (doubling == Doubling::vector) params.vector_lanes *= 2;
  if (doubling == Doubling::sram) params.scratchpad.banks *= 2;
  return params;
}

}  // namespace

Tile::Tile(const SystolicParams& given, const BuildContext& with)
    : params(given),
      context(with),
      shape(given),
      grid(with.clock),
      cycle_ps(static_cast<double>(kPicosecondsPerSecond) / static_cast<double>(with.clock.value)),
      more_macs(doubled(given, Doubling::compute)),
      more_lanes(doubled(given, Doubling::vector)),
      wider_scratchpad(doubled(given, Doubling::sram)),
      csr(csr_bases(with)),
      memory("memory"),
      semaphores("semaphores", grid, csr.size(), {with.accelerator, csr.at(with.accelerator)}, with.what_if),
      doorbell_requester(memory),
      doorbells([this](std::uint64_t address) {
        if (doorbell_requester.ring(address)) return;
        context.faults->fault(FaultKind::bad_address, context.name,
                              fmt::format("a doorbell at {:#x}: nobody answers", address));
      }),
      translation(given.smmu.page.value, given.smmu.entries, grid.span(given.smmu.walk)),
      ports(shape.scratchpad_width()),
      window(given.queue_depth, with.fed_by_host),
      alone_(with.what_if == nullptr ? std::make_unique<WhatIf>() : nullptr),
      what_if(with.what_if == nullptr ? *alone_ : *with.what_if) {
  semaphores.on_other_write(
      [this](std::uint64_t offset, std::uint32_t value, Cycles when) { return push(offset, value, when); });
}

bool Tile::push(std::uint64_t offset, std::uint32_t value, Cycles when) {
  if (offset < CommandWindow::kOffset || !CommandWindow::contains(offset - CommandWindow::kOffset)) return false;
  const auto pushed = window.write(offset - CommandWindow::kOffset, value, when);
  if (!pushed || !pushed->has_overflown) return true;
  context.faults->fault(
      FaultKind::queue_overflow, context.name,
      fmt::format("{} command {}: {}", name_of(pushed->engine), pushed->index,
                  window.feeds(pushed->engine) ? "its queue is full" : "the stream fetches its commands"));
  return true;
}

}  // namespace archsim
