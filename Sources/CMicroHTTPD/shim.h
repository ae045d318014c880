/*
 * GNU libmicrohttpd for Swift: the library's header, and typed wrappers for the calls Swift cannot make itself
 * because they are variadic or return unions. Only calls that exist, undeprecated, in 0.9.75 and in 1.0 are used.
 * The few system calls of an external event loop, which Swift's Glibc module leaves out, stand at the end.
 */
#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <microhttpd.h>

/* Where the library's own messages go, one formatted line at a time. It must outlive the daemon. */
struct microhttp_log_sink
{
  void (*write) (void *context, const char *line);
  void *context;
};

/* All a daemon of ours is started with. `context` is the first argument of the three callbacks. */
struct microhttp_settings
{
  int listen_socket;
  unsigned int connection_limit;
  unsigned int idle_timeout_seconds;
  size_t memory_per_connection_bytes;
  void *context;
  enum MHD_Result (*access) (void *context, struct MHD_Connection *connection, const char *url, const char *method,
                             const char *version, const char *upload, size_t *upload_size, void **request);
  void *(*target) (void *context, const char *target, struct MHD_Connection *connection);
  void (*completed) (void *context, struct MHD_Connection *connection, void **request,
                     enum MHD_RequestTerminationCode reason);
  struct microhttp_log_sink *log;
};

/* Formats one message of the library: Swift has no safe way to read a va_list of unknown types. */
static inline void
microhttp_log (void *sink, const char *format, va_list arguments)
{
  const struct microhttp_log_sink *log = (const struct microhttp_log_sink *) sink;
  char line[512];

  vsnprintf (line, sizeof (line), format, arguments);
  log->write (log->context, line);
}

/* Leaves the target as it came: it is decoded in Swift, segment by segment, so %2F never splits and %00 never cuts. */
static inline size_t
microhttp_keep_escapes (void *context, struct MHD_Connection *connection, char *text)
{
  (void) context;
  (void) connection;
  return strlen (text);
}

/* Starts a daemon with no thread of its own: the caller runs it from its own epoll loop. NULL when it cannot start. */
static inline struct MHD_Daemon *
microhttp_start (const struct microhttp_settings *settings)
{
  return MHD_start_daemon (
    MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG,
    0, NULL, NULL,
    settings->access, settings->context,
    MHD_OPTION_EXTERNAL_LOGGER, microhttp_log, (void *) settings->log,
    MHD_OPTION_LISTEN_SOCKET, settings->listen_socket,
    MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit,
    MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_timeout_seconds,
    MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->memory_per_connection_bytes,
    MHD_OPTION_URI_LOG_CALLBACK, settings->target, settings->context,
    MHD_OPTION_UNESCAPE_CALLBACK, microhttp_keep_escapes, NULL,
    MHD_OPTION_NOTIFY_COMPLETED, settings->completed, settings->context,
    MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
    MHD_OPTION_END);
}

/* The descriptor an external loop waits on, or -1. */
static inline int
microhttp_epoll_descriptor (struct MHD_Daemon *daemon)
{
  const union MHD_DaemonInfo *info = MHD_get_daemon_info (daemon, MHD_DAEMON_INFO_EPOLL_FD);

  return (NULL == info) ? -1 : info->epoll_fd;
}

/* How many connections are open. Closed ones are cleaned up first, so it must not be called within MHD_run. */
static inline unsigned int
microhttp_open_connections (struct MHD_Daemon *daemon)
{
  const union MHD_DaemonInfo *info = MHD_get_daemon_info (daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);

  return (NULL == info) ? 0 : info->num_connections;
}

/* The client's socket address, valid while the connection lives, or NULL. */
static inline const struct sockaddr *
microhttp_client_address (struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info = MHD_get_connection_info (connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);

  return (NULL == info) ? NULL : info->client_addr;
}

/* A counter descriptor to wake an epoll with, or -1 and errno. */
static inline int
microhttp_event_descriptor (void)
{
  return eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
}

/* Wakes whoever waits on the counter. */
static inline void
microhttp_signal_event (int event)
{
  (void) eventfd_write (event, 1);
}

/* An epoll descriptor, or -1 and errno. */
static inline int
microhttp_poll_descriptor (void)
{
  return epoll_create1 (EPOLL_CLOEXEC);
}

/* Watches a descriptor for reading; 0, or -1 and errno. */
static inline int
microhttp_poll_add (int poll, int watched, int edge_triggered)
{
  struct epoll_event event;

  memset (&event, 0, sizeof (event));
  event.events = EPOLLIN | (edge_triggered ? EPOLLET : 0);
  return epoll_ctl (poll, EPOLL_CTL_ADD, watched, &event);
}

/* Sleeps until a watched descriptor has something, at most so many milliseconds, without limit for -1. */
static inline void
microhttp_poll_wait (int poll, int milliseconds)
{
  struct epoll_event events[2];

  (void) epoll_wait (poll, events, 2, milliseconds);
}

/* Names the calling thread for tools that list threads; at most 15 characters are kept. */
static inline void
microhttp_name_thread (const char *name)
{
  (void) prctl (PR_SET_NAME, name);
}

#endif
