// Conditions and formulas over named numbers, as sweep files and `--where` write them: `l2.capacity <= 16 MiB and npu.rows = 64`.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arch/describe/diagnostic.h"

namespace archsim {

/// What a text that is no number stands for in expressions: equal texts are equal numbers.
double number_of_text(std::string_view text);
/// The number that `text` is (`64`, `1.2 GHz` in hertz, `true` as 1), or number_of_text().
double number_of_value(std::string_view text);

class Expression {
 public:
  /// Operators are + - * / ^ ( ) < > <= >= = != and or not ?:, functions min max abs sqrt log2 log10 ln exp floor ceil;
  /// quantities such as `16 MiB` count in SI units (bytes, seconds, hertz; areas in mm2), texts stand in "quotes". Nothing, and an error, if
  /// `text`, which stands at `where`, is none or names what is not in `names`.
  static std::optional<Expression> compile(const std::string& text, const Location& where,
                                           const std::vector<std::string>& names, Diagnostics& out);

  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  /// `values[i]` is that of name i. NaN where it has no value.
  double operator()(const std::vector<double>& values) const;
  /// Indices into the names.
  const std::vector<std::size_t>& uses() const;

 private:
  struct State;
  explicit Expression(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace archsim
