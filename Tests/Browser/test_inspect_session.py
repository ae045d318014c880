"""What the operator's page shows of a session and of a deck."""

import json
import time
import urllib.request

from inspecting import begin, choose, go, shown
from server import Deckd

EVENTS = "return [...document.querySelectorAll('#events li')].map((row) => row.textContent)"


def test_a_session_is_shown_as_it_is_now_and_goes_on(own_deckd, open_page):
    session = begin(own_deckd, user="Zoë", metadata={"campaign": "spring"})
    page = open_page(f"{own_deckd.url}/inspect")
    choose(page, session)
    shown(page, "card 2 of 9 · at rest, 0:03.000")
    facts = page.run("return document.getElementById('facts').textContent")
    assert "UserZoë" in facts and '{"campaign":"spring"}' in facts
    swipe = {"type": "swipe", "direction": "left", "at": 4000}
    own_deckd.ask("POST", f"/v1/sessions/{session['id']}/events", swipe)
    shown(page, "card 3 of 9")
    page.until("return document.getElementById('log-state').textContent === '5 lines'")
    own_deckd.ask("DELETE", f"/v1/sessions/{session['id']}")
    page.until("return document.getElementById('description').textContent === 'This session has ended.'")


def test_the_slider_opens_at_now_and_shows_what_was(own_deckd, open_page, screenshots):
    session = begin(own_deckd)
    page = open_page(f"{own_deckd.url}/inspect")
    choose(page, session)
    page.until("return document.querySelectorAll('#events li').length === 4")
    slider = "const { value, max } = document.getElementById('slider'); return [Number(value), Number(max)]"
    assert page.run(slider) == [3000, 3000]
    assert page.run("return document.getElementById('moment').textContent") == "0:03.000, now"
    go(page, 600)
    assert "dragged by 60 0" in shown(page, ", 0:00.600")
    assert page.run("return document.getElementById('moment').textContent") == "0:00.600"
    assert page.run("return document.querySelector('#events [aria-current=true]').textContent").startswith("0:00.500drag")
    page.browser.save_screenshot(f"{screenshots}/inspect.png")
    page.run("document.querySelectorAll('#events button')[2].click()")
    shown(page, ", 0:01.000")
    page.run("document.getElementById('play').click()")
    # A replay from 1000 ms passes over the rest, and ends where now is.
    page.until("return document.getElementById('moment').textContent === '0:03.000, now'")
    go(page, 0)
    # The drag is shown for half a second only.
    page.run("""
        window.said = [];
        new MutationObserver(() => said.push(document.querySelector("#picture svg").ariaLabel)).observe(document.getElementById("picture"), { childList: true });
        document.getElementById("play").click();
    """)
    page.until("return document.getElementById('moment').textContent === '0:03.000, now'")
    assert page.run("return said.some((text) => text.includes('dragged by 60 0'))")
    assert page.run(slider) == [3000, 3000]


def test_time_goes_on_without_events(own_deckd, open_page):
    """The slider of a session in real time ends where its clock is, however long ago its last event was."""
    request = {"deck": {"count": 9}, "viewport": {"width": 300, "height": 400}, "record": True}
    session = own_deckd.ask("POST", "/v1/sessions", request)
    events = f"/v1/sessions/{session['id']}/events"
    own_deckd.ask("POST", events, {"type": "swipe", "direction": "right"})
    time.sleep(2.5)
    page = open_page(f"{own_deckd.url}/inspect")
    choose(page, session)
    page.until("return document.querySelectorAll('#events li').length === 2")
    end = "return Number(document.getElementById('slider').max)"
    first = page.run(end)
    now = own_deckd.ask("GET", f"/v1/sessions/{session['id']}/frame")["at"]
    assert 2500 < first <= now + 1
    page.until("return Number(document.getElementById('slider').max) > arguments[0] + 900", first)
    # The slider follows the session's clock, and is never ahead of it.
    now = own_deckd.ask("GET", f"/v1/sessions/{session['id']}/frame")["at"]
    last = page.until("const end = Number(document.getElementById('slider').max); return end >= arguments[0] && end", now)
    assert last <= own_deckd.ask("GET", f"/v1/sessions/{session['id']}/frame")["at"] + 1
    is_now = "return document.getElementById('moment').textContent.endsWith(', now')"
    go(page, 0)
    assert not page.run(is_now)
    page.run("document.getElementById('play').click()")
    page.until(is_now)
    shown(page, "card 2 of 9 · at rest")
    go(page, 0)
    go(page, 10**9)
    assert page.run(is_now), "the end of the slider is now"


