// A recipe: in which formats the operators of a trace store and multiply numbers. docs/recipes.md describes the files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arch/describe/diagnostic.h"
#include "arch/workload/operator.h"

namespace archsim {

/// A format, and where the recipe says so.
struct Format {
  Dtype dtype = Dtype::bf16;
  Grouping grouping;
  Location place;
};
/// The first that the extent of the contracted dimension allows is taken.
using Formats = std::vector<Format>;

/// What a rule says of the operators that it matches; of a key that several rules give, the last one's holds.
struct OperatorFormats {
  std::optional<Formats> weight, activation;
  std::optional<Format> accumulate, kv;
};

struct RecipeRule {
  struct Pattern {
    std::string glob;  // `*` and `?`
    Location place;
  };
  std::vector<OperatorType> types;  // empty: all
  std::vector<Pattern> names;       // empty: all
  OperatorFormats formats;
};

struct Recipe {
  std::string name;
  std::vector<RecipeRule> rules;
};

/// All mistakes of the file at once, each at its line.
Checked<Recipe> read_recipe(const Source& source);

/// The file of recipe `name`: a path if it has a `/` or ends in `.yaml`, else NAME.yaml in configs/recipes as seen from the
/// folder of `user_file`, then in the program's own. `where` is the place of the name, for the error.
Checked<Recipe> find_recipe(const std::string& name, const std::string& user_file, const Location& where);
/// The names that `find_recipe` knows without a path.
std::vector<std::string> recipe_names(const std::string& user_file);

}  // namespace archsim
