// The ways in which frames arrive. A part of /deckd.js, after connections.js.

const INCLUDE = "labels,data";
/** How many ms a session without a connection pauses between requests at least. */
const WITHOUT_CONNECTION = 1000;

/** Receives the frames of a session and the notifications before them, until its signal aborts. */
class Watch {
  #failures = 0;
  /** The tag of the last frame, if it does not move. */
  #tag = null;

  /**
   * @param session how the session asks its `server` for a path (`ask`), the number of its last notification (`since`), and what it does with
   * a frame (`hear`) and with a problem (`fail`).
   */
  constructor(session) {
    Object.assign(this, session);
  }

  async run() {
    while (!this.signal.aborted) {
      try {
        await this.#receive();
      } catch (problem) {
        if (this.signal.aborted) return;
        // Only these do not go away.
        if ([400, 401, 403, 404, 410].includes(problem.status) && !problem.isTransient) throw problem;
        this.fail(problem);
        await backOff(this.#failures++, problem, this.signal);
      }
    }
  }

  async #receive() {
    const { delivery, server, interval } = this;
    const wait = () => (delivery === "stream" ? this.#stream() : this.#poll(10));
    const hasWaited = delivery !== "poll" && (await withConnection(server, wait));
    // Without a connection, sessions ask one after the other, so that events need not wait for many answers.
    if (!hasWaited) await inTurn(server, () => this.#poll(0));
    if (!this.#tag || delivery === "poll") await pause(interval);
    else if (!hasWaited) await pause(Math.max(interval, WITHOUT_CONNECTION));
  }

  #hear(frame, notifications) {
    this.#failures = 0;
    this.hear(frame, notifications);
  }

  /** One request, which waits for a change for some seconds. */
  async #poll(seconds) {
    const headers = this.#tag ? { "If-None-Match": this.#tag, Prefer: `wait=${seconds}` } : {};
    const query = { include: INCLUDE, since: this.since() };
    const answer = await this.ask("/frame", { query, headers, signal: this.signal });
    this.#tag = answer.headers.get("ETag");
    this.#hear(answer.body, answer.body?.notifications);
  }

  /** Server-Sent Events, until they end. */
  async #stream() {
    const silence = new AbortController();
    const { body } = await this.ask("/stream", {
      query: { include: INCLUDE, since: this.since() }, signal: AbortSignal.any([this.signal, silence.signal]), timeout: 864e5,
    });
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      // The server says something every 15 seconds, or the connection is dead.
      const alarm = setTimeout(() => silence.abort(), 35000);
      const { value, done } = await reader.read().finally(() => clearTimeout(alarm));
      if (done) throw new DeckProblem({ detail: "The stream has ended." });
      const blocks = (text + value).split("\n\n");
      text = blocks.pop();
      for (const block of blocks) {
        const { event, data } = Object.fromEntries(block.split("\n").map((line) => line.split(/: ([^]*)/)));
        if (event === "frame") this.#hear(JSON.parse(data));
        if (event === "notification") this.#hear(null, [JSON.parse(data)]);
        // The answer says whether the session has ended.
        if (event === "end" && JSON.parse(data).reason === "session-gone") await this.ask("", { signal: this.signal });
      }
    }
  }
}
