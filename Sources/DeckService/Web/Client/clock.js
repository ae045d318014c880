// The time on a session's clock. A part of /deckd.js, after client.js.

/**
 * Estimates the server's clock from the times of answers, as NTP does (RFC 5905, section 8): of the last answers, the one with
 * the shortest way counts, and its time is taken to be that of the middle of the way. Of the times that were heard, the last ones count, so
 * that a clock that was ahead becomes right again. The time never runs backwards.
 */
class SessionClock {
  #samples = [];
  #floors = [];
  #last = 0;

  /** @param time what the server's clock said at some time between `sent` and `received`, ms of `performance.now()`. */
  measure(time, sent, received) {
    this.#samples = [...this.#samples.slice(-7), { offset: time - (sent + received) / 2, delay: received - sent }];
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
}
