"""The operator's page: lists and search, metrics, and who may see them. A session and a deck: test_inspect_session.py."""

import importlib.resources

import pytest
import requests
from inspecting import begin, choose, shown
from server import Deckd, make_key

AXE = importlib.resources.files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
COUNT = "return document.getElementById('count').textContent"


def search(page, by, text):
    page.run("""
        const [by, text] = ["search-by", "search-for"].map((id) => document.getElementById(id));
        by.value = arguments[0];
        by.dispatchEvent(new Event("change"));
        text.value = arguments[1];
        text.dispatchEvent(new Event("input"));
    """, by, text)


def listed(page, count):
    """Waits until a number of sessions is listed, and gives their texts."""
    page.until("return document.querySelectorAll('#sessions li').length === arguments[0]", count)
    return page.run("return [...document.querySelectorAll('#sessions li')].map((row) => row.textContent)")


def numbers(page):
    return page.run("""
        const figures = [...document.querySelectorAll("#charts figure")];
        return Object.fromEntries(figures.map((figure) => [figure.firstChild.textContent, figure.children[1].textContent]));
    """)


def test_the_list_goes_on(own_deckd, open_page):
    for _ in range(60):
        own_deckd.ask("POST", "/v1/sessions", {"deck": {"count": 1}, "viewport": {"width": 9, "height": 9}})
    page = open_page(f"{own_deckd.url}/inspect")
    listed(page, 50)
    page.until("return !document.getElementById('more').hidden")
    page.run("document.getElementById('more').click()")
    listed(page, 60)
    page.until("return document.getElementById('more').hidden")
    assert page.run(COUNT) == "60 sessions"


def test_sessions_are_found_by_id_user_and_deck(own_deckd, open_page):
    own_deckd.ask("PUT", "/v1/decks/places", {"count": 3})
    viewport = {"viewport": {"width": 9, "height": 9}}
    for number in range(6):
        user = {"user": ["Zoë & co", "max"][number % 2]}
        own_deckd.ask("POST", "/v1/sessions", {"deck": {"count": 1}} | viewport | user)
    session = own_deckd.ask("POST", "/v1/sessions", {"deck": "places"} | viewport)
    page = open_page(f"{own_deckd.url}/inspect")
    assert sum("user max" in text for text in listed(page, 7)) == 3
    search(page, "user", "Zoë & co")
    assert all("user Zoë & co" in text for text in listed(page, 3))
    assert page.run(COUNT) == "3 sessions found"
    search(page, "deck", "places")
    assert "places" in listed(page, 1)[0]
    search(page, "idPrefix", session["id"][:9])
    assert session["id"] in listed(page, 1)[0]
    page.until("return document.getElementById('count').textContent === '1 session found'")
    search(page, "idPrefix", session["id"][:3])
    listed(page, 0)
    assert "at least 4" in page.run(COUNT)
    search(page, "user", "unknown")
    page.until("return document.getElementById('count').textContent === 'This user has no sessions.'")
    search(page, "user", "")
    listed(page, 7)


def test_charts_have_axes_and_leave_out_the_page_itself(own_deckd, open_page):
    """The page asks for lists, frames and logs all the time. Only the requests of others are in its numbers."""
    session = begin(own_deckd)
    page = open_page(f"{own_deckd.url}/inspect")
    choose(page, session)
    points = "return [...document.querySelectorAll('#charts polyline')].map((line) => line.getAttribute('points')?.split(' ').length ?? 0)"
    page.until(f"return (() => {{ {points} }})().every((count) => count >= 3)")
    highest = page.run("""
        const figures = [...document.querySelectorAll("#charts figure")];
        const top = (figure) => Math.min(...[...figure.querySelector("polyline").points].map(({ y }) => y));
        return Object.fromEntries(figures.map((figure) => [figure.firstChild.textContent, top(figure)]));
    """)
    # 40 is the lower edge of a chart.
    assert {highest[title] for title in ("Requests/s", "Errors/s", "Mean, ms")} == {40}
    assert numbers(page)["Sessions"] == "1"
    axes = page.run("return [...document.querySelectorAll('.plot')].map((plot) => [...plot.querySelectorAll('span')].map((label) => label.textContent))")
    assert all(zero == "0" and float(top) >= 1 and (first, last) == ("2 min ago", "now") for top, zero, first, last in axes)
    with requests.Session() as client:
        for _ in range(60):
            client.post(f"{own_deckd.url}/v1/sessions/{session['id']}/events", json={"type": "nudge"}, headers={"Authorization": f"Bearer {session['token']}"})
    page.until("return Number(document.querySelector('#charts output').textContent) > 5")
    page.until("return document.querySelectorAll('#charts output')[1].textContent !== '0'")


