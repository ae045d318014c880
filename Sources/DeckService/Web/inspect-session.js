// One session: what it looks like now, or at a moment that its log still has.

import { frontOf } from "/deckd.js";
import { CardPanel } from "/web/inspect-card.js";
import { ask } from "/web/inspect-client.js";
import { clockTime, find, make, useTabs } from "/web/inspect-dom.js";
import { describe, drawFrame } from "/web/inspect-drawing.js";
import { EventList } from "/web/inspect-events.js";
import { PlayedLog } from "/web/inspect-log.js";
import { VerdictList } from "/web/inspect-verdicts.js";

/** A replay passes over times in which nothing moves, from this long before the next line of the log. */
const LEAD = 500;
const showTab = useTabs(find("session-tabs"));

export class SessionView {
  /** The moment that is shown; null: now. */
  #moment = null;
  /** The session's time when its frame was read, and the page's time then. */
  #clock = { at: 0, readAt: 0, isRunning: false };
  #frame = null;
  /** The frame of the shown moment. */
  #shown = null;
  #tag = null;
  #lineCount = 0;
  #lastLine = 0;
  #isCut = false;
  #isAsking = false;
  #isOver = false;
  /** The facts that are shown, as JSON. */
  #facts = "";
  #player = 0;
  #ended = new AbortController();