def test_events_are_shown_whole(own_deckd, open_page):
    session = begin(own_deckd)
    cards = [{"id": f"card-{n}", "data": {"text": "A long text that must not be cut off. " * 5}} for n in range(4)]
    own_deckd.ask("POST", f"/v1/sessions/{session['id']}/events", {"type": "insert", "index": 3, "cards": cards, "at": 61234.5})
    page = open_page(f"{own_deckd.url}/inspect")
    choose(page, session)
    page.until("return document.querySelectorAll('#events li').length === 5")
    page.run("document.querySelector('#events li:last-child details').open = true")
    rows = page.until(f"const rows = (() => {{ {EVENTS} }})(); return rows[4].includes('cut off') && rows")
    assert json.loads(rows[4].split("characters", 1)[1]) == {"index": 3, "cards": cards}
    assert rows[4].startswith("1:01.235insert")
    assert rows[1] == '0:00.500drag{"phase":"changed","translation":{"x":60,"y":0}}'
    cut = page.run("""
        return [...document.querySelectorAll("#events :is(li, button, span, pre)")]
          .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline").length;
    """)
    assert cut == 0


def test_a_session_without_a_log_is_shown_as_it_is(own_deckd, open_page):
    session = begin(own_deckd, record=False)
    page = open_page(f"{own_deckd.url}/inspect")
    choose(page, session)
    shown(page, "card 2 of 9")
    assert page.run("return document.getElementById('time').hidden && document.getElementById('events').hidden")


def test_picture_has_the_size_of_its_moment(own_deckd, open_page):
    page = open_page(f"{own_deckd.url}/inspect")
    width = "return document.querySelector('#picture .viewport').getAttribute('width') === arguments[0]"
    resize = {"type": "resize", "viewport": {"width": 600, "height": 400}, "at": 4000}
    for record in (True, False):
        session = begin(own_deckd, record=record)
        choose(page, session)
        page.until("return document.getElementById('session-title').textContent.includes(arguments[0])", session["id"])
        page.until(width, "300")
        own_deckd.ask("POST", f"/v1/sessions/{session['id']}/events", resize)
        page.until(width, "600")
        if record:
            page.until("return document.querySelectorAll('#events li').length === 5")
            go(page, 600)
            page.until(width, "300")


def test_picture_has_the_colours_of_the_page(own_deckd, open_page):
    session = begin(own_deckd)
    page = open_page(f"{own_deckd.url}/inspect")
    choose(page, session)
    colours = """
        const fill = (selector) => getComputedStyle(document.querySelector(selector)).fill;
        return [fill("#picture .card polygon"), fill("#picture .viewport"), fill("#picture text")];
    """
    page.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])
    light = page.run(colours)
    page.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    dark = page.run(colours)
    brightness = lambda colour: sum(int(part) for part in colour[4:-1].split(","))
    assert [brightness(colour) > 380 for colour in light] == [True, True, False]
    assert [brightness(colour) > 380 for colour in dark] == [False, False, True]


