// Every model of archsim.
#pragma once

#include "arch/machine/catalog.h"

namespace archsim {

const Catalog& catalog();

}  // namespace archsim
