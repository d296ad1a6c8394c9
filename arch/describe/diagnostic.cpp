#include "arch/describe/diagnostic.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <tuple>

namespace archsim {
namespace {

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "error";
}

constexpr std::size_t kMostSourceBytes = 64 << 20;  // assumed; /dev/zero must end too

bool continues_a_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }
bool is_control(char c) { return (c >= 0 && c < ' ') || c == 0x7F; }

/// What a terminal would obey instead of show, written out; too much of it left out in the middle.
std::string printable(std::string_view text) {
  constexpr std::size_t kMost = 600;  // assumed: more than any sentence of ours with a name in it
  if (text.size() > kMost) {
    return printable(text.substr(0, kMost / 2)) + " ... " + printable(text.substr(text.size() - kMost / 2));
  }
  std::string shown;
  for (const char c : text) {
    if (c == '\n') {
      shown += "\\n";
    } else if (c == '\t' || !is_control(c)) {
      shown += c;
    } else {
      std::array<char, 8> code{};
      std::snprintf(code.data(), code.size(), "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
      shown += code.data();
    }
  }
  return shown;
}

/// A line of the user's, and what stands under it up to the caret. Control characters become `?`, tabs stay tabs, a
/// character of several bytes is one blank. Of a long line, the part around the caret.
struct Excerpt {
  std::string line, blanks;
};

Excerpt excerpt_of(std::string_view line, std::size_t caret) {
  constexpr std::size_t kWidest = 120, kBefore = 60;
  const bool is_long = line.size() > kWidest;
  std::size_t begin = is_long && caret > kBefore ? std::min(caret, line.size()) - kBefore : 0;
  while (begin > 0 && begin < line.size() && continues_a_character(line[begin])) --begin;
  std::size_t end = is_long ? std::min(line.size(), begin + kWidest) : line.size();
  while (end < line.size() && continues_a_character(line[end])) ++end;
  Excerpt excerpt;
  if (begin > 0) excerpt.line = excerpt.blanks = "...";
  std::fill(excerpt.blanks.begin(), excerpt.blanks.end(), ' ');
  for (std::size_t i = begin; i < end; ++i) excerpt.line += is_control(line[i]) && line[i] != '\t' ? '?' : line[i];
  for (std::size_t i = begin; i < caret; ++i) {
    const char c = i < line.size() ? line[i] : ' ';
    if (!continues_a_character(c)) excerpt.blanks.push_back(c == '\t' ? '\t' : ' ');
  }
  if (end < line.size()) excerpt.line += "...";
  return excerpt;
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_a_character(c); }));
}

std::string render_place(const Location& where) {
  if (!where.source) return {};
  std::string text = "  --> " + printable(where.source->path);
  if (where.line == 0) return text + "\n";

  const bool has_line = where.line <= where.source->lines.size();
  const std::string_view line = has_line ? std::string_view(where.source->lines[where.line - 1]) : std::string_view();
  const std::size_t caret = where.column > 0 ? where.column - 1 : 0;
  const std::size_t past_the_end = caret > line.size() ? caret - line.size() : 0;
  const std::string number = std::to_string(where.line);
  text += ":" + number + ":" + std::to_string(characters(line.substr(0, caret)) + past_the_end + 1) + "\n";
  if (!has_line) return text;
  const Excerpt excerpt = excerpt_of(line, caret);
  text += "  " + number + " | " + excerpt.line + "\n";
  text += "  " + std::string(number.size(), ' ') + " | " + excerpt.blanks + "^\n";
  return text;
}

}  // namespace

Source make_source(std::string path, std::string text) {
  auto source = std::make_shared<SourceFile>(SourceFile{std::move(path), std::move(text), {}});
  std::string_view rest = source->text;
  while (!rest.empty()) {
    const auto end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    source->lines.emplace_back(line);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return source;
}

Checked<Source> read_source(const std::string& path) {
  const auto failure = [&](const std::string& reason) {
    return Diagnostic{Severity::error, "cannot read `" + path + "`: " + reason};
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return failure("it is a directory");
  std::ifstream file(path, std::ios::binary);
  if (!file) return failure(errno == ENOENT ? "there is no such file" : std::strerror(errno));
  std::string text;
  std::array<char, 1 << 16> piece{};
  while (file.read(piece.data(), piece.size()), file.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > kMostSourceBytes) return failure("it has more than 64 MiB, too much for a text written by hand");
  }
  if (file.bad()) return failure(std::strerror(errno));
  return make_source(path, std::move(text));
}

std::string render(const Diagnostic& diagnostic) {
  std::string text(name_of(diagnostic.severity));
  text += ": " + printable(diagnostic.message) + "\n" + render_place(diagnostic.location);
  if (!diagnostic.help.empty()) text += "help: " + diagnostic.help + "\n";
  return text;
}

std::string render(const Diagnostics& diagnostics) {
  std::map<const SourceFile*, std::size_t> order;  // of first mention
  for (const auto& each : diagnostics.all()) order.emplace(each.location.source.get(), order.size());
  std::vector<const Diagnostic*> sorted;
  for (const auto& each : diagnostics.all()) sorted.push_back(&each);
  const auto key = [&](const Diagnostic* each) {
    return std::tuple(order.at(each->location.source.get()), each->location.line, each->location.column);
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Diagnostic* a, const Diagnostic* b) { return key(a) < key(b); });
  std::string text;
  for (const Diagnostic* each : sorted) text += (text.empty() ? "" : "\n") + render(*each);
  return text;
}

void Diagnostics::error(Location where, std::string message, std::string help) {
  add({Severity::error, std::move(message), std::move(where), std::move(help)});
}

void Diagnostics::warning(Location where, std::string message, std::string help) {
  add({Severity::warning, std::move(message), std::move(where), std::move(help)});
}

void Diagnostics::note(Location where, std::string message, std::string help) {
  add({Severity::note, std::move(message), std::move(where), std::move(help)});
}

bool Diagnostics::has_errors() const {
  return std::any_of(all_.begin(), all_.end(), [](const Diagnostic& each) { return each.severity == Severity::error; });
}

void fail_assertion(const char* condition, const char* file, int line, std::string_view message) {
  std::fprintf(stderr, "archsim: a bug of ours: `%s` does not hold at %s:%d\n", condition, file, line);
  if (!message.empty()) std::fprintf(stderr, "%.*s\n", static_cast<int>(message.size()), message.data());
  std::fflush(nullptr);
  std::_Exit(70);
}

}  // namespace archsim
