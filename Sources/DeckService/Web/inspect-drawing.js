// A frame as a picture, with the colours of the page.

import { clockTime } from "/web/inspect-dom.js";

const MARGIN = 90;

const short = (number) => Math.round(number * 100) / 100;

function shape(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Where a point of a card's rectangle is drawn. */
function project({ frame, anchor, matrix, matrix3d }, x, y) {
  const pivot = { x: frame.x + anchor.x * frame.width, y: frame.y + anchor.y * frame.height };
  const [dx, dy] = [x - pivot.x, y - pivot.y];
  if (!matrix3d) {
    const [a, b, c, d, tx, ty] = matrix;
    return { x: pivot.x + a * dx + c * dy + tx, y: pivot.y + b * dx + d * dy + ty };
  }
  const m = matrix3d;
  const w = m[3] * dx + m[7] * dy + m[15];
  return { x: pivot.x + (m[0] * dx + m[4] * dy + m[12]) / w, y: pivot.y + (m[1] * dx + m[5] * dy + m[13]) / w };
}

function drawCard(card, unit) {
  const { frame, overlay, opacity, label, id, index } = card;
  const corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([x, y]) => project(card, frame.x + x * frame.width, frame.y + y * frame.height));
  const points = corners.map(({ x, y }) => `${short(x)},${short(y)}`).join(" ");
  const centre = project(card, frame.x + frame.width / 2, frame.y + frame.height / 2);
  const text = shape("text", { x: short(centre.x), y: short(centre.y), "font-size": 22 * unit, "text-anchor": "middle" }, label ?? id);
  const tint = overlay && shape("polygon", { points, class: `tint ${overlay.direction}`, "fill-opacity": overlay.alpha / 2 });
  const parts = [shape("polygon", { points, "stroke-width": unit }), tint, text].filter(Boolean);
  return shape("g", { class: "card", opacity, "data-index": index }, ...parts);
}

/** What a frame shows, in words. */
export function describe({ exhausted, cardCount, currentIndex, drag, settlesAt }) {
  const place = exhausted ? `run out, ${cardCount} cards` : `card ${currentIndex + 1} of ${cardCount}`;
  const way = drag && `dragged by ${short(drag.translation.x)} ${short(drag.translation.y)}`;
  const side = drag?.direction && `${drag.direction} ${Math.round(drag.percentage)} %`;
  return [place, way, side, settlesAt === null ? "at rest" : `moves until ${clockTime(settlesAt)}`].filter(Boolean).join(" · ");
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
