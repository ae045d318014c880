// An event object from the list of numbers that the engine reads.

const directions = ["left", "right", "up", "down", "topLeft", "topRight", "bottomLeft", "bottomRight"];
const phases = ["began", "changed", "ended", "cancelled"];
const easings = ["linear", "ease", "easeIn", "easeOut", "easeInOut"];
const optional = (number) => (Number.isNaN(number) ? undefined : number);
const vector = (x, y) => (Number.isNaN(x) ? undefined : { x, y });
const size = (width, height) => (Number.isNaN(width) ? undefined : { width, height });

const kinds = [
  ["drag", (phase, x, y, lx, ly, vx, vy) => ({ phase: phases[phase], translation: vector(x, y), location: vector(lx, ly), velocity: vector(vx, vy) })],
  ["scroll", (phase, offset, velocity) => ({ phase: phases[phase], offset: optional(offset), velocity: optional(velocity) })],
  ["tap", (index, count) => ({ index: optional(index), count })],
  ["press", (index) => ({ index: optional(index) })],
  ["flip", () => ({})],
  ["nudge", (direction) => ({ direction: directions[direction] })],
  ["swipe", (direction, force, duration, easing, x, y) => ({
    direction: directions[direction], force: force === 1, duration: optional(duration), easing: easings[easing], toward: vector(x, y),
  })],
  ["confirm", () => ({})],
  ["deny", () => ({})],
  ["revert", (style, count) => ({ direction: [...directions, "origin"][style], count })],
  ["redo", (count) => ({ count })],
  ["move", (to) => ({ to })],
  ["sendToBack", () => ({})],
  ["putBack", () => ({})],
  ["reset", () => ({})],
  ["remove", (from, to) => ({ from, to })],
  ["shuffle", (seed) => ({ seed })],
  ["appear", () => ({})],
  ["resize", (width, height, screenWidth, screenHeight) => ({ viewport: size(width, height), screen: size(screenWidth, screenHeight) })],
  ["tick", () => ({})],
];

/** The event, with the id of a card from `ids` by its number. */
export function eventOf([kind, at, card, ...members], ids) {
  const [type, read] = kinds[kind];
  return { type, at, ...(!Number.isNaN(card) && { id: ids[card] ?? String(card) }), ...read(...members) };
}
