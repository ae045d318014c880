/* Commits groups of swipes to PostgreSQL as fast as one connection can: the rows and the round trips of deckd's journal,
   without deckd. What a swipe writes was read from deckd's tables: a state of 680 bytes, a part of the state of 288 bytes,
   two notifications of 16 bytes and a verdict. */

#include <postgresql/libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GROUP = 256, SESSIONS = 1024, STATE_BYTES = 680, PART_BYTES = 288, NOTIFICATION_BYTES = 16, NOTIFICATIONS = 2 };
enum { INTEGERS = 1016, REALS = 1022, TEXTS = 1009, BYTE_STRINGS = 1001 };
enum { MOST_PARAMETERS = 16 };

static PGconn *connection;

static void fail (const char *what)
{
  fprintf (stderr, "%s: %s", what, PQerrorMessage (connection));
  exit (1);
}

static double now (void)
{
  struct timespec time;
  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

/* Arrays in PostgreSQL's binary format, the parameters of one statement. */
struct parameters
{
  int count;
  Oid types[MOST_PARAMETERS];
  char *bytes[MOST_PARAMETERS];
  int lengths[MOST_PARAMETERS];
};

static char *put32 (char *at, unsigned value)
{
  value = __builtin_bswap32 (value);
  return memcpy (at, &value, 4), at + 4;
}

static char *put64 (char *at, unsigned long value)
{
  value = __builtin_bswap64 (value);
  return memcpy (at, &value, 8), at + 8;
}

static char *begin_array (struct parameters *to, Oid type, Oid element, int rows, int element_bytes)
{
  char *bytes = malloc (20 + rows * (4 + element_bytes));
  to->types[to->count] = type;
  to->bytes[to->count++] = bytes;
  return put32 (put32 (put32 (put32 (put32 (bytes, 1), 0), element), rows), 1);
}

static void end_array (struct parameters *to, const char *end)
{
  to->lengths[to->count - 1] = end - to->bytes[to->count - 1];
}

/* A column whose rows have these integers, or a constant. */
static void add_integers (struct parameters *to, int rows, const long *numbers, long constant)
{
  char *at = begin_array (to, INTEGERS, 20, rows, 8);
  for (int i = 0; i < rows; i++) at = put64 (put32 (at, 8), numbers ? numbers[i] : constant);
  end_array (to, at);
}

/* A column of bytes, strings or reals. All rows are equal except for the first eight bytes. */
static void add_bytes (struct parameters *to, Oid type, Oid element, int rows, int length)
{
  static unsigned long seed = 1;
  char *at = begin_array (to, type, element, rows, length);
  for (int i = 0; i < rows; i++)
    {
      at = put32 (at, length);
      memset (at, 'a' + i % 26, length);
      seed = seed * 6364136223846793005 + 1442695040888963407;
      if (type == BYTE_STRINGS) memcpy (at, &seed, length < 8 ? length : 8);
      at += length;
    }
  end_array (to, at);
}

static void send_statement (const char *name, const char *sql, struct parameters *with)
{
  static const char *prepared[16];
  static int prepared_count;
  const int formats[MOST_PARAMETERS] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
  int is_prepared = 0;
  for (int i = 0; i < prepared_count; i++) is_prepared |= prepared[i] == name;
  if (!is_prepared)
    {
      if (!PQsendPrepare (connection, name, sql, with->count, with->types)) fail (name);
      prepared[prepared_count++] = name;
    }
  if (!PQsendQueryPrepared (connection, name, with->count, (const char **) with->bytes, with->lengths, formats, 1)) fail (name);
  for (int i = 0; i < with->count; i++) free (with->bytes[i]);
}

/* Waits for the results of all that was sent. Each array of heads has the rows of a group. */
static void finish_round_trip (void)
{
  if (!PQpipelineSync (connection)) fail ("sync");
  for (;;)
    {
      PGresult *result = PQgetResult (connection);
      if (!result) continue;
      ExecStatusType status = PQresultStatus (result);
      if (status != PGRES_PIPELINE_SYNC && status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) fail ("result");
      PQclear (result);
      if (status == PGRES_PIPELINE_SYNC) return;
    }
}

static void run (const char *sql)
{
  PGresult *result = PQexec (connection, sql);
  if (PQresultStatus (result) != PGRES_COMMAND_OK && PQresultStatus (result) != PGRES_TUPLES_OK) fail (sql);
  PQclear (result);
}

/* Tables like deckd's, with a head for each session. */
static void create_tables (void)
{
  run ("SET client_min_messages = warning; DROP SCHEMA IF EXISTS commit_benchmark CASCADE; CREATE SCHEMA commit_benchmark");
  run ("SET search_path = commit_benchmark");
  const char *tables[] = { "tally", "head", "notification", "part", "verdict" };
  for (int i = 0; i < 5; i++)
    {
      char sql[200];
      snprintf (sql, sizeof sql, "CREATE TABLE %s (LIKE deckd.%s INCLUDING ALL)", tables[i], tables[i]);
      run (sql);
    }
  run ("ALTER TABLE head SET (fillfactor = 50); ALTER TABLE tally SET (fillfactor = 10)");
  run ("INSERT INTO tally VALUES (0, 0, 0, 0, 0, 0, 0, 0)");
  run ("INSERT INTO head SELECT number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ''::bytea FROM generate_series(0, 1023) AS number");
}

static void commit_group (long group)
{
  static long sessions[GROUP], pairs[GROUP * NOTIFICATIONS], numbers[GROUP * NOTIFICATIONS], positions[GROUP];
  struct parameters none = { 0 }, wanted = { 0 }, heads = { 0 }, notifications = { 0 }, parts = { 0 }, verdicts = { 0 };
  for (int i = 0; i < GROUP; i++)
    {
      sessions[i] = (group * GROUP + i) % SESSIONS;
      positions[i] = group * GROUP + i + 1;
      for (int j = 0; j < NOTIFICATIONS; j++)
        {
          pairs[i * NOTIFICATIONS + j] = sessions[i];
          numbers[i * NOTIFICATIONS + j] = positions[i] * NOTIFICATIONS + j;
        }
    }
  send_statement ("begin", "BEGIN", &none);
  send_statement ("lock", "SELECT * FROM tally FOR UPDATE", &none);
  add_integers (&wanted, GROUP, sessions, 0);
  send_statement ("read", "SELECT session, has_ended, last_active_at, position, predecessor, nonce, version, log_lines, log_bytes,"
    " answer_bytes, notification_count, part_count, needed_parts FROM head WHERE session = ANY($1::bigint[])", &wanted);
  finish_round_trip ();

  add_integers (&heads, GROUP, sessions, 0);
  add_integers (&heads, GROUP, positions, 0);
  add_bytes (&heads, BYTE_STRINGS, 17, GROUP, STATE_BYTES);
  send_statement ("heads", "UPDATE head SET position = new.position, predecessor = head.position, nonce = new.position,"
    " version = head.version + 1, last_active_at = new.position, notification_count = head.notification_count + 2,"
    " part_count = head.part_count + 1, state = new.state"
    " FROM unnest($1::bigint[], $2::bigint[], $3::bytea[]) AS new (session, position, state) WHERE head.session = new.session", &heads);
  add_integers (&notifications, GROUP * NOTIFICATIONS, pairs, 0);
  add_integers (&notifications, GROUP * NOTIFICATIONS, numbers, 0);
  add_bytes (&notifications, BYTE_STRINGS, 17, GROUP * NOTIFICATIONS, NOTIFICATION_BYTES);
  send_statement ("notifications", "INSERT INTO notification SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[])", &notifications);
  add_integers (&parts, GROUP, sessions, 0);
  add_integers (&parts, GROUP, positions, 0);
  add_bytes (&parts, BYTE_STRINGS, 17, GROUP, PART_BYTES);
  send_statement ("parts", "INSERT INTO part SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[])", &parts);
  add_integers (&verdicts, GROUP, positions, 0);
  add_integers (&verdicts, GROUP, sessions, 0);
  add_integers (&verdicts, GROUP, positions, 0);
  add_bytes (&verdicts, BYTE_STRINGS, 17, GROUP, 2);
  add_bytes (&verdicts, TEXTS, 25, GROUP, 5);
  send_statement ("verdicts", "INSERT INTO verdict SELECT position, session, NULL, number, number, number % 100, id, direction, 0,"
    " number FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[], $5::text[])"
    " AS new (position, session, number, id, direction)", &verdicts);
  send_statement ("tally", "UPDATE tally SET last_position = last_position + 256, last_entry = last_entry + 256, writes = writes + 1", &none);
  send_statement ("commit", "COMMIT", &none);
  finish_round_trip ();
}

int main (int count, char **arguments)
{
  if (count != 3)
    {
      fprintf (stderr, "usage: CommitBenchmark ADDRESS SECONDS\n");
      return 2;
    }
  connection = PQconnectdb (arguments[1]);
  if (PQstatus (connection) != CONNECTION_OK) fail ("no connection");
  create_tables ();
  if (!PQenterPipelineMode (connection)) fail ("pipeline");
  double start = now (), end = start + atof (arguments[2]);
  long groups = 0;
  while (now () < end) commit_group (groups++);
  printf ("%.0f\n", groups * GROUP / (now () - start));
  PQexitPipelineMode (connection);
  run ("DROP SCHEMA commit_benchmark CASCADE");
  PQfinish (connection);
  return 0;
}
