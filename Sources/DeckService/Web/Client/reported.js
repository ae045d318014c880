// Which notifications of a session have been reported. A part of /deckd.js, after watching.js.

class Reported {
  /** The number of the last notification of the stream, or of the session as it was opened. */
  last = 0;
  /** The numbers of later notifications that answers to events have brought. */
  #numbers = new Set();
  /** The time of the latest notification, and those of that time as JSON. */
  #latest = { at: -Infinity, told: new Set() };

  /**
   * Takes note of a notification, and returns whether it is new. The answer to this client's events can bring later ones than the stream
   * has brought so far, so it does not change the number after which the stream continues. Notifications of a drag have no number, and
   * are reported in the order of their times.
   */
  add(notification, isAnswer) {
    const { seq } = notification;
    const isLatest = this.#isLatest(notification);
    const isNew = seq ? seq > this.last && !this.#numbers.has(seq) : isLatest;
    if (isAnswer && seq) this.#numbers.add(seq);
    else if (seq > this.last) this.#numbers.delete((this.last = seq));
    return isNew;
  }

  /** Whether a notification is not earlier than another one, and is new. */
  #isLatest(notification) {
    const { at } = notification;
    if (at > this.#latest.at) this.#latest = { at, told: new Set() };
    const { told } = this.#latest;
    return at === this.#latest.at && told.size < told.add(JSON.stringify(notification)).size;
  }
}
