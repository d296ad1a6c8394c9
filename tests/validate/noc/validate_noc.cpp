// Our detailed network beside BookSim 2, row by row.
#include "tests/validate/noc/validate_noc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tests/validate/noc/reference.h"

namespace archsim {
namespace {

constexpr double kLimit = 0.05;      // of latency and throughput
constexpr double kLoadLimit = 0.80;  // of saturation: loads below it must meet the limit
constexpr double kDigits = 1e-5;     // BookSim prints six

struct Error {
  std::string name;
  double latency = 0.0, network = 0.0, accepted = 0.0;
  double worst() const { return std::max({std::abs(latency), std::abs(network), std::abs(accepted)}); }
};

double off(double given, double expected) { return given / expected - 1.0; }

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Error error_of(const NocReferenceRow& row) {
  const NocMeasured given = run_as_reference(row);
  Error error{.name = row.name()};
  error.accepted = off(given.accepted(std::size_t{row.probe.columns} * row.probe.rows), row.accepted);
  // A throughput run's latency is of what arrives after its end too, and has no limit.
  if (row.is_throughput) return error;
  error.latency = off(given.latency_average(), row.packet_latency);
  error.network = off(given.network_latency_average(), row.network_latency);
  return error;
}

void print_medians(const std::map<std::string, std::vector<double>>& errors) {
  fmt::print("median error of latency or accepted traffic\n");
  for (const auto& [group, values] : errors) fmt::print("  {:<45} {:9.5f} %\n", group, 100 * median(values));
}

void print_worst(std::vector<Error>& errors) {
  std::sort(errors.begin(), errors.end(), [](const Error& a, const Error& b) { return a.worst() > b.worst(); });
  fmt::print("worst ten\n");
  for (std::size_t i = 0; i < std::min<std::size_t>(10, errors.size()); ++i) {
    const Error& error = errors[i];
    fmt::print("  {:<65} latency {:+.5f} %, in the network {:+.5f} %, accepted {:+.5f} %\n", error.name,
               100 * error.latency, 100 * error.network, 100 * error.accepted);
  }
}

}  // namespace

bool validate_noc() {
  const auto rows = noc_reference_rows();
  const auto saturation = noc_saturation(rows);
  std::map<std::string, std::vector<double>> by_group;
  std::vector<Error> errors;
  std::size_t below = 0, below_held = 0, saturated = 0, saturated_held = 0, equal = 0;
  for (const NocReferenceRow& row : rows) {
    if (!row.is_stable) continue;
    const Error error = error_of(row);
    const auto known = saturation.find(row.group());
    const bool counts = known == saturation.end() || row.probe.rate <= kLoadLimit * known->second;
    below += !row.is_throughput && counts;
    below_held += !row.is_throughput && counts && std::abs(error.latency) <= kLimit;
    saturated += row.is_throughput;
    saturated_held += row.is_throughput && std::abs(error.accepted) <= kLimit;
    equal += error.worst() <= kDigits;
    by_group[row.group()].push_back(error.worst());
    errors.push_back(error);
  }
  print_medians(by_group);
  print_worst(errors);
  fmt::print("latency within 5 % up to 80 % of saturation   {} of {} hold\n", below_held, below);
  fmt::print("throughput within 5 % beyond saturation       {} of {} hold\n", saturated_held, saturated);
  fmt::print("equal in all six digits                       {} of {} hold\n", equal, errors.size());
  return below_held == below && saturated_held == saturated && equal == errors.size() && !errors.empty();
}

}  // namespace archsim
