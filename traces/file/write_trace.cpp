#include "traces/file/write_trace.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <utility>

#include "traces/archsim_trace.pb.h"
#include "traces/file/format.h"

namespace archsim {
namespace {

template <class Enum>
std::string text(Enum value) {
  return std::string(name_of(value));
}

void fill(const TensorUse& use, proto::TensorUse& out) {
  out.set_tensor(use.tensor);
  for (const auto& index : use.copy) {
    auto& copy = *out.add_copy();
    if (index.loop != CopyIndex::kFixed) copy.set_loop(index.loop);
    copy.set_offset(index.offset);
  }
}

void fill(const AttributeValue& value, proto::Attribute& out) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) out.set_integer(*integer);
  if (const auto* number = std::get_if<double>(&value)) out.set_number(*number);
  if (const auto* flag = std::get_if<bool>(&value)) out.set_flag(*flag);
  if (const auto* word = std::get_if<std::string>(&value)) out.set_text(*word);
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&value)) {
    for (const auto each : *integers) out.mutable_integers()->add_values(each);
  }
}

void fill(const Operator& op, proto::Operator& out) {
  out.set_name(op.name);
  out.set_type(text(op.type));
  for (const auto& [name, value] : op.attributes) {
    auto& attribute = *out.add_attributes();
    attribute.set_name(name);
    fill(value, attribute);
  }
  for (const auto& use : op.inputs) fill(use, *out.add_inputs());
  for (const auto& use : op.outputs) fill(use, *out.add_outputs());
  for (const auto before : op.dependencies) out.add_dependencies(before);
  out.set_dead(op.dead);
}

void fill(const Tensor& tensor, proto::Tensor& out) {
  out.set_name(tensor.name);
  out.set_role(text(tensor.role));
  for (const auto extent : tensor.shape) out.add_shape(extent);
  out.set_dtype(text(tensor.dtype));
  out.set_layout(text(tensor.layout));
  out.set_scale(tensor.scale);
  for (const auto extent : tensor.copies) out.add_copies(extent);
  if (tensor.grouping.group > 0) {
    out.set_group(tensor.grouping.group);
    out.set_group_scale(text(tensor.grouping.scale));
  }
  if (tensor.grouping.is_two_of_four) out.set_sparsity(text(Sparsity::two_of_four));
}

class Records {
 public:
  using Sink = std::function<bool(std::string_view)>;

  Records(const Trace& trace, Sink sink) : trace_(trace), sink_(std::move(sink)) {}

  // Whether all of it went into the sink.
  bool write() {
    std::string start(kTraceMagic);
    for (unsigned shift = 0; shift < 32; shift += 8)
      start.push_back(static_cast<char>((kTraceVersion >> shift) & 0xFF));
    put(start);
    auto& header = *record_.mutable_header();
    header.set_model(trace_.model);
    for (const auto& [name, value] : trace_.parameters) {
      auto& parameter = *header.add_parameters();
      parameter.set_name(name);
      parameter.set_value(value);
    }
    put_record();
    for (const auto& stage : trace_.stages) write_stage(stage);
    declare_loops(trace_.loops.size());
    declare_tensors(trace_.tensors.size());
    auto& end = *record_.mutable_end();
    end.set_loops(trace_.loops.size());
    end.set_tensors(trace_.tensors.size());
    end.set_operators(trace_.operators.size());
    end.set_stages(trace_.stages.size());
    end.set_checksum(digest_.low64());
    put_record();
    return good_;
  }

  std::string digest() const { return digest_.hex(); }
  std::uint64_t bytes() const { return bytes_; }

 private:
  void put(std::string_view bytes) {
    digest_.add(bytes);
    bytes_ += bytes.size();
    if (good_) good_ = sink_(bytes);
  }

  void put_record() {
    record_.SerializeToString(&buffer_);
    std::string length;
    for (auto rest = buffer_.size();;) {
      const auto low = static_cast<unsigned char>(rest & 0x7F);
      rest >>= 7;
      length.push_back(static_cast<char>(rest ? low | 0x80U : low));
      if (!rest) break;
    }
    put(length);
    put(buffer_);
    record_.Clear();
  }

