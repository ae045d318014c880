"""The page to play with, as a person sees it."""

import importlib.resources
import itertools
import json

import pytest
from attempts import least
from demo import DECKS, READY, frame_of, like, middle, show_deck, still
from page import Keys
from server import Deckd, make_key

AXE = importlib.resources.files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("size", [None, (390, 844)], ids=["desktop", "phone"])
def test_each_tab_at_rest_and_while_a_card_is_dragged(deckd, open_page, screenshots, size):
    page = open_page(deckd.url, size=size)
    for name in DECKS:
        show_deck(page, name)
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
    like(page)
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

    def load():
        page.cdp("Network.clearBrowserCache")
        page.browser.get(deckd.url)
        after = page.until("return window.shownAfter")
        # The next attempt must create a session again.
        page.run("sessionStorage.clear()")
        page.browser.get("about:blank")
        return after

    after = least(load, 1000)
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
            window.seen = [performance.timeOrigin];
            new MutationObserver(() => {
              const front = document.querySelector('.deckd-card[data-role=front]');
              if (front?.dataset.index === String(seen.length)) seen.push(performance.timeOrigin + performance.now());
            }).observe(document.getElementById('deck'), { subtree: true, attributes: true, childList: true });
        """)
        numbers = itertools.count(1)

        def swipe():
            page.front()
            begun = page.run("document.getElementById('like').click(); return performance.timeOrigin + performance.now()")
            browser.switch_to.window(other)
            return page.until("return seen[arguments[0]]", next(numbers)) - begun

        after = least(swipe, 200)
        measured(f"the second screen shows a swipe {after:.0f} ms after it was made")
        assert after < 200
        assert page.run("return getComputedStyle(document.getElementById('like')).display === 'none' || !document.getElementById('like').offsetParent")
        far, scale = page.run("""
            const box = (selector) => document.querySelector(selector).getBoundingClientRect();
            const [stage, screen] = [box('.deckd-stage'), box('#deck')];
            const far = [stage.x + stage.width / 2 - screen.x - screen.width / 2, stage.y + stage.height / 2 - screen.y - screen.height / 2];
            return [Math.hypot(...far), Math.max(stage.width / screen.width, stage.height / screen.height)];
        """)
        assert far < 1 and abs(scale - 1) < 0.01, "it is in the middle, and as large as the window"
    finally:
        browser.switch_to.window(other)
        browser.close()
        page.front()


def test_server_with_keys_asks_for_one(tmp_path, open_page):
    key, line = make_key()
    other, other_line = make_key("--scopes", "feed", name="other")
    server = Deckd(tmp_path, DECKD_ACCESS_KEYS=f"{line},{other_line}")
    try:
        page = open_page(server.url)
        page.until("return document.getElementById('gate').open")
        enter = "document.getElementById('key').value = arguments[0]; document.querySelector('#gate button').click()"
        said = "return document.getElementById('gate').open && document.getElementById('gate-problem').textContent.includes(arguments[0])"
        # A browser cannot send a key with a character that is not seen.
        for wrong, reason in ((f"{key}\u200b", "characters"), ("wrong", "does not open"), (other, "scope")):
            page.run(enter, wrong)
            page.until(said, reason)
        page.run(enter, f" {key} ")
        page.until(READY)
        assert key not in page.run("return document.documentElement.outerHTML")
    finally:
        server.stop()


def test_page_has_a_deck_when_the_server_is_back(deckd, open_page):
    page = open_page("about:blank")
    # The module repeats a request at once, and the page only when there is a network.
    page.cdp("Page.addScriptToEvaluateOnNewDocument", source="""
        window.send = fetch;
        window.fetch = (url, request) => (request?.method === "POST" ? Promise.reject(new TypeError("no network")) : send(url, request));
        Math.random = () => (document.getElementById("notice")?.textContent ? 1e9 : 0);
    """)
    page.browser.get(deckd.url)
    page.until("return document.getElementById('notice')?.textContent.includes('cannot be reached')")
    page.run("window.fetch = send; dispatchEvent(new Event('online'))")
    page.until(READY)
    assert page.run("return document.getElementById('notice').textContent") == ""


def test_session_that_has_ended_is_not_waited_for(deckd, link, open_page):
    page = open_page(link.url)
    page.until(READY)
    seat = page.run("return JSON.parse(sessionStorage.getItem('deckd.standard'))")
    link.cut()
    page.until("return document.getElementById('notice').textContent.includes('No connection')")
    deckd.ask("DELETE", f"/v1/sessions/{seat['id']}", token=seat["token"])
    link.mend()
    page.until("return document.querySelector('.deckd-ended')")
    assert page.run("return document.getElementById('notice').textContent") == ""
    # The second screen is loaded again.
    page.run("sessionStorage.setItem('deckd.seat', arguments[0])", json.dumps({"id": seat["id"], "token": seat["spectatorToken"]}))
    page.browser.refresh()
    page.until("return document.getElementById('notice')?.textContent.includes('has ended')")
    assert not page.run("return document.getElementById('deck').hasAttribute('aria-busy')")
    page.browser.refresh()
    page.until(READY)


def test_button_that_is_disabled_gives_its_focus_to_the_deck(deckd, open_page):
    page = open_page(deckd.url)
    page.until(READY)
    page.run("document.getElementById('like').click()")
    page.until("return !document.getElementById('undo').disabled")
    page.run("document.getElementById('undo').focus()")
    page.press(Keys.ENTER)
    page.until("return document.getElementById('undo').disabled")
    page.display_frames(3)
    assert page.run("return document.activeElement.id") == "deck"


def test_nothing_can_be_done_before_there_is_a_card(link, open_page, screenshots):
    link.delay = 0.4
    page = open_page(link.url)
    buttons = "return [...document.querySelectorAll('#actions button, #again, #second')].filter(({ hidden }) => !hidden)"
    page.until("return document.querySelector('#deck')?.getAttribute('aria-busy') === 'true' && document.getElementById('tab-flip')")
    assert page.run(f"return (() => {{ {buttons} }})().every(({{ disabled }}) => disabled)")
    page.browser.save_screenshot(f"{screenshots}/loading.png")
    page.until(READY)
    link.delay = 0.0
    assert page.run(f"return (() => {{ {buttons} }})().filter(({{ disabled }}) => disabled).map(({{ id }}) => id)") == ["undo", "redo"]
    assert not page.run("return document.getElementById('deck').hasAttribute('aria-busy')")
    page.run("document.getElementById('allow-right').click()")
    page.until("return document.getElementById('like').disabled && !document.getElementById('skip').disabled")
    # All cards are gone: there is nothing to decide on.
    page.until("document.getElementById('skip').click(); return document.getElementById('skip').disabled")
    page.until("return JSON.parse(document.getElementById('frame').textContent).exhausted")
    assert not page.run("return document.getElementById('undo').disabled")


def test_second_screen_without_a_first_says_so(deckd, open_page):
    page = open_page(f"{deckd.url}/#watch-none")
    page.until("return document.getElementById('notice')?.textContent.includes('first screen')")
    assert not page.run("return document.getElementById('deck').hasAttribute('aria-busy')")


@pytest.mark.parametrize("size", [(390, 844), (844, 390)], ids=["upright", "landscape"])
def test_fingers_reach_everything_on_a_phone(deckd, open_page, screenshots, size):
    page = open_page(deckd.url, size=size)
    for name in DECKS:
        show_deck(page, name)
        page.browser.save_screenshot(f"{screenshots}/{name}-{size[0]}x{size[1]}.png")
        small = page.run("""
            const targets = [...document.querySelectorAll("button, a, fieldset label, input[type=range]")].filter((one) => one.checkVisibility());
            return targets.map((one) => [one.textContent.trim() || one.id, one.getBoundingClientRect()])
              .filter(([, { width, height }]) => Math.min(width, height) < 44).map(([text, { width, height }]) => [text, width, height]);
        """)
        assert small == []
        assert page.run("return document.querySelector('nav [href=\"/inspect\"]').checkVisibility()")
        outside = page.run("""
            const seen = [...document.querySelectorAll("#deck, #actions button")].filter((one) => one.checkVisibility());
            return seen.map((one) => [one.id, one.getBoundingClientRect()])
              .filter(([, { left, top, right, bottom }]) => left < 0 || top < 0 || right > innerWidth || bottom > innerHeight).map(([id]) => id);
        """)
        assert outside == [], "the deck and its buttons are on the screen"
        assert page.run("return document.documentElement.scrollWidth <= innerWidth")


def test_session_whose_answers_are_lost_is_created_once(own_deckd, open_page):
    page = open_page("about:blank")
    # Some answers are lost before the page says so, and some after that.
    page.cdp("Page.addScriptToEvaluateOnNewDocument", source="""
        window.send = fetch;
        window.lost = 12;
        window.fetch = async (url, request) => {
          const answer = await send(url, request);
          if (request?.method === "POST" && lost-- > 0) throw new TypeError("no network");
          return answer;
        };
        Math.random = () => 0;
    """)
    page.browser.get(own_deckd.url)
    page.until(READY)
    assert page.run("return lost") <= 0
    assert len(own_deckd.ask("GET", "/v1/sessions")["sessions"]) == 1
    # The answer comes when another tab is open, and this one is opened again.
    page.run("lost = Infinity")
    for name in ("background", "flip", "background"):
        page.run("document.getElementById(`tab-${arguments[0]}`).click()", name)
        page.until("return document.getElementById('notice').textContent.includes('cannot be reached')")
    page.run("lost = 0")
    page.until(READY)
    assert len(own_deckd.ask("GET", "/v1/sessions")["sessions"]) == 3


def test_focus_stays_in_the_page_when_another_deck_is_opened(deckd, open_page):
    page = open_page(deckd.url)
    page.until(READY)
    # The button can be enabled again before another command comes.
    like = "document.getElementById('like')"
    assert page.run(f"{like}.focus(); document.getElementById('tab-flip').click(); return {like}.disabled")
    page.display_frames(3)
    assert page.run("return document.activeElement.id") == "deck"


def test_second_screen_opens_without_tls(deckd, open_page, browser):
    page = open_page(deckd.url)
    page.until(READY)
    # Only pages with TLS and those of this machine have it.
    page.run("delete Crypto.prototype.randomUUID")
    before = set(browser.window_handles)
    page.run("document.getElementById('second').click()")
    others = set(browser.window_handles) - before
    assert others
    browser.switch_to.window(others.pop())
    page.until("return document.querySelector('.deckd-card[data-role=front]')")
    browser.close()
    page.front()
