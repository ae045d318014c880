// The server's formulas (docs/engine.md), so that a view need not wait for it. The first part of /deckd.js, whose parts are put together
// into one module: see docs/browser.md and deckd.d.ts.

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

/** The part of a finger's way that a card follows. */
export function dragWay({ x, y }, { dragAxis, dragDirections }) {
  const dominant = Math.abs(x) >= Math.abs(y) ? "horizontal" : "vertical";
  const axis = dragAxis === "dominant" ? dominant : dragAxis;
  const follows = (way, side) => !dragDirections || dragDirections.some((name) => POINTS[name][side] * way > 0);
  return { x: axis !== "vertical" && follows(x, 0) ? x : 0, y: axis !== "horizontal" && follows(y, 1) ? y : 0 };
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
  const fling = rules.velocityThreshold ?? Infinity;
  if (rules.pullBackCancels && -speed >= fling) return null;
  return speed >= fling || percentage >= threshold(rules, direction) ? direction : null;
}

/** A property on its way; the browser's own easing says how far it is. */
class Step {
  constructor(step) {
    Object.assign(this, step);
    const timing = { duration: step.duration, easing: step.easing, fill: "both" };
    this.animation = new Animation(new KeyframeEffect(null, null, timing));
  }

  at(time) {
    if (!this.duration) return this.to;
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
