#ifndef DECKD_HEAP_H
#define DECKD_HEAP_H

/// The settings of jemalloc, which reads them when the program starts. The environment variable `MALLOC_CONF` replaces them one
/// by one.
extern const char *malloc_conf;

#endif
