// Events as lists of numbers, and lists of numbers as the objects of docs/api.md. A part of /deckd.js, after clock.js. The orders of
// both are in Sources/ClientEngine.

// Each list has the numbers of Swift as indices.
const ENGINE_NAMES = {
  direction: ["left", "right", "up", "down", "topLeft", "topRight", "bottomLeft", "bottomRight"],
  spoken: ["left", "right", "up", "down", "up and left", "up and right", "down and left", "down and right"],
  keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "PageUp", "End", "PageDown"],
  phase: ["began", "changed", "ended", "cancelled"],
  easing: ["linear", "ease", "easeIn", "easeOut", "easeInOut"],
  role: ["front", "background", "leaving", "returning"],
  face: ["front", "back"],
  outcome: ["swiped", "reset", "scrolled", "pending", "reverted", "queued"],
  reset: [
    "below-threshold", "direction-denied", "direction-not-allowed", "pulled-back", "cancelled", "not-confirmed",
    "nothing-to-revert", "not-undoable",
  ],
  refusal: [
    "no-card", "not-front-card", "not-draggable", "direction-not-allowed", "direction-denied", "animating", "dragging", "pending",
    "nothing-pending", "not-dragging", "nothing-to-revert", "not-undoable", "nothing-to-redo", "nothing-to-put-back",
    "index-out-of-range", "too-many-cards", "duplicate-id", "layout-does-not-scroll", "layout-scrolls",
  ],
  notification: [
    "panBegan", "panFinished", "dragged", "thresholdCrossed", "thresholdUncrossed", "didReset", "didSwipe", "didShow", "didRewind",
    "didRedo", "didSelect", "didPress", "didFlip", "needsConfirmation", "didRunOut", "needsCards", "didLoop", "didAppear",
  ],
  failure: [
    "invalid", "time-runs-backwards", "needs-server", "closed", "unknown-format", "too-large",
  ],
};

/** Why the engine did nothing: `code` is one of the failures above. */
export class EngineError extends Error {
  constructor(code) {
    super(`The engine did nothing: ${code}.`);
    Object.assign(this, { name: "EngineError", code });
  }
}

const refuse = (code) => {
  throw new EngineError(code);
};

/** A count of the engine's, unless it is an error. */
const checked = (count) => (count < 0 ? refuse(ENGINE_NAMES.failure[-1 - count]) : count);

/** A number as the server writes it: six decimals, rounded to the nearest, a tie to the even one. */
function sixDecimals(number) {
  const size = Math.abs(number);
  const whole = Math.trunc(size);
  const fraction = size - whole;
  // No zero has a sign.
  if (!fraction) return number + 0 || 0;
  const product = fraction * 1e6;
  const floor = Math.trunc(product);
  const rest = product - floor;
  let isUp = rest > 0.5;
  if (rest === 0.5) {
    // The product is rounded, too. Its exact error, from two halves of the fraction, decides.
    const high = fraction * 134217729 - (fraction * 134217729 - fraction);
    const lost = high * 1e6 - product + (fraction - high) * 1e6;
    isUp = lost > 0 || (lost === 0 && floor % 2 === 1);
  }
  const millionths = floor + isUp;
  const carry = millionths === 1e6 ? 1 : 0;
  const rounded =
    whole < 2 ** 33
      ? (whole * 1e6 + millionths) / 1e6
      : Number(`${whole + carry}.${String(carry ? 0 : millionths).padStart(6, "0")}`);
  return number < 0 && rounded ? -rounded : rounded;
}

/** A time as the server takes it. */
function moment(time) {
  const whole = Math.trunc(time);
  return Math.abs(whole) < 2 ** 33 ? (whole * 1e6 + Math.round((time - whole) * 1e6)) / 1e6 : time;
}

// Events

const finite = (value) => (Number.isFinite(value) ? value : refuse("invalid"));
const optional = (value) => (value === undefined ? NaN : finite(value));
const choice = (names, value) => (names.includes(value) ? names.indexOf(value) : refuse("invalid"));
const pair = (value, x, y) => (value === undefined ? [NaN, NaN] : [finite(value?.[x]), finite(value?.[y])]);
const vector = (value) => pair(value, "x", "y");
const size = (value) => pair(value, "width", "height");
const flag = (value) => (value === undefined || typeof value === "boolean" ? Number(value ?? false) : refuse("invalid"));

