// The mapper's predictions beside simulated times.
#pragma once

namespace archsim {

/// 200 random GEMMs and 50 random attention shapes on two SoCs: prints each prediction; true if 95 % are within 5 %.
bool mapping_holds();

}  // namespace archsim
