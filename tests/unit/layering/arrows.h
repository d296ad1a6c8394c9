// The arrows of the design, held against `#include` lines.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace archsim {

/// What each folder may include directly; whatever that may include is allowed too. The same arrows as in
/// CMakeLists.txt.
inline const std::map<std::string, std::set<std::string>> kArrows = {
    {"arch/units", {}},
    {"arch/describe", {"arch/units"}},
    {"arch/cost", {"arch/describe"}},
    {"arch/workload", {"arch/describe"}},
    {"arch/program", {"arch/workload"}},
    {"arch/machine", {"arch/cost", "arch/program"}},
    {"arch/mapping", {"arch/machine"}},
    {"arch/block", {"arch/machine"}},
    {"arch/soc", {"arch/block"}},
    {"accel-rtl/dv", {"arch/machine"}},
    {"models", {"arch/soc", "arch/mapping", "accel-rtl/dv"}},
    {"traces", {"arch/workload"}},
    {"sweep", {"models", "traces"}},
    {"app", {"sweep"}},
};

/// Folders where SystemC may be included.
inline const std::set<std::string> kSystemcFolders = {"arch/block", "arch/soc", "models", "tests"};

/// The folder of `kArrows` that a path belongs to, or its first folder.
std::string folder_of(std::string_view path);

/// What the include lines of the file `path` with contents `text` break, one sentence each.
std::vector<std::string> broken_arrows(const std::string& path, std::string_view text);

}  // namespace archsim