const { direction: ways, phase: phases, easing: easings } = ENGINE_NAMES;
/** The members of each type of event as numbers. The number of a type is its place here. */
const EVENTS = {
  drag: ({ phase, translation, location, velocity }) => [choice(phases, phase), ...vector(translation), ...vector(location), ...vector(velocity)],
  scroll: ({ phase, offset, velocity }) => [choice(phases, phase), optional(offset), optional(velocity)],
  tap: ({ index, count = 1 }) => [optional(index), finite(count)],
  press: ({ index }) => [optional(index)],
  flip: () => [],
  nudge: ({ direction }) => [choice(ways, direction)],
  swipe: ({ direction, force, duration, easing, toward }) => [
    choice(ways, direction), flag(force), optional(duration), easing === undefined ? NaN : choice(easings, easing), ...vector(toward),
  ],
  confirm: () => [],
  deny: () => [],
  revert: ({ direction, count = 1 }) => [direction === undefined ? NaN : choice([...ways, "origin"], direction), finite(count)],
  redo: ({ count = 1 }) => [finite(count)],
  move: ({ to }) => [finite(to)],
  sendToBack: () => [],
  putBack: () => [],
  reset: () => [],
  remove: ({ from, to }) => [finite(from), finite(to)],
  shuffle: ({ seed }) => [finite(seed)],
  appear: () => [],
  resize: ({ viewport, screen }) => [...size(viewport), ...size(screen)],
  tick: () => [],
};
const EVENT_TYPES = Object.keys(EVENTS);
const SERVER_EVENTS = ["insert", "reload", "refresh", "configure"];
/** The number of no card. */
const NO_CARD = 2 ** 31 - 1;

// What the engine returns

/** Reads a list of numbers in order. */
class Numbers {
  #numbers;
  #position = 0;

  constructor(numbers) {
    this.#numbers = numbers;
  }

  exact() {
    return this.#numbers[this.#position++];
  }

  number() {
    return sixDecimals(this.exact());
  }

  flag() {
    return this.exact() === 1;
  }

  /** undefined: absent. */
  optional() {
    const number = this.exact();
    return isNaN(number) ? undefined : sixDecimals(number);
  }

  name(names) {
    return names[this.exact()];
  }

  members(...names) {
    return Object.fromEntries(names.map((name) => [name, this.number()]));
  }

  list(read) {
    return Array.from({ length: this.exact() }, () => read(this));
  }
}

/** Without the members that are undefined. */
const present = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

function readEnding(numbers) {
  const outcome = numbers.name(ENGINE_NAMES.outcome);
  return { ...(outcome && { outcome }), ...(outcome === "reset" && { reason: numbers.name(ENGINE_NAMES.reset) }) };
}

function readDrag(numbers) {
  const translation = numbers.members("x", "y");
  const direction = numbers.name(ways);
  const [percentage, thresholdPercentage] = [numbers.exact(), numbers.exact()].map((part) => sixDecimals(100 * part));
  return { translation, ...(direction && { direction }), percentage, thresholdPercentage, ...readEnding(numbers) };
}

/** A flat matrix after a turn in space, in the order of CSS `matrix3d()`. */
function matrix3d([a, b, c, d, tx, ty], axis, sine, cosine, depth) {
  const columns =
    axis === 1
      ? [[1, 0, 0, 0], [0, cosine, sine, -sine * depth], [0, -sine, cosine, -cosine * depth], [0, 0, 0, 1]]
      : [[cosine, 0, -sine, sine * depth], [0, 1, 0, 0], [sine, 0, cosine, -cosine * depth], [0, 0, 0, 1]];
  return columns.flatMap(([x, y, z, w]) => [a * x + c * y + tx * w, b * x + d * y + ty * w, z, w].map(sixDecimals));
}

function readMatrix(numbers) {
  const matrix = Array.from({ length: 6 }, () => numbers.exact());
  const face = numbers.name(ENGINE_NAMES.face);
  const axis = numbers.exact();
  if (!axis) return { face, matrix: matrix.map(sixDecimals) };
  return { face, matrix3d: matrix3d(matrix, axis, numbers.exact(), numbers.exact(), numbers.exact()) };
}

const spokenActions = [
  (way, isCarousel) => ({
    label: `Swipe ${ENGINE_NAMES.spoken[way]}`,
    key: `${isCarousel && (way === 2 || way === 3) ? "Shift+" : ""}${ENGINE_NAMES.keys[way]}`,
    event: { type: "swipe", direction: ways[way] },
  }),
  () => ({ label: "Undo", key: "Backspace", event: { type: "revert", direction: "origin" } }),
  () => ({ label: "Redo", key: "Shift+Backspace", event: { type: "redo" } }),
  (to) => ({ label: `Card ${to + 1}`, key: "ArrowDown", event: { type: "move", to } }),
  (to) => ({ label: `Card ${to + 1}`, key: "ArrowUp", event: { type: "move", to } }),
];
