#include "arch/machine/catalog.h"

#include <algorithm>
#include <utility>

namespace archsim {

void Catalog::add(CatalogEntry entry) {
  ARCHSIM_ASSERT(find(entry.kind, entry.model) == nullptr, "two models of one name: " + entry.kind + "/" + entry.model);
  entries_.push_back(std::move(entry));
}

const CatalogEntry* Catalog::find(std::string_view kind, std::string_view model) const {
  for (const CatalogEntry& entry : entries_) {
    if (entry.kind == kind && entry.model == model) return &entry;
  }
  return nullptr;
}

std::vector<std::string> Catalog::kinds() const {
  std::vector<std::string> kinds;
  for (const CatalogEntry& entry : entries_) {
    if (std::find(kinds.begin(), kinds.end(), entry.kind) == kinds.end()) kinds.push_back(entry.kind);
  }
  return kinds;
}

std::vector<std::string> Catalog::models_of(std::string_view kind) const {
  std::vector<std::string> models;
  for (const CatalogEntry& entry : entries_) {
    if (entry.kind == kind) models.push_back(entry.model);
  }
  return models;
}

}  // namespace archsim
