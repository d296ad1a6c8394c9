// The results of a sweep: DIR/sweep.sqlite.
//
// Table `points`, a row a point: id, a column an axis, a column an objective, a column each further metric that constraints name,
// status (done, infeasible, failed, bounded), error, digest, and the fidelity of its numbers. Table `sweep`, key and value: the
// file, version, fidelity, and as JSON the names of axes, objectives and metrics. docs/schema/sweep.md has it for people.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sweep/run/evaluator.h"
#include "sweep/store/database.h"

namespace archsim {

struct StoredPoint {
  std::uint64_t id = 0;
  std::string digest;
  PointResult result;
  std::optional<Fidelity> fidelity = {};  // of its numbers; the plan's own if it is not given
};

/// Of the tables; docs/schema/sweep.md. The first had no column `fidelity`, and no such fact.
constexpr auto kStoreSchema = "archsim.sweep_store/2";

/// The metrics that a plan's rows hold, by column.
std::vector<std::pair<std::string, Metric>> metric_columns(const Plan& plan);

class Store {
 public:
  /// Makes the table anew, or goes on with the one that is there; results of points that an earlier plan had are kept for
  /// known(). Throws std::runtime_error if the file cannot be used.
  Store(const std::string& folder, const Plan& plan, const std::string& version);
  ~Store();

  static std::string path_in(const std::string& folder) { return folder + "/sweep.sqlite"; }
  static bool is_in(const std::string& folder);

  /// Whether a point of this digest has its row.
  bool has_row(const std::string& digest) const { return rows_.contains(digest); }
  /// What that row holds; of the metrics those that have a column.
  std::optional<PointResult> row(const std::string& digest);
  /// The result of a point of this digest in an earlier plan's table.
  std::optional<PointResult> known(const std::string& digest);

  void add(const Space& space, const Point& settled, const StoredPoint& point);
  /// Rows are kept from then on, whatever happens to this process.
  void commit();
  /// All points have their rows: what an earlier plan had beyond them goes.
  void finish();

 private:
  void keep_earlier();
  void make_table();
  void write_facts(const std::string& version);
  void read_digests();

  const Plan& plan_;
  std::vector<std::pair<std::string, Metric>> metrics_;
  Database database_;
  std::unique_ptr<Statement> insert_, find_, find_earlier_;
  std::vector<Metric> earlier_metrics_;
  std::unordered_map<std::string, std::uint64_t> rows_;
  bool is_open_ = false;  // a transaction
};

}  // namespace archsim
