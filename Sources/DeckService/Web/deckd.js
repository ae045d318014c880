// See docs/browser.md and deckd.d.ts.

// The server's formulas (docs/engine.md), so that nobody waits for it.

const POINTS = {
  left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1],
  topLeft: [-1, -1], topRight: [1, -1], bottomLeft: [-1, 1], bottomRight: [1, 1],
};
const ORIGIN = { x: 0, y: 0 };

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const between = (from, to, part) =>
  typeof from === "number" ? from + (to - from) * part : Object.fromEntries(Object.keys(from).map((key) => [key, between(from[key], to[key], part)]));

const plus = (one, other, factor = 1) => ({ x: one.x + other.x * factor, y: one.y + other.y * factor });

function rotate({ x, y }, angle) {
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  return { x: x * cosine - y * sine, y: x * sine + y * cosine };
}

export function dragTransform(translation, location, size, motion) {
  const limit = motion.reduced ? 0 : motion.rotationMax;
  const strength = size.width > 0 ? clamp(translation.x / size.width, -limit, limit) : 0;
  const rotation = (location.y >= size.height / 2 ? -1 : 1) * motion.rotationAngle * strength;
  const scale = Math.max(1 - (1 - motion.scaleMin) * Math.abs(strength), motion.scaleMin);
  if (motion.tracking !== "koloda") return { translation, rotation, scale };
  return { translation: plus(ORIGIN, rotate(translation, rotation), scale), rotation, scale };
}

export function dragReading(translation, size, allowed, extent = size) {
  const units = (length, side) => (side > 0 ? (2 * length) / side : Math.sign(length));
  const [x, y] = [units(translation.x, size.width), units(translation.y, size.height)];
  let direction = null;
  let nearest = Infinity;
  for (const name of allowed) {
    const [px, py] = POINTS[name];
    const distance = (x - px) ** 2 + (y - py) ** 2;
    if (distance < nearest) [direction, nearest] = [name, distance];
  }
  if (!direction) return { direction, percentage: 0 };
  const [px, py] = POINTS[direction];
  const along = (units(translation.x, extent.width) * px + units(translation.y, extent.height) * py) / (px * px + py * py);
  return { direction, percentage: clamp(along, 0, 1) };
}

export function dragExtent(size, transform, motion) {
  if (motion.tracking !== "koloda") return size;
  const sine = Math.abs(Math.sin(transform.rotation)) * transform.scale;
  const cosine = Math.abs(Math.cos(transform.rotation)) * transform.scale;
  return { width: size.width * cosine + size.height * sine, height: size.width * sine + size.height * cosine };
}

const threshold = (rules, direction) => rules.swipeThresholds?.[direction] ?? rules.swipeThreshold;

export function overlay({ direction, percentage }, rules, settings) {
  if (!direction) return null;
  const { start, end, curve } = { ...settings, ...settings.directions?.[direction] };
  const way = Math.min(percentage / threshold(rules, direction), 1);
  const part = end > start ? clamp((way - start) / (end - start), 0, 1) : Number(way >= end);
  const progress = percentage > 0 ? part : 0;
  // CSS: ease-In-Out
  const easing = curve.replace(/[IO]/g, "-$&");
  return { direction, progress, alpha: new Step({ from: 0, to: 1, start: 0, duration: 1, easing }).at(progress) };
}

export function release({ direction, percentage }, velocity, rules) {
  if (!direction || !(percentage > 0) || rules.deniedDirections.includes(direction)) return null;
  const [px, py] = POINTS[direction];
  const speed = (velocity.x * px + velocity.y * py) / Math.hypot(px, py);
  const isFling = speed >= (rules.velocityThreshold ?? Infinity);
  return isFling || percentage >= threshold(rules, direction) ? direction : null;
}

/** A property on its way; the browser's own easing says how far it is. */
class Step {
  constructor(step) {
    Object.assign(this, step);
    const timing = { duration: Math.max(step.duration, 0.01), easing: step.easing, fill: "both" };
    this.animation = new Animation(new KeyframeEffect(null, null, timing));
  }

