#include "record/viewer_page.h"

#ifdef ABUT_VIEWER_PAGE

// The assembler puts the file where the linker finds it, which takes no time; an array of numbers
// in C++ would take seconds to compile.
__asm__(
    ".section .rodata\n"
    ".globl abut_viewer_page_begin, abut_viewer_page_end\n"
    ".hidden abut_viewer_page_begin, abut_viewer_page_end\n"
    "abut_viewer_page_begin:\n"
    ".incbin \"" ABUT_VIEWER_PAGE
    "\"\n"
    "abut_viewer_page_end:\n"
    ".byte 0\n"
    ".text\n");

extern "C" {
extern const char __attribute__((visibility("hidden"))) abut_viewer_page_begin[];
extern const char __attribute__((visibility("hidden"))) abut_viewer_page_end[];
}

#endif

namespace abut::record {

std::string_view viewer_page() {
#ifdef ABUT_VIEWER_PAGE
  return {abut_viewer_page_begin, abut_viewer_page_end};
#else
  return {};
#endif
}

}  // namespace abut::record
