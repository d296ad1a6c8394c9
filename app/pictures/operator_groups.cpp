#include "app/pictures/operator_groups.h"

#include <algorithm>
#include <map>
#include <utility>

namespace archsim {
namespace {

struct Sum {
  OperatorGroup group;
  std::vector<std::pair<double, double>> windows;
  std::map<std::string, double> macs_by_member, seconds_by_bound;
  std::map<std::string, std::uint64_t> instances_by_member;
  std::string engine;  // of the lead
};

double united_s(std::vector<std::pair<double, double>>& windows) {
  std::sort(windows.begin(), windows.end());
  double sum = 0.0, end = 0.0;
  for (const auto& [from, to] : windows) {
    if (to <= end) continue;
    sum += to - std::max(from, end);
    end = to;
  }
  return sum;
}

const std::string& main_member(const Sum& sum) {
  const auto own = sum.macs_by_member.find(sum.group.lead);
  const std::string* most = &sum.group.lead;
  double macs = own == sum.macs_by_member.end() ? 0.0 : own->second;
  for (const auto& [name, its] : sum.macs_by_member) {
    if (its <= macs) continue;
    most = &name;
    macs = its;
  }
  return *most;
}

void finish(Sum& sum, const std::map<std::string, const RunWork*>& work) {
  OperatorGroup& group = sum.group;
  group.name = main_member(sum);
  group.engine = sum.engine;
  for (const auto& [name, macs] : sum.macs_by_member) group.members.push_back(name);
  if (const auto number = sum.instances_by_member.find(group.name); number != sum.instances_by_member.end())
    group.instances = number->second;
  if (const auto its = work.find(group.name); its != work.end()) {
    group.dtype = its->second->dtype;
    group.operands = its->second->operands;
    group.at_once = its->second->at_once;
  }
  group.time_s = united_s(sum.windows);
  double most = -1.0;
  for (const auto& [label, time_s] : sum.seconds_by_bound) {
    if (time_s > most) group.bound = label;
    most = std::max(most, time_s);
  }
}

}  // namespace

std::vector<OperatorGroup> operator_groups(const RunFile& run) {
  std::map<std::string, const RunWork*> work;
  for (const RunWork& each : run.work) work[each.name] = &each;
  std::map<std::string, Sum> sums;
  for (const RunRow& row : run.operators) {
    const std::string& lead = row.fused_into.empty() ? row.name : row.fused_into;
    Sum& sum = sums[lead];
    sum.group.lead = lead;
    sum.group.stage = row.stage;
    if (sum.engine.empty() || row.name == lead) sum.engine = row.engine;
    sum.group.macs += row.macs;
    sum.group.dram_bytes += row.dram_bytes;
    if (row.energy_j) sum.group.energy_j = sum.group.energy_j.value_or(0.0) + *row.energy_j;
    if (const auto its = work.find(row.name); its != work.end())
      sum.group.vector_elements += its->second->vector_elements;
    sum.macs_by_member[row.name] += row.macs;
    ++sum.instances_by_member[row.name];
    sum.windows.emplace_back(row.start_s, row.end_s);
    sum.seconds_by_bound[row.bound] += row.end_s - row.start_s;
  }
  std::vector<OperatorGroup> groups;
  for (auto& [lead, sum] : sums) {
    finish(sum, work);
    groups.push_back(std::move(sum.group));
  }
  std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.time_s > b.time_s; });
  return groups;
}

}  // namespace archsim
