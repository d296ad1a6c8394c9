# Compiler settings for our own code, and faster tools where the machine has them.

add_library(archsim_warnings INTERFACE)
target_compile_options(archsim_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
  # Designated initializers leave members to their defaults on purpose.
  -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 reports these falsely for std::string and std::optional under -O2 (GCC bugs 105651 and 80635).
  target_compile_options(archsim_warnings INTERFACE -Werror -Wno-restrict -Wno-maybe-uninitialized)
endif()

option(ARCHSIM_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
if(ARCHSIM_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

option(ARCHSIM_FUZZ "Build only the fuzz targets, with everything below them instrumented" OFF)
if(ARCHSIM_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# The base directory makes equal files in different checkouts one cache entry.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
endif()

find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()
