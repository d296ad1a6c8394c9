#include "models/accel/systolic.h"

#include <array>
#include <exception>

#include "models/accel/engine/compute_engines.h"
#include "models/accel/engine/dma_engine.h"
#include "models/accel/engine/tile.h"

namespace archsim {

class AcceleratorCore {
 public:
  AcceleratorCore(const SystolicParams& params, const BuildContext& context)
      : tile(params, context), load(tile, Engine::load), array(tile), vector(tile), store(tile, Engine::store) {
    for (std::size_t i = 0; i < engines.size(); ++i) {
      start(std::string(name_of(static_cast<Engine>(i))), [engine = engines[i]] { engine->run(); });
    }
    start("doorbells", [this] { tile.doorbells.run(); });
  }

  Tile tile;
  DmaEngine load;
  ArrayEngine array;
  VectorEngine vector;
  DmaEngine store;
  std::array<StreamEngine*, kEngines> engines{&load, &array, &vector, &store};

 private:
  void start(const std::string& name, std::function<void()> body) {
    const auto guarded = [this, body = std::move(body)] {
      try {
        body();
      } catch (const sc_core::sc_unwind_exception&) {
        throw;
      } catch (const std::exception& problem) {
        tile.context.faults->fault(FaultKind::illegal_command, tile.context.name, problem.what());
      }
    };
    sc_core::sc_spawn(guarded, name.c_str());
  }
};

Systolic::Systolic(const sc_core::sc_module_name& name, const Params& params, const BuildContext& context)
    : Model(name, params, context), core_(std::make_unique<AcceleratorCore>(params, context)) {}

Systolic::~Systolic() = default;

std::vector<InitiatorPort*> Systolic::initiator_ports() { return {core_->tile.memory.socket()}; }

std::vector<TargetPort*> Systolic::target_ports() { return {core_->tile.semaphores.socket()}; }

Traffic Systolic::requested() const { return {.read = core_->load.bytes(), .written = core_->store.bytes()}; }

bool Systolic::finished() const {
  for (const StreamEngine* engine : core_->engines) {
    if (!engine->has_halted()) return false;
  }
  return core_->tile.doorbells.empty();
}

std::vector<std::string> Systolic::waiting() const {
  std::vector<std::string> lines;
  for (const StreamEngine* engine : core_->engines) {
    if (auto line = engine->waiting(); !line.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

std::uint64_t Systolic::progress() const {
  std::uint64_t sum = core_->tile.stats.signals.value;
  for (const TimedCounter& counter : core_->tile.progress) sum += counter.count();
  return sum;
}

const std::vector<Cycles>& Systolic::completions(Engine engine) const {
  return core_->tile.progress[static_cast<std::size_t>(engine)].times();
}

BlockReport Systolic::report(Time elapsed) const {
  BlockReport report = make_report("accel", "systolic", core_->tile.stats, core_->tile.events);
  for (const StreamEngine* engine : core_->engines) report.engines.push_back(engine->report(elapsed));
  return report;
}

}  // namespace archsim
