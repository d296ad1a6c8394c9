#include "sweep/store/results.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sweep/store/store.h"
#include "sweep/terms/expression.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

std::string fact(Database& database, const std::string& key) {
  Statement facts(database, "SELECT value FROM sweep WHERE key = ?");
  facts.bind(1, std::string_view(key));
  return facts.step() ? facts.text(0) : "";
}

void read_columns(Database& database, Results& results) {
  const auto json = Json::parse(fact(database, "columns"));
  for (const auto& axis : json.at("axes")) results.axes.push_back(axis.get<std::string>());
  if (json.contains("free")) {
    results.free = json.at("free").get<std::vector<std::vector<std::string>>>();
  } else {
    for (const auto& axis : results.axes) results.free.push_back({axis});
  }
  for (const auto& each : json.at("metrics")) results.metrics.push_back(each.at("column").get<std::string>());
  for (const auto& each : json.at("objectives")) {
    results.objectives.push_back({each.at("column").get<std::string>(), each.at("maximized").get<bool>()});
  }
}

void read_rows(Database& database, Results& results) {
  const std::string schema = fact(database, "schema");
  if (!schema.empty() && schema != kStoreSchema)
    throw std::runtime_error("it is of `" + schema + "`, this program reads `" + kStoreSchema + "`");
  const std::string fidelity = schema.empty() ? "NULL" : "fidelity";
  std::string columns = "id";
  for (const auto& name : results.axes) columns += ", " + Database::quoted(name);
  for (const auto& name : results.metrics) columns += ", " + Database::quoted(name);
  Statement rows(database, "SELECT " + columns + ", status, error, digest, " + fidelity + " FROM points ORDER BY id");
  while (rows.step()) {
    ResultRow row;
    int column = 0;
    row.id = static_cast<std::uint64_t>(rows.integer(column++));
    for (std::size_t i = 0; i < results.axes.size(); ++i) row.axes.push_back(rows.text(column++));
    for (std::size_t i = 0; i < results.metrics.size(); ++i, ++column) {
      row.metrics.push_back(rows.is_null(column) ? std::numeric_limits<double>::quiet_NaN() : rows.number(column));
    }
    row.status = rows.text(column++);
    row.error = rows.text(column++);
    row.digest = rows.text(column++);
    row.fidelity = rows.is_null(column) ? results.fidelity : rows.text(column);
    results.rows.push_back(std::move(row));
  }
}

}  // namespace

std::optional<std::size_t> Results::metric(const std::string& column) const {
  const auto found = std::find(metrics.begin(), metrics.end(), column);
  if (found == metrics.end()) return {};
  return static_cast<std::size_t>(found - metrics.begin());
}

std::vector<std::string> Results::names() const {
  std::vector<std::string> names{"id"};
  names.insert(names.end(), axes.begin(), axes.end());
  names.insert(names.end(), metrics.begin(), metrics.end());
  names.emplace_back("status");
  return names;
}

std::vector<double> Results::numbers(const ResultRow& row) const {
  std::vector<double> numbers{static_cast<double>(row.id)};
  for (const auto& text : row.axes) {
    numbers.push_back(text.empty() ? std::numeric_limits<double>::quiet_NaN() : number_of_value(text));
  }
  numbers.insert(numbers.end(), row.metrics.begin(), row.metrics.end());
  numbers.push_back(number_of_text(row.status));
  return numbers;
}

Checked<Results> read_results(const std::string& folder) {
  Results results;
  results.folder = folder;
  if (!Store::is_in(folder)) {
    return Diagnostic{Severity::error,
                      "`" + folder + "` holds no results of a sweep",
                      {},
                      "`archsim sweep SWEEP.yaml -o " + folder + "` puts them there"};
  }
  try {
    Database database(Store::path_in(folder), Database::Mode::read);
    results.name = fact(database, "name");
    results.fidelity = fact(database, "fidelity");
    read_columns(database, results);
    read_rows(database, results);
  } catch (const std::exception& error) {
    return Diagnostic{Severity::error, "`" + Store::path_in(folder) + "` cannot be read: " + error.what()};
  }
  return results;
}

std::vector<std::string> values_in_order(const std::vector<std::string>& texts) {
  std::vector<std::string> order;
  for (const auto& text : texts) {
    if (std::find(order.begin(), order.end(), text) == order.end()) order.push_back(text);
  }
  const auto first = [](const std::string& text) { return text.substr(0, text.find('\n')); };
  const bool are_numbers = std::none_of(order.begin(), order.end(), [&](const std::string& text) {
    return number_of_value(first(text)) == number_of_text(first(text));
  });
  if (!are_numbers) return order;
  std::stable_sort(order.begin(), order.end(), [&](const std::string& a, const std::string& b) {
    return number_of_value(first(a)) < number_of_value(first(b));
  });
  return order;
}

Diagnostics filter(Results& results, const std::string& condition) {
  Diagnostics out;
  if (condition.empty()) return out;
  const Location where{make_source("--where", condition), 1, 1};
  const auto meets = Expression::compile(condition, where, results.names(), out);
  if (!meets) return out;
  results.rows.erase(std::remove_if(results.rows.begin(), results.rows.end(),
                                    [&](const ResultRow& row) {
                                      const double value = (*meets)(results.numbers(row));
                                      return value == 0.0 || std::isnan(value);
                                    }),
                     results.rows.end());
  return out;
}

}  // namespace archsim
