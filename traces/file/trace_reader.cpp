#include "traces/file/trace_reader.h"

#include <fmt/format.h>
#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "traces/archsim_trace.pb.h"
#include "traces/file/decode.h"
#include "traces/file/file_kind.h"
#include "traces/file/format.h"
#include "traces/file/wire.h"

namespace archsim {
namespace {

constexpr std::size_t kPrologue = kTraceMagic.size() + 4;
constexpr auto kHowToMake = "`archsim trace build WORKLOAD.yaml -o FILE.trace` makes traces";

Diagnostic at(const std::string& path, std::string message, std::string help = {}) {
  return {Severity::error, std::move(message), {make_source(path, ""), 0, 0}, std::move(help)};
}

}  // namespace

class TraceReader::State {
 public:
  State(std::unique_ptr<std::istream> stream, std::string path) : stream_(std::move(stream)), path_(std::move(path)) {
    stream_->seekg(0, std::ios::end);
    const auto end = stream_->tellg();
    size_ = end < 0 ? 0 : static_cast<std::uint64_t>(end);
    stream_->seekg(0);
  }

  std::optional<Diagnostic> read_prologue() {
    std::string start(std::min<std::uint64_t>(kPrologue, size_), '\0');
    if (!read(start)) return broken_read();
    if (!std::string_view(start).starts_with(kTraceMagic)) return not_a_trace();
    if (start.size() < kPrologue) return truncated(0, kPrologue);
    std::uint32_t version = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      version |= static_cast<std::uint32_t>(static_cast<unsigned char>(start[kTraceMagic.size() + i])) << (8 * i);
    }
    if (version != kTraceVersion) {
      return at(path_,
                fmt::format("`{}` is a trace of version {}, and this archsim reads version {}", path_, version,
                            kTraceVersion),
                "build it again with `archsim trace build`");
    }
    digest_.add(start);
    return std::nullopt;
  }

  double progress() const { return size_ == 0 ? 1.0 : static_cast<double>(offset_) / static_cast<double>(size_); }

  Checked<TraceRecord> next() {
    const auto begin = offset_;
    const auto prefix = length_prefix();
    if (!prefix) return prefix.diagnostics();
    const auto [length, prefix_bytes] = *prefix;
    if (length > size_ - offset_ - prefix_bytes) return truncated(begin, offset_ + prefix_bytes + length);
    const auto whole = take(prefix_bytes + length);
    if (!whole) return broken_read();
    return decode_record(begin, {*whole, whole->substr(prefix_bytes)});
  }

 private:
  bool read(std::string& into) {
    stream_->read(into.data(), static_cast<std::streamsize>(into.size()));
    offset_ += into.size();
    return static_cast<std::size_t>(stream_->gcount()) == into.size();
  }

  // Makes the file's next bytes, `wanted` of them or all there are, stand at block_[taken_].
  bool buffer(std::uint64_t wanted) {
    const std::uint64_t there = block_.size() - taken_;
    wanted = std::min(wanted, size_ - offset_);
    if (there >= wanted) return true;
    block_.erase(0, taken_);
    taken_ = 0;
    const std::uint64_t more = std::min(std::max(wanted - there, kBlock), size_ - offset_ - there);
    block_.resize(there + more);
    stream_->read(block_.data() + there, static_cast<std::streamsize>(more));
    return static_cast<std::uint64_t>(stream_->gcount()) == more;
  }

  // Valid until the next call.
  std::optional<std::string_view> take(std::uint64_t bytes) {
    if (!buffer(bytes)) return std::nullopt;
    const auto view = std::string_view(block_).substr(taken_, bytes);
    taken_ += bytes;
    offset_ += bytes;
    return view;
  }

  struct Prefix {
    std::uint64_t length = 0, bytes = 0;  // of the record; of the prefix itself
  };

  // Looks at the next record's length without taking it.
  Checked<Prefix> length_prefix() {
    if (offset_ == size_) {
      return at(path_, fmt::format("trace `{}` is truncated: it ends at byte {}, before its end record", path_, size_),
                "it was cut off; copy or build it again");
    }
    constexpr std::uint64_t kMostBytes = 9;  // 63 bits
    if (!buffer(kMostBytes)) return broken_read();
    Prefix prefix;
    for (; prefix.bytes < kMostBytes;) {
      if (offset_ + prefix.bytes == size_) return truncated(offset_, size_ + 1);
      const auto byte = static_cast<unsigned char>(block_[taken_ + prefix.bytes]);
      prefix.length |= static_cast<std::uint64_t>(byte & 0x7FU) << (7 * prefix.bytes);
      ++prefix.bytes;
      if (byte < 0x80) return prefix;
    }
    return damaged(offset_, "is no record's length");
  }

  struct Bytes {
    std::string_view whole, body;  // with its length before it, and without
  };

