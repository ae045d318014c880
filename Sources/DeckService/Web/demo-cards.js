// The cards of the demo page: places that are drawn here, so that the page needs no picture from anywhere.

const NAMESPACE = "http://www.w3.org/2000/svg";

/** Sky above, sky below, far hills, near hills, ground, sun. */
const PALETTES = {
  dawn: ["#2b3a67", "#f2a27b", "#7d5a7c", "#4f3f63", "#2a2440", "#ffe2b8"],
  day: ["#3f88c5", "#d7ecf5", "#7fae9b", "#43806c", "#1f4e46", "#fff6d6"],
  dune: ["#d98b4f", "#fbe3bd", "#c9824a", "#a4592f", "#5f2f1b", "#fff1cf"],
  dusk: ["#1f1b3a", "#b5548c", "#5b3a73", "#3a2857", "#1c1533", "#ffd1a6"],
  fjord: ["#274c6b", "#bcd6de", "#5c8aa0", "#345f77", "#16323f", "#f3f7ef"],
  forest: ["#5a7f5d", "#e6edc8", "#6f9a62", "#3f6b45", "#1d3a2a", "#fdf4c4"],
};

const PLACES = [
  ["lviv", "Lviv", "Ukraine", "dawn", "towers"], ["bergen", "Bergen", "Norway", "fjord", "peaks"],
  ["fez", "Fez", "Morocco", "dune", "towers"], ["kyoto", "Kyoto", "Japan", "dusk", "hills"],
  ["galway", "Galway", "Ireland", "forest", "sea"], ["cusco", "Cusco", "Peru", "day", "peaks"],
  ["porto", "Porto", "Portugal", "dawn", "sea"], ["tbilisi", "Tbilisi", "Georgia", "dusk", "peaks"],
  ["hobart", "Hobart", "Australia", "day", "sea"], ["oaxaca", "Oaxaca", "Mexico", "dune", "hills"],
  ["sapa", "Sa Pa", "Vietnam", "forest", "hills"], ["tromso", "Tromsø", "Norway", "fjord", "towers"],
];

/** What a deck is made of. */
export const cards = PLACES.map(([id, title, country, palette, scene]) => ({
  id, label: `${title}, ${country}`, data: { title, country, palette, scene },
}));

function add(parent, name, attributes = {}, text = "") {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  parent.append(element);
  return element;
}

/** Numbers that look random and are the same for the same text. */
function numbers(text) {
  let state = [...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) >>> 0, 7);
  return () => (state = (state * 1664525 + 1013904223) >>> 0) / 2 ** 32;
}

/** A line of hills or peaks across the card, and everything below it. */
function ridge(random, width, height, base, rise, isSharp) {
  const count = isSharp ? 6 : 4;
  const at = (step) => [(step / count) * width, base - rise * (isSharp && step % 2 ? 0.7 + 0.5 * random() : 0.5 * random())];
  const points = Array.from({ length: count + 1 }, (_, step) => at(step));
  const line = points.slice(1).map(([x, y], step) => {
    const [px, py] = points[step];
    const middle = (px + x) / 2;
    return isSharp ? `L${x} ${y}` : `C${middle} ${py} ${middle} ${y} ${x} ${y}`;
  });
  return `M0 ${points[0][1]}${line.join("")}L${width} ${height}L0 ${height}Z`;
}

function drawScene(svg, { palette, scene }, id, width, height) {
  const [above, below, far, near, ground, sun] = PALETTES[palette] ?? PALETTES.day;
  const random = numbers(id);
  const sky = add(svg, "linearGradient", { id: `sky-${id}`, x1: 0, y1: 0, x2: 0, y2: 1 });
  add(sky, "stop", { offset: 0, "stop-color": above });
  add(sky, "stop", { offset: 0.75, "stop-color": below });
  add(svg, "rect", { width, height, fill: `url(#sky-${id})` });
  const size = Math.min(width, height);
  add(svg, "circle", { cx: width * (0.25 + 0.5 * random()), cy: height * 0.3, r: size * 0.11, fill: sun });
  const isSharp = scene === "peaks";
  add(svg, "path", { d: ridge(random, width, height, height * 0.56, height * 0.18, isSharp), fill: far });
  add(svg, "path", { d: ridge(random, width, height, height * 0.66, height * 0.14, isSharp), fill: near });
  if (scene === "towers") {
    for (let x = width * 0.08; x < width * 0.92; x += width * 0.12) {
      const [w, h] = [width * (0.05 + 0.05 * random()), height * (0.1 + 0.16 * random())];
      const top = height * 0.76 - h;
      add(svg, "path", { d: `M${x} ${top}L${x + w / 2} ${top - w * 0.8}L${x + w} ${top}V${height}H${x}Z`, fill: ground });
    }
  }
  if (scene === "sea") {
    add(svg, "rect", { y: height * 0.64, width, height: height * 0.36, fill: above });
    for (let row = 0; row < 5; row++) {
      const y = height * (0.67 + 0.025 * row);
      add(svg, "path", { d: `M${width * 0.5 * random()} ${y}h${width * (0.2 + 0.3 * random())}`, stroke: sun, "stroke-width": 2, opacity: 0.5 });
    }
  }
  add(svg, "path", { d: ridge(random, width, height, height * 0.8, height * 0.08, false), fill: ground });
}

/** Draws a card as large as it is in front. */
export function drawCard(card, element) {
  const width = card.frame.width / card.contentScale.x;
  const height = card.frame.height / card.contentScale.y;
  const svg = document.createElementNS(NAMESPACE, "svg");
  for (const [name, value] of [["viewBox", `0 0 ${width} ${height}`], ["preserveAspectRatio", "xMidYMid slice"], ["aria-hidden", "true"]]) {
    svg.setAttribute(name, value);
  }
  drawScene(svg, card.data, card.id, width, height);
  add(svg, "text", { x: 24, y: height - 48, fill: "#fff", "font-size": 30, "font-weight": 750 }, card.data.title);
  add(svg, "text", { x: 24, y: height - 24, fill: "#fff", "font-size": 16 }, card.data.country);
  element.replaceChildren(svg);
}
