#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include "app/command.h"
#include "app/compare/compare_text.h"
#include "app/exit_status.h"
#include "app/files/write_file.h"

namespace archsim {
namespace {

struct DiffRequest {
  std::string before, after;
  std::string limit, format = "table";
};

constexpr auto kExamples = R"(Exit status: 0, or 1 if time, energy or area grew by more than --fail-above.

Examples:
  archsim diff old/run.json new/run.json
  archsim diff old/run.json new/run.json --fail-above 2%
  archsim diff old/run.json new/run.json --format markdown)";

/// "2%" is 0.02.
std::optional<double> read_limit(const std::string& text, Diagnostics& out) {
  if (text.empty()) return std::nullopt;
  char* end = nullptr;
  const double percent = std::strtod(text.c_str(), &end);
  const std::string rest = end;
  const bool is_number = end != text.c_str() && std::isfinite(percent) && percent >= 0.0;
  if (is_number && (rest == "%" || rest == " %")) return percent / 100.0;
  out.error({}, "`" + text + "` is no limit for `--fail-above`", "a percentage from 0 on: `--fail-above 2%`");
  return std::nullopt;
}

std::string printed(const DiffRequest& request, const Comparison& comparison, std::optional<double> limit) {
  if (request.format == "json") return compare_json(comparison, limit);
  if (request.format == "csv") return compare_csv(comparison);
  std::string text;
  for (const TextTable& table : compare_tables(comparison)) {
    text += (text.empty() ? "" : "\n") + (request.format == "markdown" ? as_markdown(table) : as_text(table));
  }
  return text;
}

int diff(const DiffRequest& request) {
  Diagnostics out;
  const auto limit = read_limit(request.limit, out);
  const auto before = read_run_file(request.before);
  out.append(before.diagnostics());
  const auto after = read_run_file(request.after);
  out.append(after.diagnostics());
  if (out.has_errors()) return tell(out);
  const auto comparison = compare(*before, *after);
  out.append(comparison.diagnostics());
  if (!out.has_errors()) out.append(write_stdout(printed(request, *comparison, limit)));
  if (tell(out) != exit_status::kDone) return exit_status::kWrongInput;
  if (!limit) return exit_status::kDone;
  const auto past = past_limit(*comparison, *limit);
  for (const QuantityChange& each : past) {
    fmt::print(stderr, "limit passed: {} {}, more than {:g} % allowed\n", each.name, part_in_words(each.part()),
               100.0 * *limit);
  }
  return past.empty() ? exit_status::kDone : exit_status::kLimitPassed;
}

}  // namespace

void add_diff(CLI::App& app, Action& action) {
  const auto request = std::make_shared<DiffRequest>();
  CLI::App* command = app.add_subcommand("diff", "what got slower, bigger or hungrier between two runs, and why");
  command->add_option("old", request->before, "result of a run")->required()->type_name("OLD.json");
  command->add_option("new", request->after, "result of another run of the same workload")
      ->required()
      ->type_name("NEW.json");
  command->add_option("--fail-above", request->limit, "exit status 1 if time, energy or area grow by more")
      ->type_name("PERCENT");
  command->add_option("--format", request->format, "what is printed: table, json, csv (operators) or markdown")
      ->check(CLI::IsMember({"table", "json", "csv", "markdown"}))
      ->type_name("NAME")
      ->capture_default_str();
  command->footer(kExamples);
  command->callback([request, &action] { action = [request] { return diff(*request); }; });
}

}  // namespace archsim
