#pragma once

#include <cstdint>

#include "Fault.hpp"

namespace csj {

inline const uint8_t *skip_digits(const uint8_t *at) noexcept {
  while (*at >= '0' && *at <= '9') { at++; }
  return at;
}

/// Where the number at `at` ends by the grammar of RFC 8259, section 6; null if there is none.
/// The bytes must be followed by one that is not a digit, as padding is.
inline const uint8_t *number_end(const uint8_t *at) noexcept {
  if (*at == '-') { at++; }
  const uint8_t *digits = at;
  at = skip_digits(at);
  if (at == digits || (*digits == '0' && at != digits + 1)) { return nullptr; }
  if (*at == '.') {
    digits = ++at;
    at = skip_digits(at);
    if (at == digits) { return nullptr; }
  }
  if (*at == 'e' || *at == 'E') {
    at++;
    if (*at == '+' || *at == '-') { at++; }
    digits = at;
    at = skip_digits(at);
    if (at == digits) { return nullptr; }
  }
  return at;
}

/// Whether a scalar may end in front of this byte.
inline bool ends_token(const uint8_t *at) noexcept {
  return is_whitespace(*at) || *at == ',' || *at == ']' || *at == '}';
}

}  // namespace csj
