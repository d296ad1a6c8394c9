#include <algorithm>
#include <cmath>
#include <numeric>

#include "arch/describe/diagnostic.h"
#include "arch/program/reference/operators.h"

namespace archsim {
namespace {

using Matrix = std::vector<std::vector<double>>;

/// How many keys `query` sees. The queries are the last tokens; masks limit what they see of each other.
std::uint64_t visible_keys(const Operator& op, std::uint64_t query, std::uint64_t queries, std::uint64_t keys) {
  const auto mask = op.text("mask", "none");
  if (mask == "none") return keys;
  const std::uint64_t before = keys - queries;
  if (mask == "causal") return before + query + 1;
  ARCHSIM_ASSERT(mask == "blocks", mask);
  std::uint64_t end = 0;
  for (const auto size : op.integers("blocks")) {
    end += static_cast<std::uint64_t>(size);
    if (query < end) break;
  }
  return before + end;
}

/// Which part of the operands one sequence and head is.
struct Part {
  std::uint64_t sequence = 0, batch = 1;
  std::uint64_t first_column = 0, head_dim = 0;
};

void append_rows(const Array& array, const Part& part, Matrix& rows) {
  const std::uint64_t count = array.rows() / part.batch;
  for (std::uint64_t r = part.sequence * count; r < (part.sequence + 1) * count; ++r) {
    auto& row = rows.emplace_back();
    for (std::uint64_t e = 0; e < part.head_dim; ++e) {
      row.push_back(array.value(r * array.columns() + part.first_column + e));
    }
  }
}

/// The keys (first = 1) or values (first = 2) of all segments joined.
Matrix joined(const Inputs& in, std::size_t first, const Part& part) {
  Matrix rows;
  for (std::size_t i = first; i < in.size(); i += 2) append_rows(*in[i], part, rows);
  return rows;
}

std::vector<double> attend(const std::vector<double>& query, const Matrix& keys, const Matrix& values,
                           std::uint64_t visible, double scale) {
  std::vector<double> scores;
  for (std::uint64_t j = 0; j < visible; ++j) {
    scores.push_back(scale * std::inner_product(query.begin(), query.end(), keys[j].begin(), 0.0));
  }
  const double maximum = *std::max_element(scores.begin(), scores.end());
  std::vector<double> y(query.size(), 0.0);
  double sum = 0.0;
  for (std::uint64_t j = 0; j < visible; ++j) {
    const double p = std::exp(scores[j] - maximum);
    sum += p;
    for (std::size_t e = 0; e < y.size(); ++e) y[e] += p * values[j][e];
  }
  for (double& value : y) value /= sum;
  return y;
}

}  // namespace

void evaluate_attention(const Operator& op, const Inputs& in, Outputs& out) {
  const auto heads = static_cast<std::uint64_t>(op.integer("heads", 1));
  const auto kv_heads = static_cast<std::uint64_t>(op.integer("kv_heads", 1));
  const auto head_dim = static_cast<std::uint64_t>(op.integer("head_dim", 1));
  const auto batch = static_cast<std::uint64_t>(op.integer("batch", 1));
  const double scale = op.number("scale", 1.0 / std::sqrt(static_cast<double>(head_dim)));
  const std::uint64_t columns = in[0]->columns();
  for (std::uint64_t sequence = 0; sequence < batch; ++sequence) {
    for (std::uint64_t head = 0; head < heads; ++head) {
      const Part own{sequence, batch, head * head_dim, head_dim};
      const Part shared{sequence, batch, head / (heads / kv_heads) * head_dim, head_dim};
      const Matrix keys = joined(in, 1, shared);
      const Matrix values = joined(in, 2, shared);
      Matrix queries;
      append_rows(*in[0], own, queries);
      for (std::uint64_t i = 0; i < queries.size(); ++i) {
        const auto visible = visible_keys(op, i, queries.size(), keys.size());
        const auto y = attend(queries[i], keys, values, visible, scale);
        const std::uint64_t start = (sequence * queries.size() + i) * columns + own.first_column;
        for (std::uint64_t e = 0; e < head_dim; ++e) out[0].set(start + e, static_cast<float>(y[e]));
      }
    }
  }
}

}  // namespace archsim
