/*
 * SQLite for Swift: the library's header, and typed wrappers for what Swift cannot use itself: a variadic call, the two
 * destructors that are integers cast to function pointers, and result codes that are made by macros.
 */
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/* Whether closing the last connection moves what the write-ahead log holds into the database file. */
static inline int csqlite_set_checkpoints_on_close(sqlite3 *connection, int is_enabled) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, is_enabled ? 0 : 1, (int *)0);
}

/* Binds a string. SQLite makes a copy of it. */
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

/* Binds bytes. SQLite makes a copy of them. No bytes at all are an empty value, not NULL. */
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    if (count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/* Result codes whose macros Swift cannot read. */
static const int csqlite_ioerr_write = SQLITE_IOERR_WRITE;
static const int csqlite_ioerr_corruptfs = SQLITE_IOERR_CORRUPTFS;

#endif
