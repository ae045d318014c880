// A frame as a picture, with the colours of the page.

import { frontOf } from "/deckd.js";
import { clockTime } from "/web/inspect-dom.js";

const MARGIN = 90;

const short = (number) => Math.round(number * 100) / 100;

function shape(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** How far from the eye what is drawn must be, in units of the distance between the eye and the viewport. */
const NEAREST = 0.001;

/** Where a point of a card's rectangle is, with its distance from the eye as `w`: it is drawn at x / w, y / w. */
function project({ frame, anchor, matrix, matrix3d }, x, y) {
  const pivot = { x: frame.x + anchor.x * frame.width, y: frame.y + anchor.y * frame.height };
  const [dx, dy] = [x - pivot.x, y - pivot.y];
  if (!matrix3d) {
    const [a, b, c, d, tx, ty] = matrix;
    return { x: pivot.x + a * dx + c * dy + tx, y: pivot.y + b * dx + d * dy + ty, w: 1 };
  }
  const m = matrix3d;
  const w = m[3] * dx + m[7] * dy + m[15];
  return { x: pivot.x * w + m[0] * dx + m[4] * dy + m[12], y: pivot.y * w + m[1] * dx + m[5] * dy + m[13], w };
}

const between = (one, other, part) => one + part * (other - one);

/** The corners of the part of a polygon that is before the eye. An edge to a point that is nearer or behind it is cut. */
function inSight(corners) {
  return corners.flatMap((corner, number) => {
    const next = corners[(number + 1) % corners.length];
    const own = corner.w >= NEAREST ? [corner] : [];
    if (own.length === Number(next.w >= NEAREST)) return own;
    const part = (NEAREST - corner.w) / (next.w - corner.w);
    return [...own, { x: between(corner.x, next.x, part), y: between(corner.y, next.y, part), w: NEAREST }];
  });
}

/** How far a level line through a polygon reaches from a point in it to the nearer side; 0: it does not go through. */
function reach(polygon, { x, y }) {
  const sides = [0, 0];
  for (const [number, corner] of polygon.entries()) {
    const next = polygon[(number + 1) % polygon.length];
    if (corner.y < y === next.y < y) continue;
    const way = between(corner.x, next.x, (y - corner.y) / (next.y - corner.y)) - x;
    sides[Number(way > 0)] = Math.abs(way);
  }
  return Math.min(...sides);
}

const pen = document.createElement("canvas").getContext("2d");

/** A string that is not wider than `width` in the font of the picture; a longer one is shortened. */
function fitted(text, width, size) {
  pen.font = `${size}px system-ui, sans-serif`;
  const fits = (shown) => pen.measureText(shown).width <= width;
  if (fits(text)) return text;
  const letters = [...text];
  let [least, most] = [0, letters.length];
  while (least < most) {
    const count = Math.ceil((least + most) / 2);
    if (fits(`${letters.slice(0, count).join("")}…`)) least = count;
    else most = count - 1;
  }
  return least ? `${letters.slice(0, least).join("")}…` : "";
}

/** The label in the middle of a card, at most as wide as the card is there; null: there is no room for it. */
function drawLabel(card, polygon, unit) {
  const { frame, label, id } = card;
  const centre = project(card, frame.x + frame.width / 2, frame.y + frame.height / 2);
  if (centre.w < NEAREST) return null;
  const [x, y] = [centre.x / centre.w, centre.y / centre.w];
  const size = 22 * unit;
  // The letters are above this point.
  const room = Math.min(reach(polygon, { x, y }), reach(polygon, { x, y: y - size }));
  const text = fitted(label ?? id, 2 * room, size);
  return text && shape("text", { x: short(x), y: short(y), "font-size": size, "text-anchor": "middle" }, text);
}

/** A card with its label, or its back, which is darker and has none. */
function drawCard(card, unit) {
  const { frame, overlay, opacity, index, face } = card;
  const corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([x, y]) => project(card, frame.x + x * frame.width, frame.y + y * frame.height));
  const polygon = inSight(corners).map(({ x, y, w }) => ({ x: x / w, y: y / w }));
  const points = polygon.map(({ x, y }) => `${short(x)},${short(y)}`).join(" ");
  const shade = face === "back" && shape("polygon", { points, class: "shade" });
  const tint = overlay && shape("polygon", { points, class: `tint ${overlay.direction}`, "fill-opacity": overlay.alpha / 2 });
  const label = face === "front" && drawLabel(card, polygon, unit);
  const parts = [shape("polygon", { points, "stroke-width": unit }), shade, tint, label].filter(Boolean);
  return shape("g", { class: "card", opacity, "data-index": index }, ...parts);
}

/** What a frame shows, in words. */
export function describe(frame) {
  const { exhausted, cardCount, currentIndex, drag, settlesAt } = frame;
  const place = exhausted ? `run out, ${cardCount} cards` : `card ${currentIndex + 1} of ${cardCount}`;
  const way = drag && `dragged by ${short(drag.translation.x)} ${short(drag.translation.y)}`;
  const side = drag?.direction && `${drag.direction} ${Math.round(drag.percentage)} %`;
  const face = frontOf(frame)?.face === "back" && "turned over";
  return [place, face, way, side, settlesAt === null ? "at rest" : `moves until ${clockTime(settlesAt)}`].filter(Boolean).join(" · ");
}

/** The picture of a frame in a viewport, as SVG. Each card has its index as `data-index`. */
export function drawFrame(frame, { width, height }) {
  const unit = Math.min(width, height) / 375;
  const margin = MARGIN * unit;
  const box = [-margin, -margin, width + 2 * margin, height + 2 * margin];
  const cards = frame.cards.filter(({ opacity }) => opacity > 0).sort((one, other) => one.z - other.z);
  return shape(
    "svg", { viewBox: box.map(short).join(" "), role: "img", "aria-label": `${describe(frame)}, ${clockTime(frame.at)}` },
    shape("rect", { width, height, class: "viewport", "stroke-width": unit, "stroke-dasharray": `${6 * unit} ${4 * unit}` }),
    ...cards.map((card) => drawCard(card, unit)),
  );
}
