// Which bits of an address are column, bank group, bank, rank and row, and what is hashed into what.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch/describe/diagnostic.h"
#include "models/dram/exact/command.h"
#include "models/dram/exact/timing.h"

namespace archsim {

enum class DramField { column, group, bank, rank, row };

/// bg64: the two bursts of 64 B lie in one bank (LSB to MSB: burst in 64 B, bank group, rest of the column, bank, rank, row).
/// bg32: the bank group's bits stand right above the burst. Each followed by `row` takes what is left.
std::vector<std::string> named_address_map(const std::string& name);

class AddressMap {
 public:
  /// `order` names the fields from the least significant bit above a burst: `unit` (of the column, within 64 B), `group`,
  /// `column:3`, ... One without a number takes all that is left of its field. `xor_row_into`: fields that lowest row bits are hashed into, each with the next ones.
  static Checked<AddressMap> make(const ExactTiming& timing, const std::vector<std::string>& order,
                                  const std::vector<DramField>& xor_row_into, const Location& where = {});

  DramPlace place(std::uint64_t address) const;

 private:
  struct Piece {
    DramField field;
    unsigned shift, width;  // in the address
    unsigned into;          // its lowest bit in the field
  };
  struct Hash {
    DramField field;
    unsigned row_shift;
    std::uint32_t mask;
  };

  std::vector<Piece> pieces_;
  std::vector<Hash> hashes_;
  unsigned banks_ = 1, groups_ = 1;
};

}  // namespace archsim
