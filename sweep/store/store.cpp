#include "sweep/store/store.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "arch/describe/values/value.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

PointStatus status_from(const std::string& text) {
  for (const auto status : {PointStatus::done, PointStatus::infeasible, PointStatus::bounded}) {
    if (text == name_of(status)) return status;
  }
  return PointStatus::failed;
}

std::string facts_of(const Plan& plan) {
  Json axes = Json::array(), free = Json::array(), objectives = Json::array(), metrics = Json::array();
  for (const auto& column : plan.columns()) axes.push_back(column);
  for (const auto& axis : plan.axes) {
    if (axis.is_free()) free.push_back(axis.columns);
  }
  for (const auto& each : plan.objectives) {
    objectives.push_back(
        {{"column", each.column}, {"metric", info_of(each.metric).name}, {"maximized", each.is_maximized}});
  }
  for (const auto& [column, metric] : metric_columns(plan))
    metrics.push_back({{"column", column}, {"metric", info_of(metric).name}});
  return Json{
      {"schema", kStoreSchema}, {"axes", axes}, {"free", free}, {"objectives", objectives}, {"metrics", metrics}}
      .dump();
}

void bind_value(Statement& statement, int index, const std::string& text) {
  const auto whole = detail::parse_whole(text, std::numeric_limits<std::int64_t>::max());
  const auto number = detail::parse_number(text);
  if (whole) {
    statement.bind(index, static_cast<std::int64_t>(*whole.value));
  } else if (number) {
    statement.bind(index, *number.value);
  } else {
    statement.bind(index, std::string_view(text));
  }
}

}  // namespace

std::vector<std::pair<std::string, Metric>> metric_columns(const Plan& plan) {
  std::vector<std::pair<std::string, Metric>> columns;
  const auto axis_columns = plan.columns().size();
  for (const auto& objective : plan.objectives) columns.emplace_back(objective.column, objective.metric);
  for (const auto& constraint : plan.constraints) {
    for (const auto use : constraint.condition.uses()) {
      if (use < axis_columns) continue;
      const Metric metric = all_metrics()[(use - axis_columns) % kMetrics].metric;
      const bool is_there =
          std::any_of(columns.begin(), columns.end(), [&](const auto& each) { return each.second == metric; });
      if (!is_there) columns.emplace_back(info_of(metric).name, metric);
    }
  }
  return columns;
}

Store::Store(const std::string& folder, const Plan& plan, const std::string& version)
    : plan_(plan), metrics_(metric_columns(plan)), database_(path_in(folder), Database::Mode::write) {
  database_.execute("CREATE TABLE IF NOT EXISTS sweep (key TEXT PRIMARY KEY, value TEXT)");
  bool is_same = false;
  {
    Statement facts(database_, "SELECT value FROM sweep WHERE key = 'columns'");
    is_same = facts.step() && facts.text(0) == facts_of(plan);
  }
  bool is_same_file = false;
  {
    Statement file(database_, "SELECT value FROM sweep WHERE key = 'file'");
    is_same_file = file.step() && file.text(0) == plan.source->text;
  }
  if (database_.has_table("points") && !(is_same && is_same_file)) keep_earlier();
  make_table();
  write_facts(version);
  read_digests();
}

Store::~Store() {
  if (is_open_) commit();
}

bool Store::is_in(const std::string& folder) {
  std::error_code ignored;
  return std::filesystem::exists(path_in(folder), ignored);
}

/// Rows of another plan stand aside until points of this one ask for them.
void Store::keep_earlier() {
  database_.execute(
      "BEGIN; DROP TABLE IF EXISTS points_before; ALTER TABLE points RENAME TO points_before; "
      "CREATE TEMP TABLE facts_before AS SELECT value FROM sweep WHERE key = 'columns'; COMMIT");
  database_.execute("CREATE INDEX IF NOT EXISTS points_before_digest ON points_before (digest)");
  Statement facts(database_, "SELECT value FROM facts_before");
  if (!facts.step()) return;
  const auto json = Json::parse(facts.text(0), nullptr, false);
  if (json.is_discarded()) return;
  std::string columns;
  for (const auto& each : json["metrics"]) {
    const auto metric = metric_from(each["metric"].get<std::string>());
    if (!metric) return;
    earlier_metrics_.push_back(*metric);
    columns += ", " + Database::quoted(each["column"].get<std::string>());
  }
  // A result is of use only if it has all that is asked for now.
  for (const auto& wanted : metrics_) {
    if (std::find(earlier_metrics_.begin(), earlier_metrics_.end(), wanted.second) == earlier_metrics_.end()) return;
  }
  find_earlier_ =
      std::make_unique<Statement>(database_, "SELECT status, error" + columns + " FROM points_before WHERE digest = ?");
}

