"""More decks than a browser has connections to a server with HTTP/1.1."""

import pytest

from elements import create
from server import Deckd

OPENED = "return decks.every(({ view }) => view?.session.isPredicting && !view.frame.animating)"
IS_ANSWERED = "return decks.every(({ view }) => view.frame.currentIndex === arguments[0] && view.session.waitingCount === 0)"


@pytest.fixture
def open_decks(tmp_path, serve, open_page):
    """Opens tabs with decks of a server that the browser reaches directly."""
    files = {}
    url = serve(files)
    deckd = Deckd(tmp_path, DECKD_ACCESS_ALLOWED_ORIGINS=url)

    def make(count, head=""):
        seats = [create(deckd) for _ in range(count)]
        decks = "".join(f'<swipe-deck session="{seat["id"]}" token="{seat["token"]}"></swipe-deck>' for seat in seats)
        files["/page"] = f'<!doctype html><title>Decks</title>{head}<script type="module" src="{deckd.url}/swipe-deck.js"></script>{decks}'
        page = open_page(f"{url}/page")
        page.run("window.decks = [...document.querySelectorAll('swipe-deck')]")
        page.until(OPENED)
        return page, seats

    make.server = deckd
    yield make
    deckd.stop()


def check(deckd, page, seats):
    """Swipes on the page, and then elsewhere."""
    page.run("for (const deck of decks) deck.swipe('right')")
    page.until(IS_ANSWERED, 1)
    for seat in seats:
        deckd.ask("POST", f"/v1/sessions/{seat['id']}/events", {"type": "swipe", "direction": "left"}, seat["token"])
    page.until(IS_ANSWERED, 2)


# Pages without TLS have no locks.
@pytest.mark.parametrize("head", ["", "<script>delete Navigator.prototype.locks</script>"], ids=["locks", "no locks"])
def test_eight_decks_on_a_page_swipe_and_show_what_others_do(open_decks, head):
    page, seats = open_decks(8, head)
    check(open_decks.server, page, seats)


# Streams that are only counted.
COUNTED = """
<script>
  window.streams = 0;
  const send = fetch;
  window.fetch = (url, request) => {
    if (!url.includes("/stream")) return send(url, request);
    streams++;
    return new Promise((resolve, reject) => request.signal.addEventListener("abort", reject));
  };
</script>
"""
WITH_HTTP_2 = """
<script>
  // The page has made as many requests as the browser lists.
  performance.setResourceTimingBufferSize(0);
  const Observer = PerformanceObserver;
  window.PerformanceObserver = class extends Observer {
    constructor(hear) {
      super((list) => hear({ getEntries: () => list.getEntries().map(({ name }) => ({ name, nextHopProtocol: "h2" })) }));
    }
  };
</script>
"""


def test_stream_that_is_closed_makes_room_for_another_one(open_decks):
    page, _ = open_decks(5, COUNTED)
    page.until("return performance.getEntriesByType('resource').filter(({ name }) => name.includes('/frame?include')).length > 7")
    assert page.run("return streams") == 4
    page.run("decks[0].remove()")
    page.until("return streams === 5")


def test_every_deck_has_a_stream_with_http_2(open_decks):
    page, _ = open_decks(8, COUNTED + WITH_HTTP_2)
    page.until("return streams === 8")


def test_decks_in_eight_tabs_swipe_and_show_what_others_do(open_decks):
    opened = [open_decks(1) for _ in range(8)]
    for page, seats in opened:
        page.front()
        check(open_decks.server, page, seats)
