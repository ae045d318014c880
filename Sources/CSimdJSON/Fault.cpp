#include "Fault.hpp"

namespace csj {

namespace {

/// The length of the well-formed sequence at `at` (Unicode 15, table 3-7), or 0.
size_t utf8_sequence_length(const uint8_t *at, size_t available) noexcept {
  const uint8_t lead = at[0];
  if (lead < 0x80) { return 1; }
  size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (lead < 0xC2 || lead > 0xF4 || available < length) { return 0; }
  // The second byte's range keeps out overlong forms, surrogates and everything above U+10FFFF.
  const uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (at[1] < low || at[1] > high) { return 0; }
  for (size_t i = 2; i < length; i++) {
    if ((at[i] & 0xC0) != 0x80) { return 0; }
  }
  return length;
}

}  // namespace

const uint8_t *first_invalid_utf8(const uint8_t *start, const uint8_t *end) noexcept {
  const uint8_t *at = start;
  while (at < end) {
    const size_t length = utf8_sequence_length(at, static_cast<size_t>(end - at));
    if (length == 0) { return at; }
    at += length;
  }
  return end;
}

Fault find_string_fault(const uint8_t *start, const uint8_t *end) noexcept {
  const uint8_t *opening = nullptr;
  for (const uint8_t *at = start; at < end; at++) {
    if (opening == nullptr) {
      if (*at == '\\') { return {CSJStatusSyntax, at, "a value was expected"}; }
      if (*at == '"') { opening = at; }
    } else if (*at < 0x20) {
      return {CSJStatusSyntax, at, "a control character in a string is not escaped"};
    } else if (*at == '\\' && end - at > 1 && at[1] >= 0x20) {
      at++;
    } else if (*at == '"') {
      opening = nullptr;
    }
  }
  return {CSJStatusSyntax, opening == nullptr ? end : opening, "a string is not closed"};
}

}  // namespace csj