def test_verdicts_and_cards_lead_to_each_other(own_deckd, open_page):
    cards = [{"id": f"p{n}", "label": f"Place {n}", "data": {"title": f"Title {n}"}} for n in range(9)]
    own_deckd.ask("PUT", "/v1/decks/places", {"cards": cards})
    session = begin(own_deckd, deck="places")
    page = open_page(f"{own_deckd.url}/inspect")
    choose(page, session)
    page.until("return document.querySelectorAll('#events li').length === 4")
    page.run("document.getElementById('tab-card').click()")
    front = "return document.getElementById('card-title').textContent + document.getElementById('card-data').textContent"
    assert page.run(front) == 'In front, card 2 of 9: p1, Place 1{"title": "Title 1"}'
    page.run("document.getElementById('tab-verdicts').click()")
    page.until("return document.querySelectorAll('#verdicts li').length === 1")
    assert page.run("return document.querySelector('#verdicts li').innerText").split() == ["0:01.000", "right", "p0"]
    page.run("document.querySelector('#verdicts .card').click()")
    page.until("return document.getElementById('card-title').textContent === 'Card 1: p0, Place 0'")
    assert page.run("return !document.getElementById('card-panel').hidden && document.getElementById('card-data').textContent") == '{"title": "Title 0"}'
    page.run("document.querySelector('#verdicts .at').click()")
    shown(page, ", 0:01.000")
    page.run("document.getElementById('card-front').click()")
    page.run("const number = document.getElementById('card-number'); number.value = 5; number.dispatchEvent(new Event('change'))")
    page.until("return document.getElementById('card-title').textContent === 'Card 5: p4, Place 4'")
    # The list of verdicts follows the session.
    own_deckd.ask("POST", f"/v1/sessions/{session['id']}/events", {"type": "swipe", "direction": "left", "at": 4000})
    page.until("return document.querySelectorAll('#verdicts li').length === 2")
    own_deckd.ask("POST", f"/v1/sessions/{session['id']}/events", {"type": "revert", "at": 6000})
    page.until("return document.querySelectorAll('#verdicts li').length === 1")
    page.run("document.querySelector('#facts a').click()")
    page.until("return document.getElementById('deck-state').textContent.startsWith('9 cards')")


def test_a_deck_is_shown_in_pages(own_deckd, open_page):
    cards = [{"id": f"p{n}", "label": f"Place {n}", "data": {"n": n}} for n in range(120)]
    own_deckd.ask("PUT", "/v1/decks/places", {"cards": cards})
    session = begin(own_deckd, deck="places")
    begin(own_deckd)
    page = open_page(f"{own_deckd.url}/inspect")
    page.until("return document.querySelectorAll('#sessions li').length === 2")
    page.run("document.getElementById('tab-decks').click()")
    assert "120 cards" in page.until("return document.querySelector('#decks [data-id=places]')?.textContent")
    page.run("document.querySelector('#decks [data-id=places] a').click()")
    for place, first, last in (("1–50", "p0", "p49"), ("51–100", "p50", "p99"), ("101–120", "p100", "p119")):
        page.until("return document.getElementById('deck-place').textContent === arguments[0]", f"{place} of 120")
        names = page.run("return [...document.querySelectorAll('#deck-cards b')].map((one) => one.textContent)")
        assert (names[0], names[-1]) == (first, last)
        page.run("document.getElementById('deck-after').click()")
    page.run("document.getElementById('deck-before').click()")
    page.until("return document.getElementById('deck-place').textContent === '51–100 of 120'")
    page.run("document.getElementById('deck-sessions').click()")
    page.until("return document.querySelectorAll('#sessions li').length === 1 && document.querySelector('#sessions [data-id]').dataset.id === arguments[0]", session["id"])
    page.run("location.hash = '#/decks/none'")
    page.until("return document.getElementById('deck-state').textContent === 'There is no deck with this id.'")


def test_a_deck_is_read_again_after_an_error_of_the_server(own_deckd, open_page):
    own_deckd.ask("PUT", "/v1/decks/places", {"count": 3})
    page = open_page(f"{own_deckd.url}/inspect")
    page.until("return document.querySelector('#charts figure')")
    page.run("""
        const send = fetch;
        let count = 0;
        window.fetch = (path, options) => (path === "/v1/decks/places" && !count++ ? new Response(null, { status: 503 }) : send(path, options));
        location.hash = "#/decks/places";
    """)
    page.until("return document.getElementById('deck-state').textContent.startsWith('3 cards')")


