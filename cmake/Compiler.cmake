# One interface target, abut_options, carries what every file of Abut is compiled with.
#
# Results must be the same bits on every run, so the instruction set is fixed rather than native,
# contraction to fused multiply-adds is off, and -ffast-math is never used.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

set(ABUT_MARCH_DEFAULT "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(ABUT_MARCH_DEFAULT "x86-64-v3")
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64")
  set(ABUT_MARCH_DEFAULT "armv8-a")
endif()
set(ABUT_MARCH "${ABUT_MARCH_DEFAULT}" CACHE STRING "Instruction set, as for -march=")

add_library(abut_options INTERFACE)
target_compile_features(abut_options INTERFACE cxx_std_20)
target_compile_options(abut_options INTERFACE
  -ffp-contract=off
  -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual
  -Wcast-qual -Wundef)
# Which warnings a compiler gives depends on its version and on the processor it compiles for, so
# they are errors only where both are known: in the presets that the tests build with.
option(ABUT_WARNINGS_ARE_ERRORS "Treat warnings as errors" OFF)
if(ABUT_WARNINGS_ARE_ERRORS)
  target_compile_options(abut_options INTERFACE -Werror)
endif()
if(ABUT_BY_FOLDER)
  # What one file keeps to itself may be a local name in the next.
  target_compile_options(abut_options INTERFACE
    -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
else()
  target_compile_options(abut_options INTERFACE -Wshadow)
endif()
if(ABUT_MARCH)
  target_compile_options(abut_options INTERFACE -march=${ABUT_MARCH})
endif()

# The sanitizers watch the library and the program. Tests only link them: instrumenting the tests too
# would triple the time to compile them and find nothing in Abut.
add_library(abut_sanitizers INTERFACE)
if(ABUT_SANITIZE)
  target_compile_options(abut_sanitizers INTERFACE
    -fsanitize=${ABUT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
    $<$<CXX_COMPILER_ID:Clang>:-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitizers.ignore>)
  target_link_options(abut_options INTERFACE -fsanitize=${ABUT_SANITIZE})
endif()
if(ABUT_FUZZ)
  target_compile_options(abut_sanitizers INTERFACE -fsanitize=fuzzer-no-link)
endif()
