// Events that wait for an answer. A part of /deckd.js, after prediction.js.

const MOST_EVENTS = 256;

/** The events that wait, in order, in groups that belong together. One request delivers one or several groups. */
class Outbox {
  #groups = [];
  #request = null;
  #alone = 0;

  /** What `toJSON` gave on a former page. */
  static from({ groups, request }) {
    const outbox = new Outbox();
    outbox.#groups = groups;
    outbox.#request = request;
    return outbox;
  }

  get events() {
    return this.#groups.flatMap(({ events }) => events);
  }

  /** Whether the next request may have been sent before. */
  get isUnderWay() {
    return this.#request !== null;
  }

  /** Adds a group. Its promise has the results. */
  add(events) {
    const group = { events, key: crypto.randomUUID() };
    const results = new Promise((resolve, reject) => Object.assign(group, { resolve, reject }));
    this.#groups.push(group);
    return results;
  }

  /** The next request: the same one until it is answered, so that its key makes it happen once. */
  get next() {
    if (!this.#groups.length) return null;
    if (!this.#request) {
      let [count, size] = [1, this.#groups[0].events.length];
      while (!this.#alone && count < this.#groups.length && size + this.#groups[count].events.length <= MOST_EVENTS) {
        size += this.#groups[count++].events.length;
      }
      this.#request = { count, key: this.#groups[0].key };
    }
    return { ...this.#request, events: this.#groups.slice(0, this.#request.count).flatMap(({ events }) => events) };
  }

  /** Gives each group its results. */
  resolve(results) {
    for (const { events, resolve } of this.#take()) resolve?.(results.splice(0, events.length));
  }

  /** Refuses a request. Its groups are sent one by one, because an event that cannot be read refuses all. */
  reject(problem) {
    if (this.#request.count > 1) return this.#sendAlone();
    const [{ events, reject }] = this.#take();
    reject?.(problem);
    return events;
  }

  #sendAlone() {
    this.#alone = this.#request.count;
    this.#renew();
    return [];
  }

  #take() {
    const taken = this.#groups.splice(0, this.#request.count);
    this.#alone = Math.max(0, this.#alone - taken.length);
    this.#request = null;
    return taken;
  }

  /** Gives events that are too late for the session's clock another time, and another key. */
  delay(time) {
    for (const event of this.events) event.at = Math.max(event.at, time);
    this.#renew();
  }

  #renew() {
    for (const group of this.#groups) group.key = crypto.randomUUID();
    this.#request = null;
  }

  toJSON() {
    return { groups: this.#groups.map(({ events, key }) => ({ events, key })), request: this.#request };
  }
}
