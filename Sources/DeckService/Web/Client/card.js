// The elements that a card is made of. A part of /deckd.js, after correction.js.

const describe = (element, attributes) => Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));

const div = (className, parent, style) => {
  const element = document.createElement("div");
  element.className = className;
  // In a shadow root, a page styles the element by this name.
  element.part = className.slice("deckd-".length);
  Object.assign(element.style, { position: "absolute", left: 0, top: 0, ...style });
  parent.append(element);
  return element;
};

/** Whether the members of two cards with these names differ. The same data can be another object. */
const differ = (one, other, names) => names.some((name) => one[name] !== other?.[name] && JSON.stringify(one[name]) !== JSON.stringify(other?.[name]));

/** Whether a card is in front, or comes back to the front. */
const isFront = ({ role }) => role === "front" || role === "returning";

const resize = ({ style }, { width, height }) => Object.assign(style, { width: `${width}px`, height: `${height}px` });

/** `element` turns and moves, and its `face` lies in the card's rectangle. */
class CardElement {
  /** Added to where the card is, until it is there. */
  correction = null;

  /** @param options `render(card, content)` draws a card, and `remove(content)` is called when the element is removed. */
  constructor(stage, options) {
    this.options = options;
    const full = { width: "100%", height: "100%" };
    this.element = div("deckd-card", stage, { ...full, pointerEvents: "none" });
    this.face = div("deckd-face", this.element, { transformOrigin: "0 0", pointerEvents: "auto" });
    this.content = div("deckd-content", this.face, full);
    this.overlay = div("deckd-overlay", this.face, { ...full, pointerEvents: "none" });
  }

  /** Shows a card of a frame. */
  show(card) {
    const former = this.card;
    this.card = card;
    if (differ(card, former, ["id", "data", "label", "face"])) call(() => this.options.render(card, this.content));
    if (differ(card, former, ["id", "label", "face", "role", "position", "index"])) this.#describe(card);
    this.element.style.zIndex = card.z;
    this.#resize(card);
    this.#place(card);
  }

  remove() {
    this.#releaseFocus();
    this.element.remove();
    call(() => this.options.remove?.(this.content));
  }

  #describe({ label, id, face, position, role, index }) {
    const { element } = this;
    describe(element, { role: "group", "aria-roledescription": "card", "aria-label": `${label ?? id}, ${position}` });
    Object.assign(element.dataset, { role, index, id, face });
    element.part = `card ${role}`;
    this.face.part = `face ${face}`;
    const isInert = !isFront(this.card);
    if (isInert) this.#releaseFocus();
    element.inert = isInert;
  }

  /** The keys stay in the deck. */
  #releaseFocus() {
    const { element } = this;
    if (element.matches(":focus-within")) element.parentElement.parentElement.focus({ preventScroll: true });
  }

  #resize({ frame, contentScale }) {
    const size = { width: frame.width / contentScale.x, height: frame.height / contentScale.y };
    if (size.width !== this.size?.width || size.height !== this.size.height) resize(this.face, (this.size = size));
    this.face.style.transform = `translate(${frame.x}px,${frame.y}px) scale(${contentScale.x},${contentScale.y})`;
  }

  #place(card) {
    const { frame, anchor, matrix = [1, 0, 0, 1, 0, 0], matrix3d, overlay } = card;
    const [a, b, , , x, y] = matrix;
    const transform = matrix3d ? `matrix3d(${matrix3d})` : "none";
    let place = { anchor, x, y, rotation: Math.atan2(b, a), scale: Math.hypot(a, b), opacity: card.opacity, overlayAlpha: overlay?.alpha ?? 0 };
    if (this.correction) place = this.#corrected(card);
    Object.assign(this.element.style, {
      transformOrigin: `${frame.x + place.anchor.x * frame.width}px ${frame.y + place.anchor.y * frame.height}px`,
      translate: `${place.x}px ${place.y}px`, rotate: `${place.rotation}rad`, scale: place.scale, opacity: place.opacity, transform,
    });
    this.overlay.style.opacity = place.overlayAlpha;
    if (overlay && overlay.direction !== this.overlay.dataset.direction) {
      this.overlay.dataset.direction = overlay.direction;
      this.overlay.part = `overlay ${overlay.direction}`;
    }
  }

  /** A corrected card turns and grows about its centre; one that is turned in space keeps its axis. */
  #corrected(card) {
    const { frame } = card;
    const at = this.correction.apply(card);
    const rest = pose(card.matrix3d ? card : { ...card, matrix: undefined });
    const anchor = card.matrix3d ? card.anchor : { x: 0.5, y: 0.5 };
    return { ...at, anchor, x: at.x - rest.x, y: at.y - rest.y, scale: at.width / frame.width };
  }
}
