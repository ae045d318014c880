#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "Flattener.hpp"

namespace {

/// simdjson reads whole vectors, so it may look this far behind the closing bracket.
constexpr size_t padding = simdjson::SIMDJSON_PADDING;

/// The brackets around the document are one level, and simdjson counts the document itself as another.
constexpr size_t simdjson_depth = CSJ_LARGEST_DEPTH + 4;

/// What a parser can hold before it has to grow for the first time; most requests are smaller.
constexpr size_t smallest_capacity = 4096;

CSJStatus refuse(CSJDocument *document, CSJStatus status, size_t offset, const char *reason) noexcept {
  document->error_offset = offset;
  document->reason = reason;
  return status;
}

}  // namespace

struct CSJParser {
  CSJParser() noexcept = default;
  ~CSJParser() { std::free(copy); }

  bool reserve(size_t length) noexcept;
  void release() noexcept;
  CSJStatus parse(size_t length, int maximum_depth, CSJDocument *document) noexcept;

  csj::Tape tape;
  std::unique_ptr<simdjson::ondemand::parser> parser;
  uint8_t *copy = nullptr;
  /// The longest document, with its brackets, that fits into the buffers.
  size_t capacity = 0;
};

/// Makes room for a document of this length, brackets included.
bool CSJParser::reserve(size_t length) noexcept {
  if (length <= capacity) { return true; }
  size_t wanted = capacity < smallest_capacity ? smallest_capacity : capacity;
  while (wanted < length) { wanted *= 2; }
  release();
  parser.reset(new (std::nothrow) simdjson::ondemand::parser());
  copy = static_cast<uint8_t *>(std::malloc(wanted + padding));
  if (!parser || copy == nullptr || parser->allocate(wanted, simdjson_depth)) {
    release();
    return false;
  }
  capacity = wanted;
  return true;
}

void CSJParser::release() noexcept {
  parser.reset();
  std::free(copy);
  copy = nullptr;
  capacity = 0;
}

/// Parses the copy, a document of this length between brackets.
CSJStatus CSJParser::parse(size_t length, int maximum_depth, CSJDocument *document) noexcept {
  const uint8_t *start = copy + 1;
  const uint8_t *end = start + length;
  simdjson::ondemand::document tokens;
  csj::Fault fault;
  switch (parser->iterate(copy, length + 2, capacity + padding).get(tokens)) {
    case simdjson::SUCCESS: {
      csj::Flattener flattener(tokens, tape, start, end, maximum_depth);
      if (flattener.flatten()) { return CSJStatusSuccess; }
      fault = flattener.fault();
      break;
    }
    case simdjson::UTF8_ERROR:
      fault = {CSJStatusInvalidUTF8, csj::first_invalid_utf8(start, end), "the document is not UTF-8"};
      break;
    case simdjson::MEMALLOC: fault = {CSJStatusOutOfMemory, start, "memory is short"}; break;
    default: fault = csj::find_string_fault(start, end); break;
  }
  return refuse(document, fault.status, static_cast<size_t>(fault.at - start), fault.reason);
}

extern "C" CSJParser *csj_parser_create(void) noexcept {
  return new (std::nothrow) CSJParser();
}

extern "C" void csj_parser_destroy(CSJParser *parser) noexcept { delete parser; }

extern "C" CSJStatus csj_parser_parse(
    CSJParser *parser, const uint8_t *bytes, size_t length, int maximum_depth, CSJDocument *document) noexcept {
  *document = {};
  parser->tape.clear();
  if (length == 0) { return refuse(document, CSJStatusEmpty, 0, "the document is empty"); }
  if (length > CSJ_LARGEST_DOCUMENT) {
    return refuse(document, CSJStatusTooManyBytes, CSJ_LARGEST_DOCUMENT, "the document is too large");
  }
  if (!parser->reserve(length + 2)) { return refuse(document, CSJStatusOutOfMemory, 0, "memory is short"); }
  uint8_t *copy = parser->copy;
  copy[0] = '[';
  std::memcpy(copy + 1, bytes, length);
  copy[length + 1] = ']';
  std::memset(copy + length + 2, 0, padding);
  const CSJStatus status = parser->parse(length, maximum_depth, document);
  if (status != CSJStatusSuccess) { return status; }
  document->nodes = parser->tape.nodes();
  document->node_count = parser->tape.count();
  document->source = copy + 1;
  return CSJStatusSuccess;
}

extern "C" void csj_parser_trim(CSJParser *parser, size_t kept_bytes) noexcept {
  const size_t kept = kept_bytes < smallest_capacity ? smallest_capacity : kept_bytes;
  // A document has at most one value in two bytes, and both buffers may be twice as large as they had to be.
  if (parser->capacity / 2 > kept) { parser->release(); }
  if (parser->tape.capacity() > kept) { parser->tape.release(); }
}
