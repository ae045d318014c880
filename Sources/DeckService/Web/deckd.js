// deckd in a browser: docs/browser.md and deckd.d.ts say what there is, and the comments here why it is so.

// ---- What a drag does. The formulas are those of the server (docs/engine.md), so that nobody has to wait for it.

const POINTS = {
  left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1],
  topLeft: [-1, -1], topRight: [1, -1], bottomLeft: [-1, 1], bottomRight: [1, 1],
};
const ORIGIN = { x: 0, y: 0 };

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const mix = (from, to, part) => from + (to - from) * part;
const between = (from, to, part) =>
  typeof from === "number" ? mix(from, to, part) : Object.fromEntries(Object.keys(from).map((key) => [key, mix(from[key], to[key], part)]));

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
  const limit = threshold(rules, direction);
  const way = percentage > 0 ? (limit > 0 ? Math.min(percentage / limit, 1) : 1) : 0;
  const part = end > start ? clamp((way - start) / (end - start), 0, 1) : Number(way >= end);
  const progress = percentage > 0 ? part : 0;
  const easing = curve.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
  return { direction, progress, alpha: new Step({ from: 0, to: 1, start: 0, duration: 1, easing }).at(progress) };
}

export function release({ direction, percentage }, velocity, rules, denied = rules.deniedDirections) {
  if (!direction) return { outcome: "reset", reason: "direction-not-allowed" };
  const [px, py] = POINTS[direction];
  const speed = (velocity.x * px + velocity.y * py) / Math.hypot(px, py);
  const fling = rules.velocityThreshold ?? Infinity;
  const isFar = percentage > 0 && percentage >= threshold(rules, direction);
  const reset = (reason) => ({ outcome: "reset", reason, direction });
  if (!isFar && !(percentage > 0 && speed >= fling)) return reset("below-threshold");
  if (rules.pullBackCancels && -speed >= fling) return reset("pulled-back");
  return denied.includes(direction) ? reset("direction-denied") : { outcome: "swiped", direction };
}

export function permitted({ x, y }, { dragAxis, dragDirections }) {
  if (dragAxis === "horizontal" || (dragAxis === "dominant" && Math.abs(x) >= Math.abs(y))) y = 0;
  else if (dragAxis === "vertical" || dragAxis === "dominant") x = 0;
  if (dragDirections) {
    const reaches = (axis, side) => dragDirections.some((name) => POINTS[name][axis] === Math.sign(side));
    if (!reaches(0, x)) x = 0;
    if (!reaches(1, y)) y = 0;
  }
  return { x, y };
}

export function flipSlot(place, layout, viewport) {
  const scale = clamp(1 - layout.scaleStep * place, 0, 1);
  const [width, height] = [layout.cardWidth * scale, layout.cardHeight * scale];
  const bottom = (viewport.height + layout.cardHeight) / 2 - Math.max(place, 0) * layout.spacing;
  const past = clamp(-place, 0, 1);
  const frame = { x: (viewport.width - width) / 2, y: bottom - height, width, height };
  return { frame, opacity: scale > 0 ? 1 - past : 0, angle: (-179.999 * Math.PI * past) / 180 };
}

/** A property on its way, at any time: the browser's own easing says how far it is. */
class Step {
  constructor(step) {
    Object.assign(this, step);
    const timing = { duration: Math.max(step.duration, 0.01), easing: step.easing, fill: "both" };
    this.animation = new Animation(new KeyframeEffect(null, null, timing));
    this.end = step.start + step.duration;
  }

  at(time) {
    this.animation.currentTime = time - this.start;
    return between(this.from, this.to, this.animation.effect.getComputedTiming().progress);
  }
}

function velocity(samples, now) {
  const recent = samples.filter((sample) => now - sample.time <= 100);
  const [first, last] = [recent[0], recent.at(-1)];
  const span = last ? last.time - first.time : 0;
  if (span < 20 || now - last.time > 40) return ORIGIN;
  return plus(ORIGIN, plus(last, first, -1), 1000 / span);
}

// ---- The HTTP API.

export class DeckProblem extends Error {
  constructor(document) {
    super(document.detail ?? document.title);
    const known = { name: "DeckProblem", status: 0, type: "about:blank", title: "No answer", detail: "", errors: [], retryAfter: 0 };
    Object.assign(this, known, document);
  }