def test_nobody_without_a_key_sees_anything(tmp_path, open_page):
    key, line = make_key()
    server = Deckd(tmp_path, DECKD_ACCESS_KEYS=line)
    try:
        session = begin(server, token=key)
        page = open_page(f"{server.url}/inspect")
        page.until("return document.getElementById('gate').open")
        assert page.run("return document.querySelectorAll('#sessions li').length") == 0
        for attempt in ("not-the-key", key):
            page.until("return document.getElementById('gate').open")
            page.run("document.getElementById('key').value = arguments[0]; document.querySelector('#gate button').click()", attempt)
            if attempt != key:
                page.until("return document.getElementById('gate-problem').textContent")
        choose(page, session)
        shown(page, "card 2 of 9")
        assert key not in page.browser.current_url and key not in page.browser.page_source
    finally:
        server.stop()


def test_an_operators_key_is_enough(tmp_path, open_page):
    key, line = make_key("--scopes", "operate")
    maker, other = make_key("--scopes", "sessions,decks", name="app")
    wrong, third = make_key("--scopes", "feed", name="feed")
    server = Deckd(tmp_path, DECKD_ACCESS_KEYS=f"{line},{other},{third}")
    try:
        server.ask("PUT", "/v1/decks/places", {"count": 3}, maker)
        session = begin(server, token=maker)
        page = open_page(f"{server.url}/inspect")
        page.until("return document.getElementById('gate').open")
        enter = "document.getElementById('key').value = arguments[0]; document.querySelector('#gate button').click()"
        page.run(enter, wrong)
        page.until("return document.getElementById('gate').open && document.getElementById('gate-problem').textContent.includes('scope')")
        page.run(enter, key)
        choose(page, session)
        page.until("return document.querySelectorAll('#events li').length === 4 && document.querySelectorAll('#verdicts li').length === 1")
        page.run("location.hash = '#/decks/places'")
        page.until("return document.getElementById('deck-state').textContent.startsWith('3 cards')")
        assert page.run("return document.getElementById('notice').textContent") == ""
    finally:
        server.stop()


def test_an_error_is_shown_until_its_part_of_the_page_succeeds(own_deckd, open_page):
    page = open_page(f"{own_deckd.url}/inspect")
    listed(page, 0)
    page.run("""
        window.send = fetch;
        window.listings = 0;
        window.fetch = (path, options) => {
          listings += path.startsWith("/v1/sessions");
          return path === "/metrics" ? Promise.reject(new TypeError("no metrics")) : send(path, options);
        };
    """)
    page.until("return document.getElementById('notice').textContent === 'no metrics'")
    page.run("""
        window.said = [];
        new MutationObserver(() => said.push(document.getElementById("notice").textContent)).observe(document.getElementById("notice"), { childList: true });
        listings = 0;
    """)
    page.until("return listings === 2")
    assert page.run("return said") == []
    page.run("window.fetch = send")
    page.until("return document.getElementById('notice').textContent === ''")


