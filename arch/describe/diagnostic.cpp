#include "arch/describe/diagnostic.h"

#include <algorithm>
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

/// Blanks as wide as the first `bytes` bytes of `line` look: tabs stay tabs, a character of several bytes is one blank.
std::string blanks_under(std::string_view line, std::size_t bytes) {
  std::string blanks;
  for (std::size_t i = 0; i < bytes; ++i) {
    const auto c = i < line.size() ? static_cast<unsigned char>(line[i]) : static_cast<unsigned char>(' ');
    const bool continues_a_character = (c & 0xC0U) == 0x80U;
    if (!continues_a_character) blanks.push_back(c == '\t' ? '\t' : ' ');
  }
  return blanks;
}

std::string render_place(const Location& where) {
  if (!where.source) return {};
  std::string text = "  --> " + where.source->path;
  if (where.line == 0) return text + "\n";

  const bool has_line = where.line <= where.source->lines.size();
  const std::string_view line = has_line ? std::string_view(where.source->lines[where.line - 1]) : std::string_view();
  const std::string blanks = blanks_under(line, where.column > 0 ? where.column - 1 : 0);
  const std::string number = std::to_string(where.line);
  text += ":" + number + ":" + std::to_string(blanks.size() + 1) + "\n";
  if (!has_line) return text;
  text += "  " + number + " | " + std::string(line) + "\n";
  text += "  " + std::string(number.size(), ' ') + " | " + blanks + "^\n";
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
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) return failure(std::strerror(errno));
  return make_source(path, std::move(text));
}

std::string render(const Diagnostic& diagnostic) {
  std::string text(name_of(diagnostic.severity));
  text += ": " + diagnostic.message + "\n" + render_place(diagnostic.location);
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
