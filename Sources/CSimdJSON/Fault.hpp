#pragma once

#include <cstddef>
#include <cstdint>

#include "CSimdJSON.h"

namespace csj {

/// Why a document is refused, and where.
struct Fault {
  CSJStatus status = CSJStatusSuccess;
  const uint8_t *at = nullptr;
  const char *reason = nullptr;
};

inline bool is_whitespace(uint8_t byte) noexcept {
  return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

/// The first byte from `from` on that is not whitespace, or `end`.
inline const uint8_t *skip_whitespace(const uint8_t *from, const uint8_t *end) noexcept {
  while (from < end && is_whitespace(*from)) { from++; }
  return from;
}

/// Where the first sequence that is not UTF-8 begins, or `end` if there is none.
const uint8_t *first_invalid_utf8(const uint8_t *start, const uint8_t *end) noexcept;

/// What is wrong with the strings of a document in which simdjson's first stage, which keeps no positions, found a
/// string that is not closed or a control character in one.
Fault find_string_fault(const uint8_t *start, const uint8_t *end) noexcept;

}  // namespace csj
