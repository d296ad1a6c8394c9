#include "app/pictures/sweep/front.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "app/files/write_file.h"
#include "app/pictures/gnuplot.h"
#include "app/pictures/palette.h"
#include "sweep/terms/metrics.h"

namespace archsim {
namespace {

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

/// gnuplot widens a range of one value by itself, and says so aloud.
std::string ranges(const Results& results, const Pareto& found) {
  std::string text;
  const char* axes[] = {"x", "y", "z"};
  for (std::size_t d = 0; d < found.columns.size(); ++d) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const auto& row : results.rows) {
      if (row.status != "done") continue;
      low = std::min(low, row.metrics[found.columns[d]]);
      high = std::max(high, row.metrics[found.columns[d]]);
    }
    if (low < high) continue;
    const double margin = low == 0.0 ? 1.0 : 0.01 * std::abs(low);
    text += fmt::format("set {}range [{:.9g}:{:.9g}]\n", axes[d], low - margin, low + margin);
  }
  return text;
}

std::string curves(const Results& results, const Pareto& found) {
  std::vector<std::size_t> others, knee;
  const std::set<std::size_t> on_front(found.rows.begin(), found.rows.end());
  for (std::size_t i = 0; i < results.rows.size(); ++i) {
    if (results.rows[i].status == "done" && !on_front.contains(i)) others.push_back(i);
  }
  if (found.knee) knee.push_back(found.rows[*found.knee]);
  std::string data = block("front", results, found, found.rows), text = found.columns.size() == 2 ? "plot" : "splot";
  if (!others.empty()) {
    data += block("others", results, found, others);
    text += " $others with points pt 7 ps 0.4 lc rgb '#b7b7b7' title 'feasible',";
  }
  text += fmt::format(" $front with {} pt 7 ps 0.8 lc rgb '{}' title 'front'",
                      found.columns.size() == 2 ? "linespoints" : "points", palette::hex(palette::kSeries[0]));
  if (!knee.empty()) {
    data += block("knee", results, found, knee);
    text +=
        fmt::format(", $knee with points pt 6 ps 1.8 lw 2 lc rgb '{}' title 'knee'", palette::hex(palette::kSeries[1]));
  }
  return data + text + "\n";
}

std::string script_of(const Results& results, const Pareto& found) {
  std::string text = "set title " + quoted_for_gnuplot(results.name + ", " + results.fidelity) +
                     "\nset grid\nset key outside bottom center horizontal\nset xyplane 0\n" + ranges(results, found);
  const char* axes[] = {"x", "y", "z"};
  for (std::size_t d = 0; d < found.columns.size(); ++d) {
    text += fmt::format("set {}label {}{}\n", axes[d], quoted_for_gnuplot(label(found.objectives[d].column)),
                        d == 2 ? " rotate parallel" : "");
  }
  return text + curves(results, found);
}

Diagnostics failure(const std::string& what, const std::string& help) {
  Diagnostics out;
  out.error({}, what, help);
  return out;
}

}  // namespace

Diagnostics plot_front(const Results& results, const Pareto& found, const std::string& path) {
  const auto format = picture_format_of(path);
  if (!format) return failure("`" + path + "` ends in no form of picture", "`.svg`, `.png` or `.pdf`");
  if (found.columns.size() < 2 || found.columns.size() > 3) {
    return failure(fmt::format("{} objectives make no picture", found.columns.size()),
                   "choose two or three with `--objectives`");
  }
  if (found.rows.empty()) return failure("there is no feasible point to draw", "");
  const auto drawn = gnuplot(script_of(results, found), *format);
  return drawn ? write_file(path, *drawn) : drawn.diagnostics();
}

}  // namespace archsim