  get isTransient() {
    return [0, 429, 502, 503, 504].includes(this.status) && this.type !== "queue-full";
  }
}

/** Waits longer after each failure, never in step with others, and no longer than until the network is back. */
function backOff(failures, { retryAfter = 0 }, signal) {
  return new Promise((resolve) => {
    setTimeout(resolve, Math.max(Math.random() * Math.min(8000, 200 * 2 ** failures), retryAfter * 1000));
    addEventListener("online", resolve, { once: true });
    signal?.addEventListener("abort", resolve, { once: true });
  });
}

export class DeckClient {
  constructor({ baseURL = "", key = null, fetch = globalThis.fetch.bind(globalThis), onRequest = null } = {}) {
    Object.assign(this, { baseURL: baseURL.replace(/\/$/, ""), key, fetch, onRequest });
    const path = (id) => `/v1/decks/${encodeURIComponent(id)}`;
    const body = async (...request) => (await this.request(...request)).body;
    this.decks = {
      list: (query = {}) => body("GET", "/v1/decks", { query }),
      get: (id) => body("GET", path(id)),
      put: (id, deck) => body("PUT", path(id), { body: deck }),
      delete: (id) => body("DELETE", path(id)),
    };
    this.sessions = {
      create: async (request) => {
        const answer = await this.request("POST", "/v1/sessions", { body: request });
        return new DeckSession(this, answer.body, answer);
      },
      open: async ({ id, token }) => {
        const session = new DeckSession(this, { id, token });
        await session.get();
        return session;
      },
    };
  }

  async verdicts({ wait, ...query } = {}) {
    const headers = wait ? { Prefer: `wait=${wait}` } : {};
    return (await this.request("GET", "/v1/verdicts", { query, headers, timeout: ((wait ?? 0) + 10) * 1000 })).body;
  }

  /** One request, sent again while the server or the network is away; a change has the same key each time. */
  async request(method, path, options = {}) {
    const { attempts = 6, signal } = options;
    const headers = { ...options.headers };
    if (method === "POST" && !options.unkeyed) headers["Idempotency-Key"] ??= `"${crypto.randomUUID()}"`;
    for (let failures = 0; ; failures++) {
      try {
        return await this.#ask(method, path, { ...options, headers });
      } catch (problem) {
        if (!(problem instanceof DeckProblem && problem.isTransient) || failures + 1 >= attempts || signal?.aborted) throw problem;
        await backOff(failures, problem, signal);
      }
    }
  }

  async #ask(method, path, { body, query = {}, headers, token = this.key, signal, timeout = 15000, asStream }) {
    const url = `${this.baseURL}${path}?${new URLSearchParams(query)}`.replace(/\?$/, "");
    const text = body === undefined ? undefined : JSON.stringify(body);
    if (text) headers["Content-Type"] = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const all = token ? { ...headers, Authorization: `Bearer ${token}` } : headers;
    const limits = [signal, timeout && AbortSignal.timeout(timeout)].filter(Boolean);
    let response, answer;
    try {
      response = await this.fetch(url, { method, headers: all, body: text, signal: AbortSignal.any(limits), cache: "no-store" });
      if (asStream && response.ok) return { status: response.status, stream: response.body };
      answer = await response.text();
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new DeckProblem({ detail: `${method} ${path}: ${error.message}` });
    }
    this.onRequest?.({ method, url, headers, body: text, status: response.status });
    const isJSON = /json\b/.test(response.headers.get("Content-Type") ?? "");
    const document = isJSON && answer ? JSON.parse(answer) : null;
    if (response.ok || response.status === 304) {
      return { status: response.status, headers: response.headers, body: document, received: performance.now() };
    }
    const retryAfter = Number(response.headers.get("Retry-After")) || 0;
    throw new DeckProblem({ title: response.statusText, ...document, status: response.status, retryAfter });
  }
}

const INCLUDE = "motion,labels,data";
const QUEUE_LIMIT = 256;

export class DeckSession extends EventTarget {
  #queue = [];
  #isSending = false;
  #offset = -Infinity;
  #lastAt = 0;
  #heard = 0;
  #ended = new AbortController();

  constructor(client, document, answer) {
    super();
    Object.assign(this, { client, isConnected: true, info: {}, frame: null });
    this.#learn(document, answer);
  }

