// MACs of one inference of the zoo's models as sums of their layers, written down apart from the workload files.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace archsim {

/// What a setting changed; the rest is asked for with its default.
class Knobs {
 public:
  /// "cameras=2"
  void set(const std::string& setting) {
    const auto equals = setting.find('=');
    values_[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  std::uint64_t number(const std::string& name, std::uint64_t otherwise) const {
    const auto found = values_.find(name);
    return found == values_.end() ? otherwise : std::stoull(found->second);
  }
  bool is(const std::string& name, const std::string& word) const {
    const auto found = values_.find(name);
    return found != values_.end() && found->second == word;
  }

 private:
  std::map<std::string, std::string> values_;
};

std::uint64_t macs_of(const std::string& workload, const Knobs& knobs);

}  // namespace archsim
