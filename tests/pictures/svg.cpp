#include "tests/pictures/svg.h"

#include <cmath>
#include <cstdlib>
#include <optional>
#include <regex>

namespace archsim {
namespace {

/// "10 T" is 1e13.
std::optional<double> number_of(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) return std::nullopt;
  while (*end == ' ') ++end;
  if (*end == '\0') return value;
  const std::string letters = "kMGTP";
  const auto at = letters.find(*end);
  if (at == std::string::npos || end[1] != '\0') return std::nullopt;
  return value * std::pow(1000.0, static_cast<double>(at) + 1.0);
}

double by_ticks(const std::vector<std::pair<double, double>>& ticks, double pixel) {
  const auto& [first_pixel, first] = ticks.front();
  const auto& [last_pixel, last] = ticks.back();
  return first * std::pow(last / first, (pixel - first_pixel) / (last_pixel - first_pixel));
}

std::string unescaped(std::string text) {
  const std::pair<const char*, const char*> references[] = {{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}};
  for (const auto& [reference, character] : references) {
    for (auto at = text.find(reference); at != std::string::npos; at = text.find(reference))
      text.replace(at, std::string(reference).size(), character);
  }
  return text;
}

}  // namespace

SvgPicture read_svg(const std::string& svg) {
  SvgPicture picture;
  const std::regex text(
      "<g transform=\"translate\\(([-0-9.]+),([-0-9.]+)\\)(?: "
      "rotate\\(([-0-9.]+)\\))?\"[^>]*font-size=\"([0-9.]+)\"[^>]*"
      "text-anchor=\"(\\w+)\"[^>]*>\\s*<text>(?:<tspan[^>]*>)?([^<]*)");
  for (std::sregex_iterator it(svg.begin(), svg.end(), text), end; it != end; ++it) {
    const auto& m = *it;
    picture.texts.push_back({unescaped(m[6]), m[5], std::stod(m[1]), std::stod(m[2]), std::stod(m[4]),
                             m[3].matched ? -std::stod(m[3]) : 0.0});
  }
  const std::regex mark(
      "<use xlink:href='#gpPt(\\d+)' transform='translate\\(([-0-9.]+),([-0-9.]+)\\) scale\\(([0-9.]+)\\)'");
  for (std::sregex_iterator it(svg.begin(), svg.end(), mark), end; it != end; ++it) {
    // Its definitions count from 0, points from 1.
    picture.marks.push_back({std::stoi((*it)[1]) + 1, std::stod((*it)[2]), std::stod((*it)[3]), std::stod((*it)[4])});
  }
  const std::regex line("d='M([-0-9.]+),([-0-9.]+) L([-0-9.]+),([-0-9.]+) *'");
  for (std::sregex_iterator it(svg.begin(), svg.end(), line), end; it != end; ++it) {
    picture.lines.push_back({{{std::stod((*it)[1]), std::stod((*it)[2])}, {std::stod((*it)[3]), std::stod((*it)[4])}}});
  }
  return picture;
}

double SvgPicture::x_value(double pixel) const {
  std::vector<std::pair<double, double>> ticks;
  for (const SvgText& each : texts) {
    if (each.anchor != "middle" || each.degrees != 0.0) continue;
    if (const auto value = number_of(each.text)) ticks.emplace_back(each.x, *value);
  }
  return by_ticks(ticks, pixel);
}

double SvgPicture::y_value(double pixel) const {
  std::vector<std::pair<double, double>> ticks;
  for (const SvgText& each : texts) {
    if (each.anchor != "end") continue;
    // Gnuplot puts a text's baseline that far below the tick.
    if (const auto value = number_of(each.text)) ticks.emplace_back(each.y - 0.325 * each.size, *value);
  }
  return by_ticks(ticks, pixel);
}

}  // namespace archsim