void Store::make_table() {
  std::string columns = "id INTEGER PRIMARY KEY", places = "?";
  const auto add = [&](const std::string& column) {
    columns += ", " + column;
    places += ", ?";
  };
  for (const auto& column : plan_.columns()) add(Database::quoted(column));
  for (const auto& metric : metrics_) add(Database::quoted(metric.first) + " REAL");
  for (const char* last : {"status TEXT", "error TEXT", "digest TEXT", "fidelity TEXT"}) add(last);
  database_.execute("CREATE TABLE IF NOT EXISTS points (" + columns + ")");
  insert_ = std::make_unique<Statement>(database_, "INSERT OR REPLACE INTO points VALUES (" + places + ")");
  std::string metrics;
  for (const auto& metric : metrics_) metrics += ", " + Database::quoted(metric.first);
  find_ = std::make_unique<Statement>(database_,
                                      "SELECT status, error" + metrics + " FROM points WHERE id = ? AND digest = ?");
}

void Store::write_facts(const std::string& version) {
  Statement put(database_, "INSERT OR REPLACE INTO sweep VALUES (?, ?)");
  const std::vector<std::pair<std::string, std::string>> facts{{"name", plan_.name},
                                                               {"path", plan_.source->path},
                                                               {"file", plan_.source->text},
                                                               {"soc", plan_.soc_path},
                                                               {"fidelity", plan_.fidelity_name()},
                                                               {"version", version},
                                                               {"columns", facts_of(plan_)},
                                                               {"schema", kStoreSchema}};
  for (const auto& [key, value] : facts) {
    put.bind(1, std::string_view(key));
    put.bind(2, std::string_view(value));
    put.step();
  }
}

void Store::read_digests() {
  Statement rows(database_, "SELECT digest, id FROM points");
  while (rows.step()) rows_.emplace(rows.text(0), static_cast<std::uint64_t>(rows.integer(1)));
}

namespace {

/// Of status, error and `metrics`; nothing if there is no row. The statement can be used again.
std::optional<PointResult> result_in(Statement& rows, const std::vector<Metric>& metrics) {
  if (!rows.step()) return {};
  PointResult result;
  result.status = status_from(rows.text(0));
  result.error = rows.text(1);
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const int column = static_cast<int>(i) + 2;
    if (!rows.is_null(column)) result.metrics[metrics[i]] = rows.number(column);
  }
  while (rows.step()) {
  }
  return result;
}

}  // namespace

std::optional<PointResult> Store::row(const std::string& digest) {
  const auto found = rows_.find(digest);
  if (found == rows_.end()) return {};
  find_->bind(1, static_cast<std::int64_t>(found->second));
  find_->bind(2, std::string_view(digest));
  std::vector<Metric> metrics;
  for (const auto& metric : metrics_) metrics.push_back(metric.second);
  return result_in(*find_, metrics);
}

std::optional<PointResult> Store::known(const std::string& digest) {
  if (!find_earlier_) return {};
  find_earlier_->bind(1, std::string_view(digest));
  auto result = result_in(*find_earlier_, earlier_metrics_);
  if (result && result->status == PointStatus::failed) return {};
  return result;
}

void Store::add(const Space& space, const Point& settled, const StoredPoint& point) {
  if (!is_open_) database_.execute("BEGIN");
  is_open_ = true;
  int index = 1;
  insert_->bind(index++, static_cast<std::int64_t>(point.id));
  for (const auto& text : space.texts(settled)) {
    if (text) bind_value(*insert_, index, *text);
    ++index;
  }
  for (const auto& column : metrics_) {
    const double value = point.result.metrics[column.second];
    if (!std::isnan(value)) insert_->bind(index, value);
    ++index;
  }
  insert_->bind(index++, name_of(point.result.status));
  if (!point.result.error.empty()) insert_->bind(index, std::string_view(point.result.error));
  insert_->bind(++index, std::string_view(point.digest));
  insert_->bind(++index, std::string_view(name_of(point.fidelity.value_or(plan_.fidelity))));
  insert_->step();
  rows_[point.digest] = point.id;
}

void Store::finish() {
  commit();
  find_earlier_.reset();
  database_.execute("DROP TABLE IF EXISTS points_before");
}

void Store::commit() {
  if (!is_open_) return;
  database_.execute("COMMIT");
  is_open_ = false;
}

}  // namespace archsim
