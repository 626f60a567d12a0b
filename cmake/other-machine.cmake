# Compiles for the other one of the two kinds of processor that Abut is known to run on, with the
# cross compiler of Debian: which warnings a compiler gives depends on the processor, and so does
# what it includes. Headers are those of this machine's packages; nothing can be linked.
if(CMAKE_HOST_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(native aarch64-linux-gnu)
  set(CMAKE_SYSTEM_PROCESSOR x86_64)
else()
  set(native x86_64-linux-gnu)
  set(CMAKE_SYSTEM_PROCESSOR aarch64)
endif()
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu-g++)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# After the compiler's own: headers of libraries that differ from processor to processor.
set(CMAKE_C_FLAGS_INIT "-idirafter /usr/include/${native}")
set(CMAKE_CXX_FLAGS_INIT "-idirafter /usr/include/${native}")
# Where the packages of this machine say what they are.
set(CMAKE_LIBRARY_ARCHITECTURE ${native})
