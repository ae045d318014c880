// A session on a page: a finger, keys, and frames that are drawn. The last part of /deckd.js, after card.js.

const ORIGIN = { x: 0, y: 0 };
const plus = (one, other, factor = 1) => ({ x: one.x + other.x * factor, y: one.y + other.y * factor });

/** The finger's velocity at a time, points per second, from its samples of the last 100 ms. */
function velocity(samples, now) {
  const recent = samples.filter(({ time }) => now - time <= 100);
  const [first, last] = [recent[0], recent.at(-1)];
  const span = last?.time - first?.time;
  return span >= 20 ? plus(ORIGIN, plus(last, first, -1), 1000 / span) : ORIGIN;
}

/** The cards of a frame by keys that they keep. In a loop, one that leaves may be there again in front. */
function byKey(cards) {
  const all = new Map();
  for (const card of cards) {
    let key = card.role === "leaving" ? `${card.id} leaving` : card.id;
    while (all.has(key)) key += " too";
    all.set(key, card);
  }
  return all;
}

/**
 * The key of the same card among `others`, whose cards `cardOf` gives; undefined: it was not there. A card that leaves was in front
 * before, and one that comes back was leaving, unless it still is.
 */
function ofSame(key, { id, role }, others, cardOf, cards) {
  if (others.has(key)) return key;
  const other = role === "leaving" ? id : `${id} leaving`;
  if (!others.has(other)) return undefined;
  const isOther = role === "leaving" ? cardOf(others.get(other)).role === "background" : cards.has(other);
  return isOther && cards.has(other) ? undefined : other;
}

export class DeckView {
  #cards = new Map();
  /** Elements of cards that a correction has removed. */
  #fading = new Set();
  #held = null;
  #tick = 0;
  #passedAt = 0;
  #ended = new AbortController();

  constructor(element, session, options = {}) {
    const render = (card, content) => void (content.textContent = card.label ?? card.id);
    Object.assign(this, { element, session, frame: null, options: { label: "Cards", render, ...options } });
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
    on(session, "correction", ({ detail }) => this.#correct(detail));
    on(session, "frame", () => this.#draw());
    if (!options.isReadOnly) {
      on(session, "refused", ({ detail }) => this.#refuse(detail));
      on(element, "pointerdown", (event) => this.#take(event));
      on(element, "pointermove", (event) => this.#move(event));
      on(element, "pointerup", (event) => this.#release(event));
      on(element, "pointercancel", (event) => this.#release(event, true));
      on(element, "keydown", (event) => this.#press(event));
      const stillness = matchMedia("(prefers-reduced-motion: reduce)");
      const usual = session.info.motion.reduced;
      const calm = () => session.patch({ motion: { reduced: stillness.matches || usual } }).catch(() => {});
      on(stillness, "change", calm);
      if (stillness.matches && !usual) calm();
    }
    this.observer.observe(element);
    if (session.frame) this.#draw();
    await session.watch({ ...options, signal });
  }

  close() {
    this.#ended.abort();
    this.observer.disconnect();
    cancelAnimationFrame(this.#tick);
    this.element.replaceChildren();
  }

  get #isFlip() {
    return this.session.info.layout.type === "flip";
  }

  #say(text) {
    this.live.textContent = text;
  }

  #refuse({ type, reason }) {
    if (type === "drag") this.#held = null;
    this.#say(`${type}: ${reason.replaceAll("-", " ")}`);
  }

  #send(event) {
    return this.session.send(event).then(([result]) => result).catch((problem) => this.session.tell("problem", problem));
  }

  /** A read-only view is scaled. */
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

  // -- What is shown

  /** Draws the session as it is now, and again at the next frame of the display while anything moves. */
  #draw() {
    cancelAnimationFrame(this.#tick);
    if (this.#ended.signal.aborted) return;
    const frame = this.session.frameAt(this.session.now);
    this.frame = frame;
    this.#show(frame.cards);
    this.#announce(frame.accessibility);
    const isMoving = frame.animating || this.#fading.size || [...this.#cards.values()].some(({ correction }) => correction);
    if (isMoving && this.session.isPredicting) this.#tick = requestAnimationFrame((time) => this.#drawFrame(time));
  }

  /** The display starts a frame. */
  #drawFrame(time) {
    this.#pass(time - this.#passedAt);
    this.#passedAt = time;
    this.#draw();
  }

  #show(cards) {
    const former = this.#cards;
    const shown = byKey(cards);
    const elements = new Map();
    // A card that leaves keeps its element, and so does one that comes back.
    for (const [key, card] of [...shown].sort(([, one], [, other]) => (other.role === "leaving") - (one.role === "leaving"))) {
      const found = ofSame(key, card, former, (element) => element.card, shown);
      elements.set(key, former.get(found) ?? new CardElement(this.stage));
      former.delete(found);
    }
    this.#cards = new Map([...shown.keys()].map((key) => [key, elements.get(key)]));
    for (const [key, card] of shown) elements.get(key).show(card, this.options.render);
    for (const { element } of former.values()) element.remove();
  }

  #announce(accessibility) {
    const keys = accessibility.actions.map(({ key }) => key).join(" ");
    if (keys !== this.keys) describe(this.element, { "aria-keyshortcuts": (this.keys = keys) });
    if (this.announcement && this.announcement !== accessibility.announcement) this.#say(accessibility.announcement);
    this.announcement = accessibility.announcement;
  }

  /** Cards that were predicted elsewhere move to where they are. */
  #correct({ before, after }) {
    const [shown, wanted] = [byKey(before.cards), byKey(after.cards)];
    const same = (key, card, others, cards) => ofSame(key, card, others, (other) => other, cards);
    for (const [key, card] of wanted) {
      const found = same(key, card, shown, wanted);
      const element = this.#cards.get(found) ?? this.#cards.get(key);
      if (found && element) element.correction = Correction.between(shown.get(found), element.correction, card);
      else if (before.version !== after.version && !element) this.#appear(key, card);
    }
    for (const [key, card] of shown) {
      const element = this.#cards.get(key);
      if (same(key, card, wanted, shown) || !element) continue;
      this.#cards.delete(key);
      this.#fading.add(element);
    }
  }

  #appear(key, card) {
    const element = new CardElement(this.stage);
    element.correction = Correction.appearing(card);
    this.#cards.set(key, element);
  }

  /** Some milliseconds have passed since the frame of the display before. */
  #pass(milliseconds) {
    for (const shown of this.#cards.values()) {
      if (!shown.correction || !shown.card) continue;
      shown.correction.pass(milliseconds, shown.card);
      if (shown.correction.isOver) shown.correction = null;
    }
    for (const shown of this.#fading) {
      const { style } = shown.element;
      style.opacity = Math.max(0, style.opacity - Math.min(milliseconds * CORRECTION_SPEED, 0.16));
      if (Number(style.opacity) > 0) continue;
      shown.element.remove();
      this.#fading.delete(shown);
    }
  }

