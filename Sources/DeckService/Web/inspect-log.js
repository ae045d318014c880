// A recorded session, played from its log with the server's engine.

import { DeckEngine, openSnapshot } from "/deckd.js";
import { ask } from "/web/inspect-client.js";

/** After how many lines the session is copied, so that few events lead to a moment. */
const LINES_BETWEEN_COPIES = 64;
/** What only the server can apply, because it has new cards or settings. */
const SERVER_EVENTS = ["insert", "reload", "refresh"];

export class PlayedLog {
  /** The session at some places of the log. `count` is the number of lines before it. */
  #copies = [];
  #lines = [];
  #known = {};
  #engine = null;

  constructor(path) {
    this.path = path;
  }

  /** Adds lines of the log, or none of them. What only the server can apply is read from it now, so that a moment needs no request. */
  async add(lines) {
    this.#engine ??= await DeckEngine.load(new Uint8Array(await (await ask("/engine.wasm")).arrayBuffer()));
    const { length } = this.#lines;
    try {
      await this.#append(lines);
    } catch (error) {
      this.#lines.length = length;
      while (this.#copies.at(-1)?.count > length) this.#copies.pop().state.close();
      throw error;
    }
  }

  async #append(lines) {
    for (const { at, event = null, patch, viewport } of lines) {
      this.#lines.push({ at, event, viewport: event?.viewport ?? patch?.viewport ?? viewport });
      const count = this.#lines.length;
      const last = this.#copies.at(-1);
      if (!last || patch || SERVER_EVENTS.includes(event?.type)) this.#copies.push({ at, count, state: await this.#read(at), isWhole: true });
      else if (count - last.count >= LINES_BETWEEN_COPIES) this.#copies.push({ at, count, state: this.#play(Infinity) });
    }
  }

  close() {
    for (const { state } of this.#copies) state.close();
  }

  /** The time of the next line after a moment; Infinity: there is none. */
  nextAfter(time) {
    return this.#lines.find(({ at }) => at > time)?.at ?? Infinity;
  }

  /** The size of the deck at a moment, if the log has it. */
  viewport(time) {
    return this.#lines.findLast(({ at, viewport }) => viewport && at <= time)?.viewport;
  }

  async #read(at) {
    const response = await ask(`${this.path}/snapshot?at=${at}&cards=1000`);
    const { state, ...known } = openSnapshot(this.#engine, new Uint8Array(await response.arrayBuffer()), this.#known);
    this.#known = known;
    return state;
  }

  /** The session after the events up to a time. */
  #play(time) {
    const start = this.#copies.findLast(({ at }) => at <= time) ?? this.#copies[0];
    const state = start.state.copy();
    for (const { at, event } of this.#lines.slice(start.count)) {
      if (at > time) break;
      // A session that was read has all events of its time.
      if (event && !(start.isWhole && at === start.at)) state.apply({ ...event, at });
    }
    return state;
  }

  /** The frame at a moment, with the labels and the data of its cards. */
  frame(time) {
    const state = this.#play(time);
    const frame = state.frame(time, { labels: true, data: true });
    state.close();
    return frame;
  }
}
