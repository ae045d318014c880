"""Two pages on one session, a page that was away, and a page that is loaded again."""

import random

from page import Page
from recording import WATCH_CORRECTIONS

X, Y = 250, 160


def swipe(page, dx):
    page.finger().drag(X, Y, dx, 4, milliseconds=120, hold=110, steps=4)


def test_another_client_is_faster(link, deckd, open_page):
    page = open_page(f"{link.url}/deckd.js")
    info = page.begin()
    page.until("return session.isPredicting")
    page.run(WATCH_CORRECTIONS)
    link.cut()
    swipe(page, 120)
    swipe(page, -120)
    assert page.run("return view.frame.currentIndex") == 2
    deckd.ask("POST", f"/v1/sessions/{info['id']}/events", {"type": "swipe", "direction": "left"}, info["token"])
    link.mend()
    page.until("return session.waitingCount === 0")
    page.check_rest()
    verdicts = page.run_async("return session.verdicts()")
    assert [(verdict["id"], verdict["direction"]) for verdict in verdicts] == [("0", "left"), ("1", "left")]
    assert page.run("return log.refused.map(({ reason }) => reason)") == ["not-front-card"]


def test_two_players_converge(link, deckd, open_page, browser, measured):
    seed = 20261124
    chance = random.Random(seed)
    first = open_page(f"{link.url}/deckd.js")
    info = first.begin({"preset": "standard", "count": 60})
    second = open_page(f"{deckd.url}/deckd.js")
    second.begin(seat={"id": info["id"], "token": info["token"]})
    link.delay = 0.15
    for page in (first, second):
        page.front()
        page.until("return session.isPredicting")
        page.run(WATCH_CORRECTIONS)
        page.run("""
            window.decided = [];
            const send = session.send;
            const front = () => view.frame.cards[0]?.id;
            // The other player can swipe the card that a finger holds. The drag is still about this card, and is refused.
            let pressed;
            addEventListener("pointerdown", () => { pressed = front(); }, true);
            session.send = (event) => {
              // Nothing is decided on a card that is not shown in front.
              if (event.id && event.type !== "tap") decided.push([event.id, event.type === "drag" ? pressed : front()]);
              return send.call(session, event);
            };
        """)
    for _ in range(30):
        page = chance.choice((first, second))
        page.front()
        choice = chance.random()
        if choice < 0.5:
            swipe(page, chance.choice((120, -120, 40)))
        elif choice < 0.8:
            page.run("view.swipe(arguments[0])", chance.choice(("left", "right")))
        else:
            page.run("view.revert()")
    for page in (first, second):
        page.front()
        page.until("return session.waitingCount === 0")
    shown = []
    for page in (first, second):
        page.front()
        page.check_rest()
        # The direction of an overlay that cannot be seen is left from before.
        seen = [card | {"direction": card["overlay"] and card["direction"]} for card in page.shown()]
        shown.append((seen, page.run("return view.frame.version")))
        for card, front in page.run("return decided"):
            assert card == front
        corrections = page.run("return corrections")
        measured(
            f"seed {seed}: {corrections['count']} corrections; the largest jump is {corrections['jump']:.4f} of a card's width, "
            f"and the largest step within a frame {corrections['step']:.4f}"
        )
        assert corrections["count"] > 0 and corrections["jump"] <= 0.05 and corrections["step"] <= 0.05
    assert shown[0] == shown[1]


def test_fifty_swipes_offline_and_two_reloads(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    info = page.begin({"preset": "standard", "count": 100})
    page.until("return session.isPredicting")
    seat = {"id": info["id"], "token": info["token"]}
    ways = ["right" if number % 3 else "left" for number in range(50)]
    page.block("*/v1/*")
    for count in (25, 50):
        for way in ways[count - 25:count]:
            page.run("view.swipe(arguments[0])", way)
        assert page.run("return view.frame.currentIndex") == count
        page = Page(page.browser, page.browser.current_url)
        page.begin(seat=seat)
        page.until(f"return session.isPredicting && view.frame.currentIndex === {count}")
    page.block()
    page.run("dispatchEvent(new Event('online'))")
    page.until("return session.waitingCount === 0")
    page.check_rest()
    verdicts = page.run_async("return session.verdicts()")
    assert [verdict["direction"] for verdict in verdicts] == ways
    assert [verdict["index"] for verdict in verdicts] == list(range(50))
    assert page.run("return sessionStorage.length") == 0
