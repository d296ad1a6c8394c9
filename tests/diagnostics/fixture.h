// Bad inputs with the text they must produce beside them: `x.yaml` (or any other extension) and `x.expected`.
//
// With ARCHSIM_UPDATE_EXPECTED=1 in the environment expected files that differ are written anew, and their tests fail all the
// same: read what was written, then run without it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace archsim {

/// The inputs in `folder` (from the root of the repository, such as "tests/diagnostics/params"), as paths from the root.
/// Their tests run in the root, so that these are also the paths in the messages.
std::vector<std::string> fixtures_in(const std::string& folder);

/// The test's name for an input: its file name without extension.
std::string fixture_name(const std::string& path);

/// Whether `actual` is the expected text beside the input at `path`; to be used in EXPECT_TRUE.
testing::AssertionResult is_expected_for(const std::string& path, const std::string& actual);

}  // namespace archsim
