/* Files that are embedded in the program. A new one needs two lines in embedded_files.c. */

#ifndef EMBEDDED_FILES_H
#define EMBEDDED_FILES_H

#include <stddef.h>

struct embedded_file
{
  const char *name;
  const unsigned char *bytes;
  size_t length;
};

/* All of them. */
const struct embedded_file *embedded_files (void);
extern const size_t embedded_file_count;

#endif
