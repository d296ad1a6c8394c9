// The files that HTML pages are made of; cmake/ArchsimPages.cmake puts them into the program.
#pragma once

#include <string_view>

namespace archsim {

/// The bytes of "page.css", "echarts.min.js", ...; empty if there is no such file, or no chart library in this build.
std::string_view page_file(std::string_view name);

}  // namespace archsim