  void declare_loops(std::size_t up_to) {
    for (; loops_ < up_to; ++loops_) {
      record_.mutable_loop()->set_name(trace_.loops[loops_].name);
      record_.mutable_loop()->set_count(trace_.loops[loops_].count);
      put_record();
    }
  }

  void declare_tensors(std::size_t up_to) {
    for (; tensors_ < up_to; ++tensors_) {
      fill(trace_.tensors[tensors_], *record_.mutable_tensor());
      put_record();
    }
  }

  void write_stage(const Stage& stage) {
    declare_loops(stage.repeat.loop + 1);
    record_.mutable_begin_stage()->set_name(stage.name);
    record_.mutable_begin_stage()->set_loop(stage.repeat.loop);
    put_record();
    write_body(stage.repeat);
  }

  void write_body(const Repeat& repeat) {
    for (const auto& step : repeat.body) {
      if (const auto* inner = std::get_if<Repeat>(&step)) {
        declare_loops(inner->loop + 1);
        record_.mutable_begin_repeat()->set_loop(inner->loop);
        put_record();
        write_body(*inner);
      } else {
        write_operator(trace_.operators[std::get<std::uint32_t>(step)]);
      }
    }
    record_.mutable_end_body();
    put_record();
  }

  void write_operator(const Operator& op) {
    for (const auto* uses : {&op.inputs, &op.outputs}) {
      for (const auto& use : *uses) declare_tensors(use.tensor + 1);
    }
    fill(op, *record_.mutable_operation());
    put_record();
  }

  const Trace& trace_;
  Sink sink_;
  proto::Record record_;
  std::string buffer_;
  RunningDigest digest_;
  std::uint64_t bytes_ = 0;
  std::size_t loops_ = 0;
  std::size_t tensors_ = 0;
  bool good_ = true;
};

// Neither a regular file nor nothing: a pipe or a device is written to, never replaced.
bool is_special(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

// A file that becomes `path` only when it is whole.
class NewFile {
 public:
  explicit NewFile(std::string path)
      : path_(std::move(path)),
        is_special_(is_special(path_)),
        temporary_(is_special_ ? path_ : fmt::format("{}.{}.part", path_, ::getpid())) {
    file_ = std::fopen(temporary_.c_str(), "wb");
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    if (file_) std::fclose(file_);
    if (!is_special_ && (file_ || !is_kept_)) ::unlink(temporary_.c_str());
  }

  bool is_open() const { return file_ != nullptr; }
  bool put(std::string_view bytes) { return std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size(); }

  bool keep() {
    if (std::fflush(file_) != 0 || (!is_special_ && ::fsync(::fileno(file_)) != 0)) return false;
    const bool closed = std::fclose(file_) == 0;
    file_ = nullptr;
    if (is_special_) return closed;
    if (!closed || std::rename(temporary_.c_str(), path_.c_str()) != 0) return false;
    is_kept_ = true;
    sync_folder();
    return true;
  }

 private:
  // So that the new name survives a power cut. A folder that cannot be opened for it does no harm.
  void sync_folder() const {
    auto folder = std::filesystem::path(path_).parent_path();
    if (folder.empty()) folder = ".";
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
  }

  std::string path_;
  bool is_special_;
  std::string temporary_;
  std::FILE* file_ = nullptr;
  bool is_kept_ = false;
};

}  // namespace

Checked<WrittenTrace> write_trace(const Trace& trace, const std::string& path) {
  const auto failure = [&] {
    return Diagnostic{Severity::error, fmt::format("cannot write `{}`: {}", path, std::strerror(errno))};
  };
  errno = 0;
  NewFile file(path);
  if (!file.is_open()) return failure();
  Records records(trace, [&file](std::string_view bytes) { return file.put(bytes); });
  if (!records.write() || !file.keep()) return failure();
  return WrittenTrace{records.digest(), records.bytes()};
}

std::string trace_bytes(const Trace& trace) {
  std::string all;
  Records records(trace, [&all](std::string_view bytes) {
    all += bytes;
    return true;
  });
  records.write();
  return all;
}

}  // namespace archsim
