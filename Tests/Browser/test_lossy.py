"""A page on a network that loses requests and responses. The page is left and hidden at any time, and other clients are there."""

import pytest

PLAY = """
const [seed, hasOther] = cases;
let state = seed;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const items = new Map();
const storage = {
  getItem: (name) => items.get(name) ?? null,
  setItem: (name, value) => void items.set(name, value),
  removeItem: (name) => void items.delete(name),
};
const { DeckClient } = await import("/deckd.js");
const client = new DeckClient({ storage });
let session = await client.sessions.create({ deck: { preset: "standard", count: 999 }, viewport: { width: 300, height: 400 }, record: true });
const { id, token } = session;
const other = hasOther && (await new DeckClient({ storage: null }).sessions.open({ id, token }));
const { fetch } = window;
window.fetch = async (url, request) => {
  await sleep(60 * random());
  if (random() < 0.1) throw new TypeError("The request is lost.");
  const response = await fetch(url, request);
  await sleep(60 * random());
  if (random() < 0.15) throw new TypeError("The response is lost.");
  return response;
};

// The duration of a swipe says which one it is. None names a card, so that the server would apply it again.
const sent = [];
const refused = new Set();
function swipe() {
  const duration = 0.2 + (sent.length + 1) / 10_000;
  sent.push(duration.toFixed(4));
  const note = ([{ applied }]) => applied || refused.add(duration.toFixed(4));
  session.send({ type: "swipe", direction: "right", duration }).then(note, () => {});
}
const move = { type: "drag", phase: "changed", translation: { x: 10, y: 0 }, location: { x: 100, y: 100 } };
const reopen = async () => {
  session.close();
  session = await client.sessions.open({ id, token }, { attempts: Infinity });
};
for (let step = 0; step < 120; step++) {
  const chance = random();
  if (chance < 0.62) swipe();
  else if (chance < 0.72) session.move(move);
  else if (chance < 0.8) session.send({ type: "tap" }).catch(() => {});
  else if (chance < 0.86) await reopen();
  else if (chance < 0.92) dispatchEvent(new Event("pagehide"));
  else if (other) other.send({ type: "tap" }).catch(() => {});
  await sleep(40 * random());
}
window.fetch = fetch;
while (session.waitingCount) await sleep(20);
const { body } = await client.request("GET", `/v1/sessions/${id}/events`, { token });
const log = await new Response(body).text();
const applied = [...log.matchAll(/"duration":(0[.][0-9]+)/g)].map(([, duration]) => Number(duration).toFixed(4));
return [sent.filter((duration) => !refused.has(duration)), applied];
"""


@pytest.mark.parametrize("has_other", [False, True], ids=["alone", "with another client"])
@pytest.mark.parametrize("seed", [1, 3])
def test_every_swipe_is_applied_once_and_in_order(deckd, open_page, seed, has_other):
    page = open_page(f"{deckd.url}/deckd.js")
    sent, applied = page.run_async(PLAY, [seed, has_other])
    assert len(sent) > 40 and applied == sent
