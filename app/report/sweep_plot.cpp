#include "app/report/sweep_plot.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>

#include "app/files/write_file.h"
#include "sweep/terms/metrics.h"

namespace archsim {
namespace {

std::string terminal_of(const std::string& path) {
  if (path.ends_with(".svg")) return "svg size 900,600 font 'sans,13' background 'white'";
  if (path.ends_with(".png")) return "pngcairo size 900,600 font 'sans,11'";
  if (path.ends_with(".pdf")) return "pdfcairo size 18cm,12cm font 'sans,10'";
  return "";
}

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

std::string block(const std::string& name, const Results& results, const Pareto& found,
                  const std::vector<std::size_t>& rows) {
  std::string text = "$" + name + " << EOD\n";
  for (const auto i : rows) {
    for (const auto column : found.columns) text += fmt::format("{:.9g} ", results.rows[i].metrics[column]);
    text += fmt::format("{}\n", results.rows[i].id);
  }
  return text + "EOD\n";
}

std::string label(const std::string& column) {
  const auto metric = metric_from(column);
  const std::string unit = metric ? std::string(info_of(*metric).unit) : "";
  return unit.empty() ? column : column + ", " + unit;
}

std::string script_of(const Results& results, const Pareto& found, const std::string& path) {
  const bool is_flat = found.columns.size() == 2;
  std::vector<std::size_t> feasible, knee;
  for (std::size_t i = 0; i < results.rows.size(); ++i) {
    if (results.rows[i].status == "done") feasible.push_back(i);
  }
  if (found.knee) knee.push_back(found.rows[*found.knee]);
  std::string text = "set terminal " + terminal_of(path) + "\nset output " + quoted(path) + "\n";
  text += block("all", results, found, feasible) + block("front", results, found, found.rows) +
          block("knee", results, found, knee);
  text += "set termoption noenhanced\nset title " + quoted(results.name + ", " + results.fidelity) +
          "\nset grid\nset key outside bottom center horizontal\n";
  const char* axes[] = {"x", "y", "z"};
  for (std::size_t d = 0; d < found.columns.size(); ++d) {
    text += fmt::format("set {}label {}{}\n", axes[d], quoted(label(found.objectives[d].column)),
                        d == 2 ? " rotate parallel" : "");
  }
  const std::string line =
      is_flat ? "with linespoints pt 7 ps 0.7 lc rgb '#0b5394'" : "with points pt 7 ps 0.8 lc rgb '#0b5394'";
  text += fmt::format("{} $all with points pt 7 ps 0.4 lc rgb '#b7b7b7' title 'feasible', $front {} title 'front'",
                      is_flat ? "plot" : "splot", line);
  if (!knee.empty()) text += ", $knee with points pt 6 ps 1.8 lw 2 lc rgb '#cc0000' title 'knee'";
  return text + "\n";
}

Diagnostics failure(const std::string& what, const std::string& help) {
  Diagnostics out;
  out.error({}, what, help);
  return out;
}

}  // namespace

Diagnostics plot_front(const Results& results, const Pareto& found, const std::string& path) {
  if (terminal_of(path).empty())
    return failure("`" + path + "` ends in no form of picture", "`.svg`, `.png` or `.pdf`");
  if (found.columns.size() < 2 || found.columns.size() > 3) {
    return failure(fmt::format("{} objectives make no picture", found.columns.size()),
                   "choose two or three with `--objectives`");
  }
  if (found.rows.empty()) return failure("there is no feasible point to draw", "");
  const std::string draft = path + ".gnuplot";
  Diagnostics unwritten = write_file(draft, script_of(results, found, path));
  if (unwritten.has_errors()) return unwritten;
  // The name goes through a shell.
  std::string word = "'";
  for (const char c : draft) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  const int status = std::system(("gnuplot " + word + "'").c_str());
  std::error_code ignored;
  std::filesystem::remove(draft, ignored);
  if (status == 0) return {};
  return failure("gnuplot has drawn nothing", "install it: `apt-get install gnuplot-nox`");
}

}  // namespace archsim
