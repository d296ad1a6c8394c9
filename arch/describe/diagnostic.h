// What is wrong with an input, where in the user's own text, and what to do about it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace archsim {

/// A text that the user gave: a file, or a command-line argument (path `--set`, text as typed).
struct SourceFile {
  std::string path;  // as the user wrote it
  std::string text;
  std::vector<std::string> lines;  // of `text`, without line ends
};
using Source = std::shared_ptr<const SourceFile>;

Source make_source(std::string path, std::string text);

/// A place in a source. Line and column start at 1; column counts bytes. Line 0 is the source as a whole, and a location
/// without a source is nowhere.
struct Location {
  Source source;
  unsigned line = 0;
  unsigned column = 0;
};

enum class Severity { error, warning, note };

struct Diagnostic {
  Severity severity = Severity::error;
  std::string message;  // one sentence without a full stop; names in `backquotes`
  Location location = {};
  std::string help = {};  // what to do; empty if there is nothing to say
};

/// In the form
///     error: sram model `banked` has no parameter `bankz`
///       --> configs/soc/edge_lpddr5.yaml:14:7
///       14 |       bankz: 8
///          |       ^
///     help: did you mean `banks`?
std::string render(const Diagnostic& diagnostic);

/// Collects what is wrong, so that all mistakes of an input are told at once.
class Diagnostics {
 public:
  void add(Diagnostic diagnostic) { all_.push_back(std::move(diagnostic)); }
  void append(const Diagnostics& more) { all_.insert(all_.end(), more.all_.begin(), more.all_.end()); }
  void error(Location where, std::string message, std::string help = {});
  void warning(Location where, std::string message, std::string help = {});
  void note(Location where, std::string message, std::string help = {});

  bool has_errors() const;
  bool empty() const { return all_.empty(); }
  const std::vector<Diagnostic>& all() const { return all_; }

 private:
  std::vector<Diagnostic> all_;
};

/// All of them, in the order of their places within each source, with a blank line between two.
std::string render(const Diagnostics& diagnostics);

/// Stops the program: a bug of ours (exit status 70).
[[noreturn]] void fail_assertion(const char* condition, const char* file, int line, std::string_view message = {});

/// A bug of ours if `condition` is false, in every build. A second argument says more.
#define ARCHSIM_ASSERT(condition, ...) \
  ((condition) ? static_cast<void>(0)  \
               : ::archsim::fail_assertion(#condition, __FILE__, __LINE__ __VA_OPT__(, ) __VA_ARGS__))

/// A T, perhaps with warnings, or every Diagnostic that says why not.
template <class T>
class Checked {
 public:
  Checked(T value) : value_(std::move(value)) {}  // NOLINT: a value is a Checked value
  Checked(T value, Diagnostics warnings) : value_(std::move(value)), diagnostics_(std::move(warnings)) {
    ARCHSIM_ASSERT(!diagnostics_.has_errors(), "a value with errors");
  }
  Checked(Diagnostics errors) : diagnostics_(std::move(errors)) {  // NOLINT: so are its errors
    ARCHSIM_ASSERT(diagnostics_.has_errors(), "neither a value nor an error");
  }
  Checked(Diagnostic error) { diagnostics_.add(std::move(error)); }  // NOLINT

  explicit operator bool() const { return value_.has_value(); }
  bool has_value() const { return value_.has_value(); }

  const T& operator*() const& { return present(), *value_; }
  T& operator*() & { return present(), *value_; }
  T&& operator*() && { return present(), *std::move(value_); }
  const T* operator->() const { return present(), &*value_; }
  T* operator->() { return present(), &*value_; }

  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  void present() const { ARCHSIM_ASSERT(value_.has_value(), render(diagnostics_)); }

  std::optional<T> value_;
  Diagnostics diagnostics_;
};

/// The file at `path`, or an error that says why it cannot be read.
Checked<Source> read_source(const std::string& path);

}  // namespace archsim
