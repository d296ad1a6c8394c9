// Every model there is, by (kind, model): its tables, what the mapper may know of it, and how it is made. No SystemC in here.
//
// arch/block/catalog_entry.h makes an entry of a model class; models/catalog.cpp lists them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arch/describe/diagnostic.h"
#include "arch/describe/table.h"
#include "arch/machine/capabilities.h"
#include "arch/machine/costs.h"

namespace archsim {

class Block;
struct BuildContext;

/// Says where in the user's text a param stands: "scratchpad.capacity"; the block itself if it was not given.
using ParamLocation = std::function<Location(std::string_view path)>;

struct CatalogEntry {
  std::string kind, model;
  std::string summary;  // one line
  bool has_clock = true;
  ParamTable params;
  StatTable stats;
  EventTable events;

  /// Takes AnyParams of its own params, checked.
  std::function<std::unique_ptr<Block>(const AnyParams&, const BuildContext&)> make;

  // Each kind of block has one of these; the others are empty. `name`, `base` and what depends on the rest of the SoC are left
  // for the SoC to fill.
  std::function<AcceleratorCapabilities(const AnyParams&, Frequency clock)> accelerator;
  std::function<MemoryCapabilities(const AnyParams&, Frequency clock)> memory;
  std::function<HostCapabilities(const AnyParams&, Frequency clock)> host;
  std::function<FabricCapabilities(const AnyParams&, Frequency clock)> fabric;
  /// What its events cost and its parts take, whatever its kind.
  std::function<BlockCosts(const AnyParams&, Frequency clock)> costs;
  bool is_initiator = false;  // of a block that is none of these, and sends memory transactions

  /// Of its own: a cache does so for others.
  bool sends_transactions() const { return accelerator || host || is_initiator; }

  /// What tables cannot say about a param, such as whether a named data file exists. Empty: nothing.
  std::function<void(const AnyParams&, const ParamLocation&, Diagnostics&)> check;
};

class Catalog {
 public:
  void add(CatalogEntry entry);

  const std::vector<CatalogEntry>& entries() const { return entries_; }
  /// Null if there is none.
  const CatalogEntry* find(std::string_view kind, std::string_view model) const;
  /// In the order of their first models.
  std::vector<std::string> kinds() const;
  std::vector<std::string> models_of(std::string_view kind) const;

 private:
  std::vector<CatalogEntry> entries_;
};

}  // namespace archsim
