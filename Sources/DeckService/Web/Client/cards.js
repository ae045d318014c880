// The cards that a page has read. A part of /deckd.js, after prediction.js.

/** The content of the cards that snapshots had: in the last one at most `lookAhead` of them, from the one on that was in front at the time. */
class ReadCards {
  #ahead;
  #front;
  #version;

  constructor({ cards = {}, cardsRevision, read = {}, state, time } = {}, lookAhead) {
    Object.assign(this, { cards, cardsRevision });
    this.#ahead = Math.min(lookAhead, Object.keys(read).length);
    if (state) ({ currentIndex: this.#front, version: this.#version } = state.frame(Math.max(time, state.now)));
  }

  /** Whether a card should be shown that was not read, or half of the cards that were read ahead are gone. */
  areFew({ currentIndex, cardCount, visibleCount, unread }, version) {
    // A snapshot that has just been read does not have more.
    if (version !== this.#version && unread) return true;
    if (Object.keys(this.cards).length >= cardCount) return false;
    const way = Math.abs(currentIndex - this.#front);
    return Math.min(way, cardCount - way) >= Math.max(1, (this.#ahead - visibleCount) / 2);
  }
}
