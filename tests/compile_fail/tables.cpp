// Compiled once as it is, and once with each WRONG_ macro, which must not compile. See tests/CMakeLists.txt.
#include "arch/describe/fields.h"
#include "arch/units/quantity.h"

namespace archsim {

struct ChairParams {
  unsigned legs = 4;
  Bytes memory = 1_KiB;

  static constexpr auto fields() {
    using P = ChairParams;
#if defined(WRONG_MEMBER_WITHOUT_A_LINE)
    return fields_of(param<&P::legs>("it stands on"));
#elif defined(WRONG_MEMBER_WITH_TWO_LINES)
    return fields_of(param<&P::legs>("it stands on"), param<&P::legs>("it stands on"));
#elif defined(WRONG_BARE_RANGE)
    return fields_of(param<&P::legs>("it stands on"), param<&P::memory>("it keeps").between(1, 2));
#else
    return fields_of(param<&P::legs>("it stands on"), param<&P::memory>("it keeps"));
#endif
  }
};

template <class T>
struct ChairEvents {
  T sat, stood;

  static constexpr auto fields() {
    using E = ChairEvents;
#if defined(WRONG_EVENT_WITHOUT_A_COST)
    return fields_of(event<&E::sat>("somebody sat down"), event<&E::stood>("somebody stood up", "chair.stood"));
#elif defined(WRONG_EVENT_WITH_AN_EMPTY_COST)
    return fields_of(event<&E::sat>("somebody sat down", ""), event<&E::stood>("somebody stood up", "chair.stood"));
#elif defined(WRONG_EVENT_WITHOUT_A_LINE)
    return fields_of(event<&E::sat>("somebody sat down", "chair.sat"));
#else
    return fields_of(event<&E::sat>("somebody sat down", "chair.sat"),
                     event<&E::stood>("somebody stood up", "chair.stood"));
#endif
  }
};

constexpr auto kParams = ChairParams::fields();
constexpr auto kEvents = ChairEvents<int>::fields();

#if defined(WRONG_MIXED_UNITS)
auto mixed = 1_B + 1_cycles;
#elif defined(WRONG_UNIT_WITHOUT_A_VALUE)
Bytes nothing;
#elif defined(WRONG_BARE_NUMBER)
ChairParams bare{.memory = 64};
#endif

}  // namespace archsim
