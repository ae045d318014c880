// One session: what it looks like now, or at a moment that its log still has.

import { drawFrame } from "/web/inspect-drawing.js";
import { PlayedLog } from "/web/inspect-log.js";

const MOST_LINES = 1000;
const find = (id) => document.getElementById(id);

/** The log's lines as they are read by a person. */
function describe({ at, event, patch }) {
  if (patch) return { at, text: `settings ${JSON.stringify(patch)}` };
  const { type, at: _, ...rest } = event ?? { type: "begin" };
  return { at: at ?? 0, text: [type, Object.keys(rest).length ? JSON.stringify(rest) : ""].join(" ") };
}

export class SessionReplay {
  /** The moment that is shown; null: now. */
  #moment = null;
  #shownMoment = null;
  #tag = null;
  #url = null;
  #lineCount = 0;
  #isAsking = false;
  #player = 0;
  #ended = new AbortController();

  constructor(session, ask) {
    const path = `/v1/sessions/${encodeURIComponent(session.id)}`;
    Object.assign(this, { session, ask, path, played: new PlayedLog(path, ask) });
    find("session").hidden = false;
    find("session-title").textContent = `Session ${session.id}`;
    find("events").replaceChildren();
    find("time").hidden = !session.record;
    find("events").hidden = !session.record;
    find("log-state").textContent = session.record ? "" : "Not recorded: only the current state is available.";
    find("slider").max = find("slider").value = 0;
    const on = (id, type, handler) => find(id).addEventListener(type, handler, { signal: this.#ended.signal });
    on("slider", "input", () => this.#go(Number(find("slider").value)));
    on("live", "click", () => this.#go(null));
    on("play", "click", () => this.#play());
    this.#go(null);
  }

  close() {
    this.#ended.abort();
    this.played.close();
    cancelAnimationFrame(this.#player);
    URL.revokeObjectURL(this.#url);
  }

  /** Asks for what is new. */
  async refresh() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      if (this.session.record) await this.#readLog();
      await this.#draw();
    } finally {
      this.#isAsking = false;
    }
  }

  #go(moment) {
    cancelAnimationFrame(this.#player);
    this.#moment = moment;
    if (moment === null) this.#shownMoment = null;
    this.#show(moment);
    this.#draw().catch(() => {});
  }

  #show(moment) {
    if (moment !== null) find("slider").value = moment;
    find("live").disabled = moment === null;
    find("moment").textContent = moment === null ? "as it is now" : `at ${Math.round(moment)} ms`;
    const rows = [...find("events").children];
    const current = moment === null ? rows.at(-1) : rows.findLast((row) => Number(row.dataset.at) <= moment);
    for (const row of rows) row.firstChild.ariaCurrent = String(row === current);
    current?.scrollIntoView({ block: "nearest" });
  }

  /** Plays the log from where the slider stands, or from its beginning, as fast as it was. */
  #play() {
    const end = Number(find("slider").max);
    const from = this.#moment === null || this.#moment >= end ? 0 : this.#moment;
    const start = performance.now();
    const step = () => {
      this.#moment = Math.min(from + performance.now() - start, end);
      this.#show(this.#moment);
      this.#draw().catch(() => {});
      if (this.#moment < end) this.#player = requestAnimationFrame(step);
    };
    cancelAnimationFrame(this.#player);
    step();
  }

  /** Draws a moment of the log, or asks for the picture of now, one at a time. */
  async #draw() {
    if (this.#moment !== null) return this.#drawMoment();
    if (this.isDrawing) return;
    this.isDrawing = true;
    try {
      const headers = this.#tag ? { "If-None-Match": this.#tag } : {};
      const response = await this.ask(`${this.path}/frame.svg?caption=none`, headers);
      if (this.#ended.signal.aborted || this.#moment !== null || response.status === 304) return;
      this.#tag = response.headers.get("ETag");
      this.#put(await response.text());
    } finally {
      this.isDrawing = false;
    }
  }

  #drawMoment() {
    if (this.#moment === this.#shownMoment) return;
    this.#shownMoment = this.#moment;
    this.#tag = null;
    this.#put(drawFrame(this.played.frame(this.#moment), this.viewport));
  }

  /** As a picture, in which nothing can run, and what it says of itself. */
  #put(text) {
    URL.revokeObjectURL(this.#url);
    this.#url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    find("picture").src = this.#url;
    find("picture").alt = new DOMParser().parseFromString(text, "image/svg+xml").documentElement.getAttribute("aria-label");
  }

  async #readLog() {
    const response = await this.ask(`${this.path}/events?after=${this.#lineCount}`);
    const lines = (await response.text()).split("\n").filter(Boolean);
    if (this.#ended.signal.aborted || !lines.length) return;
    this.#lineCount += lines.length;
    const parsed = lines.map((line) => JSON.parse(line));
    this.viewport = (await (await this.ask(this.path)).json()).viewport;
    await this.played.add(parsed);
    const rows = parsed.slice(-MOST_LINES).map((line) => this.#row(describe(line)));
    find("events").append(...rows);
    while (find("events").children.length > MOST_LINES) find("events").firstChild.remove();
    find("slider").max = Math.ceil(Number(rows.at(-1).dataset.at));
    const isCut = response.headers.get("Deckd-Log") === "truncated";
    const left = this.#lineCount > MOST_LINES ? `, of which the last ${MOST_LINES} stand here` : "";
    find("log-state").textContent = `${this.#lineCount} lines${left}${isCut ? "; the log is full and has ended" : ""}`;
    if (this.#moment === null) this.#show(null);
  }

  #row({ at, text }) {
    const button = Object.assign(document.createElement("button"), { type: "button", title: text });
    const time = Object.assign(document.createElement("span"), { className: "at", textContent: `${Math.round(at)} ms` });
    button.append(time, ` ${text}`);
    button.addEventListener("click", () => this.#go(at));
    const row = document.createElement("li");
    row.dataset.at = at;
    row.append(button);
    return row;
  }
}
