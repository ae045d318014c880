#pragma once

#include <string_view>

// Failures are values here, so nothing throws through the C functions.
#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

#include "Fault.hpp"
#include "Tape.hpp"

namespace csj {

/// Walks a document with simdjson's on-demand API and writes a node for each value.
///
/// The document must stand between `[` and `]`. So a bare scalar is an element like any other, and after every value
/// of the document there is a next token: that is where simdjson stands then, and the value's text ends before it.
class Flattener {
 public:
  /// `start` and `end` are the document's own bounds, without the brackets around it.
  Flattener(
      simdjson::ondemand::document &document, Tape &tape, const uint8_t *start, const uint8_t *end,
      int maximum_depth) noexcept
      : document_(document), tape_(tape), start_(start), end_(end), maximum_depth_(maximum_depth), cursor_(start) {}

  /// Writes all nodes; false if the document is not JSON, and then `fault` says why.
  bool flatten() noexcept;

  const Fault &fault() const noexcept { return fault_; }

 private:
  bool value(simdjson::ondemand::value value, uint32_t parent, std::string_view key, int depth) noexcept;
  bool object(simdjson::ondemand::value value, uint32_t index, int depth) noexcept;
  bool array(simdjson::ondemand::value value, uint32_t index, int depth) noexcept;
  bool string(simdjson::ondemand::value value, uint32_t index) noexcept;
  bool number(simdjson::ondemand::value value, uint32_t index) noexcept;
  bool literal(simdjson::ondemand::value value, uint32_t index) noexcept;
  bool finish(uint32_t index) noexcept;
  bool open(const uint8_t *at, int depth) noexcept;
  bool fail(const uint8_t *at, const char *reason) noexcept;
  bool fail(CSJStatus status, const uint8_t *at, const char *reason) noexcept;
  bool fail_in_object(bool is_first) noexcept;
  bool fail_in_array() noexcept;
  const uint8_t *location() noexcept;

  simdjson::ondemand::document &document_;
  Tape &tape_;
  const uint8_t *start_;
  const uint8_t *end_;
  int maximum_depth_;
  /// Just behind the last token that was good.
  const uint8_t *cursor_;
  Fault fault_;
};

}  // namespace csj
