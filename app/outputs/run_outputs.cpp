#include "app/outputs/run_outputs.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/files/write_file.h"
#include "app/pictures/report/report.h"
#include "app/report/text_table.h"
#include "app/timeline/chrome.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

/// What a variable without a value leaves of `--report "$FILE"` must not pass for no option at all.
std::string is_named(const std::string& path) { return path.empty() ? "the name of a file is missing" : ""; }

}  // namespace

void RunOutputs::add_options(CLI::App& command) {
  command.add_option("--timeline", timeline_, "write what every engine did, for Perfetto (Chrome's JSON)")
      ->check(is_named)
      ->type_name("FILE");
  command.add_option("--report", report_, "write a report as one HTML file")->check(is_named)->type_name("FILE.html");
  command.add_flag("--what-if", has_what_if_, "run again with each resource doubled, and say what that saves");
}

Diagnostics RunOutputs::check(const std::vector<std::string>& inputs) const {
  Diagnostics out;
  for (const std::string* path : {&timeline_, &report_}) {
    if (!path->empty()) out.append(keeps_inputs(*path, inputs));
  }
  if (!timeline_.empty() && timeline_ == report_)
    out.error({}, "`" + report_ + "` cannot be both timeline and report", "give them two names");
  return out;
}

void RunOutputs::watch(RunOptions& options, const SocSpec& spec, Time expected) {
  if (timeline_.empty()) return;
  recorder_ = std::make_unique<TimelineRecorder>(spec.accelerators().size());
  options.on_work = [this](const WorkSpan& span) { recorder_->work(span); };
  options.on_sample = [this](Time now, const std::vector<BlockReport>& reports) { recorder_->sample(now, reports); };
  // A few hundred samples; a run that takes longer than its bound is sampled as often, and thinned out.
  options.sample_period = std::max(Time(1'000'000), Time(expected.value / 500));
}

std::string RunOutputs::what_if(const WhatIfJob& job, std::string& json) const {
  if (!has_what_if_) return {};
  Json run = Json::parse(json);
  const auto rows = what_if_again(job, run);
  if (rows.empty()) return {};
  const double time_s = run["time_s"];
  run["what_if"] = what_if_json(rows, time_s);
  json = run.dump(1) + "\n";
  return "\n" + as_text(what_if_table(rows, time_s));
}

Diagnostics RunOutputs::write(const RunInputs& inputs, const Answer& answer, const std::string& json) const {
  Diagnostics out;
  if (recorder_) out.append(write_file(timeline_, chrome_trace(inputs, answer, *recorder_)));
  if (report_.empty()) return out;
  const auto run = parse_run_file(make_source("run.json", json));
  out.append(run.diagnostics());
  if (!run) return out;
  const auto page = report_page(*run);
  out.append(page.diagnostics());
  if (page) out.append(write_file(report_, *page));
  return out;
}

}  // namespace archsim