def test_a_log_that_costs_more_than_there_is_at_once_is_read_slowly(tmp_path, open_page):
    limits = {"DECKD_LIMITS_COST_PER_SECOND": "200", "DECKD_LIMITS_COST_BURST": "256", "DECKD_PRICES_LINES_PER_UNIT": "1"}
    deckd = Deckd(tmp_path, **limits)
    try:
        session = begin(deckd)
        path = f"/v1/sessions/{session['id']}/events"
        # To read the session after each of the inserts costs a unit for each line before it: more than 1,000 in all.
        for number in range(12):
            at = 3001 + 10 * number
            events = [{"type": "tick", "at": at}] * 12 + [{"type": "insert", "count": 1, "index": 9 + number, "at": at + 5}]
            deckd.ask("POST", f"{path}?frame=none", {"events": events})
            time.sleep(0.1)
        page = open_page(f"{deckd.url}/inspect")
        choose(page, session)
        page.until("return document.getElementById('log-state').textContent === '160 lines'")
        metrics = urllib.request.urlopen(f"{deckd.url}/metrics").read().decode()
        refusals = 'deckd_cost_refusals_total{payer="player",reason="rate"}'
        assert refusals in metrics and f"{refusals} 0\n" not in metrics
        go(page, 3050)
        assert "card 2 of 14" in shown(page, ", 0:03.050")
    finally:
        deckd.stop()


def test_facts_stay_the_same_elements_until_they_change(own_deckd, open_page):
    own_deckd.ask("PUT", "/v1/decks/places", {"count": 9})
    session = begin(own_deckd, deck="places")
    page = open_page(f"{own_deckd.url}/inspect")
    choose(page, session)
    page.until("return document.querySelectorAll('#events li').length === 4")
    page.run("""
        document.querySelector("#facts a").focus();
        window.reads = 0;
        const send = fetch;
        window.fetch = (path, options) => {
          reads += path === `/v1/sessions/${arguments[0]}`;
          return send(path, options);
        };
    """, session["id"])
    x, y = page.run("const b = document.querySelector('#facts a').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]")
    own_deckd.ask("PATCH", f"/v1/sessions/{session['id']}", {"viewport": {"width": 600, "height": 400}})
    page.until("return document.querySelectorAll('#events li').length === 5")
    page.until("return document.querySelector('#picture .viewport').getAttribute('width') === '600'")
    assert page.run("return [reads, document.activeElement.textContent]") == [1, "places"]
    finger = page.finger("mouse")
    finger.down(round(x), round(y))
    own_deckd.ask("POST", f"/v1/sessions/{session['id']}/events", {"type": "swipe", "direction": "left", "at": 4000})
    page.until("return reads === 2 && document.querySelectorAll('#events li').length === 6")
    finger.up()
    page.until("return location.hash === '#/decks/places'")


def test_data_is_shown_as_it_is_and_at_once(own_deckd, open_page):
    session = begin(own_deckd)
    card = {"id": "a", "data": {"note": "a [   b   c   ] d", "blank": "[" + " " * 6000 + "[", "list": [1, [], {}], "nothing": None}}
    own_deckd.ask("POST", f"/v1/sessions/{session['id']}/events", {"type": "insert", "index": 1, "cards": [card], "at": 4000})
    page = open_page(f"{own_deckd.url}/inspect")
    choose(page, session)
    text = page.until("return document.getElementById('card-data').textContent")
    assert json.loads(text) == card["data"] and text.startswith('{\n  "note": "a [   b   c   ] d",\n  "blank": "[  ')
    formatted = "const { formatted } = await import('/web/json.js'); return cases.map((value) => formatted(value))"
    written = page.run_async(formatted, [{"x": {"y": [1, "{  }"]}, "z": []}, [[1, 2], ["a" * 120]], "s", None, 5, {}])
    assert written == [
        '{\n  "x": {\n    "y": [1, "{  }"]\n  },\n  "z": []\n}', f'[\n  [1, 2],\n  [\n    "{"a" * 120}"\n  ]\n]', '"s"', "null", "5", "{}",
    ]