  at(time) {
    this.animation.currentTime = time - this.start;
    return between(this.from, this.to, this.animation.effect.getComputedTiming().progress);
  }
}

function velocity(samples, now) {
  const recent = samples.filter(({ time }) => now - time <= 100);
  const [first, last] = [recent[0], recent.at(-1)];
  const span = last?.time - first?.time;
  return span >= 20 ? plus(ORIGIN, plus(last, first, -1), 1000 / span) : ORIGIN;
}

export class DeckProblem extends Error {
  constructor(document) {
    super(document.detail ?? document.title);
    Object.assign(this, { name: "DeckProblem", status: 0 }, document);
  }

  get isTransient() {
    return [0, 429, 502, 503, 504].includes(this.status) || this.type === "/problems/request-under-way";
  }
}

/** Waits longer after each failure, never in step with others. */
function backOff(failures, { retryAfter }) {
  return new Promise((resolve) => {
    setTimeout(resolve, Math.max(Math.random() * Math.min(8000, 200 * 2 ** failures), retryAfter * 1000 || 0));
    addEventListener("online", resolve, { once: true });
  });
}

const NEVER = new AbortController().signal;

export class DeckClient {
  constructor({ baseURL = "", key, onRequest } = {}) {
    Object.assign(this, { baseURL: baseURL.replace(/\/$/, ""), key, onRequest });
    const body = async (...request) => (await this.request(...request)).body;
    const path = (id) => `/v1/decks/${encodeURIComponent(id)}`;
    this.decks = {
      list: (query) => body("GET", "/v1/decks", { query }),
      get: (id) => body("GET", path(id)),
      put: (id, deck) => body("PUT", path(id), { body: deck }),
      delete: (id) => body("DELETE", path(id)),
    };
    this.sessions = {
      create: async (request) => new DeckSession(this, await body("POST", "/v1/sessions", { body: request })),
      open: async (seat) => {
        const session = new DeckSession(this, seat);
        await session.get();
        return session;
      },
    };
  }

  /** Sends a request, and again while the server is away, a change with the same key. */
  async request(method, path, { attempts = 6, onFailure, ...options } = {}) {
    const headers = { ...options.headers };
    if (method === "POST" && attempts > 1) headers["Idempotency-Key"] = `"${crypto.randomUUID()}"`;
    for (let failures = 0; ; failures++) {
      try {
        return await this.#ask(method, path, { ...options, headers });
      } catch (problem) {
        if (!problem.isTransient || failures + 1 >= attempts) throw problem;
        onFailure?.(problem);
        await backOff(failures, problem);
      }
    }
  }

  async #ask(method, path, { body: document, query, headers, token = this.key, signal = NEVER, timeout = 15000 }) {
    const url = `${this.baseURL}${path}${query ? `?${new URLSearchParams(query)}` : ""}`;
    const body = document && JSON.stringify(document);
    if (body) headers["Content-Type"] = "application/json";
    const all = token ? { ...headers, Authorization: `Bearer ${token}` } : headers;
    let response, answer;
    try {
      response = await fetch(url, { method, headers: all, body, signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]) });
      const isJSON = /json\b/.test(response.headers.get("Content-Type")) && response.status !== 304;
      answer = isJSON ? await response.json() : response.body;
    } catch (error) {
      if (signal.aborted) throw error;
      throw new DeckProblem({ detail: `${method} ${path}: ${error.message}` });
    }
    const { status } = response;
    this.onRequest?.({ method, url, headers, body, status });
    if (response.ok || status === 304) return { status, headers: response.headers, body: answer };
    const retryAfter = Number(response.headers.get("Retry-After"));
    throw new DeckProblem({ title: response.statusText, ...answer, status, retryAfter });
  }
}

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
      // What is told of a finger's way has no number.
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
        if (problem.type !== "/problems/time-runs-backwards") throw problem;
        // Somebody else was faster: nothing was done, and now is near enough.
        this.#offset = -Infinity;
        await this.refresh().catch(() => {});
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

