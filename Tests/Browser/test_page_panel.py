"""The panel beside the deck: its status, the frame and the command."""

import json
import subprocess

from demo import READY, frame_of, landed, like, middle, still


def test_status_is_of_this_round_and_tells_no_wrong_reason(deckd, open_page):
    page = open_page(deckd.url)
    page.until(READY)
    page.run("document.getElementById('like').click()")
    page.until("return /liked/.test(document.getElementById('notice').textContent)")
    page.run("document.getElementById('again').click()")
    page.until("return JSON.parse(document.getElementById('frame').textContent).currentIndex === 0")
    landed(page)
    assert page.until("return document.getElementById('notice').textContent === ''")
    page.finger("mouse").drag(*middle(page), 0, -60, hold=100)
    landed(page)
    assert page.run("return document.getElementById('notice').textContent") == ""


def test_status_follows_undo_and_redo_and_is_announced_once(deckd, open_page):
    page = open_page(deckd.url)
    page.until(READY)
    page.run("""
        const regions = document.querySelectorAll("[role=status], [role=alert], [aria-live]");
        window.announced = [];
        for (const region of regions) {
          new MutationObserver(() => region.textContent && announced.push(region.textContent)).observe(region, { childList: true });
        }
    """)
    for button, said, announced in [("like", "Lviv: liked.", "Lviv, Ukraine: right."), ("undo", "Lviv is back.", "Lviv, Ukraine is back."), ("redo", "Lviv: liked.", "Lviv, Ukraine: right.")]:
        page.until("return !document.getElementById(arguments[0]).disabled", button)
        page.run("announced.length = 0; document.getElementById(arguments[0]).click()", button)
        page.until("return document.getElementById('notice').textContent === arguments[0]", said)
        landed(page)
        (only,) = page.until("return announced.length && announced")
        assert only.startswith(announced)


def test_frame_is_drawn_again_when_the_cards_come_to_rest(deckd, open_page):
    page = open_page(deckd.url)
    page.until(READY)
    like(page)
    landed(page)
    still(page)
    assert frame_of(page)["settlesAt"] is None


def test_cards_come_to_rest_although_timers_are_early(deckd, open_page):
    page = open_page(deckd.url)
    page.until(READY)
    # A frame that a timer computes takes until the cards are at rest.
    page.run_async("""
        const { DeckSession } = await import("/deckd.js");
        const { frameAt } = DeckSession.prototype;
        const { setTimeout: wait } = window;
        let isTimer = false;
        DeckSession.prototype.frameAt = function (time) {
          const frame = frameAt.call(this, time);
          while (isTimer && this.now <= frame.settlesAt);
          return frame;
        };
        window.setTimeout = (task, milliseconds) => wait(() => {
          isTimer = true;
          task();
          isTimer = false;
        }, milliseconds - 20);
    """)
    like(page)
    still(page)
    assert frame_of(page)["settlesAt"] is None


def test_copied_command_works_where_it_is_pasted(deckd, open_page):
    page = open_page(deckd.url)
    page.until(READY)
    like(page)
    landed(page)
    token = page.run("return JSON.parse(sessionStorage.getItem('deckd.standard')).token")
    shown = "return document.getElementById('request').textContent"
    page.until("return document.getElementById('request').textContent.includes('swipe')")
    assert token not in page.run(shown) and "$TOKEN" in page.run(shown)
    page.run("""
        navigator.clipboard.writeText = async (text) => void (window.copied = text);
        document.getElementById('copy').click();
    """)
    command = page.until("return window.copied")
    answer = json.loads(subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout)
    assert answer["results"][0]["applied"], answer
    page.until("return JSON.parse(document.getElementById('frame').textContent).currentIndex === 2")
    page.run("document.getElementById('show-token').click()")
    assert page.run(shown) == command
    page.run("document.getElementById('show-token').click()")
    assert token not in page.run("return document.documentElement.outerHTML")
