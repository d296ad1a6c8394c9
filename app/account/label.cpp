#include "app/account/label.h"

namespace archsim {

double saving(const Lanes& length, Doubling doubling) {
  const double now = length[Doubling::none];
  return now <= 0.0 ? 0.0 : (now - length[doubling]) / now;
}

std::string bound_of(const Lanes& length) {
  auto best = Doubling::none;
  double most = kNothing;
  for (std::size_t i = 1; i < kDoublings; ++i) {
    const auto doubling = static_cast<Doubling>(i);
    if (saving(length, doubling) <= most) continue;  // the first wins among equals
    best = doubling;
    most = saving(length, doubling);
  }
  return best == Doubling::none ? "dependency" : std::string(name_of(best));
}

}  // namespace archsim
