"""What a page has shown at each frame of its display, and where the server says that the cards were."""

import json
import urllib.request

from geometry import box

# Records, at each frame of the display, the time of the session and the boxes of the cards' faces.
RECORD = """
window.shown = [];
const record = () => {
  const deck = view.element.getBoundingClientRect();
  const cards = [...view.element.querySelectorAll(".deckd-card")].map((card) => {
    const { left, top, width, height } = card.querySelector(".deckd-face").getBoundingClientRect();
    return { index: Number(card.dataset.index), role: card.dataset.role, box: [left - deck.left, top - deck.top, width, height] };
  });
  shown.push({ at: view.frame.at, version: view.frame.version, cards });
  window.recording = requestAnimationFrame(record);
};
record();
"""

# Records the largest jump of a card at a correction, in parts of its width, and the largest change of what is still to be corrected
# within a frame of the display.
WATCH_CORRECTIONS = """
window.corrections = { count: 0, jump: 0, step: 0 };
const key = ({ id, role }) => (role === "leaving" ? `${id} leaving` : id);
const centre = ({ frame, anchor, matrix: [a, b, c, d, x, y] }) => {
  const [right, down] = [(0.5 - anchor.x) * frame.width, (0.5 - anchor.y) * frame.height];
  return [frame.x + anchor.x * frame.width + a * right + c * down + x, frame.y + anchor.y * frame.height + b * right + d * down + y];
};
const places = (frame) => new Map(frame.cards.map((card) => [key(card), centre(card)]));
const minus = (one, other) => one.map((number, side) => number - other[side]);
// How far each card is shown from where the frame has it.
const rests = () => {
  const deck = view.element.getBoundingClientRect();
  const rest = new Map();
  for (const card of view.element.querySelectorAll(".deckd-card")) {
    const { left, top, width, height } = card.querySelector(".deckd-face").getBoundingClientRect();
    const place = [left + width / 2 - deck.left, top + height / 2 - deck.top];
    const found = [...places(view.frame)].find(([name]) => name === `${card.dataset.id}${card.dataset.role === "leaving" ? " leaving" : ""}`);
    if (found) rest.set(card, minus(place, found[1]));
  }
  return rest;
};
let former = new Map();
const watch = () => {
  const now = rests();
  if (!window.corrected) {
    for (const [card, rest] of now) {
      if (former.has(card)) corrections.step = Math.max(corrections.step, Math.hypot(...minus(rest, former.get(card))) / 300);
    }
  }
  window.corrected = false;
  former = now;
  requestAnimationFrame(watch);
};
watch();
session.addEventListener("correction", ({ detail: { before, after } }) => {
  // What was drawn last, and where that would be now.
  const [drawn, natural] = [rests(), places(before)];
  const shown = new Map([...drawn].map(([card, rest]) => [card, { rest, name: `${card.dataset.id}${card.dataset.role === "leaving" ? " leaving" : ""}` }]));
  session.addEventListener("frame", () => {
    corrections.count++;
    window.corrected = true;
    const now = places(after);
    for (const [card, rest] of rests()) {
      const last = shown.get(card);
      if (!last || !natural.has(last.name)) continue;
      const name = `${card.dataset.id}${card.dataset.role === "leaving" ? " leaving" : ""}`;
      const jump = minus(now.get(name).map((number, side) => number + rest[side]), natural.get(last.name).map((number, side) => number + last.rest[side]));
      corrections.jump = Math.max(corrections.jump, Math.hypot(...jump) / 300);
    }
  }, { once: true });
});
"""


def record(page):
    page.run(RECORD)


def stop_recording(page):
    return page.run("cancelAnimationFrame(window.recording); return shown")


def past_frame(url, seat, at):
    """The frame of a recorded session at a past moment."""
    request = urllib.request.Request(f"{url}/v1/sessions/{seat['id']}/frame?at={at}")
    request.add_header("Authorization", f"Bearer {seat['token']}")
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def differences(shown, url, seat, count):
    """The distances in px between what was shown, at this many of the frames, and what the server's log gives for these times."""
    step = max(1, len(shown) // count)
    found = []
    for seen in shown[::step]:
        frame = past_frame(url, seat, seen["at"])
        cards = {(card["index"], card["role"]): box(card) for card in frame["cards"]}
        for card in seen["cards"]:
            said = cards.get((card["index"], card["role"]))
            assert said, (seen["at"], card, sorted(cards))
            found.append(max(abs(one - other) for one, other in zip(card["box"], said)))
    return found
