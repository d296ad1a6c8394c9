// The labels: does `bound` name the resource whose doubling shortens a stage most?
#pragma once

namespace archsim {

/// Runs several SoCs and workloads, each with every resource doubled for good; prints a line a stage. True if all labels hold.
bool labels_hold();

}  // namespace archsim
