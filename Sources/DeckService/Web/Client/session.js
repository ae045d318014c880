// A session: events that wait for their answers, and frames by whichever way they come. A part of /deckd.js, after client.js.

const INCLUDE = "motion,labels,data";

export class DeckSession extends EventTarget {
  #queue = [];
  #sending = Promise.resolve();
  #offset = -Infinity;
  #newest = null;
  #heard = 0;
  #ended = new AbortController();

  constructor(client, document) {
    super();
    const { id, token } = document;
    Object.assign(this, { client, id, token, isConnected: true, info: {}, frame: null });
    this.#learn(document);
  }

  #learn({ frame, ...info }) {
    if (frame) this.#hear(frame);
    return Object.assign(this.info, info);
  }

  /** Never later than the server's clock. */
  get now() {
    return performance.now() + this.#offset;
  }

  #hear(frame) {
    this.#offset = Math.max(this.#offset, frame.at - performance.now());
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #connect(isConnected, problem) {
    if (problem) this.tell("problem", problem);
    // A server that was killed may count from an earlier version.
    if (!isConnected) this.#newest = null;
    if (this.isConnected !== isConnected) this.tell("connection", (this.isConnected = isConnected));
  }

  /** Takes in what came by whichever way, but no older frame. */
  #show(frame, notifications = []) {
    for (const notification of notifications) {
      // Notifications of a drag have no number.
      if (notification.seq <= this.#heard) continue;
      this.#heard = notification.seq ?? this.#heard;
      this.tell("notification", notification);
    }
    if (!frame) return;
    this.#hear(frame);
    const { version, at } = this.#newest ?? {};
    if (at + 1000 > frame.at && (frame.version < version || (frame.version === version && frame.at < at))) return;
    this.frame = this.#newest = frame;
    this.tell("frame", frame);
  }

  #call(method, path = "", options = {}) {
    return this.client.request(method, `/v1/sessions/${this.id}${path}`, { signal: this.#ended.signal, token: this.token, ...options });
  }

  #post(body, options) {
    return this.#call("POST", "/events", { body, query: { include: INCLUDE }, ...options });
  }

  async get() {
    return this.#learn((await this.#call("GET")).body);
  }

  async patch(settings) {
    this.#learn((await this.#call("PATCH", "", { body: settings })).body);
    await this.refresh();
    return this.info;
  }

  async delete() {
    await this.#call("DELETE");
    this.close();
  }

  close() {
    this.#ended.abort();
  }

  async refresh() {
    const { body } = await this.#call("GET", "/frame", { query: { include: INCLUDE } });
    this.#show(body);
    return body;
  }

  async verdicts(query) {
    return (await this.#call("GET", "/verdicts", { query })).body.verdicts;
  }

  /** Only the newest move matters: one that is lost is not sent again. */
  async sendMove(event) {
    return (await this.#post({ ...event, at: this.#stamp() }, { attempts: 1, timeout: 5000 })).body;
  }

  #stamp() {
    return Math.max(Math.floor(this.now * 1000) / 1000, 0);
  }

  async send(events) {
    const at = this.#stamp();
    const list = [events].flat().map((event) => ({ at, ...event }));
    if (this.#queue.flatMap((entry) => entry.events).length + list.length > 256) {
      throw new DeckProblem({ type: "queue-full", title: "Too many events wait for the network." });
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ events: list, resolve, reject });
      this.#sending = this.#sending.then(() => this.#deliver(this.#queue.splice(0)));
    });
  }

  async #deliver(entries) {
    if (!entries.length) return;
    const events = entries.flatMap((entry) => entry.events);
    const onFailure = (problem) => problem.status || this.#connect(false, problem);
    const post = (list) => this.#post(list.length === 1 ? list[0] : { events: list }, { attempts: Infinity, onFailure });
    try {
      const { body } = await post(events).catch(async (problem) => {
        if (!["/problems/time-runs-backwards", "/problems/time-in-the-future"].includes(problem.type)) throw problem;
        // Somebody else was faster, or this clock is ahead: nothing was done, and now is near enough.
        const frame = await this.refresh().catch(() => null);
        if (frame) this.#offset = frame.at - performance.now();
        return post(events.map(({ at, ...event }) => event));
      });
      this.#connect(true);
      const { results, notifications, frame } = body;
      for (const result of results) if (!result.applied || result.reason) this.tell("refused", result);
      this.#show(frame, notifications);
      for (const entry of entries) entry.resolve(results.splice(0, entry.events.length));
    } catch (problem) {
      // One that cannot be read refuses all.
      if (problem.status && entries.length > 1) for (const entry of entries) await this.#deliver([entry]);
      else for (const { reject } of entries) reject(problem);
    }
  }

  async watch({ delivery = "stream", interval = 250, signal = this.#ended.signal } = {}) {
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        const answers = delivery === "stream" ? this.#stream(signal) : this.#poll(delivery, interval, signal);
        for await (const [frame, notifications] of answers) {
          failures = 0;
          this.#connect(true);
          this.#show(frame, notifications);
        }
        throw new DeckProblem({ detail: "The stream has ended." });
      } catch (problem) {
        if (signal.aborted) return;
        if (problem.isTransient === false) throw problem;
        this.#connect(false, problem);
        await backOff(failures, problem);
      }
    }
  }

  async *#poll(delivery, interval, signal) {
    const isLong = delivery === "longpoll";
    for (let tag = null; ; ) {
      const headers = tag ? { "If-None-Match": tag, Prefer: `wait=${isLong ? 10 : 0}` } : {};
      const query = { include: INCLUDE, since: this.#heard };
      const answer = await this.#call("GET", "/frame", { query, headers, signal, attempts: 1 });
      yield [answer.body, answer.body?.notifications];
      tag = answer.headers.get("ETag");
      if (!isLong || !tag) await new Promise((resolve) => setTimeout(resolve, interval));
    }
  }

  async *#stream(signal) {
    const silence = new AbortController();
    const { body } = await this.#call("GET", "/stream", {
      query: { include: INCLUDE, since: this.#heard }, signal: AbortSignal.any([signal, silence.signal]), attempts: 1, timeout: 864e5,
    });
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      // The server says something every 15 seconds, or the connection is dead.
      const alarm = setTimeout(() => silence.abort(), 35000);
      const { value, done } = await reader.read().finally(() => clearTimeout(alarm));
      if (done) return;
      const blocks = (text + value).split("\n\n");
      text = blocks.pop();
      for (const block of blocks) {
        const { event, data } = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/)));
        if (event === "frame") yield [JSON.parse(data)];
        if (event === "notification") yield [null, [JSON.parse(data)]];
      }
    }
  }
}