  /// The one field of a record's body, if it is a tensor or an operator.
  static std::optional<std::string_view> content(std::string_view body, int number) {
    WireReader in(body);
    if (in.varint() != tag(static_cast<std::uint64_t>(number), Wire::bytes)) return std::nullopt;
    const auto found = in.bytes();
    return in.ended() && in.is_good() ? std::optional(found) : std::nullopt;
  }

  Checked<TraceRecord> decode_record(std::uint64_t begin, const Bytes& bytes) {
    if (has_header_) {
      if (const auto tensor = content(bytes.body, proto::Record::kTensorFieldNumber)) {
        digest_.add(bytes.whole);
        return take_tensor(begin, *tensor);
      }
      if (const auto op = content(bytes.body, proto::Record::kOperationFieldNumber)) {
        digest_.add(bytes.whole);
        return take_operator(begin, *op);
      }
    }
    const google::protobuf::LogSilencer silence;  // what it would say to stderr is said in the error
    if (!record_.ParseFromArray(bytes.body.data(), static_cast<int>(bytes.body.size()))) {
      return damaged(begin, "holds no record");
    }
    return decode_other(begin, bytes.whole);
  }

  Checked<TraceRecord> decode_other(std::uint64_t begin, std::string_view whole) {
    if (record_.has_end()) return decode_end(begin, whole);
    digest_.add(whole);
    if (!record_.has_header() && !has_header_) return damaged(begin, "should hold the header");
    switch (record_.kind_case()) {
      case proto::Record::kHeader:
        return decode_header(begin);
      case proto::Record::kLoop:
        ++loops_;
        return TraceRecord(Loop{record_.loop().name(), record_.loop().count()});
      case proto::Record::kBeginStage:
        return begin_stage(begin);
      case proto::Record::kBeginRepeat:
        return begin_repeat(begin);
      case proto::Record::kEndBody:
        if (depth_ == 0) return damaged(begin, "ends a body that never began");
        --depth_;
        return TraceRecord(EndBody{});
      case proto::Record::kTensor:
      case proto::Record::kOperation:
        return damaged(begin, "holds something beside its tensor or operator");
      case proto::Record::kEnd:
      case proto::Record::KIND_NOT_SET:
        break;
    }
    return damaged(begin, "holds a record of no known kind");
  }

  template <class Content>
  Diagnostics decode_content(std::uint64_t begin, std::string_view wire, Content& into) {
    Diagnostics wrong;
    struct {
      State& state;
      Diagnostics& wrong;
      std::uint64_t begin;
    } place{*this, wrong, begin};
    // One reference: it fits into the function object, without an allocation a record.
    const auto complain = [&place](std::string message, std::string help) {
      place.wrong.add(at(place.state.path_, fmt::format("{} (byte {})", message, place.begin), std::move(help)));
    };
    if (decode(wire, into, complain) == Decoded::malformed) wrong.add(damaged(begin, "holds no record"));
    return wrong;
  }

  Checked<TraceRecord> take_tensor(std::uint64_t begin, std::string_view wire) {
    TraceRecord record(std::in_place_type<Tensor>);
    auto wrong = decode_content(begin, wire, std::get<Tensor>(record));
    if (!wrong.empty()) return wrong;
    ++tensors_;
    return record;
  }

  Checked<TraceRecord> take_operator(std::uint64_t begin, std::string_view wire) {
    TraceRecord record(std::in_place_type<Operator>);
    auto& op = std::get<Operator>(record);
    auto wrong = decode_content(begin, wire, op);
    if (!wrong.empty()) return wrong;
    if (depth_ == 0) return damaged(begin, "is an operator outside any stage");
    if (const auto bad = check_uses(op); !bad.empty()) return damaged(begin, bad);
    ++operators_;
    return record;
  }

  Checked<TraceRecord> decode_header(std::uint64_t begin) {
    if (has_header_) return damaged(begin, "is a second header");
    has_header_ = true;
    TraceHeader header{record_.header().model(), {}};
    for (const auto& parameter : record_.header().parameters()) header.parameters[parameter.name()] = parameter.value();
    return TraceRecord(std::move(header));
  }

  Checked<TraceRecord> begin_stage(std::uint64_t begin) {
    if (depth_ != 0) return damaged(begin, "begins a stage within a stage");
    if (record_.begin_stage().loop() >= loops_) return damaged(begin, "names a loop that was not declared");
    ++depth_;
    ++stages_;
    return TraceRecord(BeginStage{record_.begin_stage().name(), record_.begin_stage().loop()});
  }

  Checked<TraceRecord> begin_repeat(std::uint64_t begin) {
    if (depth_ == 0) return damaged(begin, "begins a repeat outside any stage");
    if (depth_ == kDeepestBody) return damaged(begin, fmt::format("nests repeats more than {} deep", kDeepestBody));
    if (record_.begin_repeat().loop() >= loops_) return damaged(begin, "names a loop that was not declared");
    ++depth_;
    return TraceRecord(BeginRepeat{record_.begin_repeat().loop()});
  }

