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

# Records the largest jump of a card at a correction, and how fast corrections disappear, in parts of the card's width.
WATCH_CORRECTIONS = """
window.corrections = { count: 0, jump: 0, step: 0 };
const centres = () => {
  const deck = view.element.getBoundingClientRect();
  return new Map([...view.element.querySelectorAll(".deckd-card")].map((card) => {
    const { left, top, width, height } = card.querySelector(".deckd-face").getBoundingClientRect();
    return [card, { x: left + width / 2, y: top + height / 2, width }];
  }));
};
const far = (one, other) => Math.hypot(one.x - other.x, one.y - other.y) / one.width;
session.addEventListener("correction", () => {
  const before = centres();
  // The view has its listener first, and draws when the next event says that the frame has changed.
  session.addEventListener("frame", () => {
    corrections.count++;
    for (const [card, centre] of centres()) {
      const former = before.get(card);
      if (former) corrections.jump = Math.max(corrections.jump, far(centre, former) - window.moving);
    }
  }, { once: true });
});
window.moving = 0;
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