const describe = (element, attributes) => Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));

const div = (className, parent, style) => {
  const element = document.createElement("div");
  element.className = className;
  Object.assign(element.style, { position: "absolute", left: 0, top: 0, ...style });
  parent.append(element);
  return element;
};

const resize = ({ style }, { width, height }) => Object.assign(style, { width: `${width}px`, height: `${height}px` });

/** `element` turns and moves, and its `face` lies in the card's rectangle. */
class CardElement {
  constructor(stage) {
    const full = { width: "100%", height: "100%" };
    this.element = div("deckd-card", stage, { ...full, pointerEvents: "none" });
    this.face = div("deckd-face", this.element, { transformOrigin: "0 0" });
    this.content = div("deckd-content", this.face, full);
    this.overlay = div("deckd-overlay", this.face, full);
  }

  set(card, steps) {
    const { role, index, frame, contentScale, overlay } = card;
    const [a, b, , , x, y] = card.matrix ?? [1, 0, 0, 1, 0, 0];
    this.size = { width: frame.width / contentScale.x, height: frame.height / contentScale.y };
    this.pose = {
      frame, translation: { x, y }, rotation: Math.atan2(b, a), scale: Math.hypot(a, b), anchor: card.anchor,
      opacity: card.opacity, overlayAlpha: overlay?.alpha ?? 0, direction: overlay?.direction,
      transform: card.matrix3d ? `matrix3d(${card.matrix3d})` : "none",
    };
    Object.assign(this, { card, steps });
    describe(this.element, {
      role: "group", "aria-roledescription": "card", "aria-label": `${card.label ?? card.id}, ${card.position}`,
      "aria-hidden": role === "background" || role === "leaving", "data-role": role, "data-index": index,
    });
    this.element.style.zIndex = card.z;
    resize(this.face, this.size);
    this.face.style.pointerEvents = card.interactive ? "auto" : "none";
  }

  poseAt(time) {
    const pose = { ...this.pose };
    for (const step of this.steps) pose[step.property] = step.at(time);
    return pose;
  }

  draw(pose) {
    const { frame, anchor, translation, rotation, scale, opacity, transform, overlayAlpha, direction } = pose;
    Object.assign(this.element.style, {
      transformOrigin: `${frame.x + anchor.x * frame.width}px ${frame.y + anchor.y * frame.height}px`,
      translate: `${translation.x}px ${translation.y}px`, rotate: `${rotation}rad`, scale, opacity, transform,
    });
    const [x, y] = [frame.width / this.size.width, frame.height / this.size.height];
    this.face.style.transform = `translate(${frame.x}px,${frame.y}px) scale(${x},${y})`;
    this.overlay.style.opacity = overlayAlpha;
    if (direction) this.overlay.dataset.direction = direction;
  }
}

export class DeckView {
  #cards = new Map();
  #held = null;
  #isTelling = false;
  #tick = 0;
  #ended = new AbortController();

