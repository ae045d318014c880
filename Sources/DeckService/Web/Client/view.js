// A session on a page: a finger, keys, and frames that are drawn. The last part of /deckd.js, after card.js.

export class DeckView {
  #cards = new Map();
  #held = null;
  #releases = 0;
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
      const usual = session.info.motion.reduced;
      const calm = () => session.patch({ motion: { reduced: stillness.matches || usual } }).catch(() => {});
      on(stillness, "change", calm);
      if (stillness.matches && !usual) calm();
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
    // Until every release is answered, the cards are where the finger has them.
    if (this.#releases || this.#ended.signal.aborted) return;
    if (this.#held && (frame.dragging || frame.cards[0]?.index === this.#held.front.card.index)) return;
    this.#held = null;
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
    // A card that leaves keeps its element, and so does one that comes back; in a loop it may be there twice.
    const keys = [card.index, `${card.index} leaving`];
    const isTwo = this.frame.cards.filter(({ index }) => index === card.index).length > 1;
    const key = this.#key(card);
    const found = former.has(key) || isTwo ? key : keys.find((other) => former.has(other));
    const shown = former.get(found) ?? new CardElement(this.stage);
    former.delete(found);
    this.#cards.set(key, shown);
    const content = JSON.stringify([card.id, card.data, card.label]);
    if (shown.shows !== content) this.options.render(card, shown.content);
    shown.shows = content;
    shown.set(card, this.steps.filter(({ z }) => z === card.z));
  }

  #key({ index, role }) {
    let key = role === "leaving" ? `${index} leaving` : index;
    while (this.#cards.has(key)) key += " too";
    return key;
  }

  #take(event) {
    const { session } = this;
    const [front] = this.#cards.values();
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
    held.translation = dragWay(way, this.session.info.rules);
    held.isDrag ||= Math.hypot(way.x, way.y) > 3;
    held.samples.push({ time: event.timeStamp, ...held.translation });
    this.#draw();
    if (held.isDrag) this.#tell(held);
  }

  /** One request at a time says where the finger is, and the newest place wins. */
  async #tell(held) {
    if (this.#isTelling || this.#releases || !this.session.isConnected) return;
    this.#isTelling = true;
    let told = null;
    while (held === this.#held && !held.isReleased && held.translation !== told) {
      const { translation, location } = held;
      told = translation;
      const answer = await this.session.sendMove({ ...this.#meant(held), type: "drag", phase: "changed", translation, location }).catch(() => null);
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
    const meant = this.#meant(held);
    if (!held.isDrag) {
      this.#held = null;
      this.#draw();
      this.#apply(this.session.frame);
      if (!isCancelled) this.#send({ ...meant, type: "tap" });
      return;
    }
    held.isReleased = true;
    const { translation, location } = held;
    const phase = isCancelled ? "cancelled" : "ended";
    const speed = velocity(held.samples, event.timeStamp);
    this.#letGo(held, speed, isCancelled);
    this.#releases++;
    await this.#send({ ...meant, type: "drag", phase, translation, location, velocity: speed });
    this.#releases--;
    if (this.#held === held) this.#held = null;
    this.#apply(this.session.frame);
  }

  /** Nothing is decided on a card that is not seen; a pile may be scrolled from wherever it is. */
  #meant({ front }) {
    return this.#isFlip ? {} : { id: front.card.id };
  }

  /** Lets the card go where the server is going to say; the front card can be taken again at once. */
  #letGo(held, speed, isCancelled) {
    if (this.#isFlip) return;
    const { front, drawn, reading } = held;
    const { rules, motion, viewport, screen } = this.session.info;
    const direction = isCancelled ? null : release(reading, speed, rules);
    let targets = { translation: ORIGIN, rotation: 0, scale: 1, overlayAlpha: 0 };
    // Without motion places are changed at once, and what leaves fades.
    const moving = (duration) => (motion.reduced ? 0 : duration);
    let timing = { duration: moving(400), easing: "cubic-bezier(0.2, 0.7, 0.3, 1.15)" };
    let others = { duration: moving(motion.resetDuration), easing: "linear" };
    if (direction) {
      const [px, py] = POINTS[direction];
      const reach = Math.max(screen.width, screen.height);
      const way = { x: px * (viewport.width + reach), y: py * (viewport.height + reach) || viewport.height / 2 };
      targets = motion.reduced ? { opacity: 0 } : { translation: way };
      timing = { duration: moving(motion.dragSpeed) || motion.backgroundDuration, easing: "ease" };
      others = { duration: moving(motion.backgroundDuration), easing: "ease" };
    }
    this.#held = null;
    // Its movement continues, except for fading.
    const rising = front.steps.filter(({ property }) => ["frame", "opacity"].includes(property) && !(property in targets));
    this.#settle(held, direction ? 1 : 0, others);
    Object.assign(front, { pose: drawn, steps: [...rising, ...this.#steps(targets, drawn, timing)] });
    this.#draw();
  }

  #steps(targets, from, timing) {
    const start = this.session.now;
    const steps = Object.entries(targets).map(([property, to]) => new Step({ ...timing, property, from: from[property], to, start }));
    this.steps = [...this.steps, ...steps];
    return steps;
  }

  /** Moves the cards behind the front one by a number of slots, or back to their own slots. */
  #settle({ front, reading }, places, timing) {
    const { now } = this.session;
    const shown = [...this.#cards.values()].filter(({ card }) => card.role !== "leaving");
    const cards = shown.map(({ card }) => card);
    const [poses, rests] = [now, now + 1e6].map((time) => shown.map((card) => card.poseAt(time)));
    for (let place = 1; place < shown.length; place++) {
      const { frame, contentScale, interactive } = cards[place - places];
      const { frame: rest, opacity } = rests[place - places];
      const role = place === places ? "front" : "background";
      const others = shown[place].steps.filter(({ property }) => !["frame", "opacity"].includes(property));
      const steps = this.#steps({ frame: rest, opacity }, this.#follow(poses, place, reading.percentage), timing);
      shown[place].set({ ...cards[place], role, frame, contentScale, interactive }, [...others, ...steps]);
    }
    if (!places) return;
    front.set({ ...front.card, role: "leaving", interactive: false }, []);
    this.#cards.delete(front.card.index);
    this.#cards.set(this.#key(front.card), front);
  }

  #draw() {
    const { now } = this.session;
    const held = this.#held;
    cancelAnimationFrame(this.#tick);
    if (this.#isFlip) this.#drawPile(held ? held.scrolled + held.translation.y : this.#scrolled());
    else {
      const cards = [...this.#cards.values()];
      const poses = cards.map((shown) => shown.poseAt(now));
      if (held) poses[0] = this.#hold(held, poses[0]);
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
    // Animations in progress continue under the finger.
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
    const pressed = shiftKey ? `Shift+${key}` : key;
    const undoes = letter === "z" || key === "Backspace";
    let action = letter ? null : frame.accessibility.actions.find((one) => one.key === pressed)?.event;
    if (!action) {
      // An action that is not possible now is sent too, so that the answer has the reason.
      const side = !letter && !this.#isFlip && /^Arrow(.*)/.exec(pressed)?.[1].toLowerCase();
      if (letter === "y" || (undoes && shiftKey)) action = { type: "redo" };
      else if (undoes) action = { type: "revert", direction: "origin" };
      else if (key === "Enter" || key === " ") action = { type: "tap" };
      else if (side) action = { type: "swipe", direction: side };
      else return;
    }
    event.preventDefault();
    // A key that is held down decides on one card only.
    if (!event.repeat) this.#send(action);
  }
}
