// Swipe decks on Node's http module. The geometry is simplified: the front card follows the finger and turns, the cards
// behind it stay. The body of a request is parsed, the session is changed, and the frame has all members that deckd's has.
// It prints its port.

const http = require("node:http");

const sessions = new Map();
const DIRECTIONS = ["left", "right"];

function createSession(response) {
  const id = `session-${sessions.size}-of-a-peer`;
  sessions.set(id, { id, start: performance.now(), version: 0, translation: { x: 0, y: 0 }, dragging: false });
  reply(response, 201, { id });
}

function change(session, event, response) {
  if (event.type !== "drag") return reply(response, 422, { type: "unknown-event" });
  session.dragging = event.phase === "began" || event.phase === "changed";
  if (event.translation) session.translation = { x: Number(event.translation.x), y: Number(event.translation.y) };
  session.version += 1;
  const at = performance.now() - session.start;
  const progress = Math.min(1, Math.abs(session.translation.x) / 187.5);
  const direction = session.translation.x < 0 ? "left" : "right";
  const result = { type: "drag", applied: true, direction, index: 0, version: session.version };
  const notification = { at, type: "dragged", index: 0, id: "0", direction, percentage: 100 * progress };
  reply(response, 200, {
    results: [result],
    notifications: [notification],
    frame: frame(session, at, direction, progress),
  });
}

function frame(session, at, direction, progress) {
  const outcome = progress < 0.5 ? "reset" : "swiped";
  const drag = {
    translation: session.translation, direction, percentage: 100 * progress,
    thresholdPercentage: Math.min(100, 200 * progress), outcome, reason: "below-threshold",
  };
  return {
    session: session.id, version: session.version, at, currentIndex: 0, cardCount: 100, visibleCount: 3, loop: true,
    exhausted: false, dragging: session.dragging, drag, pending: null, animating: false, settlesAt: null, canRevert: 0,
    canRedo: 0, cards: [0, 1, 2].map((index) => card(index, session, direction, progress)), lastNotification: 2,
  };
}

function card(index, session, direction, progress) {
  const isFront = index === 0;
  const scale = 0.95 ** index;
  const angle = isFront ? progress * 0.314 : 0;
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  return {
    index, id: String(index), role: isFront ? "front" : "background", z: 2 - index,
    frame: { x: 187.5 * (1 - scale), y: 33.6 * index, width: 375 * scale, height: 592 * scale }, face: "front",
    matrix: isFront ? [cosine, sine, -sine, cosine, session.translation.x, session.translation.y] : [1, 0, 0, 1, 0, 0],
    anchor: { x: 0.5, y: 0.5 }, contentScale: { x: scale, y: scale }, opacity: isFront ? 1 : 0.7, interactive: isFront,
    overlay: isFront ? { direction, progress, alpha: progress } : null, allowedDirections: DIRECTIONS,
  };
}

function reply(response, status, value) {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    "Content-Type": "application/json", "Cache-Control": "no-store", "Content-Length": body.length,
  });
  response.end(body);
}

const server = http.createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const [, , , id] = request.url.split("?")[0].split("/");
    if (id === undefined) return createSession(response);
    const session = sessions.get(id);
    if (!session) return reply(response, 404, { type: "not-found" });
    try {
      change(session, JSON.parse(Buffer.concat(parts)), response);
    } catch {
      reply(response, 400, { type: "malformed" });
    }
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