  #learn({ frame, ...info }, answer) {
    this.info = { ...this.info, ...info };
    ({ id: this.id, token: this.token } = this.info);
    if (frame) this.#hear(frame, answer);
  }

  /** The session's time, as far as it is known: never after what the server's clock says. */
  get now() {
    return performance.now() + this.#offset;
  }

  #hear(frame, { received = performance.now() } = {}) {
    this.#offset = Math.max(this.#offset, frame.at - received);
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #connect(isConnected, problem) {
    if (problem) this.tell("problem", problem);
    if (this.isConnected !== isConnected) this.tell("connection", (this.isConnected = isConnected));
  }

  /** Takes in a frame that came by whichever way; one that is older than what is known is left out. */
  #show(frame, notifications = [], answer = {}) {
    for (const notification of notifications) {
      if (notification.seq === undefined || notification.seq > this.#heard) this.tell("notification", notification);
      this.#heard = Math.max(this.#heard, notification.seq ?? 0);
    }
    if (!frame) return;
    this.#hear(frame, answer);
    const known = this.frame;
    const isOlder = known && (frame.version < known.version || (frame.version === known.version && frame.at < known.at));
    // A server that was killed may have forgotten where a finger was, and counts from an earlier version.
    if (isOlder && !answer.isFirst && frame.at < known.at + 1000) return;
    this.frame = frame;
    this.tell("frame", frame);
  }

  async #call(method, path = "", options = {}) {
    const token = this.token ?? this.client.key;
    return this.client.request(method, `/v1/sessions/${this.id}${path}`, { signal: this.#ended.signal, ...options, token });
  }

  async get() {
    const answer = await this.#call("GET");
    this.#learn(answer.body, answer);
    return this.info;
  }

  async patch(settings) {
    const answer = await this.#call("PATCH", "", { body: settings });
    this.#learn(answer.body, answer);
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
    const answer = await this.#call("GET", "/frame", { query: { include: INCLUDE } });
    this.#show(answer.body, [], answer);
    return answer.body;
  }

  async verdicts(query = {}) {
    return (await this.#call("GET", "/verdicts", { query })).body.verdicts;
  }

  async rehearse(event) {
    return (await this.#call("POST", "/events", { body: event, query: { dryRun: true, frame: "none" }, unkeyed: true })).body;
  }

  /** Where a finger is. Only the newest matters, so that one that is lost, late or refused is not sent again. */
  async sendMove(event) {
    const body = { ...event, at: this.#stamp() };
    const query = { include: INCLUDE };
    return (await this.#call("POST", "/events", { body, query, unkeyed: true, attempts: 1, timeout: 5000 })).body;
  }

  #stamp() {
    this.#lastAt = Math.max(this.#lastAt, Math.floor(this.now * 1000) / 1000, 0);
    return this.#lastAt;
  }

  send(events) {
    const list = [events].flat();
    if (this.#queue.reduce((sum, entry) => sum + entry.events.length, list.length) > QUEUE_LIMIT) {
      return Promise.reject(new DeckProblem({ type: "queue-full", title: "Too many events wait for the network." }));
    }
    const isTimed = this.info.clock !== "manual";
    return new Promise((resolve, reject) => {
      const stamped = list.map((event) => (isTimed ? { at: this.#stamp(), ...event } : event));
      this.#queue.push({ events: stamped, resolve, reject });
      this.#sendQueue();
    });
  }

  async #sendQueue() {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#queue.length) {
      const entries = this.#queue.splice(0);
      try {
        await this.#deliver(entries);
      } catch (problem) {
        // One that cannot be read refuses all: the others are sent by themselves.
        if (entries.length > 1 && problem.status >= 400) {
          for (const entry of entries) await this.#deliver([entry]).catch(entry.reject);
        } else for (const entry of entries) entry.reject(problem);
      }
    }
    this.#isSending = false;
  }

  async #deliver(entries) {
    let events = entries.flatMap((entry) => entry.events);
    let key = crypto.randomUUID();
    for (let failures = 0; ; failures++) {
      try {
        const body = events.length === 1 ? events[0] : { events };
        const headers = { "Idempotency-Key": `"${key}"` };
        const answer = await this.#call("POST", "/events", { body, headers, query: { include: INCLUDE }, attempts: 1 });
        this.#connect(true);
        return this.#settle(entries, answer);
      } catch (problem) {
        const isUnderWay = problem.type === "/problems/request-under-way";
        if (problem.type === "/problems/time-runs-backwards" && this.info.clock !== "manual" && events.some((event) => "at" in event)) {
          // Somebody else came in between, or the clocks differ: nothing was done, and now is near enough.
          events = events.map(({ at, ...event }) => event);
          key = crypto.randomUUID();
          this.#offset = -Infinity;
          await this.refresh().catch(() => {});
        } else if (!(problem.isTransient || isUnderWay) || this.#ended.signal.aborted) throw problem;
        else {
          if (problem.status === 0) this.#connect(false, problem);
          await backOff(failures, problem, this.#ended.signal);
        }
      }
    }
  }

  #settle(entries, answer) {
    const { results, notifications, frame } = answer.body;
    for (const result of results) if (!result.applied || result.reason) this.tell("refused", result);
    this.#show(frame, notifications, answer);
    let done = 0;
    for (const { events, resolve } of entries) resolve(results.slice(done, (done += events.length)));
  }

  async watch({ delivery = "stream", interval = 250, fps = 30, signal = this.#ended.signal } = {}) {
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        const heard = (isConnected) => (isConnected && (failures = 0), this.#connect(true));
        if (delivery === "stream") await this.#readStream(fps, signal, heard);
        else await this.#poll(delivery, interval, signal, heard);
      } catch (problem) {
        if (signal.aborted) return;
        if (problem instanceof DeckProblem && !problem.isTransient) throw problem;
        this.#connect(false, problem);
        await backOff(failures, {}, signal);
      }
    }
  }

  async #poll(delivery, interval, signal, heard) {
    let [tag, isFirst] = [null, true];
    while (!signal.aborted) {
      const headers = tag ? { "If-None-Match": tag } : {};
      if (tag && delivery === "longpoll") headers.Prefer = "wait=25";
      const query = { include: INCLUDE, since: this.#heard };
      const answer = await this.#call("GET", "/frame", { query, headers, signal, attempts: 1, timeout: 40000 });
      heard(true);
      if (answer.body) {
        this.#show(answer.body, answer.body.notifications, { ...answer, isFirst });
        isFirst = false;
      }
      tag = answer.headers.get("ETag");
      if (delivery === "poll" || !tag) await new Promise((resolve) => setTimeout(resolve, tag ? interval : Math.min(interval, 100)));
    }
  }

  async #readStream(fps, signal, heard) {
    const cut = new AbortController();
    const query = { fps, include: INCLUDE, since: this.#heard };
    const { stream } = await this.#call("GET", "/stream", {
      query, signal: AbortSignal.any([signal, cut.signal]), attempts: 1, timeout: 0, asStream: true,
    });
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    let [text, isFirst, alarm] = ["", true, 0];
    try {
      for (;;) {
        // The server sends something every 15 seconds; a connection that is silent for longer is dead.
        alarm = setTimeout(() => cut.abort(), 35000);
        const { value, done } = await reader.read();
        clearTimeout(alarm);
        if (done) throw new DeckProblem({ detail: "The stream has ended." });
        heard(true);
        const blocks = (text + value).split("\n\n");
        text = blocks.pop();
        for (const block of blocks) {
          const [, type] = /^event: ?(.*)$/m.exec(block) ?? [];
          const [, data] = /^data: ?(.*)$/m.exec(block) ?? [];
          if (type === "notification") this.#show(null, [JSON.parse(data)]);
          if (type !== "frame") continue;
          this.#show(JSON.parse(data), [], { isFirst });
          isFirst = false;
        }
      }
    } finally {
      clearTimeout(alarm);
      reader.cancel().catch(() => {});
    }
  }
}

// ---- The view.

/** Much like Koloda's spring, for the time until the server says how a card goes back. */
const SPRING = "cubic-bezier(0.2, 0.7, 0.3, 1.15)";

const div = (className, style, parent) => {
  const element = document.createElement("div");
  Object.assign(element, { className });
  Object.assign(element.style, { position: "absolute", left: 0, top: 0, ...style });
  parent.append(element);
  return element;
};

/** A card on the page: `element` turns and moves, and its `face` lies in the card's rectangle. */
class CardElement {
  constructor(stage) {
    const full = { width: "100%", height: "100%" };
    this.element = div("deckd-card", { ...full, pointerEvents: "none" }, stage);
    this.face = div("deckd-face", { transformOrigin: "0 0" }, this.element);
    this.content = div("deckd-content", full, this.face);
    this.overlay = div("deckd-overlay", full, this.face);
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-roledescription", "card");
  }

  set(card, steps) {
    const [a, b, , , x, y] = card.matrix ?? [1, 0, 0, 1, 0, 0];
    const { element, face } = this;
    this.size = { width: card.frame.width / card.contentScale.x, height: card.frame.height / card.contentScale.y };
    this.pose = {
      frame: card.frame, translation: { x, y }, rotation: Math.atan2(b, a), scale: Math.hypot(a, b), anchor: card.anchor,
      opacity: card.opacity, overlayAlpha: card.overlay?.alpha ?? 0, direction: card.overlay?.direction,
      transform: card.matrix3d ? `matrix3d(${card.matrix3d})` : "none",
    };
    Object.assign(this, { card, steps });
    element.style.zIndex = card.z;
    Object.assign(element.dataset, { role: card.role, index: card.index });
    element.setAttribute("aria-label", `${card.label ?? card.id}, ${card.position}`);
    element.setAttribute("aria-hidden", card.role === "background" || card.role === "leaving");
    Object.assign(face.style, { width: `${this.size.width}px`, height: `${this.size.height}px` });
    face.style.pointerEvents = card.interactive ? "auto" : "none";
  }

  poseAt(time) {
    const pose = { ...this.pose };
    for (const step of this.steps) pose[step.property] = step.at(time);
    return pose;
  }

  draw(pose) {
    const { frame, translation, rotation, scale, opacity, transform, overlayAlpha, direction } = pose;
    const pivot = pivotOf(pose);
    Object.assign(this.element.style, {
      transformOrigin: `${pivot.x}px ${pivot.y}px`, translate: `${translation.x}px ${translation.y}px`, rotate: `${rotation}rad`, scale, opacity, transform,
    });
    const [x, y] = [frame.width / this.size.width, frame.height / this.size.height];
    this.face.style.transform = `translate(${frame.x}px,${frame.y}px) scale(${x},${y})`;
    this.overlay.style.opacity = overlayAlpha;
    if (direction) this.overlay.dataset.direction = direction;
  }
}

const pivotOf = ({ frame, anchor }) => ({ x: frame.x + anchor.x * frame.width, y: frame.y + anchor.y * frame.height });

/** The same look about another anchor. */
function anchored(pose, anchor) {
  const [from, to] = [pivotOf(pose), pivotOf({ ...pose, anchor })];
  const moved = plus(plus(from, pose.translation), rotate(plus(to, from, -1), pose.rotation), pose.scale);
  return { ...pose, anchor, translation: plus(moved, to, -1) };
}

export class DeckView {
  #cards = new Map();
  #held = null;
  #isTelling = false;
  #scale = 1;
  #tick = 0;
  #ended = new AbortController();

  constructor(element, session, options = {}) {
    const render = (card, content) => void (content.textContent = card.label ?? card.id);
    Object.assign(this, { element, session, options: { label: "Cards", render, ...options } });
    element.replaceChildren();
    this.stage = div("deckd-stage", { direction: "ltr", transformOrigin: "0 0" }, element);
    this.live = div("deckd-live", { width: "1px", height: "1px", overflow: "hidden", clipPath: "inset(50%)" }, element);
    this.live.setAttribute("aria-live", "polite");
    const attributes = { role: "group", "aria-label": this.options.label, "aria-roledescription": "card deck", tabindex: 0 };
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.style.touchAction = "none";
    this.observer = new ResizeObserver(() => this.#fit());
    this.#listen();
  }

  #listen() {
    const { element, session, options } = this;
    const { signal } = this.#ended;
    const on = (target, handlers) => {
      for (const [type, handler] of Object.entries(handlers)) target.addEventListener(type, handler, { signal });
    };
    on(session, { frame: ({ detail }) => this.#apply(detail) });
    if (!options.isReadOnly) {
      on(session, { refused: ({ detail }) => this.#say(`${detail.type}: ${detail.reason.replaceAll("-", " ")}`) });
      on(element, {
        pointerdown: (event) => this.#take(event),
        pointermove: (event) => this.#move(event),
        pointerup: (event) => this.#release(event),
        pointercancel: (event) => this.#release(event, true),
        keydown: (event) => this.#press(event),
      });
      const stillness = matchMedia("(prefers-reduced-motion: reduce)");
      const calm = () => session.patch({ motion: { reduced: stillness.matches || null } }).catch(() => {});
      if (stillness.matches !== session.info.motion.reduced) calm();
      on(stillness, { change: calm });
    }
    const begin = async () => {
      await session.refresh();
      this.observer.observe(element);
      await session.watch({ ...options, signal });
    };
    begin().catch((problem) => session.tell("problem", problem));
  }

  close() {
    this.#ended.abort();
    this.observer.disconnect();
    cancelAnimationFrame(this.#tick);
    this.element.replaceChildren();
  }

  #say(text) {
    if (this.live.textContent !== text) this.live.textContent = text;
  }

  async #send(event) {
    try {
      return (await this.session.send(event))[0];
    } catch (problem) {
      this.session.tell("problem", problem);
    }
  }

  /** Who may change the session makes it as large as the element; who only looks sees it scaled. */
  #fit() {
    const { clientWidth: width, clientHeight: height } = this.element;
    const { info } = this.session;
    if (!width || !height) return;
    if (this.options.isReadOnly) this.#scale = Math.min(width / info.viewport.width, height / info.viewport.height);
    else if (info.viewport.width !== width || info.viewport.height !== height) {
      Object.assign(info, { viewport: { width, height }, screen: { width: innerWidth, height: innerHeight } });
      this.#send({ type: "resize", viewport: info.viewport, screen: info.screen });
    }
    const { viewport } = info;
    Object.assign(this.stage.style, { width: `${viewport.width}px`, height: `${viewport.height}px`, scale: this.#scale });
  }

  #apply(frame) {
    const held = this.#held;
    if (held) {
      // While a finger is here, or its release is not answered, the card is where the finger has it.
      held.denied = frame.drag?.reason === "direction-denied" ? frame.drag.direction : held.denied;
      const isSame = frame.cards[0]?.index === held.index;
      if (frame.dragging || (held.isReleased ? frame.version <= held.version : isSame)) {
        if (frame.dragging) held.version = frame.version;
        return;
      }
      this.#held = null;
    }
    const steps = (frame.motion ?? []).map((step) => new Step(step));
    const whole = (property) => steps.find((step) => step.card === null && step.property === property);
    Object.assign(this, { frame, steps, scroll: whole("scroll"), isAppearing: Boolean(whole("scale")) });
    this.scrolled = this.scroll?.at(frame.at) ?? 0;
    const former = this.#cards;
    this.#cards = new Map();
    for (const card of frame.cards) this.#place(card, former);
    for (const { element } of former.values()) element.remove();
    this.#describe(frame);
    this.#draw();
  }

  #place(card, former) {
    // A card that leaves keeps its element. In a loop the same card may be in front again meanwhile.
    const isLeaving = card.role === "leaving";
    const key = isLeaving ? `${card.index} leaving` : card.index;
    const found = isLeaving && !former.has(key) ? card.index : key;
    const shown = former.get(found) ?? new CardElement(this.stage);
    former.delete(found);
    this.#cards.set(key, shown);
    const content = JSON.stringify([card.id, card.data, card.label]);
    if (shown.shows !== content) this.options.render(card, shown.content);
    shown.shows = content;
    // What grows into view as a whole is drawn as the frames come.
    shown.set(card, this.isAppearing ? [] : this.steps.filter((step) => step.card === card.index));
  }

  #describe({ accessibility, exhausted }) {
    this.element.toggleAttribute("data-exhausted", exhausted);
    if (!accessibility) return;
    const { actions, announcement } = accessibility;
    this.element.setAttribute("aria-keyshortcuts", actions.flatMap(({ key }) => key ?? []).join(" "));
    if (this.announcement && this.announcement !== announcement) this.#say(announcement);
    this.announcement = announcement;
  }

  // A finger.

  #take(event) {
    const { frame, session } = this;
    const front = this.#cards.get(frame?.cards[0]?.index);
    if (this.#held || !front?.card.interactive || event.button || !event.isPrimary) return;
    const isFlip = session.info.layout.type === "flip";
    if (!isFlip && !front.element.contains(event.target)) return;
    this.element.setPointerCapture(event.pointerId);
    const start = this.#point(event);
    this.#held = {
      pointer: event.pointerId, index: front.card.index, front, start, isFlip, translation: ORIGIN, way: 0,
      samples: [{ time: event.timeStamp, ...ORIGIN }],
      location: this.#inCard(start, front.poseAt(session.now)), version: frame.version,
      scrolled: this.scroll?.at(session.now) ?? this.scrolled,
    };
  }

  #point({ clientX, clientY }) {
    const { left, top } = this.element.getBoundingClientRect();
    return { x: (clientX - left) / this.#scale, y: (clientY - top) / this.#scale };
  }

  #inCard(point, pose) {
    const pivot = pivotOf(pose);
    const turned = rotate(plus(plus(point, pivot, -1), pose.translation, -1), -pose.rotation);
    return plus(plus(pivot, turned, 1 / pose.scale), pose.frame, -1);
  }

  #move(event) {
    const held = this.#held;
    if (held?.pointer !== event.pointerId || held.isReleased) return;
    const way = plus(this.#point(event), held.start, -1);
    held.translation = permitted(way, this.session.info.rules);
    held.way = Math.max(held.way, Math.hypot(way.x, way.y));
    held.samples = [...held.samples.slice(-20), { time: event.timeStamp, ...held.translation }];
    this.#draw();
    if (held.way > 3) this.#tell(held);
  }

  /** Says where the finger is: one request at a time, and then the newest place. */
  async #tell(held) {
    held.isNews = true;
    if (this.#isTelling || !this.session.isConnected) return;
    this.#isTelling = true;
    while (held.isNews && held === this.#held && !held.isReleased) {
      held.isNews = false;
      const { translation, location } = held;
      // One that is lost does not matter: the next, or the release, says where the finger is.
      const answer = await this.session.sendMove({ type: "drag", phase: "changed", translation, location }).catch(() => null);
      const [result] = answer?.results ?? [];
      if (!result || held !== this.#held) continue;
      if (!result.applied) {
        this.#held = null;
        this.session.tell("refused", result);
      }
      this.#apply(answer.frame);
    }
    this.#isTelling = false;
  }

  async #release(event, isCancelled = false) {
    const held = this.#held;
    if (held?.pointer !== event.pointerId || held.isReleased) return;
    if (held.way <= 3) {
      this.#held = null;
      this.#draw();
      if (!isCancelled) this.#send({ type: "tap" });
      return;
    }
    held.isReleased = true;
    const { translation, location } = held;
    const speed = velocity(held.samples, event.timeStamp);
    const outcome = this.#expect(held, speed, isCancelled);
    const end = { type: "drag", phase: "ended", translation, location, velocity: speed };
    const result = await this.#send(isCancelled ? { type: "drag", phase: "cancelled" } : end);
    // The settings may have been changed from elsewhere.
    if (result && result.outcome !== outcome) this.session.get().catch(() => {});
    if (this.#held === held) this.#held = null;
    this.#apply(this.session.frame);
  }

  /** Lets the card go where the server is going to say, so that nobody waits for the network. */
  #expect({ isFlip, front, drawn, reading, denied }, speed, isCancelled) {
    if (isFlip) return "scrolled";
    const { rules, motion, viewport, screen } = this.session.info;
    const { outcome, direction } = release(reading, speed, rules, [...rules.deniedDirections, denied]);
    const swipes = outcome === "swiped" && !isCancelled;
    const { now } = this.session;
    front.pose = drawn;
    const step = (property, to, duration, easing) =>
      front.steps.push(new Step({ property, from: drawn[property], to, start: now, duration, easing }));
    front.steps = [];
    if (swipes && motion.reduced) step("opacity", 0, motion.backgroundDuration, "ease");
    else if (swipes) {
      const [px, py] = POINTS[direction];
      const reach = Math.max(screen.width, screen.height);
      const y = py ? py * (viewport.height + reach) : viewport.height / 2;
      step("translation", { x: px * (viewport.width + reach), y }, motion.dragSpeed, "ease");
    } else {
      step("translation", ORIGIN, motion.reduced ? 0 : 400, SPRING);
      step("rotation", 0, motion.resetDuration, "ease");
      step("scale", 1, motion.resetDuration, "ease");
      step("overlayAlpha", 0, motion.resetDuration, "ease");
    }
    this.steps = front.steps;
    this.#draw();
    return isCancelled ? "reset" : outcome;
  }

  // Drawing: what moves by itself, and what a finger holds.

  #draw() {
    const { session, scroll, steps } = this;
    const { now } = session;
    const held = this.#held;
    cancelAnimationFrame(this.#tick);
    if (session.info.layout.type === "flip") {
      const offset = held ? held.scrolled + held.translation.y : (scroll?.at(now) ?? 0);
      this.#drawPile(offset - this.scrolled);
    } else {
      const cards = [...this.#cards.values()];
      if (held && !held.isReleased) held.reading = this.#drawHeld(held, now);
      for (const [place, shown] of cards.entries()) {
        if (held && shown === held.front && !held.isReleased) continue;
        const pose = shown.poseAt(now);
        if (held && !shown.card.role.startsWith("l")) this.#follow(pose, place, cards, held.reading?.percentage ?? 0);
        shown.draw(pose);
      }
    }
    if (steps.some((step) => now < step.end)) this.#tick = requestAnimationFrame(() => this.#draw());
  }

  #drawHeld(held, now) {
    const { rules, motion, overlay: settings } = this.session.info;
    const { front, location, translation } = held;
    const { size } = front;
    const transform = dragTransform(translation, location, size, motion);
    const reading = dragReading(translation, size, front.card.allowedDirections, dragExtent(size, transform, motion));
    const pose = anchored(front.poseAt(now), { x: location.x / size.width, y: location.y / size.height });
    pose.translation = plus(pose.translation, transform.translation);
    pose.rotation += transform.rotation;
    pose.scale *= transform.scale;
    const { direction, alpha } = overlay(reading, rules, settings) ?? { alpha: 0 };
    held.drawn = { ...pose, overlayAlpha: alpha, direction };
    front.draw(held.drawn);
    return reading;
  }

  /** A card behind moves towards the place before its own, and the next one becomes opaque. */
  #follow(pose, place, cards, part) {
    const { motion, appearance } = this.session.info;
    if (!motion.moveBackground || !place) return;
    const before = cards[place - 1];
    pose.frame = between(pose.frame, before.steps.find(({ property }) => property === "frame")?.to ?? before.card.frame, part);
    if (place === 1 && appearance.fadeNext) pose.opacity = mix(pose.opacity, appearance.opaque, part);
  }

  #drawPile(way) {
    const { layout, viewport, appearance } = this.session.info;
    for (const shown of this.#cards.values()) {
      const ratio = shown.card.frame.width / layout.cardWidth;
      const place = ratio < 0.99999 ? (1 - ratio) / layout.scaleStep : shown.card.opacity / appearance.opaque - 1;
      const { frame, opacity, angle } = flipSlot(place - way / layout.spacing, layout, viewport);
      const transform = `perspective(${layout.perspective}px) rotateX(${angle}rad)`;
      const look = way ? { frame, opacity: opacity * appearance.opaque, transform } : {};
      shown.draw({ ...shown.pose, ...look });
    }
  }

  // Keys.

  #press(event) {
    const { frame, session } = this;
    const { key } = event;
    if (event.target !== this.element || event.altKey || !frame) return;
    const letter = (event.ctrlKey || event.metaKey) && key.toLowerCase();
    const undoes = letter === "z" || key === "Backspace";
    const way = !letter && /^Arrow(.*)/.exec(key)?.[1].toLowerCase();
    let action = null;
    if (letter === "y" || (undoes && event.shiftKey)) action = { type: "redo" };
    else if (undoes) action = { type: "revert", direction: "origin" };
    else if ((key === "Enter" || key === " ") && !event.repeat) action = { type: "tap" };
    else if (way && session.info.layout.type !== "flip") action = { type: "swipe", direction: way };
    else if (way) {
      const step = way === "down" || way === "right" ? 1 : frame.cardCount - 1;
      action = { type: "move", to: (frame.currentIndex + step) % frame.cardCount };
    }
    if (!action) return;
    event.preventDefault();
    this.#send(action);
  }
}
