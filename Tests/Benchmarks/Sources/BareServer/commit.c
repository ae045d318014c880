#include "commit.h"

#include <microhttpd.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* The largest group is deckd's. */
enum { SESSIONS = 16384, LARGEST_GROUP = 1024, MOST_WAITING = 16384, STATE_BYTES = 700 };

struct change
{
  struct MHD_Connection *connection;
  unsigned int session;
};

/* A list that one thread fills and another empties. */
struct list
{
  struct change changes[MOST_WAITING];
  int count;
};

static struct list waiting, committed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some_wait = PTHREAD_COND_INITIALIZER;
static int signal_descriptor;
static sqlite3 *database;

static void check (int result, const char *what)
{
  if (result == SQLITE_OK || result == SQLITE_DONE) return;
  fprintf (stderr, "%s: %s\n", what, sqlite3_errmsg (database));
  exit (1);
}

static void run (const char *sql)
{
  check (sqlite3_exec (database, sql, NULL, NULL, NULL), sql);
}

static sqlite3_stmt *prepared (const char *sql)
{
  sqlite3_stmt *statement;
  check (sqlite3_prepare_v3 (database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), sql);
  return statement;
}

static void step (sqlite3_stmt *statement)
{
  check (sqlite3_step (statement), "step");
  sqlite3_reset (statement);
}

static void commit_group (const struct change *changes, int count, sqlite3_stmt *update, sqlite3_stmt *insert)
{
  static long number;
  static char state[STATE_BYTES];
  run ("BEGIN IMMEDIATE");
  for (int i = 0; i < count; i++)
    {
      number++;
      memcpy (state, &number, sizeof number);
      sqlite3_bind_blob (update, 1, state, STATE_BYTES, SQLITE_STATIC);
      sqlite3_bind_int64 (update, 2, changes[i].session);
      step (update);
      sqlite3_bind_int64 (insert, 1, number);
      sqlite3_bind_int64 (insert, 2, changes[i].session);
      step (insert);
    }
  run ("COMMIT");
}

static void *commit_groups (void *context)
{
  static struct change group[LARGEST_GROUP];
  (void) context;
  sqlite3_stmt *update = prepared ("UPDATE session SET state = ? WHERE id = ?");
  sqlite3_stmt *insert = prepared ("INSERT INTO verdict (number, session, card, direction) VALUES (?, ?, 'card', 'right')");
  for (;;)
    {
      pthread_mutex_lock (&lock);
      while (waiting.count == 0) pthread_cond_wait (&some_wait, &lock);
      int count = waiting.count < LARGEST_GROUP ? waiting.count : LARGEST_GROUP;
      memcpy (group, waiting.changes, count * sizeof group[0]);
      waiting.count -= count;
      memmove (waiting.changes, waiting.changes + count, waiting.count * sizeof group[0]);
      pthread_mutex_unlock (&lock);
      commit_group (group, count, update, insert);
      pthread_mutex_lock (&lock);
      memcpy (committed.changes + committed.count, group, count * sizeof group[0]);
      committed.count += count;
      pthread_mutex_unlock (&lock);
      eventfd_write (signal_descriptor, 1);
    }
}

int start_committing (const char *path)
{
  check (sqlite3_open (path, &database), path);
  run ("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32768");
  run ("CREATE TABLE session (id INTEGER PRIMARY KEY, state BLOB)");
  run ("CREATE TABLE verdict (number INTEGER PRIMARY KEY, session INTEGER, card TEXT, direction TEXT)");
  run ("WITH RECURSIVE n (id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM n WHERE id < 16383)"
       " INSERT INTO session SELECT id, zeroblob(700) FROM n");
  signal_descriptor = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  pthread_t thread;
  if (pthread_create (&thread, NULL, commit_groups, NULL)) exit (1);
  return signal_descriptor;
}

/* Sessions get the same numbers from the same paths, and few share one. */
static unsigned int session_number (const char *path)
{
  unsigned int hash = 2166136261u;
  for (; *path; path++) hash = (hash ^ (unsigned char) *path) * 16777619u;
  return hash % SESSIONS;
}

void commit_later (struct MHD_Connection *connection, const char *path)
{
  pthread_mutex_lock (&lock);
  waiting.changes[waiting.count++] = (struct change) { connection, session_number (path) };
  pthread_cond_signal (&some_wait);
  pthread_mutex_unlock (&lock);
}

void resume_committed (void)
{
  eventfd_t value;
  eventfd_read (signal_descriptor, &value);
  pthread_mutex_lock (&lock);
  for (int i = 0; i < committed.count; i++) MHD_resume_connection (committed.changes[i].connection);
  committed.count = 0;
  pthread_mutex_unlock (&lock);
}
