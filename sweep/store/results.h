// What a sweep's folder holds, for analysis.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arch/describe/diagnostic.h"

namespace archsim {

struct ResultRow {
  std::uint64_t id = 0;
  std::vector<std::string> axes;  // texts; empty where there is no value
  std::vector<double> metrics;    // NaN where there is none
  std::string status, error, digest, fidelity;
};

struct ResultObjective {
  std::string column;
  bool is_maximized = false;
};

struct Results {
  std::string folder, name, fidelity;
  std::vector<std::string> axes;               // columns
  std::vector<std::vector<std::string>> free;  // what varies by itself: the columns of each axis that follows no other
  std::vector<std::string> metrics;            // columns
  std::vector<ResultObjective> objectives;
  std::vector<ResultRow> rows;  // by id

  std::optional<std::size_t> metric(const std::string& column) const;
  /// By id, axes, metrics: values for Expression, in the order of names().
  std::vector<std::string> names() const;
  std::vector<double> numbers(const ResultRow& row) const;
};

/// Everything in `folder`'s store.
Checked<Results> read_results(const std::string& folder);

/// The different ones of an axis' texts: ascending if all are numbers or quantities, else in the order of their first use. Of texts of several
/// lines (linked columns) the first line counts.
std::vector<std::string> values_in_order(const std::vector<std::string>& texts);

/// Keeps the rows that meet `condition` (empty: all); its mistakes stand at `--where`.
Diagnostics filter(Results& results, const std::string& condition);

}  // namespace archsim
