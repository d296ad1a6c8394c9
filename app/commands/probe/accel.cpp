// archsim probe accel: one product on the array alone, its operands on chip.
#include "app/commands/probe/accel.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/commands/table_options.h"
#include "app/report/text_table.h"
#include "arch/describe/near_name.h"
#include "arch/describe/values/enum_names.h"
#include "arch/describe/values/value.h"
#include "models/accel/timing/array.h"

namespace archsim {
namespace {

struct AccelProbeRequest {
  unsigned rows = 64, cols = 64;
  std::string dataflow = "weight_stationary", matmul, dtype = "int8", overlap = "full", json;
};

constexpr auto kExamples =
    R"(`none`: each fold loads, streams and drains before the next begins, and cycles is the index of the last one, as SCALE-Sim
counts. `full`: as the machine does, the next weights load while a fold streams; cycles is how many there are.

Examples:
  archsim probe accel --rows 32 --cols 32 --dataflow weight_stationary --matmul 256x256x256 --overlap none
  archsim probe accel --rows 128 --cols 128 --matmul 51x1024x1024 --json -)";

struct Probe {
  ArrayGeometry array;
  ArrayWork work;
  Overlap overlap = Overlap::full;
  Dtype dtype = Dtype::int8;
};

template <class E>
E chosen(const std::string& option, const std::string& text, Diagnostics& out) {
  if (const auto value = enum_from<E>(text)) return *value;
  out.error({make_source(option, text), 1, 1}, fmt::format("`{}` is not a value for `{}`", text, option),
            help_for_unknown(text, enum_name_list<E>()));
  return {};
}

/// Sizes beyond this would overflow counts of cycles.
constexpr std::uint64_t kLargest = std::uint64_t{1} << 20;

std::array<std::uint64_t, 3> sizes_of(const std::string& text, Diagnostics& out) {
  std::array<std::uint64_t, 3> sizes{};
  std::size_t at = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t end = i + 1 < sizes.size() ? text.find('x', at) : text.size();
    const auto parsed = detail::parse_whole(
        text.substr(std::min(at, text.size()), end == std::string::npos ? end : end - at), kLargest);
    if (end == std::string::npos || !parsed || *parsed.value == 0) {
      out.error({make_source("--matmul", text), 1, static_cast<unsigned>(std::min(at, text.size())) + 1},
                fmt::format("`{}` is no product", text),
                fmt::format("write it like `51x1024x1024`, M x N x K, each from 1 to {}", kLargest));
      return sizes;
    }
    sizes[i] = *parsed.value;
    at = end + 1;
  }
  return sizes;
}

Checked<Probe> probe_of(const AccelProbeRequest& request) {
  Diagnostics out;
  Probe probe;
  probe.work.dataflow = chosen<Dataflow>("--dataflow", request.dataflow, out);
  probe.overlap = chosen<Overlap>("--overlap", request.overlap, out);
  probe.dtype = chosen<Dtype>("--dtype", request.dtype, out);
  for (const unsigned side : {request.rows, request.cols}) {
    if (side < 1 || side > 4096)
      out.error({}, fmt::format("an array has no side of {}", side), "`--rows` and `--cols` are 1 to 4096");
  }
  const auto [m, n, k] = sizes_of(request.matmul, out);
  if (out.has_errors()) return out;
  probe.array = {.rows = request.rows, .columns = request.cols};
  probe.work.m = m;
  probe.work.n = n;
  probe.work.k = k;
  probe.work.a = probe.work.w = packing_of(probe.dtype);
  return probe;
}

int run_probe(const AccelProbeRequest& request) {
  const auto probe = probe_of(request);
  if (!probe) return tell(probe.diagnostics());
  const auto& work = probe->work;
  const std::uint64_t cycles = probe->overlap == Overlap::none
                                   ? last_cycle(probe->array, work, Overlap::none)
                                   : fold_timing(probe->array, work).latency(Overlap::full).value;
  const std::uint64_t macs = work.m * work.n * work.k;
  const double utilization = static_cast<double>(macs) / (static_cast<double>(request.rows) * request.cols *
                                                          static_cast<double>(std::max<std::uint64_t>(cycles, 1)));
  const nlohmann::ordered_json json{{"schema", "archsim.probe/1"},
                                    {"version", kVersion},
                                    {"block", "accel"},
                                    {"rows", request.rows},
                                    {"cols", request.cols},
                                    {"dataflow", request.dataflow},
                                    {"m", work.m},
                                    {"n", work.n},
                                    {"k", work.k},
                                    {"dtype", request.dtype},
                                    {"overlap", request.overlap},
                                    {"cycles", cycles},
                                    {"macs", macs},
                                    {"utilization", utilization}};
  TextTable table{fmt::format("{} on {} x {}, {}", request.matmul, request.rows, request.cols, request.dataflow),
                  {"<of the run", ""},
                  {}};
  table.rows = {{"cycles", std::to_string(cycles)},
                {"MACs", std::to_string(macs)},
                {"utilization", fmt::format("{:.2f} %", 100.0 * utilization)}};
  return write_answer(request.json, json.dump(1) + "\n", as_text(table));
}

}  // namespace

void add_probe_accel(CLI::App& probe, Action& action) {
  const auto request = std::make_shared<AccelProbeRequest>();
  CLI::App* command = probe.add_subcommand("accel", "one product on the array alone");
  command->add_option("--rows", request->rows, "of processing elements")->type_name("N")->capture_default_str();
  command->add_option("--cols", request->cols, "columns of them")->type_name("N")->capture_default_str();
  command->add_option("--dataflow", request->dataflow, "weight_stationary, output_stationary or input_stationary")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--matmul", request->matmul, "M x N x K")->required()->type_name("MxNxK");
  command->add_option("--dtype", request->dtype, "of the operands")->type_name("NAME")->capture_default_str();
  command->add_option("--overlap", request->overlap, "none or full")->type_name("NAME")->capture_default_str();
  command->add_option("--json", request->json, "write JSON there; `-`: standard output")->type_name("FILE");
  command->footer(kExamples);
  command->callback([request, &action] { action = [request] { return run_probe(*request); }; });
}

}  // namespace archsim
