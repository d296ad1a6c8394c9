#include "app/pictures/page/page.h"

#include <nlohmann/json.hpp>

#include "app/pictures/page/pages.h"

namespace archsim {
namespace {

/// JSON that may stand in a script: nothing in it can end the script or begin a comment.
std::string for_script(const nlohmann::ordered_json& data) {
  std::string safe;
  for (const char c : data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace

Checked<std::string> html_page(const Page& page, const nlohmann::ordered_json& data) {
  const std::string_view charts = page_file("echarts.min.js");
  if (charts.empty()) {
    return Diagnostic{Severity::error,
                      "this build has no chart library, which HTML pages need",
                      {},
                      "build with npm and its registry at hand: `scripts/setup`, then `scripts/build`"};
  }
  std::string html = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  html += "<meta name=\"color-scheme\" content=\"light dark\">\n";
  // Nothing may be fetched: a page that tried would show an error.
  html +=
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
      "style-src 'unsafe-inline'; img-src data: blob:\">\n";
  html += "<title>" + escaped(page.title) + "</title>\n<style>\n";
  html += page_file("page.css");
  html += "</style>\n</head>\n<body>\n" + page.body;
  html += "\n<script type=\"application/json\" id=\"data\">" + for_script(data) + "</script>\n<script>\n";
  html += charts;
  html += "\n</script>\n";
  for (const std::string& script : page.scripts) {
    html += "<script>\n";
    html += page_file(script);
    html += "</script>\n";
  }
  return html + "</body>\n</html>\n";
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

}  // namespace archsim
