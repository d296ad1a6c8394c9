// What a sampled run left out, and how far its time may be off.
#pragma once

#include "app/report/run_json.h"
#include "app/report/text_table.h"

namespace archsim {

TextTable sampled_table(const SampledFacts& facts, Time time);

}  // namespace archsim
