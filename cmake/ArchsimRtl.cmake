# The accelerator's RTL as a C++ class, if this machine has Verilator: library archsim_rtl, from accel-rtl/dv and a Verilated core of
# configs/soc/rtl_small.yaml and one for each entry of ARCHSIM_RTL_CORES. Verilator's run-time is compiled once. Never --threads: it waits by spinning.

option(ARCHSIM_RTL "Verilate accel-rtl and build what runs it: archsim cosim, the accel model `rtl`, tests/rtl" ON)
# The sizes of configs/soc/rtl_small.yaml, from the package that is generated of it. Semaphores: accelerators of the SoC + 1, at
# least; 9 serve all SoCs of up to 8 accelerators.
file(STRINGS ${PROJECT_SOURCE_DIR}/accel-rtl/rtl/packages/accel_config_pkg.sv lines
  REGEX "localparam int (Rows|Cols|ScratchpadBytes|ScratchpadBanks|PortBytes|AccumulatorBytes|QueueDepth|Dma[A-Za-z]+) =")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS accel-rtl/rtl/packages/accel_config_pkg.sv)
set(ARCHSIM_RTL_SMALL "")
foreach(line ${lines})
  string(REGEX MATCH "int ([A-Za-z]+) = ([0-9]+)" _ "${line}")
  string(APPEND ARCHSIM_RTL_SMALL "${CMAKE_MATCH_1}=${CMAKE_MATCH_2},")
endforeach()
string(APPEND ARCHSIM_RTL_SMALL "Semaphores=9")
set(ARCHSIM_RTL_CORES "" CACHE STRING
  "Parameters of further cores to build, a list; `archsim cosim` says what a SoC file needs")
set(ARCHSIM_HAS_RTL OFF)
if(ARCHSIM_RTL)
  find_program(VERILATOR_BIN NAMES verilator)
  find_path(VERILATOR_INCLUDE verilated.h PATHS /usr/share/verilator/include /usr/local/share/verilator/include)
  find_package(ZLIB)
  if(VERILATOR_BIN AND VERILATOR_INCLUDE AND ZLIB_FOUND)
    set(ARCHSIM_HAS_RTL ON)
  else()
    message(WARNING "No Verilator (or no zlib): this build has no RTL, so no `archsim cosim`, no accel model `rtl` and no tests/rtl. "
      "Install verilator and zlib1g-dev, or say -DARCHSIM_RTL=OFF to be rid of this message.")
  endif()
endif()

# archsim_verilated(<target> <class> <top> <parameters> [<file>...]): module <top> with these parameters, compiled into <target>
# together with the files.
function(archsim_verilated target class top parameters)
  set(dir ${PROJECT_BINARY_DIR}/verilated/${class})
  file(MAKE_DIRECTORY ${dir})
  file(GLOB_RECURSE packages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/accel-rtl/rtl/packages/*.sv)
  # With checks of every channel, bound to the RTL's modules.
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/accel-rtl/rtl/*.sv
    ${PROJECT_SOURCE_DIR}/accel-rtl/dv/checks/*.sv)
  list(REMOVE_ITEM sources ${packages})
  if(NOT top STREQUAL accel_core)
    list(FILTER sources EXCLUDE REGEX "accel_bindings.sv$")
  endif()
  string(REPLACE "," ";-G" overrides "-G${parameters}")
  set(join ${CMAKE_COMMAND} -DDIR=${dir} -DCLASS=${class})
  set(script -P ${PROJECT_SOURCE_DIR}/cmake/join_verilated.cmake)
  add_custom_command(
    OUTPUT ${dir}/${class}.h ${dir}/fast.cpp ${dir}/slow.cpp
    # What is left of other RTL would be joined too.
    COMMAND ${join} -DREMOVE=ON ${script}
    # Lint is a test of its own.
    COMMAND ${VERILATOR_BIN} --cc --trace-fst --assert -O3 --x-assign fast --x-initial fast -Wno-fatal -Wno-lint -Wno-style
      --top-module ${top} --prefix ${class} --Mdir ${dir} ${overrides} ${packages} ${sources}
    COMMAND ${join} ${script}
    DEPENDS ${packages} ${sources} ${PROJECT_SOURCE_DIR}/cmake/join_verilated.cmake
    COMMENT "Verilating ${class}" VERBATIM)
  add_library(${target} STATIC ${dir}/fast.cpp ${dir}/slow.cpp ${ARGN})
  set_source_files_properties(${dir}/slow.cpp PROPERTIES COMPILE_OPTIONS -O0)
  target_compile_options(${target} PRIVATE -w)
  target_include_directories(${target} SYSTEM PUBLIC ${dir} ${VERILATOR_INCLUDE} ${VERILATOR_INCLUDE}/vltstd)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PUBLIC archsim_verilator archsim_program)
endfunction()

# archsim_cores(<name> <file> [<parameters>...]): a core for each of the parameters, and a C++ file to include in namespace archsim::rtl
# with a function <name>() that lists them. Sets <name>_targets.
function(archsim_cores name file)
  set(declarations "")
  set(entries "")
  set(targets "")
  set(index 0)
  foreach(parameters ${ARGN})
    set(class Vaccel_${name}_${index})
    set(make make_${class})
    set(wrapper ${PROJECT_BINARY_DIR}/verilated/${class}/wrapper.cpp)
    file(CONFIGURE OUTPUT ${wrapper} @ONLY CONTENT
"#define ARCHSIM_CORE @class@
#define ARCHSIM_CORE_HEADER \"@class@.h\"
#define ARCHSIM_CORE_MAKE @make@
#include \"accel-rtl/dv/verilated/verilated_core.inc\"
")
    archsim_verilated(archsim_${name}_${index} ${class} accel_core "${parameters}" ${wrapper})
    list(APPEND targets archsim_${name}_${index})
    string(APPEND declarations "std::unique_ptr<Core> ${make}();\n")
    string(APPEND entries "{params_of(\"${parameters}\"), ${make}},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT
"@declarations@
const std::vector<BuiltCore>& @name@() {
static const std::vector<BuiltCore> all = {
@entries@};
return all;
}
")
  set(${name}_targets ${targets} PARENT_SCOPE)
endfunction()

set(cores "")
if(ARCHSIM_HAS_RTL)
  set(cores ${ARCHSIM_RTL_SMALL} ${ARCHSIM_RTL_CORES})
  list(REMOVE_DUPLICATES cores)
  find_package(Threads REQUIRED)
  add_library(archsim_verilator STATIC ${VERILATOR_INCLUDE}/verilated.cpp ${VERILATOR_INCLUDE}/verilated_fst_c.cpp
    ${VERILATOR_INCLUDE}/verilated_threads.cpp)
  target_compile_options(archsim_verilator PRIVATE -w)
  target_include_directories(archsim_verilator SYSTEM PRIVATE ${VERILATOR_INCLUDE} ${VERILATOR_INCLUDE}/vltstd)
  target_link_libraries(archsim_verilator PUBLIC Threads::Threads ZLIB::ZLIB)
endif()
# What dv knows of the cores: a table, empty without RTL.
archsim_cores(built_cores ${PROJECT_BINARY_DIR}/generated/accel-rtl/dv/built_cores.inc ${cores})
