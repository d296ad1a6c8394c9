#include "models/dram/exact/address_map.h"

#include <array>
#include <bit>
#include <charconv>
#include <optional>

#include "arch/describe/near_name.h"
#include "arch/describe/values/enum_names.h"

namespace archsim {
namespace {

constexpr unsigned kRowBits = 32;
constexpr std::size_t kFields = 5;

unsigned bits_of(std::uint64_t size) { return static_cast<unsigned>(std::countr_zero(size)); }

struct Part {
  DramField field;
  std::optional<unsigned> bits;  // without: what is left
};

/// `unit_bits`: of the column within 64 B.
std::optional<Part> read_part(const std::string& text, unsigned unit_bits, const Location& where, Diagnostics& out) {
  if (text == "unit") return Part{DramField::column, unit_bits};
  const std::size_t colon = text.find(':');
  const auto field = enum_from<DramField>(text.substr(0, colon));
  if (!field) {
    out.error(where, "`" + text + "` is no part of an address map",
              help_for_unknown(text.substr(0, colon), enum_name_list<DramField>()));
    return std::nullopt;
  }
  if (colon == std::string::npos) return Part{*field, std::nullopt};
  unsigned bits = 0;
  const char* first = text.data() + colon + 1;
  const auto [end, error] = std::from_chars(first, text.data() + text.size(), bits);
  if (error == std::errc() && end == text.data() + text.size() && bits > 0) return Part{*field, bits};
  out.error(where, "`" + text + "` does not say how many bits", "write it like `column:1`");
  return std::nullopt;
}

}  // namespace

std::vector<std::string> named_address_map(const std::string& name) {
  if (name == "bg32") return {"group", "column", "bank", "rank", "row"};
  return {"unit", "group", "column", "bank", "rank", "row"};
}

Checked<AddressMap> AddressMap::make(const ExactTiming& timing, const std::vector<std::string>& order,
                                     const std::vector<DramField>& xor_row_into, const Location& where) {
  std::array<unsigned, kFields> left = {bits_of(timing.page_bytes / timing.burst_bytes), bits_of(timing.groups),
                                        bits_of(timing.banks), bits_of(timing.ranks), kRowBits};
  std::array<unsigned, kFields> taken = {};
  const unsigned unit_bits = timing.burst_bytes >= 64 ? 0 : bits_of(64 / timing.burst_bytes);
  AddressMap map;
  map.banks_ = timing.banks;
  map.groups_ = timing.groups;
  Diagnostics problems;
  unsigned shift = bits_of(timing.burst_bytes);
  for (const std::string& text : order) {
    const auto part = read_part(text, unit_bits, where, problems);
    if (!part) continue;
    const auto index = static_cast<std::size_t>(part->field);
    const unsigned bits = part->bits.value_or(left[index]);
    if (bits > left[index]) {
      problems.error(where, "`" + text + "` asks for more bits than `" + std::string(enum_name(part->field)) +
                                "` has left: " + std::to_string(left[index]));
      continue;
    }
    if (bits > 0) map.pieces_.push_back({part->field, shift, bits, taken[index]});
    shift += bits;
    taken[index] += bits;
    left[index] -= bits;
  }
  for (std::size_t i = 0; i < kFields; ++i) {
    if (left[i] == 0) continue;
    const std::string name(enum_name(static_cast<DramField>(i)));
    problems.error(where,
                   "the address map does not cover the capacity: " + std::to_string(left[i]) + " bits of `" + name +
                       "` are not in it",
                   "end with `" + name + "` without a number");
  }
  unsigned row_shift = 0;
  for (const DramField field : xor_row_into) {
    const unsigned bits = field == DramField::row ? 0 : taken[static_cast<std::size_t>(field)];
    map.hashes_.push_back({field, row_shift, (1U << bits) - 1});
    row_shift += bits;
  }
  if (problems.has_errors()) return problems;
  return map;
}

DramPlace AddressMap::place(std::uint64_t address) const {
  std::array<std::uint32_t, kFields> field = {};
  for (const Piece& piece : pieces_) {
    const std::uint64_t value = (address >> piece.shift) & ((std::uint64_t{1} << piece.width) - 1);
    field[static_cast<std::size_t>(piece.field)] |= static_cast<std::uint32_t>(value << piece.into);
  }
  const std::uint32_t row = field[static_cast<std::size_t>(DramField::row)];
  for (const Hash& hash : hashes_) field[static_cast<std::size_t>(hash.field)] ^= (row >> hash.row_shift) & hash.mask;
  const std::uint32_t rank = field[static_cast<std::size_t>(DramField::rank)];
  const std::uint32_t group = rank * groups_ + field[static_cast<std::size_t>(DramField::group)];
  const std::uint32_t bank = group * banks_ + field[static_cast<std::size_t>(DramField::bank)];
  return {.row = row,
          .column = field[static_cast<std::size_t>(DramField::column)],
          .bank = static_cast<std::uint16_t>(bank),
          .group = static_cast<std::uint16_t>(group),
          .rank = static_cast<std::uint16_t>(rank)};
}

}  // namespace archsim
