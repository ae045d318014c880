/* Commits groups of entries to PostgreSQL as fast as one connection can: what a journal could reach at most. */

#include <postgresql/libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GROUP = 256, ENTRY_BYTES = 300, HEADER_BYTES = 20 };

static void fail (PGconn *connection, const char *what)
{
  fprintf (stderr, "%s: %s", what, PQerrorMessage (connection));
  exit (1);
}

static void run (PGconn *connection, const char *sql)
{
  PGresult *result = PQexec (connection, sql);
  if (PQresultStatus (result) != PGRES_COMMAND_OK && PQresultStatus (result) != PGRES_TUPLES_OK) fail (connection, sql);
  PQclear (result);
}

static void put32 (unsigned char *at, unsigned value)
{
  at[0] = value >> 24;
  at[1] = value >> 16;
  at[2] = value >> 8;
  at[3] = value;
}

/* The head of an array in PostgreSQL's binary format. */
static unsigned char *begin_array (unsigned char *at, unsigned type)
{
  put32 (at, 1);
  put32 (at + 4, 0);
  put32 (at + 8, type);
  put32 (at + 12, GROUP);
  put32 (at + 16, 1);
  return at + HEADER_BYTES;
}

static double now (void)
{
  struct timespec time;
  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

int main (int count, char **arguments)
{
  if (count != 3)
    {
      fprintf (stderr, "usage: CommitBenchmark ADDRESS SECONDS\n");
      return 2;
    }
  PGconn *connection = PQconnectdb (arguments[1]);
  if (PQstatus (connection) != CONNECTION_OK) fail (connection, "no connection");
  run (connection, "SET client_min_messages = warning");
  run (connection, "DROP TABLE IF EXISTS public.commit_benchmark");
  run (connection, "CREATE TABLE public.commit_benchmark (position bigint PRIMARY KEY, bytes bytea NOT NULL)");

  static unsigned char positions[HEADER_BYTES + GROUP * 12], bytes[HEADER_BYTES + GROUP * (4 + ENTRY_BYTES)];
  unsigned char *number = begin_array (positions, 20), *entry = begin_array (bytes, 17);
  for (int i = 0; i < GROUP; i++)
    {
      put32 (number + i * 12, 8);
      put32 (entry + i * (4 + ENTRY_BYTES), ENTRY_BYTES);
      for (int j = 0; j < ENTRY_BYTES; j++) entry[i * (4 + ENTRY_BYTES) + 4 + j] = rand ();
    }
  const Oid types[] = { 1016, 1001 };
  const char *values[] = { (char *) positions, (char *) bytes };
  const int lengths[] = { sizeof positions, sizeof bytes }, formats[] = { 1, 1 };
  PGresult *prepared = PQprepare (connection, "insert",
    "INSERT INTO public.commit_benchmark SELECT * FROM unnest($1::bigint[], $2::bytea[])", 2, types);
  if (PQresultStatus (prepared) != PGRES_COMMAND_OK) fail (connection, "prepare");
  PQclear (prepared);

  double start = now (), end = start + atof (arguments[2]);
  long position = 0;
  while (now () < end)
    {
      for (int i = 0; i < GROUP; i++)
        {
          put32 (number + i * 12 + 4, (unsigned) (position >> 32));
          put32 (number + i * 12 + 8, (unsigned) position++);
        }
      PGresult *result = PQexecPrepared (connection, "insert", 2, values, lengths, formats, 1);
      if (PQresultStatus (result) != PGRES_COMMAND_OK) fail (connection, "insert");
      PQclear (result);
    }
  printf ("%.0f\n", position / (now () - start));
  run (connection, "DROP TABLE public.commit_benchmark");
  PQfinish (connection);
  return 0;
}
