// A finger or a mouse on the cards. A part of /deckd.js, after card.js.

const ORIGIN = { x: 0, y: 0 };
const plus = (one, other, factor = 1) => ({ x: one.x + other.x * factor, y: one.y + other.y * factor });

/** A finger takes the card when it has moved farther than this, px. Until then, it can be a click on something in the card. */
const SLOP = 8;
/** A tap on one of these is theirs. */
const CONTROLS = "a[href],button,input,select,textarea,label,summary,video,audio,iframe,[contenteditable],[tabindex]";
/** A drag that starts in one of these is theirs. */
const DRAGGED = "input:not([type=button],[type=submit],[type=checkbox],[type=radio]),select,textarea,[contenteditable],[data-no-drag]";

/** The card of a frame that is in front, or comes back to the front. */
export function frontOf(frame) {
  return frame?.cards.find(isFront);
}

/** The finger's velocity at a time, points per second, from its samples of the last 100 ms. A finger that has rested for 40 ms has none. */
function velocity(samples, now) {
  const recent = samples.filter(({ time }) => now - time <= 100);
  const [first, last] = [recent[0], recent.at(-1)];
  const span = last?.time - first?.time;
  return span >= 20 && now - last.time <= 40 ? plus(ORIGIN, plus(last, first, -1), 1000 / span) : ORIGIN;
}

/** Whether a finger moves a card to the left, to the right, up and down. */
function sides({ layout, rules: { dragAxis, dragDirections } }) {
  const directions = String(dragDirections ?? "left,right,up,down");
  const axis = layout.type === "flip" ? "vertical" : dragAxis;
  const isFree = [axis !== "vertical", axis !== "horizontal"];
  return [/left/i, /right/i, /up|top/, /down|bottom/].map((side, place) => isFree[place >> 1] && side.test(directions));
}

/** The value of `touch-action` that leaves to the browser what does not move a card. */
function touchAction(info) {
  const [left, right, up, down] = sides(info);
  return `${left || right ? "" : "pan-x "}${up || down ? "" : "pan-y "}pinch-zoom`;
}

/** The part of a finger's way that the card follows. */
function permitted({ x, y }, info) {
  const [left, right, up, down] = sides(info);
  const way = { x: (x < 0 ? left : right) ? x : 0, y: (y < 0 ? up : down) ? y : 0 };
  if (info.rules.dragAxis === "dominant") way[Math.abs(x) >= Math.abs(y) ? "y" : "x"] = 0;
  return way;
}

/** Turns the events of a pointer into drags and taps. */
class Finger {
  #view;
  #held = null;
  #hasDragged = false;

