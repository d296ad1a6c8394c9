// run.json: schema archsim.run/1. Byte-equal for equal inputs.
#pragma once

#include <cstdint>
#include <string>

#include "app/answer/answer.h"

namespace archsim {

struct RunFacts {
  std::string version;
  std::string fidelity;
  std::uint64_t seed = 1;
};

std::string run_json(const RunFacts& facts, const RunInputs& inputs, const RunResult& result, const Answer& answer);

/// One row an executed operator instance; the same columns as run.json's `operators`.
std::string ops_csv(const Trace& trace, const Answer& answer);

}  // namespace archsim
