"""The operator's page."""

import importlib.resources

import pytest
from server import Deckd, make_key

AXE = importlib.resources.files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")

def begin(deckd, record=True, token=None):
    """A session whose second event is a swipe, at 1000 ms."""
    request = {"deck": {"count": 9}, "viewport": {"width": 300, "height": 400}, "clock": "manual", "record": record}
    session = deckd.ask("POST", "/v1/sessions", request, token)
    path = f"/v1/sessions/{session['id']}/events"
    drag = {"type": "drag", "phase": "changed", "translation": {"x": 60, "y": 0}, "at": 500}
    deckd.ask("POST", path, drag, token)
    deckd.ask("POST", path, {"type": "drag", "phase": "ended", "translation": {"x": 200, "y": 0}, "at": 1000}, token)
    deckd.ask("POST", path, {"type": "tick", "at": 3000}, token)
    return session


def choose(page, session):
    page.until("return document.querySelector(`[data-session='${arguments[0]}'] button`)", session["id"]).click()
    page.until("return document.getElementById('picture').naturalWidth")


def shown(page, text):
    """Waits until the picture says something, and gives all that it says."""
    return page.until("const { alt } = document.getElementById('picture'); return alt.includes(arguments[0]) && alt", text)


def test_a_session_is_shown_as_it_is_now_and_goes_on(own_deckd, open_page):
    session = begin(own_deckd)
    page = open_page(f"{own_deckd.url}/inspect")
    choose(page, session)
    shown(page, "card 2 of 9, 3000 ms")
    swipe = {"type": "swipe", "direction": "left", "at": 4000}
    own_deckd.ask("POST", f"/v1/sessions/{session['id']}/events", swipe)
    shown(page, "card 3 of 9, 4000 ms")
    page.until("return document.getElementById('log-state').textContent === '5 lines'")


def test_the_slider_and_the_log_show_what_was(own_deckd, open_page, screenshots):
    session = begin(own_deckd)
    page = open_page(f"{own_deckd.url}/inspect")
    choose(page, session)
    page.until("return document.querySelectorAll('#events li').length === 4")
    page.run("""
        const slider = document.getElementById("slider");
        slider.value = 600;
        slider.dispatchEvent(new Event("input"));
    """)
    assert "dragged by 60 0" in shown(page, ", 600 ms ")
    assert page.run("return document.querySelector('#events [aria-current=true]').textContent").startswith("500 ms drag")
    page.browser.save_screenshot(f"{screenshots}/inspect.png")
    page.run("document.querySelector('#events li:last-child button').click()")
    assert "card 2 of 9" in shown(page, ", 3000 ms ")
    page.run("document.getElementById('play').click()")
    shown(page, "dragged by 60 0")
    shown(page, ", 3000 ms ")
    page.run("document.getElementById('live').click()")
    page.until("return document.getElementById('moment').textContent === 'as it is now'")


def test_a_session_without_a_log_is_shown_as_it_is(own_deckd, open_page):
    session = begin(own_deckd, record=False)
    page = open_page(f"{own_deckd.url}/inspect")
    choose(page, session)
    shown(page, "card 2 of 9")
    assert page.run("return document.getElementById('time').hidden && document.getElementById('events').hidden")


def test_the_list_goes_on_and_the_charts_move(own_deckd, open_page):
    for _ in range(60):
        own_deckd.ask("POST", "/v1/sessions", {"deck": {"count": 1}, "viewport": {"width": 9, "height": 9}})
    page = open_page(f"{own_deckd.url}/inspect")
    page.until("return document.querySelectorAll('#sessions li').length === 50")
    page.until("return !document.getElementById('more').hidden")
    page.run("document.getElementById('more').click()")
    page.until("return document.querySelectorAll('#sessions li').length === 60")
    figures = """
        const figures = [...document.querySelectorAll("#charts figure")];
        return Object.fromEntries(figures.map((figure) => [figure.firstChild.textContent, figure.children[1].textContent]));
    """
    page.until("return [...document.querySelectorAll('#charts polyline')].every((line) => line.getAttribute('points'))")
    values = page.run(figures)
    assert values["Sessions"] == "60"
    assert float(values["Requests a second"]) > 0


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


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [None, (390, 844)], ids=["desktop", "phone"])
def test_nothing_stands_in_the_way_of_anybody(own_deckd, open_page, scheme, size):
    session = begin(own_deckd)
    page = open_page("about:blank", size=size)
    page.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    page.browser.get(f"{own_deckd.url}/inspect")
    choose(page, session)
    page.until("return document.querySelectorAll('#events li').length === 4")
    page.run(AXE)
    found = page.run_async("return (await axe.run()).violations.map((v) => `${v.id}: ${v.nodes[0].html}`)")
    assert found == []
    assert page.run("return document.documentElement.scrollWidth <= innerWidth")
