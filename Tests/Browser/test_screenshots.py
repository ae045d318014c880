"""What both pages look like in each state, light and dark, on a desktop and on a phone, compared with stored images."""

import pytest
from demo import DECKS, READY, middle, still
from gallery import STORED, SCHEMES, SIZES, Gallery, is_different, schemes, settled
from server import Deckd, make_key

DEMO = [f"demo-{deck}-{state}" for deck in DECKS for state in ("rest", "drag")] + ["demo-run-out", "demo-offline", "demo-gate"]
INSPECT = [f"inspect-{name}" for name in ("empty", "list", "not-found", "decks", "deck", "now", "past", "gate")]

# Metrics of which every sample is known, as often as the page wants them until there are enough; and a way to stop all
# requests, so that nothing is drawn again while a picture is taken.
KNOWN_METRICS = """
const [fetchNow, wait] = [window.fetch.bind(window), window.setTimeout.bind(window)];
let [samples, completed, inFlight, gate, open] = [0, 0, 0, Promise.resolve(), null];
const metrics = (n) => {
  const wave = (mean, part) => Math.round(n * mean + part * mean * Math.sin(n / 5));
  return [
    `deckd_http_requests_total{route="/v1/sessions/{id}/events",method="POST",code="200"} ${wave(240, 4) + completed}`,
    `deckd_http_request_duration_seconds_sum{route="/v1/sessions/{id}/events"} ${0.0004 * wave(240, 5)}`,
    `deckd_http_request_duration_seconds_count{route="/v1/sessions/{id}/events"} ${wave(240, 4)}`,
    `deckd_problems_total{type="not-found"} ${Math.floor(n / 9)}`, `deckd_sessions ${4000 + 20 * n}`,
    `deckd_events_refused_total{reason="direction-denied"} ${wave(6, 2)}`, `deckd_streams_open ${70 + (n % 7)}`,
    `deckd_long_polls_waiting 12`, `deckd_journal_commit_changes_count ${wave(90, 3)}`,
    `process_resident_memory_bytes ${8e7 + 2e5 * n}`, "",
  ].join("\\n");
};
Date.now = () => Date.UTC(2026, 0, 2) + 2000 * samples;
window.setTimeout = (handler, delay, ...rest) => (delay === 2000 ? samples < 59 && wait(handler, 0) : wait(handler, delay, ...rest));
window.fetch = async (path, options) => {
  if (path === "/metrics") return new Response(metrics(samples++));
  await gate;
  inFlight++;
  try {
    return await fetchNow(path, options);
  } finally {
    inFlight--;
    if (path !== "/engine.wasm" || options) completed++;
  }
};
window.haveSamples = () => samples === 59;
window.stop = async () => {
  gate = new Promise((resolve) => (open = resolve));
  while (inFlight) await new Promise((resolve) => wait(resolve, 5));
  await new Promise((resolve) => wait(resolve, 30));
};
window.goOn = () => open();
"""

# The first metrics can come before or after the question for a key.
NO_METRICS = """
const fetchNow = window.fetch.bind(window);
window.fetch = (path, options) => (path === "/metrics" ? new Promise(() => {}) : fetchNow(path, options));
"""


@pytest.fixture
def gallery(request, screenshots, measured):
    gallery = Gallery(screenshots, request.config.getoption("--renew-screenshots"))
    yield gallery
    count, most = gallery.largest
    measured(f"{request.node.name}: at most {count} pixels differ, by up to {most} of 255")


@pytest.fixture(params=SIZES)
def size(request):
    return request.param


@pytest.fixture
def view(open_page, size):
    """Opens a page of a size."""

    def make(url, script=None):
        page = open_page("about:blank")
        page.cdp("Emulation.setDeviceMetricsOverride", **SIZES[size])
        if script:
            page.cdp("Page.addScriptToEvaluateOnNewDocument", source=script)
        page.browser.get(url)
        return page

    return make


def settle(page):
    """Waits until no card moves."""
    former = None
    while former != (former := page.shown()):
        page.display_frames(6)


def take_stopped(page, gallery, name):
    page.run_async("await stop()")
    gallery.take(page, name)
    page.run("goOn()")


def test_images_are_those_of_the_states():
    assert {path.name for path in STORED.iterdir()} == {
        f"{state}-{size}-{scheme}.webp" for state in DEMO + INSPECT for size in SIZES for scheme in SCHEMES}


def test_demo_looks_as_before(deckd, link, view, gallery, size):
    page = view(link.url)
    for deck in DECKS:
        page.until("return document.getElementById(`tab-${arguments[0]}`)", deck).click()
        page.until(f"return sessionStorage.getItem('deckd.{deck}')")
        page.until(READY)
        still(page)
        page.run("document.activeElement.blur()")
        gallery.take(page, f"demo-{deck}-rest-{size}")
        finger = page.finger("mouse")
        finger.down(*middle(page))
        finger.move(*((0, 22) if deck == "flip" else (64, -14)))
        page.until("return JSON.parse(document.getElementById('frame').textContent).dragging")
        page.display_frames(10)
        # How many movements there were, and how fast, is different each time.
        page.run("for (const id of ['request', 'frame']) document.getElementById(id).textContent = 'dragged'")
        gallery.take(page, f"demo-{deck}-drag-{size}")
        finger.up()
    page.run("document.getElementById('tab-standard').click()")
    page.until(READY)
    page.until("document.getElementById('skip').click(); return document.querySelector('#deck[data-exhausted]')")
    page.until("return document.querySelectorAll('#deck .deckd-card').length === 0 && document.getElementById('skip').disabled")
    page.run("for (const id of ['request', 'frame']) document.getElementById(id).textContent = 'run out'")
    gallery.take(page, f"demo-run-out-{size}")
    page.run("document.getElementById('again').click()")
    page.until("const front = document.querySelector('#deck [data-role=front]'); return front && getComputedStyle(front).opacity === '1'")
    settle(page)
    link.cut()
    page.until("return document.getElementById('notice').textContent.startsWith('No connection')")
    page.run("document.getElementById('request').textContent = 'offline'")
    gallery.take(page, f"demo-offline-{size}")
    link.mend()
    gallery.check()


