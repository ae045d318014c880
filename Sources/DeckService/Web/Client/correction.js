// What is still between the cards as they are shown and where they belong. A part of /deckd.js, after session.js.

/** A correction gets smaller by this part in a millisecond, but moves a card by no more than a part of its width in a frame. */
const CORRECTION_SPEED = 1 / 90;
const MOST_WIDTHS_PER_FRAME = 0.04;
const FRAMES_PER_MILLISECOND = 0.06;
const SMALLEST = { x: 0.05, y: 0.05, width: 0.05, rotation: 0.0005, opacity: 0.005, overlayAlpha: 0.005 };

/** Where a card of a frame is: its centre, its turn and its width. */
function pose({ frame, anchor, matrix = [1, 0, 0, 1, 0, 0], opacity, overlay }) {
  const [a, b, c, d, x, y] = matrix;
  const [right, down] = [(0.5 - anchor.x) * frame.width, (0.5 - anchor.y) * frame.height];
  return {
    x: frame.x + anchor.x * frame.width + a * right + c * down + x, y: frame.y + anchor.y * frame.height + b * right + d * down + y,
    width: frame.width * Math.hypot(a, b), rotation: Math.atan2(b, a), opacity, overlayAlpha: overlay?.alpha ?? 0,
  };
}

const combined = (one, other, factor) => Object.fromEntries(Object.keys(SMALLEST).map((name) => [name, one[name] + factor * other[name]]));

/** A difference of poses that disappears. */
class Correction {
  /** From one card, as it is shown with its former correction, to another; null if there is no difference. */
  static between(before, former, after) {
    const correction = new Correction(combined(former?.apply(before) ?? pose(before), pose(after), -1));
    return correction.isOver ? null : correction;
  }

  /** Of a card that is held by a finger that does not drag it yet. It stays until it is released. */
  static held({ x, y }) {
    return Object.assign(new Correction({ x, y }), { isHeld: true });
  }

  /** Of a card that appears. */
  static appearing(card) {
    return new Correction({ opacity: -card.opacity });
  }

  /** A part that is missing is 0. */
  constructor(rest) {
    this.rest = { x: 0, y: 0, width: 0, rotation: 0, opacity: 0, overlayAlpha: 0, ...rest };
  }

  release() {
    this.isHeld = false;
  }

  get isOver() {
    return !this.isHeld && Object.entries(SMALLEST).every(([name, smallest]) => Math.abs(this.rest[name]) < smallest);
  }

  /** The card's pose with the correction. */
  apply(card) {
    return combined(pose(card), this.rest, 1);
  }

  /** Some milliseconds pass until the next frame. */
  pass(milliseconds, { frame: { width } }) {
    if (this.isHeld) return;
    const part = 1 - Math.exp(-milliseconds * CORRECTION_SPEED);
    const most = MOST_WIDTHS_PER_FRAME * Math.min(1, milliseconds * FRAMES_PER_MILLISECOND);
    const { x, y, width: wider, ...others } = this.rest;
    const way = Math.hypot(x, y);
    const left = way - Math.min(way * part, most * width);
    for (const name of Object.keys(others)) this.rest[name] *= 1 - part;
    Object.assign(this.rest, { x: way && (x * left) / way, y: way && (y * left) / way });
    this.rest.width -= Math.sign(wider) * Math.min(Math.abs(wider) * part, most * width);
  }
}
