#include "sweep/terms/expression.h"

#include <fmt/format.h>
#include <muParser.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "arch/describe/near_name.h"
#include "arch/describe/values/value.h"
#include "arch/units/text.h"

namespace archsim {
namespace {

constexpr std::array kFunctions{"min", "max", "abs", "sqrt", "log2", "log10", "ln", "exp", "floor", "ceil"};

template <class Q>
std::optional<double> as(std::string_view text) {
  const auto parsed = parse<Q>(text);
  if (!parsed) return {};
  return static_cast<double>(parsed.value->value);
}

/// In SI units, areas in square millimetres.
std::optional<double> quantity(std::string_view text) {
  if (const auto bytes = as<Bytes>(text)) return bytes;
  if (const auto cycles = as<Cycles>(text)) return cycles;
  if (const auto time = as<Time>(text)) return *time / static_cast<double>(kPicosecondsPerSecond);
  if (const auto hertz = as<Frequency>(text)) return hertz;
  if (const auto rate = as<Bandwidth>(text)) return rate;
  if (const auto energy = as<Energy>(text)) return energy;
  if (const auto power = as<Power>(text)) return power;
  const auto square_metres = as<Area>(text);
  return square_metres ? std::optional(*square_metres * 1e6) : std::nullopt;
}

std::vector<std::string_view> all_units() {
  std::vector<std::string_view> units;
  const auto add = [&](const UnitText& more) { units.insert(units.end(), more.units.begin(), more.units.end()); };
  add(QuantityText<Bytes>::units());
  add(QuantityText<Cycles>::units());
  add(QuantityText<Time>::units());
  add(QuantityText<Frequency>::units());
  add(QuantityText<Bandwidth>::units());
  add(QuantityText<Energy>::units());
  add(QuantityText<Power>::units());
  add(QuantityText<Area>::units());
  std::sort(units.begin(), units.end(), [](auto a, auto b) { return a.size() > b.size(); });
  return units;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '[' || c == ']'; }

/// Turns the text into muParser's words: names become v0, v1, ...
class Translator {
 public:
  Translator(const std::string& text, Location where, const std::vector<std::string>& names, Diagnostics& out)
      : text_(text), where_(std::move(where)), names_(names), out_(out) {}

  std::optional<std::string> run() {
    while (at_ < text_.size() && good_) step();
    if (!good_) return {};
    return made_;
  }
  const std::vector<std::size_t>& uses() const { return uses_; }

 private:
  void step() {
    const char c = text_[at_];
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
    if (is_letter(c)) return name();
    if (c == '"' || c == '\'') return quoted(c);
    symbol();
  }

  void number() {
    const std::size_t begin = at_;
    const auto digits = [&] {
      while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.' || text_[at_] == '_')) ++at_;
    };
    digits();
    const bool has_exponent = at_ + 1 < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E') &&
                              (is_digit(text_[at_ + 1]) || ((text_[at_ + 1] == '-' || text_[at_ + 1] == '+') &&
                                                            at_ + 2 < text_.size() && is_digit(text_[at_ + 2])));
    if (has_exponent) {
      at_ += 2;
      digits();
    }
    const std::string digits_only = text_.substr(begin, at_ - begin);
    if (const auto unit = unit_here()) {
      const auto value = quantity(digits_only + " " + *unit);
      if (!value) return fail(begin, fmt::format("`{} {}` is no quantity", digits_only, *unit), {});
      made_ += fmt::format("({:.17g})", *value);
      return;
    }
    const auto value = detail::parse_number(digits_only);
    if (!value) return fail(begin, fmt::format("`{}` is no number", digits_only), value.error);
    made_ += fmt::format("{:.17g}", *value.value);
  }

  std::optional<std::string> unit_here() {
    static const auto units = all_units();
    std::size_t begin = at_;
    while (begin < text_.size() && text_[begin] == ' ') ++begin;
    for (const auto unit : units) {
      const bool here = text_.compare(begin, unit.size(), unit) == 0;
      const std::size_t end = begin + unit.size();
      if (!here || (end < text_.size() && is_name_part(text_[end]))) continue;
      at_ = end;
      return std::string(unit);
    }
    return {};
  }

