/*
 * SQLite for Swift: the library's header, and a typed wrapper for the call Swift cannot make itself because it is
 * variadic.
 */
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/* Whether closing the last connection moves what the write-ahead log holds into the database file. */
static inline int csqlite_set_checkpoints_on_close(sqlite3 *connection, int is_enabled) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, is_enabled ? 0 : 1, (int *)0);
}

#endif
