#include "app/calibrate/calibration.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

namespace archsim {
namespace {

struct Match {
  const std::vector<Signature>* way = nullptr;
  std::vector<const Measured*> parts;
  double time_s = 0.0;  // of one instance
  std::string calls;
};

void append(std::string& list, const std::string& word) { list += (list.empty() ? "" : " + ") + word; }

class Joiner {
 public:
  Joiner(const Trace& trace, const Profile& profile) : trace_(trace), profile_(profile) {
    for (std::uint32_t i = 0; i < trace.operators.size(); ++i) {
      index_.emplace(trace.operators[i].name, i);
      ways_.push_back(ways_to_measure(trace, trace.operators[i]));
    }
    fused_.resize(trace.operators.size());
  }

  Calibration run(const PredictedRun& stored) {
    for (const PredictedOperator& row : stored.operators) note(row);
    for (std::uint32_t i = 0; i < heads_.size(); ++i) {
      if (heads_[i].instances > 0) settle(i);
    }
    return finish();
  }

 private:
  struct Head {
    std::uint64_t instances = 0;
    double time_s = 0.0;
  };

  void note(const PredictedOperator& row) {
    heads_.resize(trace_.operators.size());
    const auto own = index_.find(row.name);
    if (own == index_.end()) return;
    const auto head = index_.find(row.fused_into);
    if (head != index_.end()) {
      auto& parts = fused_[head->second];
      if (std::find(parts.begin(), parts.end(), own->second) == parts.end()) parts.push_back(own->second);
      return;
    }
    ++heads_[own->second].instances;
    heads_[own->second].time_s += row.time_s;
  }

  Match match(std::uint32_t op) const {
    for (const auto& way : ways_[op]) {
      Match found{&way, {}, 0.0, {}};
      for (const Signature& part : way) {
        const Measured* measured = profile_.find(part);
        if (measured == nullptr || measured->calls == 0) break;
        found.parts.push_back(measured);
        found.time_s += measured->time_s / static_cast<double>(measured->calls);
        append(found.calls, measured->name);
      }
      if (found.parts.size() == way.size()) return found;
    }
    return {};
  }

  std::string type_of(std::uint32_t op) const { return std::string(name_of(trace_.operators[op].type)); }

  void settle(std::uint32_t op) {
    const Head& head = heads_[op];
    result_.predicted_s += head.time_s;
    std::string operators = type_of(op);
    for (const std::uint32_t part : fused_[op]) append(operators, type_of(part));
    const Match first = match(op);
    if (first.way == nullptr) {
      Unmatched& none = unmeasured_[operators];
      none.name = operators;
      none.count += head.instances;
      none.time_s += head.time_s;
      return;
    }
    result_.matched_predicted_s += head.time_s;
    CalibrationRow row{operators, show(shape_of(op)), first.calls, {}, 0, first.parts[0]->calls, 0.0, first.time_s};
    used_.insert(first.parts.begin(), first.parts.end());
    for (const std::uint32_t part : fused_[op]) {
      const Match found = match(part);
      if (found.way == nullptr) {
        append(row.missing, type_of(part));
        continue;
      }
      used_.insert(found.parts.begin(), found.parts.end());
      row.measured_s += found.time_s;
      append(row.calls, found.calls);
    }
    CalibrationRow& all = rows_.try_emplace({row.operators, row.sizes, row.calls}, row).first->second;
    all.instances += head.instances;
    all.predicted_s += head.time_s;  // of all, until finish()
  }

  /// As the operator stands, even where its name was what matched.
  const Signature& shape_of(std::uint32_t op) const {
    return ways_[op][std::min<std::size_t>(1, ways_[op].size() - 1)][0];
  }

  Calibration finish() {
    for (auto& [key, row] : rows_) result_.rows.push_back(row);
    std::stable_sort(result_.rows.begin(), result_.rows.end(),
                     [](const CalibrationRow& a, const CalibrationRow& b) { return a.predicted_s > b.predicted_s; });
    double logs = 0.0;
    std::size_t votes = 0;
    for (CalibrationRow& row : result_.rows) {
      row.predicted_s /= static_cast<double>(row.instances);
      if (!(row.predicted_s > 0.0 && row.measured_s > 0.0)) continue;
      logs += std::log(row.ratio());
      result_.lowest_ratio = votes == 0 ? row.ratio() : std::min(result_.lowest_ratio, row.ratio());
      result_.highest_ratio = std::max(result_.highest_ratio, row.ratio());
      ++votes;
    }
    if (votes > 0) result_.mean_ratio = std::exp(logs / static_cast<double>(votes));
    result_.measured_s = profile_.time_s;
    result_.is_of_kernels = profile_.is_of_kernels;
    for (const Measured* part : used_) result_.matched_measured_s += part->time_s;
    for (const Measured& one : profile_.known) {
      if (used_.contains(&one)) continue;
      const bool is_named = one.signature.work == "named";
      result_.unpredicted.push_back(
          {is_named ? one.name : one.name + " " + show(one.signature), one.calls, one.time_s});
    }
    for (const Measured& one : profile_.others) result_.unpredicted.push_back({one.name, one.calls, one.time_s});
    for (const auto& [name, one] : unmeasured_) result_.unmeasured.push_back(one);
    for (auto* list : {&result_.unmeasured, &result_.unpredicted}) {
      std::stable_sort(list->begin(), list->end(),
                       [](const Unmatched& a, const Unmatched& b) { return a.time_s > b.time_s; });
    }
    return std::move(result_);
  }

  const Trace& trace_;
  const Profile& profile_;
  std::unordered_map<std::string_view, std::uint32_t> index_;  // by name
  std::vector<std::vector<std::vector<Signature>>> ways_;      // by operator
  std::vector<std::vector<std::uint32_t>> fused_;              // by operator: what is fused into it
  std::vector<Head> heads_;
  struct Key {
    std::string operators, sizes, calls;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  std::map<Key, CalibrationRow> rows_;
  std::map<std::string, Unmatched> unmeasured_;
  std::set<const Measured*> used_;
  Calibration result_;
};

}  // namespace

Calibration calibrate(const Trace& trace, const PredictedRun& run, const Profile& profile) {
  return Joiner(trace, profile).run(run);
}

}  // namespace archsim
