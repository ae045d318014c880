"""The page to play with, as a person sees it."""

import importlib.resources
import json

import pytest
from page import Keys
from server import Deckd, make_key

DECKS = ["standard", "background", "flip"]
READY = "return document.querySelector('#deck .deckd-card[data-role=front] svg') && document.getElementById('frame').textContent"
AXE = importlib.resources.files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def frame_of(page):
    return json.loads(page.until("return document.getElementById('frame').textContent"))


def middle(page):
    x, y = page.run("""
        const box = document.querySelector('#deck .deckd-card[data-role=front] .deckd-face').getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2];
    """)
    return round(x), round(y)


def still(page):
    page.until("const f = document.getElementById('frame').textContent; return f && !JSON.parse(f).animating")


@pytest.mark.parametrize("size", [None, (390, 844)], ids=["desktop", "phone"])
def test_each_tab_at_rest_and_while_a_card_is_dragged(deckd, open_page, screenshots, size):
    page = open_page(deckd.url, size=size)
    for name in DECKS:
        page.until("return document.getElementById('panel')")
        page.run("document.getElementById(`tab-${arguments[0]}`).click()", name)
        page.until(f"return sessionStorage.getItem('deckd.{name}')")
        page.until(READY)
        still(page)
        page.browser.save_screenshot(f"{screenshots}/{name}-{'phone' if size else 'desktop'}-rest.png")
        finger = page.finger("mouse")
        finger.down(*middle(page))
        finger.move(*((0, 22) if name == "flip" else (64, -14)))
        page.until("return JSON.parse(document.getElementById('frame').textContent).dragging")
        page.browser.save_screenshot(f"{screenshots}/{name}-{'phone' if size else 'desktop'}-drag.png")
        finger.up()
        assert page.run("return document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_stands_in_the_way_of_anybody(deckd, open_page, scheme, screenshots):
    page = open_page("about:blank")
    page.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    page.browser.get(deckd.url)
    page.until(READY)
    for name in DECKS:
        page.run("document.getElementById(`tab-${arguments[0]}`).click()", name)
        page.until(f"return sessionStorage.getItem('deckd.{name}')")
        page.until(READY)
        still(page)
        page.run(AXE)
        found = page.run_async("return (await axe.run()).violations.map(v => [v.id, v.nodes.map(n => n.html.slice(0, 200) + n.failureSummary)])")
        assert found == []
        page.browser.save_screenshot(f"{screenshots}/{name}-{scheme}.png")


def test_reload_goes_on_with_the_session(deckd, open_page):
    page = open_page(deckd.url)
    page.until(READY)
    page.run("document.getElementById('like').click()")
    page.until("return JSON.parse(document.getElementById('frame').textContent).currentIndex === 1")
    session = frame_of(page)["session"]
    page.browser.refresh()
    page.until(READY)
    assert frame_of(page)["session"] == session
    assert frame_of(page)["currentIndex"] == 1
    token = page.run("return JSON.parse(sessionStorage.getItem('deckd.standard')).token")
    assert token not in page.browser.current_url
    assert not page.run("return performance.getEntries().some(({name}) => name.includes(arguments[0]))", token)
    assert token not in page.run("return document.documentElement.outerHTML")


def test_page_shows_cards_within_a_second(deckd, open_page, measured):
    page = open_page("about:blank")
    page.cdp("Page.addScriptToEvaluateOnNewDocument", source="""
        new MutationObserver((_, watcher) => {
          if (!document.querySelector('#deck .deckd-card svg')) return;
          watcher.disconnect();
          window.shownAfter = performance.now();
        }).observe(document, { childList: true, subtree: true });
    """)
    page.browser.get(deckd.url)
    after = page.until("return window.shownAfter")
    measured(f"the page shows its first card {after:.0f} ms after it was asked for")
    assert after < 1000


def test_refusal_is_told_on_the_page_and_rules_change_live(deckd, open_page):
    page = open_page(deckd.url)
    page.until(READY)
    page.run("document.getElementById('deny-left').click()")
    page.until("return document.getElementById('request').textContent.includes('PATCH')")
    assert "$TOKEN" in page.run("return document.getElementById('request').textContent")
    page.run("document.getElementById('skip').click()")
    page.until("return /direction denied/.test(document.getElementById('notice').textContent)")
    assert frame_of(page)["currentIndex"] == 0


def test_keyboard_does_everything(deckd, open_page):
    page = open_page(deckd.url)
    page.until(READY)
    page.run("document.getElementById('deck').focus()")
    index = "return JSON.parse(document.getElementById('frame').textContent).currentIndex === {}"
    for keys, expected in [
        ([Keys.ARROW_RIGHT], 1), ([Keys.ARROW_LEFT], 2), ([Keys.BACKSPACE], 1), ([Keys.CONTROL, "z"], 0),
        ([Keys.CONTROL, "y"], 1), ([Keys.SHIFT, Keys.BACKSPACE], 2), ([Keys.CONTROL, "z"], 1),
        ([Keys.CONTROL, Keys.SHIFT, "z"], 2),
    ]:
        page.press(*keys)
        page.until(index.format(expected))
    said = page.until("return document.querySelector('.deckd-live').textContent")
    assert "Bergen, Norway: left" in said and "3 of 12" in said


def test_second_screen_sees_it_within_200_ms(deckd, open_page, browser, measured):
    page = open_page(deckd.url)
    page.until(READY)
    before = set(browser.window_handles)
    page.run("document.getElementById('second').click()")
    other = next(iter(set(browser.window_handles) - before))
    browser.switch_to.window(other)
    try:
        shown = page.until("return document.querySelector('.deckd-card[data-role=front]')?.dataset.index === '0'")
        assert shown and "watch" not in browser.current_url
        spectator = page.run("return JSON.parse(sessionStorage.getItem('deckd.seat')).token")
        assert spectator not in browser.current_url
        page.run("""
            window.seen = 0;
            new MutationObserver(() => {
              const front = document.querySelector('.deckd-card[data-role=front]');
              if (front?.dataset.index === '1' && !seen) window.seen = performance.timeOrigin + performance.now();
            }).observe(document.getElementById('deck'), { subtree: true, attributes: true, childList: true });
        """)
        page.front()
        begun = page.run("document.getElementById('like').click(); return performance.timeOrigin + performance.now()")
        browser.switch_to.window(other)
        after = page.until("return window.seen") - begun
        measured(f"the second screen shows a swipe {after:.0f} ms after it was made")
        assert after < 200
        assert page.run("return getComputedStyle(document.getElementById('like')).display === 'none' || !document.getElementById('like').offsetParent")
    finally:
        browser.switch_to.window(other)
        browser.close()
        page.front()


def test_server_with_keys_asks_for_one(tmp_path, open_page):
    key, line = make_key()
    server = Deckd(tmp_path, DECKD_ACCESS_KEYS=line)
    try:
        page = open_page(server.url)
        page.until("return document.getElementById('gate').open")
        page.run("document.getElementById('key').value = 'wrong'; document.querySelector('#gate button').click()")
        page.until("return document.getElementById('gate').open && document.getElementById('gate-problem').textContent")
        page.run("document.getElementById('key').value = arguments[0]; document.querySelector('#gate button').click()", key)
        page.until(READY)
        assert key not in page.run("return document.documentElement.outerHTML")
    finally:
        server.stop()
