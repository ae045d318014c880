// Events that wait for an answer. A part of /deckd.js, after cards.js.

const MOST_EVENTS = 256;
/** How many moves of a finger wait; older ones are dropped. */
const MOST_MOVES = 64;

/**
 * The events that wait, in order, in groups that belong together. One request delivers one or several groups. Moves of a finger
 * may be lost, so their groups are sent once, unless an event that must arrive follows them in the same group.
 *
 * A group that may have been sent has the key of its `request`, which always has the same groups. So the server knows the request again,
 * and applies none of its events twice.
 */
class Outbox {
  #groups = [];
  #alone = 0;

  /** What `toJSON` gave on a former page. Another tab can have got the same, so it stays in the same requests. */
  static from({ groups }) {
    const outbox = new Outbox();
    outbox.#groups = groups;
    for (let place = 0; place < groups.length; place += outbox.#sameRequest(place).length) outbox.#requestAt(place);
    return outbox;
  }

  /** Whether the next request may have been sent before. */
  get isUnderWay() {
    return !!this.#groups[0]?.request;
  }

  get events() {
    return this.#groups.flatMap(({ events }) => events);
  }

  /** How many events must arrive. */
  get count() {
    return this.#groups.reduce((count, group) => count + (group.isMove ? 0 : group.events.length - (group.moveCount ?? 0)), 0);
  }

  /** Adds a group. Its promise has the results. */
  add(events) {
    const moves = this.#takeMoves(MOST_EVENTS - events.length);
    const group = { events: [...moves, ...events], key: newKey(), moveCount: moves.length };
    const results = new Promise((resolve, reject) => Object.assign(group, { resolve, reject }));
    this.#groups.push(group);
    return results;
  }

  /** Adds a move, and returns those that it replaces. */
  addMove(event) {
    const moves = [...this.#takeMoves(), event];
    this.#groups.push({ events: moves.slice(-MOST_MOVES), isMove: true });
    return moves.slice(0, -MOST_MOVES);
  }

  /** Takes the moves at the end that were not sent, unless there are more than that. */
  #takeMoves(most = MOST_MOVES) {
    return this.takeLast((events, isMove) => isMove && events.length <= most)?.events ?? [];
  }

  /** Takes the group at the end, if it was not sent and its events are wanted; null: it stays. */
  takeLast(isWanted) {
    const last = this.#groups.at(-1);
    return last && !last.request && isWanted(last.events, last.isMove) ? this.#groups.pop() : null;
  }

  /** The next request; null: nothing waits. */
  get next() {
    return this.#requestAt(0);
  }

  /** The first request that must arrive, to be sent before its turn; null: there is none that was not sent. */
  get urgent() {
    const place = this.#groups.findIndex(({ isMove }) => !isMove);
    return this.#groups[place]?.request ? null : this.#requestAt(place);
  }

  #requestAt(place) {
    const first = this.#groups[place];
    if (!first) return null;
    if (!first.request) {
      first.request = first.key ??= newKey();
      let size = first.events.length;
      const isAlone = first.isMove || this.#alone;
      for (const group of isAlone ? [] : this.#groups.slice(place + 1)) {
        size += group.events.length;
        if (group.isMove || size > MOST_EVENTS) break;
        group.request = first.key;
      }
    }
    const { key, isMove } = first;
    return { key, isMove, events: this.#sameRequest(place).flatMap(({ events }) => events) };
  }

  /** The groups in the request of the group at a place. */
  #sameRequest(place) {
    return this.#groups.filter(({ request }) => request === this.#groups[place].request);
  }

  /** Gives each group its results. */
  resolve(results) {
    for (const { events, moveCount, resolve } of this.#take()) {
      const own = results.splice(0, events.length);
      // A group that was saved by an earlier page has no promise.
      resolve?.(own.slice(moveCount));
    }
  }

  /** Refuses a request, and returns the events that are gone. An event that cannot be read refuses all, so several groups are
   * sent again one by one. Each keeps its key: if a former page or another tab has had it applied, it is not applied again. */
  reject(problem) {
    const sent = this.#sameRequest(0);
    if (sent.length > 1) {
      this.#alone = sent.length;
      for (const group of sent) group.request = null;
      return [];
    }
    const [{ events, reject }] = this.#take();
    reject?.(problem);
    return events;
  }

  #take() {
    const taken = this.#groups.splice(0, this.#sameRequest(0).length);
    this.#alone = Math.max(0, this.#alone - taken.length);
    return taken;
  }

  /**
   * Gives the events other times, because the server has refused those of the last request: they begin at `time`, or they end at it. Returns
   * whether times have changed.
   */
  retime(time, isEnd) {
    // What was sent before its turn stays as it is.
    const groups = this.#groups.filter(({ request }) => !request || request === this.#groups[0].request);
    const events = groups.flatMap(({ events }) => events);
    const ahead = isEnd ? events.at(-1).at - time : 0;
    const isChanged = !isEnd || ahead > 0;
    if (isChanged) for (const event of events) event.at = isEnd ? Math.min(event.at - ahead, time) : Math.max(event.at, time);
    // The next request is another one.
    for (const group of groups) Object.assign(group, { key: newKey(), request: null });
    return isChanged;
  }

  toJSON() {
    return { groups: this.#groups.filter(({ isMove }) => !isMove).map(({ events, key, moveCount, request }) => ({ events, key, moveCount, request })) };
  }
}
