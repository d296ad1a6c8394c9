// A timeline in the JSON of Chrome's trace events, which Perfetto and speedscope open.
#pragma once

#include <string>

#include "app/answer/answer.h"
#include "app/timeline/recorder.h"

namespace archsim {

/// Stages as slices, a track an engine, a counter an engine of memories and interconnect, arrows from load to arithmetic to store of
/// every executed instance. Times in microseconds.
std::string chrome_trace(const RunInputs& inputs, const Answer& answer, const TimelineRecorder& recorder);

}  // namespace archsim
