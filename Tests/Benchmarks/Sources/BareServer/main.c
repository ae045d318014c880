/* libmicrohttpd without an application: every request gets the same response. It is the fastest server that deckd could be.
   The daemon has the options of deckd's, one thread, and an event loop that waits as deckd's does.

   The response is read from a file: the status, a line for each header, an empty line, and the body. With --each, the library's
   response is made for each request, as a server must do whose headers or bodies differ. With a database, each POST is answered
   when it is committed, see commit.c. */

#include "commit.h"

#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

enum { MOST_HEADERS = 32, CONNECTIONS = 16384, BACKLOG = 1024, CONNECTION_MEMORY_BYTES = 32768, IDLE_SECONDS = 60 };

/* The response for all requests, or NULL. */
static struct MHD_Response *response;
static unsigned int status;
static char names[MOST_HEADERS][1024], *values[MOST_HEADERS], body[1 << 20];
static int header_count;
static size_t body_bytes;
static int commits;

static void fail (const char *what)
{
  perror (what);
  exit (1);
}

static void read_response (const char *path)
{
  char line[sizeof names[0]];
  FILE *file = fopen (path, "r");
  if (!file || !fgets (line, sizeof line, file)) fail (path);
  status = atoi (line);
  while (header_count < MOST_HEADERS && fgets (line, sizeof line, file) && line[0] != '\n')
    {
      char *name = names[header_count];
      line[strcspn (line, "\n")] = 0;
      strcpy (name, line);
      char *end = strstr (name, ": ");
      if (!end) fail ("a header");
      *end = 0;
      values[header_count++] = end + 2;
    }
  body_bytes = fread (body, 1, sizeof body, file);
  fclose (file);
}

static struct MHD_Response *make_response (enum MHD_ResponseMemoryMode mode)
{
  struct MHD_Response *made = MHD_create_response_from_buffer (body_bytes, body, mode);
  for (int i = 0; i < header_count; i++)
    if (MHD_add_response_header (made, names[i], values[i]) != MHD_YES) fail (names[i]);
  return made;
}

static enum MHD_Result send_response (struct MHD_Connection *connection)
{
  if (response) return MHD_queue_response (connection, status, response);
  struct MHD_Response *made = make_response (MHD_RESPMEM_MUST_COPY);
  enum MHD_Result result = MHD_queue_response (connection, status, made);
  MHD_destroy_response (made);
  return result;
}

static enum MHD_Result answer (void *context, struct MHD_Connection *connection, const char *url, const char *method,
                               const char *version, const char *upload, size_t *upload_bytes, void **request)
{
  static int has_head, has_body;
  (void) context, (void) version, (void) upload;
  if (*request == NULL) return *request = &has_head, MHD_YES;
  if (*upload_bytes > 0) return *upload_bytes = 0, MHD_YES;
  if (commits && *request == &has_head && method[0] == 'P')
    {
      /* The connection is resumed once the commit is done. Then this function is called again. */
      *request = &has_body;
      MHD_suspend_connection (connection);
      commit_later (connection, url);
      return MHD_YES;
    }
  return send_response (connection);
}

static int listen_locally (unsigned short *port)
{
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  socklen_t length = sizeof address;
  int descriptor = socket (AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (bind (descriptor, (struct sockaddr *) &address, length) || listen (descriptor, BACKLOG)) fail ("listen");
  getsockname (descriptor, (struct sockaddr *) &address, &length);
  *port = ntohs (address.sin_port);
  return descriptor;
}

static void watch (int poll, int descriptor)
{
  struct epoll_event event = { .events = EPOLLIN };
  if (epoll_ctl (poll, EPOLL_CTL_ADD, descriptor, &event)) fail ("epoll_ctl");
}

int main (int count, char **arguments)
{
  int makes_each = count > 1 && strcmp (arguments[1], "--each") == 0;
  char **paths = arguments + 1 + makes_each, *database = *paths ? paths[1] : NULL;
  if (!*paths || (database && paths[2]))
    {
      fprintf (stderr, "usage: BareServer [--each] RESPONSE [DATABASE]\n");
      return 2;
    }
  read_response (paths[0]);
  if (!makes_each) response = make_response (MHD_RESPMEM_PERSISTENT);
  int poll = epoll_create1 (EPOLL_CLOEXEC);
  if (database)
    {
      commits = 1;
      watch (poll, start_committing (database));
    }
  unsigned short port;
  struct MHD_Daemon *daemon = MHD_start_daemon (
    MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL, answer, NULL,
    MHD_OPTION_LISTEN_SOCKET, listen_locally (&port), MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS,
    MHD_OPTION_CONNECTION_TIMEOUT, IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t) CONNECTION_MEMORY_BYTES,
    MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
  if (!daemon) fail ("MHD_start_daemon");
  watch (poll, MHD_get_daemon_info (daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd);
  printf ("%d\n", port);
  fflush (stdout);
  for (;;)
    {
      struct epoll_event events[2];
      MHD_UNSIGNED_LONG_LONG limit;
      if (commits) resume_committed ();
      MHD_run (daemon);
      epoll_wait (poll, events, 2, MHD_get_timeout (daemon, &limit) == MHD_YES ? (int) limit : -1);
    }
}
