// What a user decides about single operators: a mapping file, as `archsim run --mapping` writes and `--use-mapping` reads it.
//
//     mapping: pi0
//     arena: 512 KiB                    # of each scratchpad; the rest is the ring of weights
//     batched: [vision_encode]          # loops whose iterations are done at once
//     operators:
//       flow_step.layer.attention.q:
//         with: [flow_step.layer.attention.k]
//         split: {m: 2, n: 2}
//         tile: {m: 51, k: 1024, n: 64}
//         order: columns_first
//         dataflow: weight_stationary
//
// What it leaves out is searched.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arch/describe/diagnostic.h"
#include "arch/describe/fields.h"
#include "arch/program/command.h"
#include "arch/units/quantity.h"

namespace archsim {

enum class Placed : std::uint8_t { accelerators, host };
enum class TileOrder : std::uint8_t { columns_first, rows_first };

/// Over how many accelerators.
struct SplitChoice {
  std::optional<std::uint32_t> m, n;
  std::optional<std::uint32_t> heads, queries;
  friend bool operator==(const SplitChoice&, const SplitChoice&) = default;

  static constexpr auto fields() {
    using P = SplitChoice;
    return fields_of(param<&P::m>("parts of a product's rows").between(1, 1024),
                     param<&P::n>("parts of its columns, or of its batch").between(1, 1024),
                     param<&P::heads>("parts of attention's heads").between(1, 1024),
                     param<&P::queries>("parts of its queries").between(1, 1024));
  }
};

struct TileChoice {
  std::optional<std::uint64_t> m, k, n;
  std::optional<std::uint64_t> queries, keys;
  friend bool operator==(const TileChoice&, const TileChoice&) = default;

  static constexpr auto fields() {
    using P = TileChoice;
    constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
    return fields_of(param<&P::m>("rows of the result").between(1, kMost),
                     param<&P::k>("of the sum: a multiple of the array's rows, or all").between(1, kMost),
                     param<&P::n>("columns of the result: a multiple of the array's columns, or all").between(1, kMost),
                     param<&P::queries>("of attention").between(1, kMost),
                     param<&P::keys>("of attention").between(1, kMost));
  }
};

struct OperatorChoice {
  std::optional<Placed> on;
  std::vector<std::string> with;
  SplitChoice split;
  TileChoice tile;
  std::optional<TileOrder> order;
  std::optional<Dataflow> dataflow, scores, values;
  std::optional<std::uint32_t> stacked, chains;
  friend bool operator==(const OperatorChoice&, const OperatorChoice&) = default;

  static constexpr auto fields() {
    using P = OperatorChoice;
    return fields_of(param<&P::on>("where it runs"), param<&P::with>("all operators that are fused into it"),
                     param<&P::split>("over accelerators"), param<&P::tile>("what is computed at a time"),
                     param<&P::order>("which tiles follow each other: those of a column, or those of a row"),
                     param<&P::dataflow>("of a product"), param<&P::scores>("dataflow of queries times keys"),
                     param<&P::values>("dataflow of probabilities times values"),
                     param<&P::stacked>("heads whose queries make one matrix").between(1, 1024),
                     param<&P::chains>("query tiles worked on in turns").between(1, 2));
  }
  /// Of products, and of attention: which are there.
  bool has_product_choice() const { return split.m || split.n || tile.m || tile.k || tile.n || order || dataflow; }
  bool has_attention_choice() const {
    return split.heads || split.queries || tile.queries || tile.keys || scores || values || stacked || chains;
  }
};

/// What was decided about one operator, and where.
struct Overrule {
  OperatorChoice choice;
  bool fixes_fusion = false;        // `with` is all that may be fused into it
  std::vector<std::uint32_t> with;  // by number
  Location where;                   // of its name
};

struct Overrules {
  std::optional<Bytes> arena;
  Location arena_place;
  std::optional<std::vector<std::uint32_t>> batched;  // loops, one after another
  Location batched_place;
  std::map<std::uint32_t, Overrule> operators;
  bool empty() const { return !arena && !batched && operators.empty(); }
};

}  // namespace archsim
