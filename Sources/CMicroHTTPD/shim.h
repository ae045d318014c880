/*
 * GNU libmicrohttpd for Swift: the library's header, and typed wrappers for the calls Swift cannot make itself
 * because they are variadic or return unions. Only calls that exist, undeprecated, in 0.9.75 and in 1.0 are used.
 * The few system calls of an external event loop, which Swift's Glibc module leaves out, stand at the end.
 */
#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <fcntl.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <microhttpd.h>

/* Where the library's own messages go, one formatted line at a time. It must outlive the daemon. */
struct microhttp_log_sink
{
  void (*write) (void *context, const char *line);
  void *context;
};

/* All a daemon of ours is started with. `context` is the first argument of the four callbacks. */
struct microhttp_settings
{
  int listen_socket;
  /* Gives each handshake a certificate and its key; NULL for a daemon without TLS. */
  gnutls_certificate_retrieve_function2 *retrieve;
  unsigned int connection_limit;
  unsigned int idle_timeout_seconds;
  size_t memory_per_connection_bytes;
  void *context;
  enum MHD_Result (*access) (void *context, struct MHD_Connection *connection, const char *url, const char *method,
                             const char *version, const char *upload, size_t *upload_size, void **request);
  void *(*target) (void *context, const char *target, struct MHD_Connection *connection);
  void (*completed) (void *context, struct MHD_Connection *connection, void **request,
                     enum MHD_RequestTerminationCode reason);
  void (*connection) (void *context, struct MHD_Connection *connection, void **socket_context,
                      enum MHD_ConnectionNotificationCode event);
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

/* Starts a daemon without a thread: the caller runs it from its own epoll loop. NULL when it cannot start. */
static inline struct MHD_Daemon *
microhttp_start (const struct microhttp_settings *settings)
{
  const int has_tls = NULL != settings->retrieve;
  /* GnuTLS would still speak TLS 1.0 and 1.1, which RFC 8996 retires. */
  struct MHD_OptionItem tls[] = {
    { MHD_OPTION_HTTPS_CERT_CALLBACK, 0, (void *) settings->retrieve },
    { MHD_OPTION_HTTPS_PRIORITIES, 0, (void *) "NORMAL:-VERS-TLS1.0:-VERS-TLS1.1" },
    { MHD_OPTION_END, 0, NULL }
  };
  struct MHD_OptionItem none[] = { { MHD_OPTION_END, 0, NULL } };

  return MHD_start_daemon (
    MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG | (has_tls ? MHD_USE_TLS : 0),
    0, NULL, NULL,
    settings->access, settings->context,
    MHD_OPTION_EXTERNAL_LOGGER, microhttp_log, (void *) settings->log,
    MHD_OPTION_LISTEN_SOCKET, settings->listen_socket,
    MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit,
    MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_timeout_seconds,
    MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->memory_per_connection_bytes,
    MHD_OPTION_URI_LOG_CALLBACK, settings->target, settings->context,
    MHD_OPTION_UNESCAPE_CALLBACK, microhttp_keep_escapes, NULL,
    MHD_OPTION_STRICT_FOR_CLIENT, 1,
    MHD_OPTION_NOTIFY_COMPLETED, settings->completed, settings->context,
    MHD_OPTION_NOTIFY_CONNECTION, settings->connection, settings->context,
    MHD_OPTION_ARRAY, has_tls ? tls : none,
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

/* What the connection callback stored for the connection when it started, or NULL. */
static inline void *
microhttp_socket_context (struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info = MHD_get_connection_info (connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

  return (NULL == info) ? NULL : info->socket_context;
}

/* How many bytes the request's head had, from its method to the empty line, or 0 while it has not been read. */
static inline size_t
microhttp_head_size (struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info = MHD_get_connection_info (connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);

  return (NULL == info) ? 0 : info->header_size;
}

/* The connection's socket, or -1. It is the library's: it may be looked at and shut down, but never closed. */
static inline int
microhttp_connection_descriptor (struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info = MHD_get_connection_info (connection, MHD_CONNECTION_INFO_CONNECTION_FD);

  return (NULL == info) ? -1 : info->connect_fd;
}

/* A response whose body comes from the reader until it says that it has ended. `release` is called when the library
   has let go of the response. */
static inline struct MHD_Response *
microhttp_stream_response (size_t block_bytes, MHD_ContentReaderCallback reader, void *context,
                           MHD_ContentReaderFreeCallback release)
{
  return MHD_create_response_from_callback (MHD_SIZE_UNKNOWN, block_bytes, reader, context, release);
}

/* Has the response sent without chunks and the connection closed after it; 0 when that cannot be. */
static inline int
microhttp_avoid_chunks (struct MHD_Response *response)
{
  return MHD_YES == MHD_set_response_options (response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

/* What a content reader returns in place of a number of bytes: the body has ended, or it cannot continue. */
static const ssize_t microhttp_stream_end = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t microhttp_stream_abort = MHD_CONTENT_READER_END_WITH_ERROR;

/* A counter descriptor to wake an epoll with, or -1 and errno. */
static inline int
microhttp_event_descriptor (void)
{
  return eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
}

/* Wakes the thread that waits on the counter. */
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

/* Watches a client's socket for the end of what the client sends, and for errors. The context is not NULL. If it cannot be
   watched, nothing is reported. If it is watched already, what was reported is reported again. The system forgets the socket
   when it is closed. */
static inline void
microhttp_poll_add_client (int poll, int socket, void *context)
{
  struct epoll_event event;

  memset (&event, 0, sizeof (event));
  event.events = EPOLLRDHUP | EPOLLET;
  event.data.ptr = context;
  if (epoll_ctl (poll, EPOLL_CTL_ADD, socket, &event) != 0)
    (void) epoll_ctl (poll, EPOLL_CTL_MOD, socket, &event);
}

/* The most contexts that microhttp_poll_wait reports at a time. */
#define MICROHTTP_POLL_CLIENTS 64

/* Sleeps until a watched descriptor is ready, for the given number of milliseconds at most; -1: without a limit. Fills in the
   contexts of the clients of which there is something to report, and returns how many these are. */
static inline int
microhttp_poll_wait (int poll, int milliseconds, void **contexts)
{
  struct epoll_event events[MICROHTTP_POLL_CLIENTS];
  const int count = epoll_wait (poll, events, MICROHTTP_POLL_CLIENTS, milliseconds);
  int clients = 0;

  for (int index = 0; index < count; index++)
    if (events[index].data.ptr != NULL)
      contexts[clients++] = events[index].data.ptr;
  return clients;
}

/* Makes an inherited descriptor non-blocking and closed on exec; 0, or -1 and errno. fcntl is variadic. */
static inline int
microhttp_prepare_inherited (int descriptor)
{
  const int flags = fcntl (descriptor, F_GETFL);

  if (flags < 0 || fcntl (descriptor, F_SETFL, flags | O_NONBLOCK) < 0)
    return -1;
  return fcntl (descriptor, F_SETFD, FD_CLOEXEC);
}

/* A second descriptor for the same socket, closed on exec, or -1 and errno. */
static inline int
microhttp_duplicate (int descriptor)
{
  return fcntl (descriptor, F_DUPFD_CLOEXEC, 0);
}

/* Names the calling thread for tools that list threads; only the first 15 characters are used. */
static inline void
microhttp_name_thread (const char *name)
{
  (void) prctl (PR_SET_NAME, name);
}

/* A certificate, its intermediate certificates, and its key. */
struct microhttp_identity
{
  gnutls_pcert_st chain[16];
  unsigned int count;
  gnutls_privkey_t key;
};

static inline void
microhttp_identity_free (struct microhttp_identity *identity)
{
  for (unsigned int i = 0; i < identity->count; i++)
    gnutls_pcert_deinit (&identity->chain[i]);
  if (NULL != identity->key)
    gnutls_privkey_deinit (identity->key);
  free (identity);
}

/* Whether a key is that of a certificate: GNUTLS_E_SUCCESS, or why it is not. */
static inline int
microhttp_identity_check (const gnutls_datum_t *certificate, const gnutls_datum_t *key)
{
  gnutls_certificate_credentials_t credentials;
  int result = gnutls_certificate_allocate_credentials (&credentials);

  if (GNUTLS_E_SUCCESS != result)
    return result;
  result = gnutls_certificate_set_x509_key_mem (credentials, certificate, key, GNUTLS_X509_FMT_PEM);
  gnutls_certificate_free_credentials (credentials);
  return (result < 0) ? result : GNUTLS_E_SUCCESS;
}

/* Reads two PEM texts. NULL when they are wrong, with the reason as GnuTLS numbers it. */
static inline struct microhttp_identity *
microhttp_identity_make (const char *certificate, const char *key, int *reason)
{
  const gnutls_datum_t certificate_text = { (unsigned char *) certificate, (unsigned int) strlen (certificate) };
  const gnutls_datum_t key_text = { (unsigned char *) key, (unsigned int) strlen (key) };
  struct microhttp_identity *identity = (struct microhttp_identity *) calloc (1, sizeof (*identity));
  unsigned int count = sizeof (identity->chain) / sizeof (identity->chain[0]);

  *reason = GNUTLS_E_MEMORY_ERROR;
  if (NULL == identity)
    return NULL;
  *reason = microhttp_identity_check (&certificate_text, &key_text);
  if (GNUTLS_E_SUCCESS == *reason)
    *reason = gnutls_pcert_list_import_x509_raw (identity->chain, &count, &certificate_text, GNUTLS_X509_FMT_PEM, 0);
  if (GNUTLS_E_SUCCESS == *reason)
  {
    identity->count = count;
    *reason = gnutls_privkey_init (&identity->key);
  }
  if (GNUTLS_E_SUCCESS == *reason)
    *reason = gnutls_privkey_import_x509_raw (identity->key, &key_text, GNUTLS_X509_FMT_PEM, NULL, 0);
  if (GNUTLS_E_SUCCESS == *reason)
    return identity;
  microhttp_identity_free (identity);
  return NULL;
}

/* When the first certificate expires, in seconds since 1970, or -1. */
static inline time_t
microhttp_identity_expiry (const struct microhttp_identity *identity)
{
  gnutls_x509_crt_t certificate;
  time_t expiry = -1;

  if (GNUTLS_E_SUCCESS != gnutls_x509_crt_init (&certificate))
    return -1;
  if (GNUTLS_E_SUCCESS == gnutls_x509_crt_import (certificate, &identity->chain[0].cert, GNUTLS_X509_FMT_DER))
    expiry = gnutls_x509_crt_get_expiration_time (certificate);
  gnutls_x509_crt_deinit (certificate);
  return expiry;
}

/* The first certificate. Swift has no pointer to an element of a C array. */
static inline gnutls_pcert_st *
microhttp_identity_chain (struct microhttp_identity *identity)
{
  return identity->chain;
}

/* The connection of a TLS session. */
static inline struct MHD_Connection *
microhttp_connection_of_session (gnutls_session_t session)
{
  return (struct MHD_Connection *) gnutls_session_get_ptr (session);
}

/* How many processors the calling thread may run on, or 0 when the kernel does not say. */
static inline int
microhttp_allowed_processors (void)
{
  unsigned long mask[128];
  long size = syscall (SYS_sched_getaffinity, 0, sizeof (mask), mask);
  int count = 0;

  for (size_t i = 0; size > 0 && i < (size_t) size / sizeof (mask[0]); i++)
    count += __builtin_popcountl (mask[i]);
  return count;
}

#endif
