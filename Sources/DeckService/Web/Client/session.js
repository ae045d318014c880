// A session: its events, which are applied on the page at once and sent, and its frames. A part of /deckd.js, after
// reported.js.

const CLOCK_SAMPLES = 4;

/** Whether events are one new size of an element. */
const isSize = ([event, other]) => event?.viewport && event.screen && !other;

export class DeckSession extends EventTarget {
  #prediction = new Prediction();
  #clock = new SessionClock();
  #outbox = new Outbox();
  #saved;
  #engine = null;
  /** How often in a row the engine or a snapshot could not be read. */
  #failures = 0;
  /** The reasons that the page has told of events that wait. */
  #reasons = new WeakMap();
  #read = new ReadCards();
  /** A frame with another client's finger, which is shown as it comes. */
  #foreign = null;
  #isDelivering = false;
  /** Whether the server's session is another one than predicted. */
  #isStale = false;
  #newest = { version: -1, at: 0 };
  /** How often in a row the server has refused the times of events. */
  #untimely = 0;
  #reported = new Reported();
  #ended = new AbortController();
  /** The server's answer if it has ended the session, or does not know it. */
  #gone = null;

  constructor(client, document) {
    super();
    const { id, token } = document;
    Object.assign(this, { client, id, token, isConnected: true, info: {}, frame: null });
    this.#saved = new SavedEvents(client.storage, id, (error) => this.tell("problem", error));
    this.#learn(document);
    // Only browsers have pages. A view ends its drag before the rest is sent.
    const leave = () => {
      this.tell("pagehide");
      this.#hurry(true);
    };
    globalThis.addEventListener?.("pagehide", leave, { signal: this.#ended.signal });
  }

  /** Makes an object for a session. What waited when its page was left continues. */
  static async begin(client, seat, options) {
    const session = new DeckSession(client, seat);
    const saved = await session.#saved.read();
    try {
      if (!seat.frame) await session.get({ ...options, ...(saved?.snapshot && { attempts: 1 }) });
    } catch (problem) {
      if (!saved?.snapshot || !problem.isTransient) throw problem;
      session.#learn({ ...saved.info, id: session.id });
    }
    if (!saved?.snapshot) {
      // The frame of a new session has no labels.
      const { lastNotification } = await session.refresh(options);
      if (!seat.frame) session.#reported.last = lastNotification;
    }
    if (saved) session.#outbox = Outbox.from(saved.outbox);
    if (session.info.clock !== "manual") session.#measureClock();
    session.#prediction.apply(session.#outbox.events);
    const isPredicting = session.#predict(saved);
    if (saved?.snapshot) await isPredicting;
    return session;
  }

  #learn({ frame, ...info }) {
    if (frame) this.#clock.hear(frame.at);
    return Object.assign(this.info, info);
  }

  /** An estimate of the time on the session's clock. */
  get now() {
    return this.info.clock === "manual" ? Math.max(this.#prediction.time, this.#newest.at) : this.#clock.now;
  }

  /** How many events wait for the server. */
  get waitingCount() {
    return this.#outbox.count;
  }

  /** Whether the server has ended the session. */
  get isEnded() {
    return !!this.#gone;
  }

  /** Whether events are applied on the page at once. */
  get isPredicting() {
    return this.#prediction.isOpen;
  }

  /** What is visible at a time. */
  frameAt(time) {
    return this.#foreign ?? (this.#prediction.isOpen ? this.#prediction.frame(time) : this.frame);
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #connect(isConnected, problem) {
    if (problem) this.tell("problem", problem);
    if (this.isConnected === isConnected) return;
    this.isConnected = isConnected;
    this.#save();
    this.tell("connection", isConnected);
  }

  /** Saves what waits. The next page needs the session, too, if it has no network. */
  #save(confirmed, isWhole = !this.isConnected) {
    this.#saved.write(this.#outbox, isWhole, confirmed);
  }

  // -- Requests

  async #call(method, path = "", options = {}) {
    const all = { signal: this.#ended.signal, token: this.token, ...options };
    try {
      return await this.client.request(method, `/v1/sessions/${this.id}${path}`, all);
    } catch (problem) {
      if ([404, 410].includes(problem.status) && !problem.isTransient) this.#end(problem);
      throw problem;
    }
  }

  /** The server has ended the session, or does not know it. */
  #end(problem) {
    if (this.#ended.signal.aborted) return;
    this.#gone = problem;
    this.#stop();
    while (this.#outbox.next) this.#outbox.reject(problem);
    this.#save();
    this.tell("problem", problem);
    this.tell("ended", problem);
    this.close();
  }

  async get(options) {
    return this.#learn((await this.#call("GET", "", options)).body);
  }

  async patch(settings, options) {
    this.#learn((await this.#call("PATCH", "", { ...options, body: settings })).body);
    await this.refresh(options);
    return this.info;
  }

  async delete() {
    // The stream can end the session before there is an answer.
    await this.#call("DELETE", "", { signal: undefined });
    this.#end(new DeckProblem({ type: "/problems/session-ended", title: "The session has ended", status: 410 }));
  }

  /** Stops everything but requests with events. What waits is sent once more and saved, and there are no further events. */
  close() {
    this.#hurry();
    this.#stop();
    this.tell = () => {};
  }

  #stop() {
    this.#ended.abort();
    this.#prediction.close();
  }

  /** The server's frame. */
  async refresh(options) {
    const { body } = await this.#call("GET", "/frame", { ...options, query: { include: INCLUDE } });
    this.#hear(body);
    return body;
  }

  async verdicts(query) {
    return (await this.#call("GET", "/verdicts", { query })).body.verdicts;
  }

  // -- Prediction

  async #predict(saved) {
    this.#engine = await this.client.engine.catch((problem) => void this.#predictLater(problem));
    if (this.#ended.signal.aborted) return;
    try {
      if (this.#engine && saved?.snapshot) this.#restore(saved);
    } catch (error) {
      // A release of the server with another engine has saved it.
      this.tell("problem", error);
    }
    this.#isStale = !!this.#engine;
    this.#deliver();
  }

  /** Tries again if the network or the server has failed. What was saved is old by then. */
  async #predictLater(problem) {
    if (!this.#failures) this.tell("problem", problem);
    // A page that was published without the engine gets 404.
    if (problem.status === 404 || (!problem.isTransient && !(problem.status >= 500))) return;
    await backOff(this.#failures++, problem, this.#ended.signal);
    if (!this.#ended.signal.aborted) this.#predict();
  }

  /** Continues where the former page was left. */
  #restore({ snapshot, confirmed }) {
    const { state } = this.#open(snapshot);
    for (const event of confirmed) applied(event, state);
    this.#reported.last = state.frame().lastNotification;
    this.#prediction.open(state);
    this.#clock.hear(this.#prediction.time);
    this.#changed();
  }

  #open(bytes) {
    const opened = openSnapshot(this.#engine, bytes, this.#read);
    this.#read = new ReadCards(opened, this.client.lookAhead);
    return opened;
  }

  async #measureClock() {
    for (let count = 0; count < CLOCK_SAMPLES && !this.#ended.signal.aborted; count++) {
      await this.#readTime(1).catch(() => {});
    }
  }

  async #readTime(attempts, isAhead) {
    const { body, sent } = await this.#call("GET", "/frame", { query: { fields: "at" }, attempts });
    this.#clock.measure(body.at, sent, isAhead);
    return body.at;
  }

  /** Reads the server's session, and applies the events that wait to it. */
  async #readSnapshot() {
    const onFailure = (problem) => this.#connect(false, problem);
    const query = { cards: this.client.lookAhead };
    const snapshot = this.#call("GET", "/snapshot", { query, attempts: Infinity, onFailure });
    // Another client may have changed the settings.
    const isBehind = this.#prediction.isOpen && this.#newest.version > this.#prediction.version;
    const settings = isBehind && this.get().catch(() => {});
    const { body, sent } = await snapshot;
    this.#ended.signal.throwIfAborted();
    const { state, time } = this.#open(body);
    if (this.info.clock !== "manual") this.#clock.measure(time, sent);
    await settings;
    this.#connect(true);
    this.#isStale = false;
    this.#failures = 0;
    this.#replace(state);
    this.#saved.begin(body, this.info);
    this.#save();
  }

  /** Without a snapshot that the engine can read, the server's frames are shown. */
  async #stopPredicting(problem) {
    if (this.#ended.signal.aborted) throw problem;
    this.#engine = null;
    this.#isStale = false;
    this.#foreign = null;
    this.#prediction.close();
    this.#predictLater(problem);
    // What waits is sent in any case.
    await this.refresh().catch((error) => this.tell("problem", error));
  }

  /** Replaces the predicted session by another one. What is visible changes smoothly. */
  #replace(state) {
    const { now } = this;
    const before = this.frameAt(now);
    this.#prediction.open(state);
    this.#foreign = null;
    const after = this.frameAt(now);
    this.frame = after;
    this.tell("correction", { before, after });
    this.tell("frame", after);
  }

