#include "sweep/space/traces.h"

#include "traces/file/trace_reader.h"
#include "traces/generate/generate.h"

namespace archsim {

Checked<Trace> load_trace(const WorkloadUse& use, const Variant& variant, const Location& where) {
  if (use.is_trace) return read_trace(use.path);
  auto settings = use.settings;
  settings.insert(settings.end(), variant.workload.begin(), variant.workload.end());
  auto trace = build_trace(use.path, settings, variant.recipe.empty() ? use.recipe : variant.recipe);
  if (trace) return trace;
  Diagnostics out;
  for (auto diagnostic : trace.diagnostics().all()) {
    // What stands in no file stands in the sweep's.
    const bool is_setting = diagnostic.location.source == nullptr || diagnostic.location.source->path.starts_with("--");
    if (is_setting) diagnostic.location = where;
    out.add(std::move(diagnostic));
  }
  return out;
}

}  // namespace archsim
