#include "Flattener.hpp"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "NumberText.hpp"

namespace csj {

namespace {

const uint8_t *as_bytes(std::string_view text) noexcept { return reinterpret_cast<const uint8_t *>(text.data()); }

/// Whatever digits a number of this many bytes has, they fit into 64 bits.
constexpr ptrdiff_t most_exact_bytes = 19;

/// What the first byte of a value says it is; null also stands for bytes that begin no value.
CSJKind kind_of(uint8_t first) noexcept {
  switch (first) {
    case '{': return CSJKindObject;
    case '[': return CSJKindArray;
    case '"': return CSJKindString;
    case 't': return CSJKindTrue;
    case 'f': return CSJKindFalse;
    case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
      return CSJKindNumber;
    default: return CSJKindNull;
  }
}

}  // namespace

bool Flattener::flatten() noexcept {
  simdjson::ondemand::array brackets;
  if (document_.get_array().get(brackets)) { return fail(start_, "a value was expected"); }
  const uint8_t *first = skip_whitespace(start_, end_);
  if (first == end_) { return fail(CSJStatusEmpty, start_, "the document is empty"); }
  for (auto element : brackets) {
    simdjson::ondemand::value root;
    if (std::move(element).get(root)) { return fail(first, "a value was expected"); }
    if (!value(root, 0, {}, 0)) { return false; }
    // The root is the only value if the next token is the bracket behind the document.
    const uint8_t *next = location();
    return next == end_ || fail(next == nullptr ? end_ : next, "there is something after the document");
  }
  return fail(first, "a value was expected");
}

bool Flattener::value(simdjson::ondemand::value value, uint32_t parent, std::string_view key, int depth) noexcept {
  const uint8_t *at = location();
  if (at == nullptr || at >= end_) { return fail(end_, "the document ends where a value was expected"); }
  if (!tape_.reserve_one()) { return fail(CSJStatusOutOfMemory, at, "memory is short"); }
  CSJNode node = {};
  node.key = key.data() == nullptr ? nullptr : as_bytes(key);
  node.key_length = static_cast<uint32_t>(key.size());
  node.parent = parent;
  node.raw_start = static_cast<uint32_t>(at - start_);
  node.kind = kind_of(*at);
  const uint32_t index = tape_.append(node);
  switch (node.kind) {
    case CSJKindObject: return open(at, depth) && object(value, index, depth + 1) && finish(index);
    case CSJKindArray: return open(at, depth) && array(value, index, depth + 1) && finish(index);
    case CSJKindString: return string(value, index) && finish(index);
    case CSJKindNumber: return number(value, index);
    case CSJKindTrue: case CSJKindFalse: case CSJKindNull: return literal(value, index);
  }
  return fail(at, "a value was expected");
}

bool Flattener::object(simdjson::ondemand::value value, uint32_t index, int depth) noexcept {
  simdjson::ondemand::object object;
  if (value.get_object().get(object)) { return fail_in_object(true); }
  uint32_t count = 0;
  for (auto member : object) {
    simdjson::ondemand::field field;
    if (std::move(member).get(field)) { return fail_in_object(count == 0); }
    const auto *name = reinterpret_cast<const uint8_t *>(field.key().raw());
    std::string_view key;
    if (field.unescaped_key().get(key)) { return fail(name - 1, "an escape in a string is not valid"); }
    if (!this->value(field.value(), index, key, depth)) { return false; }
    count++;
  }
  tape_[index].count = count;
  return true;
}

bool Flattener::array(simdjson::ondemand::value value, uint32_t index, int depth) noexcept {
  simdjson::ondemand::array array;
  if (value.get_array().get(array)) { return fail_in_array(); }
  uint32_t count = 0;
  for (auto element : array) {
    simdjson::ondemand::value child;
    if (std::move(element).get(child)) { return fail_in_array(); }
    if (!this->value(child, index, {}, depth)) { return false; }
    count++;
  }
  tape_[index].count = count;
  return true;
}

bool Flattener::string(simdjson::ondemand::value value, uint32_t index) noexcept {
  std::string_view text;
  if (value.get_string().get(text)) {
    return fail(start_ + tape_[index].raw_start, "an escape in a string is not valid");
  }
  tape_[index].text = as_bytes(text);
  tape_[index].text_length = static_cast<uint32_t>(text.size());
  return true;
}

bool Flattener::number(simdjson::ondemand::value value, uint32_t index) noexcept {
  const uint8_t *at = start_ + tape_[index].raw_start;
  const uint8_t *end = number_end(at);
  if (end == nullptr) { return fail(at, "a number is not written as JSON writes it"); }
  double number = 0;
  const bool is_read = !value.get_double().get(number);
  if (!is_read && !ends_token(end)) { return fail(at, "a number is not written as JSON writes it"); }
  // simdjson 3.0.1 reads a number that starts with "0." wrongly if its other digits do not fit into 64 bits.
  const bool is_long = end - at > most_exact_bytes;
  if (is_long) { number = std::strtod(reinterpret_cast<const char *>(at), nullptr); }
  // The grammar is right, so whatever simdjson finds wrong with a short number is its size.
  if (is_long ? !std::isfinite(number) : !is_read) {
    return fail(CSJStatusNumberOutOfRange, at, "a number is beyond what a double holds");
  }
  if (!is_read) { return fail(CSJStatusNumberOutOfRange, at, "the exponent of a number has too many digits"); }
  tape_[index].number = number;
  return finish(index) && (cursor_ == end || fail(at, "a number is not written as JSON writes it"));
}

bool Flattener::literal(simdjson::ondemand::value value, uint32_t index) noexcept {
  const uint8_t *at = start_ + tape_[index].raw_start;
  bool is_valid = false;
  size_t length = 4;
  // The padding behind the document makes it safe to compare past its end.
  switch (tape_[index].kind) {
    case CSJKindTrue: is_valid = std::memcmp(at, "true", 4) == 0 && !value.get_bool().error(); break;
    case CSJKindFalse:
      length = 5;
      is_valid = std::memcmp(at, "false", 5) == 0 && !value.get_bool().error();
      break;
    default: {
      bool is_null = false;
      is_valid = std::memcmp(at, "null", 4) == 0 && !value.is_null().get(is_null) && is_null;
    }
  }
  if (!is_valid) { return fail(at, "a value was expected"); }
  return finish(index) && (cursor_ == at + length || fail(at, "a value was expected"));
}

/// Notes where the value that was just read ends: in front of the next token and the whitespace before that.
bool Flattener::finish(uint32_t index) noexcept {
  const uint8_t *next = location();
  // Only an array can have taken the bracket behind the document for its own.
  if (next == nullptr) { return fail(end_, "the document ends inside an array"); }
  while (is_whitespace(next[-1])) { next--; }
  tape_[index].raw_end = static_cast<uint32_t>(next - start_);
  tape_[index].end = static_cast<uint32_t>(tape_.count());
  cursor_ = next;
  return true;
}

bool Flattener::open(const uint8_t *at, int depth) noexcept {
  cursor_ = at + 1;
  return depth < maximum_depth_ || fail(CSJStatusTooDeep, at, "objects and arrays lie too deep inside each other");
}

/// simdjson's next token, or null behind the last one.
const uint8_t *Flattener::location() noexcept {
  const char *location = nullptr;
  return document_.current_location().get(location) ? nullptr : reinterpret_cast<const uint8_t *>(location);
}

bool Flattener::fail(const uint8_t *at, const char *reason) noexcept { return fail(CSJStatusSyntax, at, reason); }

bool Flattener::fail(CSJStatus status, const uint8_t *at, const char *reason) noexcept {
  fault_ = {status, at < end_ ? at : end_, reason};
  return false;
}

bool Flattener::fail_in_array() noexcept {
  const uint8_t *at = skip_whitespace(cursor_, end_);
  return fail(at, at == end_ ? "the document ends inside an array" : "a comma or ] was expected");
}

bool Flattener::fail_in_object(bool is_first) noexcept {
  const uint8_t *at = skip_whitespace(cursor_, end_);
  if (at < end_ && !is_first) {
    if (*at != ',') { return fail(at, "a comma or } was expected"); }
    at = skip_whitespace(at + 1, end_);
  }
  if (at == end_) { return fail(at, "the document ends inside an object"); }
  if (*at != '"') { return fail(at, "a member name in quotes was expected"); }
  for (at++; at < end_ && *at != '"'; at++) {
    if (*at == '\\') { at++; }
  }
  at = skip_whitespace(at < end_ ? at + 1 : end_, end_);
  return fail(at, at == end_ ? "the document ends inside an object" : "a colon was expected after a member name");
}

}  // namespace csj
