#include "traces/show/summary.h"

#include <algorithm>
#include <map>

namespace archsim {
namespace {

void add(MovedBytes& sum, const MovedBytes& more, std::uint64_t times) {
  sum.weight += more.weight * times;
  sum.kv_read += more.kv_read * times;
  sum.kv_write += more.kv_write * times;
  sum.activation += more.activation * times;
}

/// The first kTop by `size`, those without any left out; equal ones stay in program order.
template <class Size>
std::vector<Share> largest(std::vector<Share> shares, Size size) {
  std::stable_sort(shares.begin(), shares.end(), [&](const Share& a, const Share& b) { return size(a) > size(b); });
  while (!shares.empty() && (shares.size() > kTop || size(shares.back()) == 0)) shares.pop_back();
  return shares;
}

std::vector<KvGrowth> growth_of(const Trace& trace, const std::vector<Position>& where) {
  std::vector<KvGrowth> growth(trace.stages.size());
  std::vector<double> row_bytes(trace.stages.size(), 0.0);
  for (std::uint32_t i = 0; i < trace.operators.size(); ++i) {
    const auto stage = where[i].stage;
    const auto times = where[i].instances / trace.loops[trace.stages[stage].repeat.loop].count;
    for (const auto& use : trace.operators[i].outputs) {
      const auto& tensor = trace.tensors[use.tensor];
      if (tensor.role != Role::kv_cache) continue;
      growth[stage].bytes += tensor.bytes() * times;
      const auto rows = tensor.elements() / tensor.shape.back();
      row_bytes[stage] += static_cast<double>(tensor.bytes() * times) / static_cast<double>(rows);
    }
  }
  for (std::size_t stage = 0; stage < growth.size(); ++stage) {
    if (growth[stage].bytes > 0) growth[stage].rows = static_cast<double>(growth[stage].bytes) / row_bytes[stage];
  }
  return growth;
}

}  // namespace

MovedBytes moved_bytes(const Counts& counts) {
  return {counts.weight_bytes, counts.kv_read_bytes, counts.kv_write_bytes, counts.activation_bytes};
}

double intensity(std::uint64_t macs, const MovedBytes& bytes) {
  return bytes.all() == 0 ? 0.0 : static_cast<double>(macs) / static_cast<double>(bytes.all());
}

TraceSummary summarize(const Trace& trace, const TraceCounts& counts) {
  TraceSummary out;
  const auto where = positions(trace);
  std::vector<Share> operators;
  std::map<OperatorType, Share> types;
  for (std::uint32_t i = 0; i < trace.operators.size(); ++i) {
    const auto& op = trace.operators[i];
    const auto& one = counts.operators[i];
    const auto times = where[i].instances;
    Share share{.name = op.name, .type = op.type, .operators = 1, .instances = times, .macs = one.macs * times};
    add(share.bytes, moved_bytes(one), times);
    Share& type = types[op.type];
    type.name = name_of(op.type);
    type.type = op.type;
    type.operators += 1;
    type.instances += times;
    type.macs += share.macs;
    add(type.bytes, share.bytes, 1);
    operators.push_back(share);
  }
  for (const auto& [type, share] : types) out.types.push_back(share);
  for (const auto& stage : counts.stages) add(out.bytes, moved_bytes(stage.once), stage.repeat);
  out.kv_growth = growth_of(trace, where);
  out.by_macs = largest(operators, [](const Share& share) { return share.macs; });
  out.by_bytes = largest(std::move(operators), [](const Share& share) { return share.bytes.all(); });
  return out;
}

}  // namespace archsim
