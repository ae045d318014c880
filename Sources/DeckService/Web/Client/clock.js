// The time on a session's clock. A part of /deckd.js, after client.js.

/** How many ms the clock may be ahead until it is set back. */
const MOST_AHEAD = 1000;

/**
 * Estimates the server's clock from the times of answers, as NTP does (RFC 5905, section 8): of the last answers, the one with
 * the shortest way counts, and its time is taken to be that of the middle of the way. Of the times that were heard, the last ones count, so
 * that a clock that was ahead becomes right again. The time runs backwards only if the server's clock was set back.
 */
class SessionClock {
  #samples = [];
  #floors = [];
  #last = 0;
  #stamped = 0;

  /**
   * @param time what the server's clock said in the answer that has just come to a request that was `sent` at a time of `performance.now()`.
   * @param isAhead whether this clock is known to be ahead.
   */
  measure(time, sent, isAhead) {
    const received = performance.now();
    const delay = received - sent;
    if (isAhead || this.now > time + delay + MOST_AHEAD) {
      this.#samples = [];
      this.#floors = [];
      this.#last = this.#stamped = 0;
    }
    this.#samples = [...this.#samples.slice(-7), { offset: time - (sent + received) / 2, delay }];
    this.hear(time);
  }

  /** A time that the server's clock has passed. */
  hear(time) {
    this.#floors = [...this.#floors.slice(-7), time - performance.now()];
  }

  get now() {
    const best = this.#samples.reduce((one, other) => (other.delay < one.delay ? other : one), { offset: -Infinity, delay: Infinity });
    this.#last = Math.max(this.#last, performance.now() + Math.max(best.offset, ...this.#floors));
    return this.#last;
  }

  /**
   * The time of an event: after everything that has been drawn, so that no frame shows a moment both ways, and after the event before,
   * so that a move that arrives after the end of its drag is too late.
   */
  stamp(former) {
    return (this.#stamped = Math.max(Math.floor(this.now * 1000 + 1) / 1000, former, this.#stamped + 0.001, 0));
  }
}
