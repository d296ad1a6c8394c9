// Points handed to worker processes, each with its row in the store in the end.
#pragma once

#include <chrono>
#include <unordered_map>
#include <vector>

#include "sweep/drive/trials.h"
#include "sweep/run/digest.h"
#include "sweep/run/pool.h"
#include "sweep/run/runner.h"
#include "sweep/sample/source.h"
#include "sweep/store/store.h"

namespace archsim {

class Driver final : public Trials {
 public:
  /// The plan and the options must outlive it. Throws std::runtime_error if the folder cannot be written.
  Driver(const Plan& plan, const SweepOptions& options);

  const Space& space() const { return space_; }

  /// Every point of the source once, at the plan's fidelity, in any order.
  void run(PointSource& source);

  std::optional<std::vector<PointResult>> results_of(const std::vector<Asked>& points, Fidelity fidelity) override;
  bool has_result(const Point& point, Fidelity fidelity) override;
  void settle(const Asked& asked, const PointResult& result, Fidelity fidelity) override;
  void expect(std::uint64_t evaluations) override { counts_.total = evaluations; }

  SweepCounts& counts() { return counts_; }

  /// To be called last.
  SweepCounts finish();

 private:
  using Clock = std::chrono::steady_clock;
  struct UnderWay {
    std::string digest;
    Fidelity fidelity;
    PointResult* result = nullptr;
  };

  const PointDigest& digest_at(Fidelity fidelity);
  std::optional<Job> next(PointSource& source);
  std::optional<PointResult> row_or_known(const Point& point, std::uint64_t id, const std::string& digest,
                                          Fidelity fidelity);
  void take(const Job& job, const PointResult& result);
  void tick();

  const Plan& plan_;
  const SweepOptions& options_;
  Space space_;
  PointDigest digest_;
  std::optional<PointDigest> bound_digest_;  // at roofline, where the plan's fidelity is another one
  Evaluator evaluator_;
  Pool pool_;
  Store store_;
  SweepCounts counts_;
  std::uint64_t last_id_ = 0;
  std::unordered_map<std::string, char> listed_;
  std::unordered_map<std::uint64_t, UnderWay> under_way_;
  Clock::time_point started_ = Clock::now(), committed_ = started_, reported_ = started_;
};

}  // namespace archsim
