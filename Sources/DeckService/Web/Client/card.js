// The elements that a card is made of. A part of /deckd.js, after session.js.

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
