// Events that wait for an answer. A part of /deckd.js, after cards.js.

const MOST_EVENTS = 256;
/** How many moves of a finger wait; older ones are dropped. */
const MOST_MOVES = 64;

/**
 * The events that wait, in order, in groups that belong together. One request delivers one or several groups. Moves of a finger
 * may be lost, so their groups are sent once, unless an event that must arrive follows them in the same group.
 */
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

  /** Whether the next request may have been sent before. */
  get isUnderWay() {
    return !!this.#request;
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
    const isSent = this.#request?.count === this.#groups.length;
    return last && !isSent && isWanted(last.events, last.isMove) ? this.#groups.pop() : null;
  }

  /** The next request: the same one until it is answered, so that its key makes it happen once. */
  get next() {
    const [first] = this.#groups;
    if (!first) return null;
    if (!this.#request) {
      let [count, size] = [1, first.events.length];
      const fits = (group) => group && !group.isMove && size + group.events.length <= MOST_EVENTS;
      while (!first.isMove && !this.#alone && fits(this.#groups[count])) size += this.#groups[count++].events.length;
      this.#request = { count, key: first.key };
    }
    return { ...this.#request, isMove: first.isMove, events: this.#groups.slice(0, this.#request.count).flatMap(({ events }) => events) };
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
    if (this.#request.count > 1) {
      this.#alone = this.#request.count;
      this.#request = null;
      return [];
    }
    const [{ events, reject }] = this.#take();
    reject?.(problem);
    return events;
  }

  #take() {
    const taken = this.#groups.splice(0, this.#request.count);
    this.#alone = Math.max(0, this.#alone - taken.length);
    this.#request = null;
    return taken;
  }

  /**
   * Gives the events other times, because the server has refused those of the last request: they begin at `time`, or they end at it. Returns
   * whether times have changed.
   */
  retime(time, isEnd) {
    const { events } = this;
    const ahead = isEnd ? events.at(-1).at - time : 0;
    const isChanged = !isEnd || ahead > 0;
    if (isChanged) for (const event of events) event.at = isEnd ? Math.min(event.at - ahead, time) : Math.max(event.at, time);
    // The next request is another one.
    for (const group of this.#groups) group.key = newKey();
    this.#request = null;
    return isChanged;
  }

  toJSON() {
    const groups = this.#groups.filter(({ isMove }) => !isMove).map(({ events, key, moveCount }) => ({ events, key, moveCount }));
    return { groups, request: this.#groups[0]?.isMove ? null : this.#request };
  }
}