  constructor(element, session, options = {}) {
    const render = (card, content) => void (content.textContent = card.label ?? card.id);
    Object.assign(this, { element, session, options: { label: "Cards", render, ...options } });
    element.replaceChildren();
    this.stage = div("deckd-stage", element, { direction: "ltr", transformOrigin: "0 0" });
    this.live = div("deckd-live", element, { width: "1px", height: "1px", overflow: "hidden", clipPath: "inset(50%)" });
    describe(this.live, { "aria-live": "polite" });
    describe(element, { role: "region", "aria-label": this.options.label, "aria-roledescription": "card deck", tabindex: 0 });
    element.style.touchAction = "none";
    this.observer = new ResizeObserver(() => this.#fit());
    this.#begin().catch((problem) => session.tell("problem", problem));
  }

  async #begin() {
    const { element, session, options } = this;
    const { signal } = this.#ended;
    const on = (target, type, handler) => target.addEventListener(type, handler, { signal });
    on(session, "frame", ({ detail }) => this.#apply(detail));
    if (!options.isReadOnly) {
      on(session, "refused", ({ detail }) => this.#say(`${detail.type}: ${detail.reason.replaceAll("-", " ")}`));
      on(element, "pointerdown", (event) => this.#take(event));
      on(element, "pointermove", (event) => this.#move(event));
      on(element, "pointerup", (event) => this.#release(event));
      on(element, "pointercancel", (event) => this.#release(event, true));
      on(element, "keydown", (event) => this.#press(event));
      const stillness = matchMedia("(prefers-reduced-motion: reduce)");
      const calm = () => session.patch({ motion: { reduced: stillness.matches || null } }).catch(() => {});
      on(stillness, "change", calm);
      if (stillness.matches !== session.info.motion.reduced) calm();
    }
    await session.refresh();
    this.observer.observe(element);
    await session.watch({ ...options, signal });
  }

  close() {
    this.#ended.abort();
    this.observer.disconnect();
    this.element.replaceChildren();
  }

  get #isFlip() {
    return this.session.info.layout.type === "flip";
  }

  #say(text) {
    this.live.textContent = text;
  }

  #send(event) {
    return this.session.send(event).then(([result]) => result).catch((problem) => this.session.tell("problem", problem));
  }

  /** Who only looks sees the session scaled. */
  #fit() {
    const { clientWidth: width, clientHeight: height } = this.element;
    const { info } = this.session;
    if (!width || !height) return;
    if (this.options.isReadOnly) {
      this.stage.style.scale = Math.min(width / info.viewport.width, height / info.viewport.height);
    } else if (info.viewport.width !== width || info.viewport.height !== height) {
      const sizes = { viewport: { width, height }, screen: { width: innerWidth, height: innerHeight } };
      Object.assign(info, sizes);
      this.#send({ type: "resize", ...sizes });
    }
    resize(this.stage, info.viewport);
  }

  #apply(frame) {
    const held = this.#held;
    if (held) {
      // Until a release is answered, the card is where the finger has it.
      const isSame = frame.cards[0]?.index === held.front.card.index;
      if (frame.dragging || held.isReleased || isSame) return;
      this.#held = null;
    }
    this.frame = frame;
    this.steps = frame.motion.map((step) => new Step(step));
    const former = this.#cards;
    this.#cards = new Map();
    for (const card of frame.cards) this.#place(card, former);
    for (const { element } of former.values()) element.remove();
    const { actions, announcement } = frame.accessibility;
    describe(this.element, { "aria-keyshortcuts": actions.flatMap(({ key }) => key ?? []).join(" ") });
    if (this.announcement && this.announcement !== announcement) this.#say(announcement);
    this.announcement = announcement;
    this.#draw();
  }

  #place(card, former) {
    // A card that leaves keeps its element; in a loop it may be in front, too.
    const key = card.role === "leaving" ? `${card.index} leaving` : card.index;
    const found = former.has(key) ? key : card.index;
    const shown = former.get(found) ?? new CardElement(this.stage);
    former.delete(found);
    this.#cards.set(key, shown);
    const content = JSON.stringify([card.id, card.data, card.label]);
    if (shown.shows !== content) this.options.render(card, shown.content);
    shown.shows = content;
    shown.set(card, this.steps.filter((step) => step.card === card.index));
  }

  #take(event) {
    const { frame, session } = this;
    const front = this.#cards.get(frame?.cards[0]?.index);
    if (this.#held || !front?.card.interactive || event.button || !event.isPrimary) return;
    if (!this.#isFlip && !front.element.contains(event.target)) return;
    this.element.setPointerCapture(event.pointerId);
    const start = this.#point(event);
    const pose = front.poseAt(session.now);
    this.#held = {
      pointer: event.pointerId, front, start, translation: ORIGIN, samples: [{ time: event.timeStamp, ...ORIGIN }],
      location: plus(plus(start, pose.translation, -1), pose.frame, -1), scrolled: this.#scrolled(),
    };
  }

  #point({ clientX: x, clientY: y }) {
    // Who can touch it sees it unscaled.
    return plus({ x, y }, this.element.getBoundingClientRect(), -1);
  }

