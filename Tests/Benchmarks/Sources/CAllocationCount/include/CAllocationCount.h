// How often this process has asked for heap memory.

#ifndef CALLOCATIONCOUNT_H
#define CALLOCATIONCOUNT_H

#include <stddef.h>

/// The number of calls of malloc, calloc, realloc and the aligned kinds so far, from every thread.
size_t allocation_count(void);

#endif
