/* Group commit in SQLite: a state of 700 bytes and a verdict for each request. */

#ifndef COMMIT_H
#define COMMIT_H

struct MHD_Connection;

/* Creates the database and starts the thread that commits. Returns a descriptor that is readable after a commit. */
int start_committing (const char *path);

/* Commits a change of the session with this path. The connection is suspended. */
void commit_later (struct MHD_Connection *connection, const char *path);

/* Resumes the connections whose changes are committed. */
void resume_committed (void);

#endif
