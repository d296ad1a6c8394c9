// run.json: schema archsim.run/1. Byte-equal for equal inputs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/answer/answer.h"
#include "arch/program/sampling.h"

namespace archsim {

/// Of a run that executed a few of repeated iterations.
struct SampledFacts {
  const Sampling& sampling;
  Time error;  // estimated, of the time
};

struct RunFacts {
  std::string version;
  std::string fidelity;
  std::uint64_t seed = 1;
  std::optional<SampledFacts> sampled = {};
};

std::string run_json(const RunFacts& facts, const RunInputs& inputs, const RunResult& result, const Answer& answer);

/// One row an executed operator instance; the same columns as run.json's `operators`.
std::string ops_csv(const Trace& trace, const Answer& answer);

}  // namespace archsim
