// A frame as a picture, like that of `frame.svg`, for moments that the page finds by itself.

const MARGIN = 90;
const TINTS = { left: "#c2543c", right: "#3c8a5a", up: "#3c6cc2", down: "#8a6a3c" };

const escape = (text) => String(text).replace(/[<>&"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
const short = (number) => Math.round(number * 100) / 100;

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
  const { frame, overlay, opacity, label, id } = card;
  const corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([x, y]) => project(card, frame.x + x * frame.width, frame.y + y * frame.height));
  const points = corners.map(({ x, y }) => `${short(x)},${short(y)}`).join(" ");
  const centre = project(card, frame.x + frame.width / 2, frame.y + frame.height / 2);
  const tint = overlay && `<polygon points="${points}" fill="${TINTS[overlay.direction] ?? "#6a5a8a"}" fill-opacity="${overlay.alpha / 2}"/>`;
  return `<g opacity="${opacity}"><polygon points="${points}" fill="#fffdf8" stroke="#4a463f" stroke-width="${unit}"/>${tint ?? ""}` +
    `<text x="${short(centre.x)}" y="${short(centre.y)}" font-size="${22 * unit}" text-anchor="middle" fill="#2b2822">${escape(label ?? id)}</text></g>`;
}

/** What a frame shows, in words. */
function describe({ exhausted, cardCount, currentIndex, drag, at, settlesAt }) {
  const place = exhausted ? `run out, ${cardCount} cards` : `card ${currentIndex + 1} of ${cardCount}`;
  const way = drag && `dragged by ${short(drag.translation.x)} ${short(drag.translation.y)}`;
  const side = drag?.direction && `${drag.direction} ${Math.round(drag.percentage)} %`;
  const motion = settlesAt === null ? "at rest" : `moves until ${settlesAt} ms`;
  return [[place, way, side].filter(Boolean).join(" · "), `${at} ms · ${motion}`].join(", ");
}

/** The picture of a frame in a viewport, as SVG. */
export function drawFrame(frame, { width, height }) {
  const unit = Math.min(width, height) / 375;
  const margin = MARGIN * unit;
  const [wide, high] = [width + 2 * margin, height + 2 * margin];
  const cards = frame.cards.filter(({ opacity }) => opacity > 0).sort((one, other) => one.z - other.z);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-margin} ${-margin} ${wide} ${high}" width="${wide}" height="${high}"` +
    ` role="img" aria-label="${escape(describe(frame))}" font-family="system-ui, sans-serif">` +
    `<rect x="${-margin}" y="${-margin}" width="${wide}" height="${high}" fill="#f6f4f0"/>` +
    `<rect width="${width}" height="${height}" fill="#fff" stroke="#8a8378" stroke-dasharray="${6 * unit} ${4 * unit}"/>` +
    `${cards.map((card) => drawCard(card, unit)).join("")}</svg>`;
}
