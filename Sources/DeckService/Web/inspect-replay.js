// One session: what it looks like now, or at a moment that its log still has.

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
  #shownMoment;
  #tag = null;
  #url = null;
  #lineCount = 0;
  #isAsking = false;
  #player = 0;
  #ended = new AbortController();

  constructor(session, ask) {
    Object.assign(this, { session, ask, path: `/v1/sessions/${encodeURIComponent(session.id)}` });
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

  /** One picture is asked for at a time, and then that of the newest moment. */
  async #draw() {
    if (this.isDrawing || (this.#moment !== null && this.#moment === this.#shownMoment)) return;
    this.isDrawing = true;
    try {
      do {
        const moment = this.#moment;
        const headers = moment === null && this.#tag ? { "If-None-Match": this.#tag } : {};
        const query = moment === null ? "" : `?at=${moment}`;
        const response = await this.ask(`${this.path}/frame.svg${query}`, headers);
        if (this.#ended.signal.aborted) return;
        this.#shownMoment = moment;
        if (response.status === 304) continue;
        this.#tag = moment === null ? response.headers.get("ETag") : null;
        this.#put(await response.text());
      } while (this.#moment !== null && this.#moment !== this.#shownMoment);
    } finally {
      this.isDrawing = false;
    }
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
    const rows = lines.slice(-MOST_LINES).map((line) => this.#row(describe(JSON.parse(line))));
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
