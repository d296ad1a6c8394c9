// A table of texts, printed in columns, as CSV or as Markdown.
#pragma once

#include <string>
#include <vector>

namespace archsim {

struct TextTable {
  std::string title;
  std::vector<std::string> header;  // a column that starts with `<` is aligned left; the mark is not printed
  std::vector<std::vector<std::string>> rows;
};

std::string as_text(const TextTable& table);
std::string as_markdown(const TextTable& table);

/// One line of CSV by RFC 4180, quoted where it must be.
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace archsim
