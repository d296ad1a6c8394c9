// File -> trace, record by record: memory grows with the tables that the caller keeps, never with the file.
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "arch/describe/diagnostic.h"
#include "arch/workload/trace.h"

namespace archsim {

struct TraceHeader {
  std::string model;
  std::map<std::string, std::string> parameters;
};
struct BeginStage {
  std::string name;
  std::uint32_t loop = 0;
};
struct BeginRepeat {
  std::uint32_t loop = 0;
};
struct EndBody {};
struct TraceEnd {
  std::string digest;  // XXH3-128 of the file
};

using TraceRecord = std::variant<TraceHeader, Loop, Tensor, BeginStage, BeginRepeat, EndBody, Operator, TraceEnd>;

/// Hands out the records of a trace file in order. What it hands out is well-formed and in place (indices refer to what
/// came before, bodies are balanced, the end record's counts and checksum are right); whether it makes sense is
/// validate()'s matter.
class TraceReader {
 public:
  static Checked<TraceReader> open(const std::string& path);
  /// `path` is for messages only.
  static Checked<TraceReader> from_bytes(std::string bytes, const std::string& path);

  TraceReader(TraceReader&&) noexcept;
  TraceReader& operator=(TraceReader&&) noexcept;
  ~TraceReader();

  /// The last record is a TraceEnd; do not call again after it or after an error.
  Checked<TraceRecord> next();

  /// How much of the file has been handed out, 0 to 1.
  double progress() const;

 private:
  class State;
  static Checked<TraceReader> start(std::unique_ptr<std::istream> stream, const std::string& path);
  explicit TraceReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The whole trace, validated.
Checked<Trace> read_trace(const std::string& path);
Checked<Trace> read_trace(TraceReader reader, const std::string& path);

}  // namespace archsim
