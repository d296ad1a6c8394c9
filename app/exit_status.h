// What the program's exit status says.
#pragma once

namespace archsim::exit_status {

constexpr int kDone = 0;
constexpr int kLimitPassed = 1;
constexpr int kWrongInput = 2;
constexpr int kStuck = 3;
constexpr int kOurBug = 70;
constexpr int kInterrupted = 130;

}  // namespace archsim::exit_status
