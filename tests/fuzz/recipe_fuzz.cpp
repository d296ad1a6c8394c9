// Any text, read as a recipe: it must end in rules or in located errors.
#include <cstddef>
#include <cstdint>
#include <string>

#include "traces/recipes/recipe.h"

using namespace archsim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto recipe = read_recipe(make_source("fuzz.yaml", text));
  if (!recipe) ARCHSIM_ASSERT(!render(recipe.diagnostics()).empty());
  return 0;
}