  // -- A finger

  #take(event) {
    const { session } = this;
    if (this.#held || event.button || !event.isPrimary || !this.frame) return;
    const { cards } = session.frameAt(session.now);
    const [front] = cards;
    if (!front?.interactive) return;
    if (!this.#isFlip && !this.#cards.get(front.id)?.element.contains(event.target)) return;
    this.element.setPointerCapture(event.pointerId);
    const start = this.#point(event);
    const [, , , , x, y] = front.matrix ?? [1, 0, 0, 1, 0, 0];
    this.#held = {
      pointer: event.pointerId, start, translation: ORIGIN, samples: [{ time: event.timeStamp, ...ORIGIN }],
      location: plus(plus(start, { x, y }, -1), front.frame, -1),
      // Nothing is decided on a card that is not seen; a carousel may be scrolled from wherever it is.
      card: this.#isFlip ? {} : { id: front.id }, front: front.id,
    };
  }

  #point({ clientX: x, clientY: y }) {
    // Who can touch it sees it unscaled.
    return plus({ x, y }, this.element.getBoundingClientRect(), -1);
  }

  #move(event) {
    const held = this.#held;
    if (held?.pointer !== event.pointerId) return;
    held.translation = plus(this.#point(event), held.start, -1);
    held.samples.push({ time: event.timeStamp, ...held.translation });
    const { translation, location, card } = held;
    const front = this.#cards.get(held.front);
    held.isDrag ||= Math.hypot(translation.x, translation.y) > 3;
    // Before it is a drag, the card follows the finger on the page only.
    if (front && !this.#isFlip) front.correction = held.isDrag ? null : Correction.moved(translation);
    if (!held.isDrag) return this.#draw();
    this.session.move({ ...card, type: "drag", phase: "changed", translation, location });
  }

  #release(event, isCancelled = false) {
    const held = this.#held;
    if (held?.pointer !== event.pointerId) return;
    this.#held = null;
    const { translation, location, samples, card, isDrag } = held;
    const phase = isCancelled ? "cancelled" : "ended";
    if (isDrag) this.#send({ ...card, type: "drag", phase, translation, location, velocity: velocity(samples, event.timeStamp) });
    else if (!isCancelled) this.#send({ ...card, type: "tap" });
  }

  // -- Keys and calls

  /** Swipes the card that is in front, if there is one. */
  swipe(direction, options) {
    return this.#act({ ...options, type: "swipe", direction });
  }

  /** Turns the card that is in front over. */
  flip() {
    return this.#act({ type: "flip" });
  }

  /** Takes the last swipe back. */
  revert() {
    return this.#send({ type: "revert", direction: "origin" });
  }

  /** Does a reverted swipe again. */
  redo() {
    return this.#send({ type: "redo" });
  }

  #act(event) {
    const front = this.frame?.cards.find(({ role }) => role === "front" || role === "returning");
    return this.#send(front ? { ...event, id: front.id } : event);
  }

  #press(event) {
    const { key, shiftKey } = event;
    const { frame } = this;
    if (event.target !== this.element || event.altKey || !frame) return;
    const letter = (event.ctrlKey || event.metaKey) && key.toLowerCase();
    const pressed = shiftKey ? `Shift+${key}` : key;
    const undoes = letter === "z" || key === "Backspace";
    let action = letter ? null : frame.accessibility.actions.find((one) => one.key === pressed)?.event;
    if (!action) {
      // An action that is not possible now is tried, so that its reason is announced.
      const side = !letter && !this.#isFlip && /^Arrow(.*)/.exec(pressed)?.[1].toLowerCase();
      if (letter === "y" || (undoes && shiftKey)) action = { type: "redo" };
      else if (undoes) action = { type: "revert", direction: "origin" };
      else if (key === "Enter" || key === " ") action = { type: "tap" };
      else if (side) action = { type: "swipe", direction: side };
      else return;
    }
    event.preventDefault();
    // A key that is held down decides on one card only.
    if (event.repeat) return;
    if (action.type === "swipe" || action.type === "tap") this.#act(action);
    else this.#send(action);
  }
}