def test_gates_look_as_before(tmp_path, view, gallery, size):
    server = Deckd(tmp_path, DECKD_ACCESS_KEYS=make_key()[1])
    try:
        for name, path in (("demo", "/"), ("inspect", "/inspect")):
            page = view(server.url + path, NO_METRICS)
            page.until("return document.getElementById('gate')?.open")
            gallery.take(page, f"{name}-gate-{size}")
    finally:
        server.stop()
    gallery.check()


def fill(deckd):
    """Sessions of several users and decks. The last one is recorded, and has a swipe at 1000 ms and new cards."""
    places = [{"id": f"place-{n}", "label": f"Place {n}", "data": {"title": f"Place {n}", "tags": ["sea", "old town"]}} for n in range(1, 61)]
    deckd.ask("PUT", "/v1/decks/places", {"cards": places})
    deckd.ask("PUT", "/v1/decks/numbers", {"count": 12})
    viewport = {"viewport": {"width": 300, "height": 400}}
    for number in range(5):
        user = {"user": f"user-{number}"} if number % 2 else {}
        deckd.ask("POST", "/v1/sessions", {"deck": "numbers" if number == 2 else {"count": 9}} | viewport | user)
    request = {"deck": "places", "clock": "manual", "record": True, "user": "user-4711", "metadata": {"campaign": "spring"}}
    session = deckd.ask("POST", "/v1/sessions", request | viewport)
    events = f"/v1/sessions/{session['id']}/events"
    deckd.ask("POST", events, {"type": "drag", "phase": "changed", "translation": {"x": 60, "y": 0}, "at": 500})
    deckd.ask("POST", events, {"type": "drag", "phase": "ended", "translation": {"x": 200, "y": 0}, "at": 1000})
    cards = [{"id": f"new-{n}", "label": "A card with a label that is a little longer"} for n in range(6)]
    deckd.ask("POST", events, {"type": "insert", "index": 4, "cards": cards, "at": 3000})
    deckd.ask("POST", events, {"type": "swipe", "direction": "left", "at": 4000})
    deckd.ask("POST", events, {"type": "tick", "at": 65250.5})
    return session


def test_inspect_looks_as_before(own_deckd, view, gallery, size):
    page = view(f"{own_deckd.url}/inspect", KNOWN_METRICS)
    page.until("return haveSamples() && document.getElementById('count')?.textContent === 'No sessions yet.'")
    take_stopped(page, gallery, f"inspect-empty-{size}")
    session = fill(own_deckd)
    page.until("return document.querySelectorAll('#sessions li').length === 6")
    take_stopped(page, gallery, f"inspect-list-{size}")
    page.run("""
        const [by, text] = ["search-by", "search-for"].map((id) => document.getElementById(id));
        by.value = "user";
        by.dispatchEvent(new Event("change"));
        text.value = "unknown";
        text.dispatchEvent(new Event("input"));
    """)
    page.until("return document.getElementById('count').textContent === 'This user has no sessions.'")
    take_stopped(page, gallery, f"inspect-not-found-{size}")
    page.run("const text = document.getElementById('search-for'); text.value = ''; text.dispatchEvent(new Event('input'))")
    page.until("return document.querySelectorAll('#sessions li').length === 6")
    page.run("document.getElementById('tab-decks').click()")
    page.until("return document.querySelector('#decks [data-id=places]')")
    take_stopped(page, gallery, f"inspect-decks-{size}")
    page.run("document.querySelector('#decks [data-id=places] a').click()")
    page.until("return document.querySelectorAll('#deck-cards li').length === 50")
    take_stopped(page, gallery, f"inspect-deck-{size}")
    page.run("document.getElementById('tab-sessions').click()")
    page.run("location.hash = `#/sessions/${arguments[0]}`", session["id"])
    page.until("return document.querySelector('#picture svg') && document.querySelectorAll('#events li').length === 6")
    page.until("return document.querySelectorAll('#verdicts li').length === 2")
    page.run("document.getElementById('tab-verdicts').click()")
    take_stopped(page, gallery, f"inspect-now-{size}")
    page.run("document.getElementById('tab-events').click()")
    page.run("const slider = document.getElementById('slider'); slider.value = 600; slider.dispatchEvent(new Event('input'))")
    page.until("return document.querySelector('#picture svg').ariaLabel.includes('dragged')")
    take_stopped(page, gallery, f"inspect-past-{size}")
    gallery.check()


@pytest.mark.parametrize("change", [
    "const button = document.getElementById('like'); button.style.position = 'relative'; button.style.left = '4px'",
    "document.getElementById('skip').style.color = getComputedStyle(document.getElementById('like')).color",
    "document.getElementById('tab-flip').textContent = 'Flop'",
], ids=["shifted", "coloured", "renamed"])
def test_a_small_change_is_seen(deckd, open_page, change):
    page = open_page(deckd.url)
    page.until(READY)
    still(page)
    before = {scheme: settled(page) for scheme in schemes(page)}
    again = {scheme: settled(page) for scheme in schemes(page)}
    page.run(change)
    for scheme in schemes(page):
        assert is_different(before[scheme], settled(page)) and not is_different(before[scheme], again[scheme]), scheme
