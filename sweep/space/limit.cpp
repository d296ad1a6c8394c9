#include "sweep/space/limit.h"

namespace archsim {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

}  // namespace

std::optional<Limit> limit_of(const Constraint& constraint) {
  const std::string& text = constraint.text;
  const auto at = text.find_first_of("<>");
  if (at == std::string::npos || constraint.condition.uses().size() != 1 || constraint.is_of_axes) return {};
  const auto last = text.find_first_not_of("<>=", at);
  const auto metric = metric_from(trimmed(text.substr(0, at)));
  Diagnostics ignored;
  const auto number =
      Expression::compile(last == std::string::npos ? "" : text.substr(last), constraint.place, {}, ignored);
  if (!metric || !number) return {};
  return Limit{*metric, text[at] == '>', (*number)({})};
}

}  // namespace archsim