  void name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
    const std::string name = text_.substr(begin, at_ - begin);
    if (name == "and" || name == "or" || name == "not") {
      made_ += name == "and" ? " && " : name == "or" ? " || " : " !";
      return;
    }
    if (name == "true" || name == "false") {
      made_ += name == "true" ? "1" : "0";
      return;
    }
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found != names_.end()) {
      const auto index = static_cast<std::size_t>(found - names_.begin());
      if (std::find(uses_.begin(), uses_.end(), index) == uses_.end()) uses_.push_back(index);
      made_ += fmt::format("v{}", index);
      return;
    }
    const bool is_function = std::find(kFunctions.begin(), kFunctions.end(), name) != kFunctions.end();
    if (is_function && at_ < text_.size() && text_[at_] == '(') {
      made_ += name;
      return;
    }
    std::vector<std::string> known;
    std::copy_if(names_.begin(), names_.end(), std::back_inserter(known),
                 [](const auto& each) { return !each.empty(); });
    fail(begin, fmt::format("no number `{}` is known here", name), help_for_unknown(name, known));
  }

  void quoted(char mark) {
    const auto end = text_.find(mark, at_ + 1);
    if (end == std::string::npos) return fail(at_, "the quotation is not closed", {});
    made_ += fmt::format("({:.17g})", number_of_value(text_.substr(at_ + 1, end - at_ - 1)));
    at_ = end + 1;
  }

  void symbol() {
    const std::string two = text_.substr(at_, 2);
    if (two == "<=" || two == ">=" || two == "==" || two == "!=" || two == "&&" || two == "||" || two == "<>") {
      made_ += two == "<>" ? "!=" : two;
      at_ += 2;
      return;
    }
    const char c = text_[at_];
    if (std::string_view("+-*/^()<>?:,! \t").find(c) == std::string_view::npos && c != '=') {
      return fail(at_, fmt::format("`{}` has no meaning here", c), {});
    }
    made_ += c == '=' ? "==" : std::string(1, c);
    ++at_;
  }

  void fail(std::size_t offset, const std::string& what, const std::string& help) {
    Location place = where_;
    place.column += static_cast<unsigned>(offset);
    out_.error(place, what, help);
    good_ = false;
  }

  const std::string& text_;
  Location where_;
  const std::vector<std::string>& names_;
  Diagnostics& out_;
  std::size_t at_ = 0;
  bool good_ = true;
  std::string made_;
  std::vector<std::size_t> uses_;
};

}  // namespace

double number_of_text(std::string_view text) {
  // 52 bits: exact in a double; below zero, where no parameter's value is.
  return -static_cast<double>(1 + (XXH3_64bits(text.data(), text.size()) >> 12));
}

double number_of_value(std::string_view text) {
  const auto number = detail::parse_number(text);
  if (number) return *number.value;
  if (text == "true" || text == "false") return text == "true" ? 1.0 : 0.0;
  const auto found = quantity(text);
  return found ? *found : number_of_text(text);
}

struct Expression::State {
  mu::Parser parser;
  mutable std::vector<double> slots;
  std::vector<std::size_t> uses;
};

std::optional<Expression> Expression::compile(const std::string& text, const Location& where,
                                              const std::vector<std::string>& names, Diagnostics& out) {
  Translator translator(text, where, names, out);
  const auto words = translator.run();
  if (!words) return {};
  auto state = std::make_unique<State>();
  state->uses = translator.uses();
  state->slots.assign(names.size(), 0.0);
  try {
    for (const auto index : state->uses) state->parser.DefineVar(fmt::format("v{}", index), &state->slots[index]);
    state->parser.DefineFun("floor", [](double x) { return std::floor(x); });
    state->parser.DefineFun("ceil", [](double x) { return std::ceil(x); });
    state->parser.DefineInfixOprt("!", [](double x) { return x == 0.0 ? 1.0 : 0.0; });
    state->parser.SetExpr(*words);
    int values = 0;
    state->parser.Eval(values);
    if (values == 1) return Expression(std::move(state));
    out.error(where, fmt::format("`{}` is {} values, not one", text, values));
  } catch (const mu::ParserError&) {
    out.error(where, fmt::format("`{}` is no expression", text),
              "write it like `l2.capacity <= 16 MiB and npu.rows = 64`");
  }
  return {};
}

Expression::Expression(std::unique_ptr<State> state) : state_(std::move(state)) {}
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

double Expression::operator()(const std::vector<double>& values) const {
  for (const auto index : state_->uses) state_->slots[index] = values[index];
  return state_->parser.Eval();
}

const std::vector<std::size_t>& Expression::uses() const { return state_->uses; }

}  // namespace archsim