  constructor(id) {
    const path = `/v1/sessions/${id}`;
    Object.assign(this, { id, path, played: new PlayedLog(path) });
    find("session-title").textContent = `Session ${id}`;
    find("facts").replaceChildren();
    find("picture").replaceChildren();
    find("description").textContent = find("log-state").textContent = find("moment").textContent = "";
    find("time").hidden = true;
    this.events = new EventList((at) => this.#go(at));
    this.card = new CardPanel(path);
    this.verdicts = new VerdictList(path, (at) => this.#isRecorded && this.#go(at), (index) => this.#showCard(index));
    showTab("tab-events");
    const on = (id, type, handler) => find(id).addEventListener(type, handler, { signal: this.#ended.signal });
    on("slider", "input", ({ target: { value, max } }) => this.#go(value === max ? null : Number(value)));
    on("live", "click", () => this.#go(null));
    on("play", "click", () => this.#play());
    on("picture", "click", ({ target }) => {
      const card = target.closest("[data-index]");
      if (card) this.#showCard(Number(card.dataset.index));
    });
  }

  close() {
    this.#ended.abort();
    this.played.close();
    this.card.close();
    this.verdicts.close();
    cancelAnimationFrame(this.#player);
  }

  /** The session's time now. */
  get #now() {
    const { at, readAt, isRunning } = this.#clock;
    return isRunning ? at + performance.now() - readAt : at;
  }

  get #isRecorded() {
    return this.#lineCount > 0;
  }

  /** Reads what is new. */
  async refresh() {
    if (this.#isAsking || this.#isOver) return;
    this.#isAsking = true;
    try {
      if (!this.session) await this.#readSession();
      await this.#readFrame();
      if (this.session.record) await this.#readLog();
      if (!this.#ended.signal.aborted) this.#draw();
    } catch (error) {
      if (this.#ended.signal.aborted) return;
      if (![401, 404, 410].includes(error.status)) throw error;
      this.#isOver = error.status !== 401;
      if (error.status === 410) find("description").textContent = "This session has ended.";
      if (error.status === 404) find("description").textContent = "There is no session with this id.";
    } finally {
      this.#isAsking = false;
    }
  }

  async #readSession() {
    this.session = await (await ask(this.path)).json();
    if (this.#ended.signal.aborted) return;
    this.#writeFacts(this.session);
    const { record } = this.session;
    find("time").hidden = find("events").hidden = !record;
    if (!record) find("log-state").textContent = "Not recorded: only the current state is available.";
  }

  /** Writes facts that have changed. Others stay the same elements, so that they have the focus, and a click can begin before and end after. */
  #writeFacts({ user, deck, key, clock, createdAt, metadata }) {
    const facts = {
      User: user, Deck: deck, Key: key, Clock: clock, Created: new Date(createdAt).toISOString().slice(0, 19).replace("T", " "),
      Metadata: metadata === undefined ? null : JSON.stringify(metadata),
    };
    const written = JSON.stringify(facts);
    if (written === this.#facts) return;
    this.#facts = written;
    const known = Object.entries(facts).filter(([, value]) => value);
    const shown = (name, value) => (name === "Deck" ? make("a", { href: `#/decks/${value}`, textContent: value }) : value);
    find("facts").replaceChildren(...known.flatMap(([name, value]) => [make("dt", { textContent: name }), make("dd", {}, shown(name, value))]));
  }

  async #readFrame() {
    const response = await ask(`${this.path}/frame?include=labels,data`, this.#tag ? { "If-None-Match": this.#tag } : {});
    if (response.status === 304) return;
    const frame = await response.json();
    const readAt = performance.now();
    // Another version can have another size.
    if (this.#frame && frame.version !== this.#frame.version) await this.#readSession();
    this.#clock = { at: frame.at, readAt, isRunning: this.session.clock === "server" };
    this.#tag = response.headers.get("ETag");
    if (frame.version !== this.#frame?.version) this.verdicts.refresh();
    this.#frame = frame;
  }

  async #readLog() {
    const response = await ask(`${this.path}/events?after=${this.#lineCount}`);
    const lines = (await response.text()).split("\n").filter(Boolean).map((line) => JSON.parse(line));
    const isCut = response.headers.get("Deckd-Log") === "truncated";
    if (this.#ended.signal.aborted || (!lines.length && isCut === this.#isCut)) return;
    // The first line and lines about the log have no time.
    for (const line of lines) this.#lastLine = line.at ??= this.#lastLine;
    await this.played.add(lines);
    this.#lineCount += lines.length;
    this.#isCut = isCut;
    this.events.add(lines, isCut);
  }

  /** Shows a moment; null or a time that has not come: now. */
  #go(moment) {
    cancelAnimationFrame(this.#player);
    this.#show(moment);
  }

  #show(moment) {
    this.#moment = moment === null || Math.ceil(moment) >= Math.floor(this.#now) ? null : moment;
    // Behind the end of a log that is full, nothing is known.
    if (this.#moment !== null && this.#isCut) this.#moment = Math.min(this.#moment, this.#lastLine);
    this.#draw();
  }

  #showCard(index) {
    this.card.choose(index);
    showTab("tab-card");
  }

  #draw() {
    const isNow = this.#moment === null;
    const time = isNow ? this.#now : this.#moment;
    this.#shown = isNow || !this.#isRecorded ? this.#frame : this.played.frame(time);
    if (!this.#shown) return;
    find("slider").max = Math.ceil(this.#now);
    find("slider").value = Math.ceil(time);
    find("slider").ariaValueText = clockTime(time);
    find("live").disabled = isNow;
    find("moment").textContent = `${clockTime(time)}${isNow ? ", now" : ""}`;
    find("description").textContent = describe(this.#shown);
    const viewport = (!isNow && this.played.viewport(time)) || this.session.viewport;
    find("picture").replaceChildren(drawFrame({ ...this.#shown, at: time }, viewport));
    this.events.mark(time);
    this.card.show(this.#shown, frontOf(this.#shown));
  }

  /** Plays the log from the moment that is shown, or from its beginning, until now. */
  #play() {
    let time = this.#moment ?? 0;
    let former = performance.now();
    const step = (pageTime) => {
      time += Math.max(0, pageTime - former);
      former = pageTime;
      this.#show(time);
      if (this.#moment === null) return;
      const next = Math.min(this.played.nextAfter(time), this.#now + LEAD);
      if (this.#shown.settlesAt === null) time = Math.max(time, next - LEAD);
      this.#player = requestAnimationFrame(step);
    };
    cancelAnimationFrame(this.#player);
    this.#player = requestAnimationFrame(step);
  }
}