  #move(event) {
    const held = this.#held;
    if (held?.pointer !== event.pointerId || held.isReleased) return;
    const way = plus(this.#point(event), held.start, -1);
    const { dragAxis } = this.session.info.rules;
    const dominant = Math.abs(way.x) >= Math.abs(way.y) ? "horizontal" : "vertical";
    const axis = dragAxis === "dominant" ? dominant : dragAxis;
    held.translation = { x: axis === "vertical" ? 0 : way.x, y: axis === "horizontal" ? 0 : way.y };
    held.isDrag ||= Math.hypot(way.x, way.y) > 3;
    held.samples.push({ time: event.timeStamp, ...held.translation });
    this.#draw();
    if (held.isDrag) this.#tell(held);
  }

  /** One request at a time says where the finger is, and the newest place wins. */
  async #tell(held) {
    if (this.#isTelling || !this.session.isConnected) return;
    this.#isTelling = true;
    let told = null;
    while (held === this.#held && !held.isReleased && held.translation !== told) {
      const { translation, location } = held;
      told = translation;
      const answer = await this.session.sendMove({ type: "drag", phase: "changed", translation, location }).catch(() => null);
      if (answer?.results[0].applied !== false || held !== this.#held) continue;
      this.#held = null;
      this.session.tell("refused", answer.results[0]);
      this.#apply(answer.frame);
    }
    this.#isTelling = false;
  }

  async #release(event, isCancelled = false) {
    const held = this.#held;
    if (held?.pointer !== event.pointerId || held.isReleased) return;
    if (!held.isDrag) {
      this.#held = null;
      this.#draw();
      if (!isCancelled) this.#send({ type: "tap" });
      return;
    }
    held.isReleased = true;
    const { translation, location } = held;
    const phase = isCancelled ? "cancelled" : "ended";
    const speed = velocity(held.samples, event.timeStamp);
    this.#letGo(held, speed, isCancelled);
    await this.#send({ type: "drag", phase, translation, location, velocity: speed });
    if (this.#held === held) this.#held = null;
    this.#apply(this.session.frame);
  }

  /** Lets the card go where the server is going to say. */
  #letGo({ front, drawn, reading }, speed, isCancelled) {
    if (this.#isFlip) return;
    const { rules, motion, viewport, screen } = this.session.info;
    const direction = isCancelled ? null : release(reading, speed, rules);
    let targets = { translation: ORIGIN, rotation: 0, scale: 1, overlayAlpha: 0 };
    let timing = { duration: 400, easing: "cubic-bezier(0.2, 0.7, 0.3, 1.15)" };
    if (direction) {
      const [px, py] = POINTS[direction];
      const reach = Math.max(screen.width, screen.height);
      targets = { translation: { x: px * (viewport.width + reach), y: py * (viewport.height + reach) || viewport.height / 2 } };
      timing = { duration: motion.dragSpeed, easing: "ease" };
    }
    const start = this.session.now;
    const steps = Object.entries(targets).map(([property, to]) => new Step({ property, from: drawn[property], to, start, ...timing }));
    this.steps = motion.reduced ? [] : steps;
    Object.assign(front, { pose: drawn, steps: this.steps });
    this.#draw();
  }

  #draw() {
    const { now } = this.session;
    const held = this.#held;
    cancelAnimationFrame(this.#tick);
    if (this.#isFlip) this.#drawPile(held ? held.scrolled + held.translation.y : this.#scrolled());
    else {
      const cards = [...this.#cards.values()];
      const poses = cards.map((shown) => shown.poseAt(now));
      if (held && !held.isReleased) poses[0] = this.#hold(held, poses[0]);
      for (const [place, { card }] of cards.entries()) {
        const follows = held && place && card.role !== "leaving";
        cards[place].draw(follows ? this.#follow(poses, place, held.reading.percentage) : poses[place]);
      }
    }
    if (this.steps.some((step) => now < step.start + step.duration)) this.#tick = requestAnimationFrame(() => this.#draw());
  }

  /** How far a pile has moved since its frame. */
  #scrolled() {
    const step = this.steps.find(({ property }) => property === "scroll");
    return step ? step.at(this.session.now) - step.at(this.frame.at) : 0;
  }

  #hold(held, pose) {
    const { rules, motion, overlay: settings } = this.session.info;
    const { front, location, translation } = held;
    const { size, card } = front;
    const transform = dragTransform(translation, location, size, motion);
    held.reading = dragReading(translation, size, card.allowedDirections, dragExtent(size, transform, motion));
    const { direction, alpha } = overlay(held.reading, rules, settings) ?? { alpha: 0 };
    // What still moves goes on under the finger.
    held.drawn = {
      ...pose, anchor: { x: location.x / size.width, y: location.y / size.height }, overlayAlpha: alpha, direction,
      translation: plus(pose.translation, transform.translation),
      rotation: pose.rotation + transform.rotation, scale: pose.scale * transform.scale,
    };
    return held.drawn;
  }

  /** A card behind moves towards the place before its own. */
  #follow(poses, place, part) {
    const { motion, appearance } = this.session.info;
    const pose = poses[place];
    if (!motion.moveBackground) return pose;
    const opacity = place === 1 && appearance.fadeNext ? between(pose.opacity, appearance.opaque, part) : pose.opacity;
    return { ...pose, opacity, frame: between(pose.frame, poses[place - 1].frame, part) };
  }

  /** A card's place is 0 at the front, and less where it tips over. */
  #drawPile(way) {
    const { layout, viewport, appearance } = this.session.info;
    for (const shown of this.#cards.values()) {
      const { frame, opacity } = shown.card;
      const ratio = frame.width / layout.cardWidth;
      const rest = ratio < 0.99999 ? (1 - ratio) / layout.scaleStep : opacity / appearance.opaque - 1;
      const place = rest - way / layout.spacing;
      const scale = clamp(1 - layout.scaleStep * place, 0, 1);
      const past = clamp(-place, 0, 1);
      const [width, height] = [layout.cardWidth * scale, layout.cardHeight * scale];
      const bottom = (viewport.height + layout.cardHeight) / 2 - Math.max(place, 0) * layout.spacing;
      const look = {
        frame: { x: (viewport.width - width) / 2, y: bottom - height, width, height }, opacity: (1 - past) * appearance.opaque,
        transform: `perspective(${layout.perspective}px) rotateX(${-179.999 * past}deg)`,
      };
      shown.draw({ ...shown.pose, ...(way && look) });
    }
  }

  #press(event) {
    const { key, shiftKey } = event;
    const { frame } = this;
    if (event.target !== this.element || event.altKey || !frame) return;
    const letter = (event.ctrlKey || event.metaKey) && key.toLowerCase();
    const side = !letter && /^Arrow(.*)/.exec(key)?.[1].toLowerCase();
    const undoes = letter === "z" || key === "Backspace";
    let action = null;
    if (letter === "y" || (undoes && shiftKey)) action = { type: "redo" };
    else if (undoes) action = { type: "revert", direction: "origin" };
    else if (key === "Enter" || key === " ") action = { type: "tap" };
    else if (side && this.#isFlip) {
      const step = side === "down" || side === "right" ? 1 : frame.cardCount - 1;
      action = { type: "move", to: (frame.currentIndex + step) % frame.cardCount };
    } else if (side) action = { type: "swipe", direction: side };
    if (!action) return;
    event.preventDefault();
    // A key that is held down decides on one card only.
    if (!event.repeat) this.#send(action);
  }
}