def test_a_row_can_be_pressed_while_the_list_is_read(own_deckd, open_page):
    session = begin(own_deckd)
    page = open_page(f"{own_deckd.url}/inspect")
    listed(page, 1)
    page.run("""
        window.reads = 0;
        new MutationObserver(() => reads++).observe(document.getElementById("sessions"), { childList: true, subtree: true });
        new MutationObserver(() => (window.isRepeated = true)).observe(document.getElementById("count"), { childList: true });
    """)
    x, y = page.run("const b = document.querySelector('#sessions .used').getBoundingClientRect(); return [b.x + 5, b.y + 5]")
    finger = page.finger("mouse")
    finger.down(round(x), round(y))
    # The time since the last use is another one.
    page.until("return reads > 0")
    finger.up()
    page.until("return location.hash === `#/sessions/${arguments[0]}`", session["id"])
    assert not page.run("return window.isRepeated"), "the number of sessions is not read out again"


def test_the_keyboard_is_enough(own_deckd, open_page):
    session = begin(own_deckd)
    own_deckd.ask("PUT", "/v1/decks/places", {"count": 3})
    page = open_page(f"{own_deckd.url}/inspect")
    listed(page, 1)
    page.run("document.getElementById('tab-sessions').focus()")
    page.press("\ue014")  # Right arrow.
    page.until("return document.activeElement.id === 'tab-decks' && document.querySelector('#decks [data-id=places]')")
    page.press("\ue012")
    page.until("return document.activeElement.id === 'tab-sessions' && !document.getElementById('sessions-panel').hidden")
    page.run("document.querySelector('#sessions a').focus()")
    page.press("\ue007")
    page.until("return location.hash === `#/sessions/${arguments[0]}` && document.querySelector('#picture svg')", session["id"])
    page.run("document.getElementById('slider').focus()")
    page.press("\ue011")  # Home: the beginning.
    shown(page, ", 0:00.000")
    page.press("\ue010")  # End: now.
    page.until("return document.getElementById('moment').textContent === '0:03.000, now'")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [None, (390, 844)], ids=["desktop", "phone"])
def test_nothing_stands_in_the_way_of_anybody(own_deckd, open_page, scheme, size):
    own_deckd.ask("PUT", "/v1/decks/places", {"cards": [{"id": f"p{n}", "data": {"n": n}} for n in range(60)]})
    session = begin(own_deckd)
    page = open_page("about:blank", size=size)
    page.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    page.browser.get(f"{own_deckd.url}/inspect")
    listed(page, 1)

    def check(view):
        page.run(AXE)
        found = page.run_async("return (await axe.run()).violations.map((v) => `${v.id}: ${v.nodes[0].html}`)")
        assert found == [], view
        assert page.run("return document.documentElement.scrollWidth <= innerWidth"), view
        if size:
            small = page.run("""
                const targets = [...document.querySelectorAll("main :is(button, a, input, select, summary), header :is(a, button)")];
                return targets.filter((one) => one.checkVisibility() && !one.closest("dd")).map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
                  .filter(([, { width, height }]) => Math.min(width, height) < 44).map(([text]) => text);
            """)
            assert small == [], view

    check("list")
    if size:
        # The first screen has the numbers, the search and the first session.
        bottom = page.run("return document.querySelector('#sessions li').getBoundingClientRect().bottom")
        assert bottom < 500 and page.run("return document.querySelector('#charts .key output').getBoundingClientRect().bottom") < 160
        page.run("document.getElementById('more-charts').click()")
        check("charts")
    page.run("document.getElementById('tab-decks').click()")
    page.until("return document.querySelector('#decks [data-id=places]')")
    check("decks")
    choose(page, session)
    page.until("return document.querySelectorAll('#events li').length === 4 && document.querySelectorAll('#verdicts li').length === 1")
    for tab in ("events", "verdicts", "card"):
        page.run("document.getElementById(`tab-${arguments[0]}`).click()", tab)
        check(tab)
    page.run("location.hash = '#/decks/places'")
    page.until("return document.querySelectorAll('#deck-cards li').length === 50")
    check("deck")
