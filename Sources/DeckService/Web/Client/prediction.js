// A session as it will be once the server has answered. A part of /deckd.js, after engine.js.

const RESULT = ["type", "applied", "outcome", "reason", "direction", "index", "version"];

/** Applies an event to a session of the engine, not before the session's time; null: only the server can apply it. */
function applied(event, state) {
  try {
    return state.apply({ ...event, at: Math.max(event.at, state.now) }).result;
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}

/**
 * The session twice: `confirmed`, which is the server's, and `local`, to which the events that wait for an answer are applied as
 * well. An answer confirms events: then they are applied to `confirmed`, too. When the server's result is another one, the
 * server's snapshot replaces `confirmed`, and the events that still wait are applied to it again.
 */
class Prediction {
  #confirmed = null;
  #local = null;
  #version = -1;
  #waiting = [];

  /** Whether there is a session to predict from. */
  get isOpen() {
    return !!this.#confirmed;
  }

  /** The version that the server has confirmed. */
  get version() {
    return this.#version;
  }

  /** The time of the last event. */
  get time() {
    return this.#local?.now ?? 0;
  }

  /** Takes a session of the engine as confirmed. */
  open(state) {
    this.#confirmed?.close();
    this.#confirmed = state;
    this.#version = state.frame().version;
    this.#repeat();
  }

  close() {
    for (const state of [this.#confirmed, this.#local]) state?.close();
    this.#confirmed = this.#local = null;
  }

  frame(at) {
    return this.#local.frame(Math.max(at, this.time), { labels: true, data: true });
  }

  /** Applies events, which then wait. The result of an event that only the server can apply is null. */
  apply(events) {
    this.#waiting.push(...events);
    return events.map((event) => this.#local && applied(event, this.#local));
  }

  /** Whether the server's results of the first events that wait are those of the page. */
  confirm(events, results) {
    this.#waiting.splice(0, events.length);
    if (!this.isOpen) return false;
    const isSame = events.every((event, place) => {
      const result = applied(event, this.#confirmed);
      this.#version = result?.version ?? this.#version;
      return result && RESULT.every((name) => result[name] === results[place][name]);
    });
    if (isSame) this.#repeat();
    return isSame;
  }

  /** Forgets events. */
  drop(events) {
    if (!events.length) return;
    this.forget(events);
    this.#repeat();
  }

  /** Forgets events that a later one replaces, so that the session is the same without them. */
  forget(events) {
    if (events.length) this.#waiting = this.#waiting.filter((event) => !events.includes(event));
  }

  #repeat() {
    if (!this.isOpen) return;
    this.#local?.close();
    this.#local = this.#confirmed.copy();
    for (const event of this.#waiting) applied(event, this.#local);
  }
}

/** The parts of a snapshot (docs/api.md): a session of the engine, the server's time, and the cards with content. */
export function openSnapshot(engine, bytes, known = {}) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // "DKSN", and the number of the form with its lowest byte first.
  const isKnown = bytes.length >= 20 && view.getBigUint64(0) === 0x444b534e01000000n;
  const end = isKnown ? 20 + view.getUint32(16, true) : Infinity;
  if (end > bytes.length) throw new EngineError("invalid");
  const { session, cards, cardsRevision } = JSON.parse(new TextDecoder().decode(bytes.subarray(20, end)));
  // What was read of other cards before is still true, as long as the list of cards is the same.
  const all = known.cardsRevision === cardsRevision ? { ...known.cards, ...cards } : cards;
  const state = engine.open(bytes.subarray(end), { session, cards: all, isPartial: true });
  return { state, time: view.getFloat64(8, true), cards: all, read: cards, cardsRevision };
}
