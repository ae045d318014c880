#include "heap.h"

/* Without a separate thread, jemalloc returns released memory to the system only while the program allocates. A server whose
   sessions are idle allocates nothing, and would keep the memory that they used. */
const char *malloc_conf = "background_thread:true,max_background_threads:1";
