// Protobuf's wire format by itself: fields by number and type, without a message in between.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace archsim {

/// Wire types; others (groups) are malformed here. protobuf.dev, "Encoding".
enum class Wire : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

/// What stands before a field: its number and type in one.
constexpr std::uint64_t tag(std::uint64_t number, Wire type) { return number << 3U | static_cast<std::uint64_t>(type); }

/// Reads a message from its front. What is cut off or malformed gives zeros and !is_good() from then on.
class WireReader {
 public:
  explicit WireReader(std::string_view wire) : at_(wire.data()), end_(wire.data() + wire.size()) {}

  bool ended() const { return at_ == end_; }
  bool is_good() const { return is_good_; }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && at_ != end_; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at_++);
      value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if (byte < 0x80) return value;
    }
    return fail();
  }

  /// The next `length` bytes, of which there may be fewer.
  std::string_view take(std::uint64_t length) {
    const auto there = static_cast<std::uint64_t>(end_ - at_);
    if (length > there) is_good_ = false;
    const std::string_view part(at_, length < there ? length : there);
    at_ += part.size();
    return part;
  }
  std::string_view bytes() { return take(varint()); }

  /// `sint64`: zigzag, so that small negative numbers are short.
  std::int64_t zigzag() {
    const std::uint64_t value = varint();
    return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
  }

  double number() {
    const auto raw = take(8);
    std::uint64_t value = 0;
    if (raw.size() == 8) {
      for (unsigned i = 0; i < 8; ++i)
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(raw[i])) << (8 * i);
    }
    return std::bit_cast<double>(value);
  }

  /// A field that nobody asks for.
  void skip(std::uint64_t tag) {
    constexpr std::uint64_t kMostTag = 0xFFFFFFFF;
    if (tag >> 3U == 0 || tag > kMostTag) fail();
    switch (tag & 7U) {
      case 0:
        varint();
        break;
      case 1:
        take(8);
        break;
      case 2:
        bytes();
        break;
      case 5:
        take(4);
        break;
      default:
        fail();
    }
  }

  /// Ends here, and is not good.
  std::uint64_t fail() {
    is_good_ = false;
    at_ = end_;
    return 0;
  }

 private:
  const char* at_;
  const char* end_;
  bool is_good_ = true;
};

}  // namespace archsim
