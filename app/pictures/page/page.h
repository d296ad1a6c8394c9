// A self-contained HTML page: style, scripts, chart library and data in one file, nothing fetched from anywhere.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "arch/describe/diagnostic.h"

namespace archsim {

struct Page {
  std::string title;
  std::string body;                  // HTML
  std::vector<std::string> scripts;  // of app/web, in this order, after the chart library
};

/// `data` is what `archsimData()` gives the scripts. An error if this build has no chart library.
Checked<std::string> html_page(const Page& page, const nlohmann::ordered_json& data);

/// For HTML: `<`, `>`, `&` and quotation marks as references.
std::string escaped(const std::string& text);

}  // namespace archsim
