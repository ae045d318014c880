#ifndef DECKD_CPOSTGRESQL_SHIM_H
#define DECKD_CPOSTGRESQL_SHIM_H

#include <libpq-fe.h>
/* A thread that waits for a connection's socket must be woken by other threads, too. */
#include <sys/eventfd.h>

#endif
