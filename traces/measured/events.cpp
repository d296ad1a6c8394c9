#include "traces/measured/events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "traces/import/json_member.h"

namespace archsim {
namespace {

using Json = nlohmann::json;

std::optional<std::int64_t> id_in(const Json& args, const char* name) {
  const Json& value = member(args, name);
  if (value.is_number_integer()) return value.get<std::int64_t>();
  return std::nullopt;
}

std::string as_text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

// A list of tensors is a list of lists: no work goes by it.
Extents extents_in(const Json& json) {
  Extents extents;
  if (!json.is_array()) return extents;
  for (const Json& extent : json) {
    if (!extent.is_number_integer()) return {};
    extents.push_back(extent.get<std::int64_t>());
  }
  return extents;
}

ChromeEvent event_in(const Json& json) {
  const Json& args = member(json, "args");
  ChromeEvent event{member(json, "name").get<std::string>(),
                    member(json, "cat").is_string() ? member(json, "cat").get<std::string>() : "",
                    as_text(member(json, "pid")) + "/" + as_text(member(json, "tid")),
                    member(json, "ts").get<double>(),
                    member(json, "dur").get<double>(),
                    id_in(args, "External id"),
                    id_in(args, "correlation"),
                    {},
                    {}};
  if (!event.external_id) event.external_id = id_in(args, "external id");  // before PyTorch 1.12
  for (const Json& shape : member(args, "Input Dims")) event.shapes.push_back(extents_in(shape));
  for (const Json& value : member(args, "Concrete Inputs")) event.constants.push_back(as_text(value));
  return event;
}

bool is_complete(const Json& json) {
  const Json& phase = member(json, "ph");
  return phase.is_string() && phase.get_ref<const std::string&>() == "X";
}

// Microseconds past this are no time: 30,000 years.
constexpr double kMostMicroseconds = 1e18;

bool is_well_formed(const Json& json) {
  const auto is_time = [](const Json& value) {
    return value.is_number() && std::isfinite(value.get<double>()) && std::abs(value.get<double>()) < kMostMicroseconds;
  };
  return member(json, "name").is_string() && is_time(member(json, "ts")) && is_time(member(json, "dur")) &&
         member(json, "dur").get<double>() >= 0.0;
}

}  // namespace

bool ChromeEvent::is_on_device() const {
  std::string lower = category;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower == "kernel" || lower == "gpu_memcpy" || lower == "gpu_memset";
}

Checked<std::vector<ChromeEvent>> read_chrome_events(std::string_view text, const std::string& path) {
  const auto error = [&](std::string message, std::string help = {}) {
    return Diagnostic{Severity::error, std::move(message), {make_source(path, ""), 0, 0}, std::move(help)};
  };
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return error(fmt::format("`{}` is no JSON, or is cut off", path));
  const Json& list = json.is_array() ? json : member(json, "traceEvents");
  if (!list.is_array()) {
    return error(fmt::format("`{}` has no list of `traceEvents`: it is no Chrome trace", path),
                 "write one with torch.profiler's export_chrome_trace()");
  }
  std::vector<ChromeEvent> events;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!is_complete(list[i])) continue;
    if (!is_well_formed(list[i])) {
      return error(fmt::format("event {} of `{}` has no `name`, `ts` and `dur` in microseconds", i, path));
    }
    events.push_back(event_in(list[i]));
  }
  if (events.empty()) {
    return error(fmt::format("`{}` has no complete events, so no measured times", path),
                 "those of phase X, with `ts` and `dur`, are read");
  }
  return events;
}

}  // namespace archsim
