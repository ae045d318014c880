// Draws the frames of a session in an element, and handles its keys. The last part of /deckd.js, after finger.js.

/** The attributes that a view sets. */
const ATTRIBUTES = ["role", "aria-label", "aria-roledescription", "aria-keyshortcuts", "tabindex"];

/** The sessions whose motion a view has reduced, and those whose motion is being changed. */
const REDUCED = new WeakSet();
const CHANGING = new WeakSet();

/**
 * Reduces the motion of a session while the page prefers that, and restores it if it was a view that reduced it. The preference can change
 * again before the server has answered.
 */
async function calm(session, stillness) {
  if (CHANGING.has(session)) return;
  CHANGING.add(session);
  try {
    while (stillness.matches ? !session.info.motion.reduced : REDUCED.has(session)) {
      const { matches } = stillness;
      await session.patch({ motion: { reduced: matches } }, { attempts: Infinity });
      REDUCED[matches ? "add" : "delete"](session);
    }
  } catch {
    // The token does not allow it, or the session has ended.
  }
  CHANGING.delete(session);
}

/** Writes a card's label on its front. */
const write = (card, content) => void (content.textContent = card.face === "back" ? "" : (card.label ?? card.id));

/** Maps unique keys to the cards of a frame. A leaving card has another key, because in a loop its id can be in front again. */
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
 * Finds the key in `others` of the card that has `key` in `cards`; undefined if `others` does not have the card. `cardOf` gives the
 * card of a value of `others`. If the same key is missing, tries the card's other key: a leaving card was in front before, and a
 * returning card was leaving. In a loop `cards` can have both keys. The other key then belongs to another copy of the card, except
 * when the card leaves now and was not in the background in `others`.
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
  /** The elements of cards that a corrected prediction does not have any more. They fade out. */
  #fading = new Set();
  #finger = null;
  #tick = 0;
  #passedAt = 0;
  /** Whether the view may not resize its session. */
  #isFixed;
  /** The session's size that the view is scaled for. */
  #viewport;
  /** What `close` restores. */
  #former;
  #ended = new AbortController();

  constructor(element, session, { label = "Cards", ended = "This deck has ended.", render = write, ...options } = {}) {
    Object.assign(this, { element, session, frame: null, options: { label, ended, render, ...options } });
    this.#isFixed = this.options.isReadOnly;
    this.#former = { attributes: ATTRIBUTES.map((name) => [name, element.getAttribute(name)]), touchAction: element.style.touchAction };
    element.replaceChildren();
    this.stage = div("deckd-stage", element, { transformOrigin: "0 0", userSelect: "none", webkitUserSelect: "none" });
    this.live = div("deckd-live", element, { width: "1px", height: "1px", overflow: "hidden", clipPath: "inset(50%)" });
    this.live.ariaLive = "polite";
    describe(element, { role: "region", "aria-label": this.options.label, "aria-roledescription": "card deck", tabindex: 0 });
    this.observer = new ResizeObserver(() => this.#fit());
    this.#begin().catch((problem) => session.tell("problem", problem));
  }

  async #begin() {
    const { element, session, options } = this;
    const { signal } = this.#ended;
    const on = (target, type, handler) => target.addEventListener(type, handler, { signal });
    if (session.isEnded) return this.#end();
    on(session, "ended", () => this.#end());
    on(session, "correction", ({ detail }) => this.#correct(detail));
    on(session, "frame", () => this.#draw());
    if (!options.isReadOnly) {
      on(session, "refused", ({ detail }) => this.#refuse(detail));
      on(element, "keydown", (event) => this.#press(event));
      const [cardOf, draw, send] = [(id) => this.#cards.get(id), () => this.#draw(), (event) => this.#send(event)];
      this.#finger = new Finger({ element, stage: this.stage, session, cardOf, draw, send }, signal);
      const stillness = matchMedia("(prefers-reduced-motion: reduce)");
      on(stillness, "change", () => calm(session, stillness));
      calm(session, stillness);
    }
    this.observer.observe(element);
    if (session.frame) this.#draw();
    await session.watch({ ...options, signal });
  }

  #stop() {
    this.#ended.abort();
    this.observer.disconnect();
    cancelAnimationFrame(this.#tick);
    for (const shown of [...this.#cards.values(), ...this.#fading]) shown.remove();
    this.#cards.clear();
    this.#fading.clear();
  }

  close() {
    const { element } = this;
    const { attributes, touchAction } = this.#former;
    this.#stop();
    element.replaceChildren();
    element.style.touchAction = touchAction;
    const former = [...attributes, ["style", element.getAttribute("style") || null]];
    for (const [name, value] of former) value === null ? element.removeAttribute(name) : element.setAttribute(name, value);
  }

  /** Replaces the cards by a note that the session has ended. */
  #end() {
    this.#stop();
    this.element.style.touchAction = this.#former.touchAction;
    this.element.ariaKeyShortcuts = null;
    const full = { width: "100%", height: "100%" };
    const note = div("deckd-ended", this.element, { ...full, display: "grid", placeItems: "center", textAlign: "center" });
    note.append(this.options.ended);
    this.#say(note.textContent);
  }

  #say(text) {
    this.live.textContent = text;
  }

  #refuse({ type, reason, event }) {
    if (type === "drag") this.#finger.forget(event);
    this.#say(`${type === "drag" ? "The card goes back" : type}: ${reason.replaceAll("-", " ")}`);
  }

  #send(event) {
    const { session } = this;
    return session.send(event).then(([result]) => result).catch((problem) => void (session.isEnded || session.tell("problem", problem)));
  }

  /** The element has another size, which the session gets if the view may resize it. */
  #fit() {
    const { clientWidth: width, clientHeight: height } = this.element;
    const { info } = this.session;
    if (this.#ended.signal.aborted) return;
    // An element that is hidden or removed gets no further events of the finger.
    if (!width || !height) return this.#finger?.cancel();
    const former = info.viewport;
    if (!this.#isFixed && (former.width !== width || former.height !== height)) {
      const sizes = { viewport: { width, height }, screen: { width: innerWidth, height: innerHeight } };
      Object.assign(info, sizes);
      const retry = (problem) => {
        // The server has refused the size.
        if (problem.status) return this.#scale();
        info.viewport = former;
        setTimeout(() => this.#fit(), 1000);
      };
      this.session.send({ type: "resize", ...sizes }).then(([result]) => result.applied || this.#scale(), retry).catch(() => {});
    }
    this.#place(width, height);
  }

  /** The session has not been resized. */
  async #scale() {
    await this.session.get();
    this.#isFixed = true;
    this.#fit();
  }

  /** Scales what is shown to the element, and centres it. Another client can have given the session another size. */
  #place(width, height) {
    const { viewport } = this.session.info;
    const scale = Math.min(width / viewport.width, height / viewport.height);
    const translate = [width - viewport.width * scale, height - viewport.height * scale].map((rest) => `${rest / 2}px`).join(" ");
    this.#viewport = viewport;
    Object.assign(this.stage.style, viewport.width === width && viewport.height === height ? { scale: "", translate: "" } : { scale, translate });
    resize(this.stage, viewport);
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
    const { info } = this.session;
    if (info.viewport !== this.#viewport) this.#place(this.element.clientWidth, this.element.clientHeight);
    // A card can be draggable although its deck is not.
    if (!this.options.isReadOnly) this.element.style.touchAction = frame.cards.some((card) => card.interactive || info.rules.draggable) ? touchAction(info) : "auto";
    const isCorrected = this.#fading.size || [...this.#cards.values()].some(({ correction }) => correction);
    if (isCorrected || (frame.animating && this.session.isPredicting)) this.#tick = requestAnimationFrame((time) => {
      // Nothing was drawn while nothing moved.
      this.#pass(Math.min(time - this.#passedAt, 33));
      this.#passedAt = time;
      this.#draw();
    });
  }

  #show(cards) {
    const former = this.#cards;
    const shown = byKey(cards);
    const elements = new Map();
    // A card has the same element when it leaves and when it comes back. Leaving cards come first, so that they get theirs.
    for (const [key, card] of [...shown].sort(([, one], [, other]) => (other.role === "leaving") - (one.role === "leaving"))) {
      const found = ofSame(key, card, former, (element) => element.card, shown);
      elements.set(key, former.get(found) ?? new CardElement(this.stage, this.options));
      former.delete(found);
    }
    this.#cards = new Map([...shown.keys()].map((key) => [key, elements.get(key)]));
    for (const [key, card] of shown) elements.get(key).show(card);
    for (const shown of former.values()) shown.remove();
  }

  #announce({ actions, announcement }) {
    const keys = actions.map(({ key }) => key).join(" ");
    if (keys !== this.keys) this.element.ariaKeyShortcuts = this.keys = keys;
    if (this.announcement && this.announcement !== announcement) this.#say(announcement);
    this.announcement = announcement;
  }

  /** After a wrong prediction, moves cards smoothly to their right places. New cards fade in, and removed cards fade out. */
  #correct({ before, after }) {
    const [shown, wanted] = [byKey(before.cards), byKey(after.cards)];
    const same = (key, card, others, cards) => ofSame(key, card, others, (other) => other, cards);
    for (const [key, card] of wanted) {
      const found = same(key, card, shown, wanted);
      let element = this.#cards.get(found) ?? this.#cards.get(key);
      if (found && element) element.correction = Correction.between(shown.get(found), element.correction, card);
      else if (before.version !== after.version && !element) {
        element = new CardElement(this.stage, this.options);
        element.correction = Correction.appearing(card);
        this.#cards.set(key, element);
      }
    }
    for (const [key, card] of shown) {
      const element = this.#cards.get(key);
      if (same(key, card, wanted, shown) || !element) continue;
      this.#cards.delete(key);
      this.#fading.add(element);
    }
  }

  /** Advances corrections and fading cards by the time since the last frame of the display. */
  #pass(milliseconds) {
    for (const shown of this.#cards.values()) {
      if (!shown.correction || !shown.card) continue;
      shown.correction.pass(milliseconds, shown.card);
      if (shown.correction.isOver) shown.correction = null;
    }
    for (const shown of this.#fading) {
      const { style } = shown.element;
      style.opacity = Math.max(0, style.opacity - Math.min(milliseconds * CORRECTION_SPEED, 0.16));
      if (style.opacity > 0) continue;
      shown.remove();
      this.#fading.delete(shown);
    }
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
    const front = frontOf(this.frame);
    if (front) return this.#send({ ...event, id: front.id });
    // No card is in front, so the event is refused here. The server would get it later, and could apply it to a card that the
    // page did not show. With the engine, the prediction would refuse it.
    const refused = { type: event.type, applied: false, reason: "no-card", version: this.frame?.version ?? 0 };
    this.session.tell("refused", refused);
    return Promise.resolve(refused);
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
      // Sends an action that is not possible now as well, so that the reason of its refusal is announced.
      const side = !letter && this.session.info.layout.type !== "flip" && /^Arrow(.*)/.exec(pressed)?.[1].toLowerCase();
      if (letter === "y" || (undoes && shiftKey)) action = { type: "redo" };
      else if (undoes) action = { type: "revert", direction: "origin" };
      else if (key === "Enter" || key === " ") action = { type: "tap" };
      else if (side) action = { type: "swipe", direction: side };
      else return;
    }
    event.preventDefault();
    // A key that is held down decides on one card only.
    if (event.repeat) return;
    if (/swipe|tap/.test(action.type)) this.#act(action);
    else this.#send(action);
  }
}
