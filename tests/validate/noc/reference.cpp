#include "tests/validate/noc/reference.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "arch/describe/values/enum_names.h"
#include "tests/validate/csv.h"

namespace archsim {
namespace {

constexpr std::uint64_t kPeriod = 2000;
constexpr unsigned kWarmUpPeriods = 3, kMostPeriods = 10, kConvergedPeriods = 3;
constexpr double kConverged = 0.05;

double number(const std::string& text) { return text.empty() ? 0.0 : std::stod(text); }

/// Whether a value has settled from one period to the next.
class Settling {
 public:
  bool settles_at(double value) {
    const bool is_near = std::abs(value - before_) <= kConverged * std::abs(value);
    before_ = value;
    return is_near;
  }

 private:
  double before_ = 0.0;
};

}  // namespace

std::string NocReferenceRow::group() const {
  return fmt::format("{}x{} {} {} vcs, {} flits, {}", probe.columns, probe.rows, enum_name(probe.router), probe.vcs,
                     probe.packet_flits, enum_name(probe.traffic));
}

std::string NocReferenceRow::name() const {
  return fmt::format("{} at {}{}", group(), probe.rate, is_throughput ? " (throughput)" : "");
}

std::vector<NocReferenceRow> noc_reference_rows() {
  std::vector<NocReferenceRow> rows;
  for (const auto& cells : read_csv("noc_reference.csv")) {
    const auto count = [&](const char* column) { return static_cast<unsigned>(std::stoul(cells.at(column))); };
    auto& row = rows.emplace_back();
    row.probe.columns = row.probe.rows = count("k");
    row.probe.vcs = count("vcs");
    row.probe.buffer = count("buf");
    row.probe.packet_flits = count("pkt_flits");
    row.probe.router = cells.at("router") == "R2" ? Router::r2 : Router::r4;
    row.probe.traffic = enum_from<NocPattern>(cells.at("traffic")).value();
    row.probe.rate = std::stod(cells.at("inj_rate"));
    row.is_throughput = cells.at("sim_type") == "throughput";
    row.is_stable = cells.at("stable") == "1";
    row.packet_latency = number(cells.at("avg_pkt_latency"));
    row.network_latency = number(cells.at("avg_net_latency"));
    row.hops = number(cells.at("hops_avg"));
    row.accepted = number(cells.at("accepted_rate"));
  }
  return rows;
}

std::map<std::string, double> noc_saturation(const std::vector<NocReferenceRow>& rows) {
  std::map<std::string, double> lowest_load, saturation;
  for (const NocReferenceRow& row : rows) {
    if (!row.is_throughput) continue;
    const auto [known, is_new] = lowest_load.try_emplace(row.group(), row.probe.rate);
    if (!is_new && known->second < row.probe.rate) continue;
    known->second = row.probe.rate;
    saturation[row.group()] = row.accepted;
  }
  return saturation;
}

NocMeasured run_as_reference(const NocReferenceRow& row) {
  const NocProbe& probe = row.probe;
  const NocGraph graph = NocGraph::make(probe.topology, probe.columns, probe.rows);
  const NocRoutes routes = NocRoutes::make(graph, probe.topology, probe.columns, probe.rows);
  LoadedNetwork network(graph, routes, {.vcs = probe.vcs, .buffer = probe.buffer, .router = probe.router},
                        {.pattern = probe.traffic,
                         .columns = probe.columns,
                         .rows = probe.rows,
                         .packets_per_cycle = probe.rate / probe.packet_flits},
                        probe.packet_flits);
  Settling latency, accepted;
  unsigned converged = 0;
  for (unsigned period = 0; period < kMostPeriods && converged < kConvergedPeriods; ++period) {
    const bool warms_up = period < kWarmUpPeriods;
    if (warms_up && period % 2 == 0) network.clear();
    if (period == kWarmUpPeriods) network.enter(LoadedNetwork::Phase::measuring);
    network.run(kPeriod);
    const bool is_settled = latency.settles_at(network.measured().latency_average()) || row.is_throughput;
    const bool accepts = accepted.settles_at(network.measured().accepted(graph.endpoints()));
    converged = !warms_up && is_settled && accepts ? converged + 1 : 0;
  }
  network.enter(LoadedNetwork::Phase::draining);
  while (!row.is_throughput && !network.is_drained()) network.step();
  return network.measured();
}

}  // namespace archsim