  #changed() {
    if (!this.#prediction.isOpen) return;
    this.frame = this.frameAt(this.now);
    this.tell("frame", this.frame);
  }

  // -- Events

  #stamp() {
    return this.info.clock === "manual" ? Math.max(this.now, 0) : this.#clock.stamp(this.#prediction.time);
  }

  /** What happens next is this client's. */
  #act() {
    if (!this.#foreign) return;
    this.#isStale = true;
    this.#foreign = null;
  }

  /** Applies events on the page, and sends them until they are answered. */
  async send(events) {
    if (this.#gone) throw this.#gone;
    this.#ended.signal.throwIfAborted();
    this.#act();
    const at = this.#stamp();
    const list = [events].flat().map((event) => ({ ...event, at: event.at ?? at }));
    // Only the last size of an element that changes without a network is sent.
    const former = isSize(list) ? this.#outbox.takeLast(isSize) : null;
    if (this.waitingCount + list.length > this.client.queueLength) {
      throw new DeckProblem({ type: "queue-full", title: "Too many events wait." });
    }
    const results = this.#apply(list);
    if (former) this.#prediction.drop(former.events);
    // What is refused here, the server would refuse, too.
    if (results.every((result) => result?.applied === false) && !this.#isStale) return this.#prediction.drop(list), results;
    const answer = this.#outbox.add(list);
    former?.resolve?.(answer);
    this.#save();
    this.#deliver();
    return answer;
  }

  /** Moves the front card with a finger. A move is sent once. */
  move(event) {
    this.#act();
    const move = { at: this.#stamp(), ...event };
    const [result] = this.#apply([move]);
    if (result?.applied === false) this.#prediction.drop([move]);
    else {
      this.#prediction.forget(this.#outbox.addMove(move));
      this.#deliver();
    }
    return result;
  }

  #apply(events) {
    const results = this.#prediction.apply(events);
    for (const [place, result] of results.entries()) {
      if (!result?.reason) continue;
      this.#reasons.set(events[place], result.reason);
      this.tell("refused", { id: events[place].id, event: events[place], ...result });
    }
    this.#changed();
    return results;
  }

  async #deliver() {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    try {
      while (!this.#ended.signal.aborted) {
        // The snapshot may have what a request in progress has done, so that one is answered first.
        if (this.#isStale && this.#engine && !this.#outbox.isUnderWay) await this.#readSnapshot().catch((error) => this.#stopPredicting(error));
        else if (this.#outbox.next) await this.#deliverEvents();
        else if (this.#needsSnapshot) this.#isStale = true;
        else break;
      }
    } catch (problem) {
      if (!this.#ended.signal.aborted) this.tell("problem", problem);
    } finally {
      this.#isDelivering = false;
    }
  }

  /** Whether another client has changed the session, more cards should be read, or what is saved is long. */
  get #needsSnapshot() {
    const isPossible = this.#prediction.isOpen && this.#engine;
    return isPossible && (this.#newest.version > this.#prediction.version || this.#saved.isLong || this.#read.areFew(this.frame, this.#prediction.version));
  }

  #post(events, options) {
    const body = events.length === 1 ? events[0] : { events };
    const query = this.#prediction.isOpen ? { frame: "none" } : { include: INCLUDE };
    return this.#call("POST", "/events", { body, query, signal: undefined, wanted: this.#ended.signal, ...options });
  }

  /** Sends what waits for a move or a snapshot, as the next page would, in case the page is gone before their answers. */
  #hurry(isWhole) {
    const request = this.#outbox.urgent;
    this.#save([], isWhole);
    if (request) this.#post(request.events, { key: request.key, attempts: 2 }).catch(() => {});
  }

  async #deliverEvents() {
    const { events, key, isMove } = this.#outbox.next;
    const onFailure = (problem) => {
      if (!problem.type) this.#connect(false, problem);
    };
    const often = isMove ? { attempts: 1, timeout: 3000 } : { key, attempts: Infinity, onFailure };
    // Another page sends the same request again.
    if (!isMove) this.#save();
    try {
      const { body } = await this.#post(events, often);
      // The next page sends the request again, and gets the same answer.
      if (this.#ended.signal.aborted) return this.#outbox.resolve([...body.results]);
      this.#connect(true);
      this.#untimely = 0;
      this.#take(events, body);
      this.#outbox.resolve([...body.results]);
      this.#save(events);
    } catch (problem) {
      await this.#takeProblem(problem);
      this.#save();
    }
  }

  /** Compares an answer with what was predicted. */
  #take(events, { results, notifications, frame }) {
    const isPredicted = this.#prediction.isOpen;
    if (!this.#prediction.confirm(events, results)) this.#isStale = true;
    const named = results.map((result, place) => ({ id: events[place].id, event: events[place], ...result }));
    const refused = named.filter(({ reason }, place) => reason && reason !== this.#reasons.get(events[place]));
    // A finger's moves are refused with its release.
    for (const [place, result] of refused.entries()) if (result.reason !== refused[place + 1]?.reason) this.tell("refused", result);
    // What was read of the session in between has the former size.
    for (const [place, { type, viewport, screen }] of events.entries()) {
      if (type === "resize" && results[place].applied) Object.assign(this.info, viewport && { viewport }, screen && { screen });
    }
    this.#notify(notifications, true);
    if (!isPredicted && frame) this.#show(frame);
  }

  async #takeProblem(problem) {
    if (this.#ended.signal.aborted) throw problem;
    // Another client was faster, or this clock is ahead: nothing was done.
    const isAhead = problem.type === "/problems/time-in-the-future";
    if (isAhead || problem.type === "/problems/time-runs-backwards") {
      if (this.#untimely++) await backOff(this.#untimely, problem, this.#ended.signal);
      // If the times have come by now, they were right.
      if (!this.#outbox.retime(await this.#readTime(Infinity, isAhead), isAhead)) return;
    } else {
      this.#prediction.drop(this.#outbox.reject(problem));
    }
    this.#isStale = true;
  }

  // -- Frames of the server

  /** Reports notifications that are new. */
  #notify(notifications = [], isAnswer) {
    for (const notification of notifications) {
      if (!this.#reported.add(notification, isAnswer)) continue;
      this.#clock.hear(notification.at);
      this.tell("notification", notification);
      // A command that has waited changes the session without an event.
      this.#changed();
    }
  }

  /** Takes note of a frame. With a prediction, only that the server has a newer version. */
  #hear(frame, notifications) {
    this.#notify(notifications);
    if (!frame) return;
    this.#clock.hear(frame.at);
    const isNewer = frame.version > this.#newest.version;
    if (!this.#prediction.isOpen) {
      const isFirst = !this.frame;
      this.#show(frame);
      // Another client may have changed the settings.
      if (isNewer && !isFirst && !frame.dragging) this.get().then(() => this.tell("frame", this.frame)).catch(() => {});
      return;
    }
    if (isNewer) this.#newest = frame;
    if (frame.version <= this.#prediction.version || this.#isDelivering) return;
    if (frame.dragging) {
      this.#foreign = frame;
      this.#changed();
    } else this.#deliver();
  }

  #show(frame) {
    const { version, at } = this.#newest;
    this.#clock.hear(frame.at);
    if (frame.version < version || (frame.version === version && frame.at < at)) return;
    this.frame = this.#newest = frame;
    this.tell("frame", frame);
  }

  /** Receives what other clients and time change. */
  watch({ delivery = "stream", interval = 250, signal = this.#ended.signal } = {}) {
    return new Watch({
      delivery,
      interval,
      server: new URL(this.client.baseURL, globalThis.document?.baseURI ?? globalThis.location?.href).origin,
      signal: AbortSignal.any([signal, this.#ended.signal]),
      ask: (path, options) => this.#call("GET", path, { ...options, attempts: 1 }),
      since: () => this.#reported.last,
      hear: (frame, notifications) => {
        this.#connect(true);
        this.#hear(frame, notifications);
      },
      fail: (problem) => this.#connect(false, problem),
    }).run();
  }
}
