#pragma once
// Marks what the shared library shows; everything else in it is hidden.
#if defined(_WIN32)
#define ABUT_API
#else
#define ABUT_API __attribute__((visibility("default")))
#endif