  std::string check_uses(const Operator& op) const {
    for (const auto* uses : {&op.inputs, &op.outputs}) {
      for (const auto& use : *uses) {
        if (use.tensor >= tensors_) return fmt::format("(operator `{}`) names a tensor that was not declared", op.name);
        for (const auto& index : use.copy) {
          if (index.loop != CopyIndex::kFixed && index.loop >= loops_) {
            return fmt::format("(operator `{}`) names a loop that was not declared", op.name);
          }
        }
      }
    }
    return {};
  }

  Checked<TraceRecord> decode_end(std::uint64_t begin, std::string_view whole) {
    const auto& end = record_.end();
    if (end.checksum() != digest_.low64()) {
      return at(path_, fmt::format("trace `{}` is damaged: its contents do not give its checksum", path_),
                "copy or build it again");
    }
    if (depth_ != 0) return damaged(begin, "ends the trace inside a stage");
    if (end.loops() != loops_ || end.tensors() != tensors_ || end.operators() != operators_ ||
        end.stages() != stages_) {
      return damaged(begin, "counts other records than there are");
    }
    if (offset_ != size_) return damaged(offset_, fmt::format("is one of {} after the end record", size_ - offset_));
    digest_.add(whole);
    return TraceRecord(TraceEnd{digest_.hex()});
  }

  Diagnostic not_a_trace() {
    if (size_ == 0) return at(path_, fmt::format("`{}` is not a trace: it is empty", path_), kHowToMake);
    std::string start(std::min<std::uint64_t>(kTellingBytes, size_), '\0');
    stream_->seekg(0);
    if (!read(start)) return broken_read();
    const FileKind kind = kind_of(start);
    if (kind == FileKind::other) return at(path_, fmt::format("`{}` is not a trace", path_), kHowToMake);
    return at(path_, fmt::format("`{}` is {}, not a trace", path_, in_words(kind)), use_of(kind, path_));
  }

  Diagnostic broken_read() const {
    return at(path_, fmt::format("cannot read `{}` at byte {}: {}", path_, offset_, std::strerror(errno)));
  }

  Diagnostic truncated(std::uint64_t begin, std::uint64_t wanted) const {
    return at(path_,
              fmt::format("trace `{}` is truncated: the record at byte {} needs {} bytes more than the file has ({})",
                          path_, begin, wanted - size_, size_),
              "it was cut off, or is damaged there; copy or build it again");
  }

  Diagnostic damaged(std::uint64_t begin, const std::string& what) const {
    return at(path_, fmt::format("trace `{}` is damaged: byte {} {}", path_, begin, what), "copy or build it again");
  }

  std::unique_ptr<std::istream> stream_;
  std::string path_;
  std::uint64_t size_ = 0;
  std::uint64_t offset_ = 0;
  static constexpr std::uint64_t kBlock = std::uint64_t{1} << 18;  // bytes read at once
  std::string block_;                                              // the file from offset_ - taken_ on
  std::uint64_t taken_ = 0;
  proto::Record record_;  // reused
  RunningDigest digest_;
  bool has_header_ = false;
  std::size_t depth_ = 0;
  std::uint64_t loops_ = 0;
  std::uint64_t tensors_ = 0;
  std::uint64_t operators_ = 0;
  std::uint64_t stages_ = 0;
};

TraceReader::TraceReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
TraceReader::TraceReader(TraceReader&&) noexcept = default;
TraceReader& TraceReader::operator=(TraceReader&&) noexcept = default;
TraceReader::~TraceReader() = default;

Checked<TraceReader> TraceReader::start(std::unique_ptr<std::istream> stream, const std::string& path) {
  auto state = std::make_unique<State>(std::move(stream), path);
  if (auto wrong = state->read_prologue()) return std::move(*wrong);
  return TraceReader(std::move(state));
}

Checked<TraceReader> TraceReader::open(const std::string& path) {
  const auto failure = [&](const std::string& reason) {
    return Diagnostic{Severity::error, fmt::format("cannot read `{}`: {}", path, reason)};
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return failure("it is a directory");
  auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (!*file) return failure(errno == ENOENT ? "there is no such file" : std::strerror(errno));
  if (!std::filesystem::is_regular_file(path, ignored)) return failure("it is not a regular file");
  return start(std::move(file), path);
}

Checked<TraceReader> TraceReader::from_bytes(std::string bytes, const std::string& path) {
  return start(std::make_unique<std::istringstream>(std::move(bytes)), path);
}

Checked<TraceRecord> TraceReader::next() { return state_->next(); }
double TraceReader::progress() const { return state_->progress(); }

}  // namespace archsim
