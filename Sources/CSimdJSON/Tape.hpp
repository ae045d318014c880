#pragma once

#include <cstdint>
#include <cstdlib>

#include "CSimdJSON.h"

namespace csj {

/// The nodes of one document, in an array that grows by doubling and is reused for the next document.
class Tape {
 public:
  Tape() noexcept = default;
  ~Tape() { std::free(nodes_); }
  Tape(const Tape &) = delete;
  Tape &operator=(const Tape &) = delete;

  void clear() noexcept { count_ = 0; }

  void release() noexcept {
    std::free(nodes_);
    nodes_ = nullptr;
    count_ = capacity_ = 0;
  }

  /// Makes room for one more node. Growing moves the nodes, so references to them do not outlive this call. Returns false if
  /// memory is short.
  bool reserve_one() noexcept {
    if (count_ < capacity_) { return true; }
    const size_t wanted = capacity_ == 0 ? 64 : capacity_ * 2;
    void *grown = std::realloc(nodes_, wanted * sizeof(CSJNode));
    if (grown == nullptr) { return false; }
    nodes_ = static_cast<CSJNode *>(grown);
    capacity_ = wanted;
    return true;
  }

  /// Adds a node in the room that `reserve_one` made.
  uint32_t append(const CSJNode &node) noexcept {
    nodes_[count_] = node;
    return static_cast<uint32_t>(count_++);
  }

  CSJNode &operator[](uint32_t index) noexcept { return nodes_[index]; }
  const CSJNode *nodes() const noexcept { return nodes_; }
  size_t count() const noexcept { return count_; }
  size_t capacity() const noexcept { return capacity_; }

 private:
  CSJNode *nodes_ = nullptr;
  size_t count_ = 0;
  size_t capacity_ = 0;
};

}  // namespace csj
