#include "traces/generate/expression.h"

#include <fmt/format.h>
#include <muParser.h>

#include <cmath>
#include <vector>

#include "arch/describe/near_name.h"

namespace archsim {
namespace {

Location inside(Location where, std::size_t offset) {
  where.column += static_cast<unsigned>(offset);
  return where;
}

// muParser's own words for an unknown name say nothing about what is known.
void explain(const mu::ParserError& error, const std::string& text, const Location& where, const Numbers& numbers,
             Diagnostics& out) {
  const auto position = error.GetPos() >= 0 && static_cast<std::size_t>(error.GetPos()) < text.size()
                            ? static_cast<std::size_t>(error.GetPos())
                            : 0;
  const std::string& token = error.GetToken();
  if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN && !token.empty()) {
    std::vector<std::string> names;
    for (const auto& [name, value] : numbers) names.push_back(name);
    const auto word = token.substr(0, token.find_first_of(" +-*/^()<>=&|?:,"));
    const auto near = near_name(word, names);
    out.error(inside(where, position), fmt::format("no number `{}` is known here", word),
              near ? fmt::format("did you mean `{}`?", *near) : "");
    return;
  }
  out.error(inside(where, position), fmt::format("`{}` is not an expression", text), error.GetMsg());
}

}  // namespace

std::optional<double> evaluate(const std::string& text, const Location& where, const Numbers& numbers,
                               Diagnostics& out) {
  try {
    mu::Parser parser;
    for (const auto& [name, value] : numbers) parser.DefineConst(name, value);
    parser.DefineFun("floor", [](double x) { return std::floor(x); });
    parser.DefineFun("ceil", [](double x) { return std::ceil(x); });
    parser.SetExpr(text);
    int values = 0;
    const double value = parser.Eval(values)[0];
    if (values != 1) {
      out.error(where, fmt::format("`{}` is {} values, not one", text, values));
      return std::nullopt;
    }
    if (std::isfinite(value)) return value;
    out.error(where, fmt::format("`{}` has no finite value", text));
  } catch (const mu::ParserError& error) {
    explain(error, text, where, numbers, out);
  }
  return std::nullopt;
}

std::optional<std::int64_t> evaluate_integer(const std::string& text, const Location& where, const Numbers& numbers,
                                             Diagnostics& out, std::int64_t low, std::int64_t high) {
  const auto value = evaluate(text, where, numbers, out);
  if (!value) return std::nullopt;
  if (std::abs(*value) > static_cast<double>(kExactIntegers) || std::floor(*value) != *value) {
    out.error(where, fmt::format("`{}` is {}, which is not a whole number", text, *value),
              "`floor(x)` and `ceil(x)` round");
    return std::nullopt;
  }
  const auto whole = static_cast<std::int64_t>(*value);
  if (whole < low || whole > high) {
    out.error(where, fmt::format("`{}` is {}, outside {} .. {}", text, whole, low, high));
    return std::nullopt;
  }
  return whole;
}

}  // namespace archsim