  /** @param view its `element`, `stage` and `session`; `cardOf(id)` gives the element of a card, `draw()` draws, `send(event)` sends. */
  constructor(view, signal) {
    const { element, session } = (this.#view = view);
    const on = (target, type, handler, capture) => target.addEventListener(type, handler, { signal, capture });
    on(element, "pointerdown", (event) => this.#press(event));
    // Before a control in a card can stop the event.
    on(element, "pointerdown", (event) => this.#forgetLast(event), true);
    // Before it is a drag, the finger can leave the deck, and a script of the card can stop the event.
    on(window, "pointermove", (event) => this.#move(event), true);
    on(window, "pointerup", (event) => this.#release(event), true);
    on(window, "pointercancel", (event) => this.#release(event, true), true);
    // A page that is left hears nothing more of the finger.
    on(session, "pagehide", () => this.cancel());
    // A link and a picture would be dragged to other programs.
    on(element, "dragstart", (event) => this.#held && event.preventDefault());
    on(element, "click", (event) => this.#click(event), true);
    signal.addEventListener("abort", () => this.cancel());
  }

  /** Ends a drag, which changes nothing then. */
  cancel() {
    this.#end(true);
  }

  /** Lets go of the card if its drag was refused. The events of a drag share a location, and an earlier drag has another one. */
  forget({ location }) {
    if (this.#held?.location === location) this.#held = null;
  }

  /** Ends what is left of the press before. */
  #forgetLast(event) {
    // The end of this pointer's last press was not heard.
    if (this.#held?.pointer === event.pointerId) this.cancel();
    this.#hasDragged = false;
  }

  #press(event) {
    if (this.#held) return;
    const { element, session, cardOf } = this.#view;
    const path = event.composedPath();
    const target = path.slice(0, path.indexOf(element));
    const isIn = (selector) => target.some((node) => node.matches?.(selector));
    const front = frontOf(session.frameAt(session.now));
    if (event.button || !event.isPrimary || !front || isIn(DRAGGED)) return;
    const isFlip = session.info.layout.type === "flip";
    if (!isFlip && !target.includes(cardOf(front.id)?.element)) return;
    const start = this.#point(event);
    const [, , , , x, y] = front.matrix ?? [1, 0, 0, 1, 0, 0];
    this.#held = {
      pointer: event.pointerId, start, translation: ORIGIN, samples: [{ time: event.timeStamp, ...ORIGIN }],
      location: plus(plus(start, { x, y }, -1), front.frame, -1),
      // Nothing is decided on a card that is not seen; a carousel may be scrolled from wherever it is.
      card: isFlip ? {} : { id: front.id }, shown: isFlip ? null : front.id, isFixed: !front.interactive, isTap: !isIn(CONTROLS),
    };
  }

  /** Where a pointer is on the stage, which the page or the view can have zoomed or scaled. The numbers are not finite if it has no size. */
  #point({ clientX, clientY }) {
    const { stage } = this.#view;
    const { x, y, width } = stage.getBoundingClientRect();
    // The width before scaling is rounded, and so is the scale.
    const scale = Math.round((100 * width) / stage.offsetWidth) / 100;
    return { x: (clientX - x) / scale, y: (clientY - y) / scale };
  }

  #move(event) {
    const held = this.#held;
    if (held?.pointer !== event.pointerId) return;
    const { element, session, cardOf, draw } = this.#view;
    const { location, card } = held;
    const translation = plus(this.#point(event), held.start, -1);
    // The element is not shown any more, or the release of the button was not heard.
    if (!Number.isFinite(translation.x) || (event.pointerType === "mouse" && !event.buttons)) return this.cancel();
    held.translation = translation;
    held.samples.push({ time: event.timeStamp, ...translation });
    held.isTap &&= Math.hypot(translation.x, translation.y) <= SLOP;
    if (held.isFixed) return;
    const way = permitted(translation, session.info);
    if (!held.isDrag && Math.hypot(way.x, way.y) > SLOP) {
      held.isDrag = true;
      // The click that follows is not one of the card's content then.
      element.setPointerCapture(held.pointer);
    }
    // Before it is a drag, the card follows the finger on the page only.
    const shown = cardOf(held.shown);
    if (shown) shown.correction = held.isDrag ? null : Correction.held(way);
    if (held.isDrag) session.move({ ...card, type: "drag", phase: "changed", translation, location });
    else draw();
  }

  #release(event, isCancelled) {
    if (this.#held?.pointer === event.pointerId) this.#end(isCancelled, event.timeStamp);
  }

  #end(isCancelled, time) {
    if (!this.#held) return;
    const { cardOf, draw, send } = this.#view;
    const { translation, location, samples, card, isDrag, isTap, shown } = this.#held;
    this.#held = null;
    cardOf(shown)?.correction?.release();
    this.#hasDragged = isDrag;
    if (isDrag) send({ ...card, type: "drag", phase: isCancelled ? "cancelled" : "ended", translation, location, velocity: velocity(samples, time) });
    else if (isTap && !isCancelled) send({ ...card, type: "tap" });
    draw();
  }

  /** A click that ends a drag is none. Keys and scripts click without a finger. */
  #click(event) {
    if (!this.#hasDragged || !event.detail) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}
