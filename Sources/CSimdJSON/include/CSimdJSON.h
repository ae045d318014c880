#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

// Reads whole JSON documents (RFC 8259) with simdjson's on-demand API and flattens each into an array of nodes in
// document order. Everything is checked on the way: structure, UTF-8, escapes, literals and numbers.

#ifdef __cplusplus
extern "C" {
#define CSJ_NOEXCEPT noexcept
#else
#define CSJ_NOEXCEPT
#endif

#if defined(__clang__)
#define CSJ_CLOSED_ENUM __attribute__((enum_extensibility(closed)))
#else
#define CSJ_CLOSED_ENUM
#endif

/// No parser reads documents whose containers lie deeper inside each other: `[[1]]` has depth 2.
#define CSJ_LARGEST_DEPTH 64

/// No parser reads longer documents, because offsets have 32 bits.
#define CSJ_LARGEST_DOCUMENT ((size_t)1 << 30)

typedef enum CSJ_CLOSED_ENUM CSJKind {
  CSJKindObject,
  CSJKindArray,
  CSJKindString,
  CSJKindNumber,
  CSJKindTrue,
  CSJKindFalse,
  CSJKindNull
} CSJKind;

typedef enum CSJ_CLOSED_ENUM CSJStatus {
  CSJStatusSuccess,
  /// Not JSON; `reason` says what is wrong.
  CSJStatusSyntax,
  CSJStatusInvalidUTF8,
  /// A number that no finite double is near to, such as 1e999.
  CSJStatusNumberOutOfRange,
  CSJStatusTooDeep,
  /// Nothing but whitespace.
  CSJStatusEmpty,
  CSJStatusTooManyBytes,
  CSJStatusOutOfMemory
} CSJStatus;

/// One value of a document. Strings are unescaped UTF-8, not terminated, and may hold NUL bytes.
typedef struct CSJNode {
  /// The member name, if the parent is an object, else NULL.
  const uint8_t *key;
  /// The characters of a string, else NULL.
  const uint8_t *text;
  /// The value of a number, always finite, else 0.
  double number;
  uint32_t key_length;
  uint32_t text_length;
  /// The index of the container; the root is its own parent.
  uint32_t parent;
  /// One more than the index of the last node inside; the next sibling, if there is one, is here.
  uint32_t end;
  /// How many elements or members a container holds itself.
  uint32_t count;
  /// Where the value's source text starts and ends in the document, without whitespace around it.
  uint32_t raw_start;
  uint32_t raw_end;
  CSJKind kind;
} CSJNode;

/// What a parse found. The pointers live until the parser is used again, trimmed or destroyed.
typedef struct CSJDocument {
  /// The values in document order, the root first; NULL unless the parse succeeded.
  const CSJNode *nodes;
  size_t node_count;
  /// The parser's copy of the document.
  const uint8_t *source;
  /// Where the document is wrong, in bytes from its start, as well as that is known.
  size_t error_offset;
  /// What is wrong, a part of an English sentence of static storage; NULL on success.
  const char *reason;
} CSJDocument;

typedef struct CSJParser CSJParser;

/// Makes a parser. One thread may use it at a time. NULL when memory is short.
///
/// A document has at most one value in two bytes, so its nodes take at most 32 times its length.
CSJParser *csj_parser_create(void) CSJ_NOEXCEPT;

/// Frees the parser and everything its last document points to; NULL is allowed.
void csj_parser_destroy(CSJParser *parser) CSJ_NOEXCEPT;

/// Parses one document, which may have this depth, at most `CSJ_LARGEST_DEPTH`. The input needs no padding: the parser copies it. Its
/// buffers grow as needed and are reused.
CSJStatus csj_parser_parse(
    CSJParser *parser, const uint8_t *bytes, size_t length, int maximum_depth, CSJDocument *document) CSJ_NOEXCEPT;

/// Frees the buffers if they have grown beyond what documents of `kept_bytes` need, so that one large document
/// does not hold its memory for ever.
void csj_parser_trim(CSJParser *parser, size_t kept_bytes) CSJ_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
