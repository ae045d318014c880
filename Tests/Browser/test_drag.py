"""A finger on the cards."""

import json
import time

import pytest
from geometry import box, compare

# The view stands at 100, 60 and is 300 × 400.
X, Y = 250, 160


@pytest.mark.parametrize("kind", ["touch", "mouse"])
def test_drag_beyond_the_threshold_swipes(deckd, open_page, kind):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin()
    page.check_rest()
    page.finger(kind).drag(X, Y, 110, 8, milliseconds=400, hold=120)
    page.until("return view.frame.currentIndex === 1")
    page.check_rest()
    assert [verdict["direction"] for verdict in page.run_async("return session.verdicts()")] == ["right"]


def test_drag_below_the_threshold_goes_back(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin()
    page.finger().drag(X, Y, 50, 5, milliseconds=400, hold=120)
    page.until("return log.refused.some(({reason}) => reason === 'below-threshold')")
    assert page.check_rest()["currentIndex"] == 0
    assert page.run_async("return session.verdicts()") == []


def test_fling_swipes_however_short_its_way(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    # How fast a finger can be here depends on the machine.
    page.begin({"preset": "standard", "count": 20, "rules": {"velocityThreshold": 100}})
    finger = page.finger("mouse")
    # On a busy machine it can stand still before it is lifted.
    end = time.monotonic() + 40
    attempt = 0
    while page.run("return view.frame.currentIndex") == 0 and time.monotonic() < end:
        attempt += 1
        finger.drag(X, Y, -60, 0, milliseconds=48, steps=3)
        page.until(f"return view.frame.currentIndex === 1 || log.refused.length === {attempt}")
    page.until("return view.frame.currentIndex === 1")
    assert [verdict["direction"] for verdict in page.run_async("return session.verdicts()")] == ["left"]
    page.check_rest()


def test_held_card_is_where_the_server_says(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin()
    finger = page.finger("mouse")
    finger.down(X, 340)
    finger.move(64, 30)
    frame = page.until_async("const answer = await session.refresh(); return answer.drag?.translation.x === 64 && answer")
    compare(page.shown(), frame, tolerance=0.5)
    shown, said = page.shown()[0], frame["cards"][0]["overlay"]
    assert shown["direction"] == said["direction"] == "right"
    assert abs(shown["overlay"] - said["alpha"]) < 0.01
    finger.up()
    page.until("return log.refused.some(({reason}) => reason === 'below-threshold')")
    page.check_rest()


def test_denied_direction_goes_back_and_says_why(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin({"preset": "standard", "count": 5, "rules": {"deniedDirections": ["left"]}})
    page.finger().drag(X, Y, -130, 0, milliseconds=300, hold=100)
    page.until("return log.refused.some(({reason}) => reason === 'direction-denied')")
    assert "direction denied" in page.until("return view.live.textContent")
    assert page.check_rest()["currentIndex"] == 0


def test_undo_comes_back_through_the_side_it_left_by(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin()
    page.finger().drag(X, Y, -120, 0, milliseconds=300, hold=100)
    page.until("return view.frame.currentIndex === 1")
    page.rest()
    page.run("""
        window.way = [];
        const look = () => {
          const card = document.querySelector('.deckd-card[data-role="returning"] .deckd-face');
          if (card) way.push(card.getBoundingClientRect().left - 100);
          requestAnimationFrame(look);
        };
        look();
        session.send({ type: "revert", direction: "origin" });
    """)
    page.until("return view.frame.currentIndex === 0")
    frame = page.rest()
    way = page.run("return way")
    assert way[0] < -150, way
    assert all(one <= other + 1 for one, other in zip(way, way[1:])), way
    compare(page.shown(), frame)


def test_pile_is_scrolled_by_a_finger(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin({"preset": "flip-carousel", "count": 12, "layout": {"type": "flip", "cardWidth": 240, "cardHeight": 160}})
    page.check_rest()
    finger = page.finger("mouse")
    finger.down(X, Y + 60)
    finger.move(0, 40)
    frame = page.until_async("const f = await session.refresh(); return f.dragging && f.cards[0].index === 1 && f")
    seen = {card["index"]: card for card in page.shown()}
    for card in frame["cards"]:
        if card["index"] in seen:
            assert all(abs(a - b) < 1 for a, b in zip(seen[card["index"]]["box"], box(card))), (card, seen[card["index"]])
    finger.move(0, 1, milliseconds=200)
    finger.up()
    page.until("return view.frame.currentIndex === 1")
    page.check_rest()


def test_pile_glides_between_frames(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    deck = {"preset": "flip-carousel", "count": 12, "layout": {"type": "flip", "cardWidth": 240, "cardHeight": 160}}
    # No frame comes by itself while it glides: the view shows the motion from the answer to the release.
    page.begin(deck, options={"delivery": "poll", "interval": 60000})
    page.check_rest()
    finger = page.finger("mouse")
    # If the machine is busy, a glide can be over before the display shows it a second time.
    for front in range(3):
        page.run("""
            const [index] = arguments;
            const places = window.places = new Set();
            const look = () => {
              if (places !== window.places) return;
              places.add(document.querySelector(`.deckd-card[data-index='${index}'] .deckd-face`).getBoundingClientRect().top);
              requestAnimationFrame(look);
            };
            addEventListener("pointerup", look, { capture: true, once: true });
        """, front + 3)
        finger.drag(X, Y + 60, 0, 43, milliseconds=200, hold=120)
        page.until("return view.frame.currentIndex === arguments[0]", front + 1)
        page.check_rest()
        # Without the motion there are at most two places: that of the release, and that of the end.
        if page.run("return places.size") > 2:
            return
    raise AssertionError("no glide is seen")


def test_each_notification_is_told_once(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin()
    page.run("window.told = []; session.addEventListener('notification', ({ detail }) => told.push(detail.seq))")
    # The answers bring them, and the stream does too.
    page.run_async("for (const direction of ['left', 'right', 'left']) await session.send({ type: 'swipe', direction })")
    frame = page.rest()
    page.until("return told.includes(arguments[0])", frame["lastNotification"])
    told = page.run("return told")
    assert told == sorted(set(told)) and len(told) >= 6, told


@pytest.mark.parametrize("is_moved", [False, True])
@pytest.mark.parametrize("hide, show", [("element.style.display = 'none'", "element.style.display = ''"), ("element.remove()", "document.body.append(element)")])
def test_drag_ends_when_the_deck_is_not_shown_any_more(deckd, open_page, hide, show, is_moved):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin()
    page.rest()
    page.run("window.element = document.getElementById('deck'); addEventListener('pointerdown', ({ pointerId }) => (window.pointer = pointerId))")
    finger = page.finger("mouse")
    finger.down(X, Y)
    finger.move(60, 0)
    assert page.run("return view.frame.dragging")
    # The finger can move before the browser reports the size.
    page.run(f"""
        {hide};
        const move = {{ pointerId: pointer, pointerType: "mouse", buttons: 1, clientX: 400, clientY: 160 }};
        if (arguments[0]) dispatchEvent(new PointerEvent("pointermove", move));
    """, is_moved)
    page.until("return !session.frameAt(session.now).dragging")
    finger.move(140, 0)
    finger.up()
    page.run(show)
    frame = page.check_rest()
    assert not frame["dragging"] and frame["currentIndex"] == 0
    assert page.run("return log.problem") == []


def test_mouse_whose_release_was_not_heard_drags_nothing(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin()
    page.rest()
    finger = page.finger("mouse")
    finger.down(X, Y)
    finger.move(60, 0)
    assert page.run("return view.frame.dragging")
    # A dialog of the browser has got the release.
    for x in range(320, 420, 20):
        page.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=Y, buttons=0, button="none")
    assert not page.run("return view.frame.dragging")
    assert page.check_rest()["currentIndex"] == 0
    finger.up()
    finger.drag(X, Y, 110, 8, milliseconds=400, hold=120)
    page.until("return view.frame.currentIndex === 1")


def test_each_notification_of_a_drag_is_told_once_and_in_order(deckd, link, open_page):
    page = open_page(f"{link.url}/deckd.js")
    info = page.begin()
    page.rest()
    page.run("window.told = []; session.addEventListener('notification', ({ detail }) => told.push(detail))")
    # An answer and the stream bring them at different times.
    link.delay = 0.03
    page.finger().drag(X, Y, 60, 5, milliseconds=600, hold=120)
    page.until("return told.some(({ type }) => type === 'didReset')")
    page.check_rest()
    told = page.run("return told")
    dragged = [json.dumps(one) for one in told if one["type"] == "dragged"]
    assert len(dragged) >= 3 and len(set(dragged)) == len(dragged), dragged
    times = [one["at"] for one in told]
    assert times == sorted(times), told
    # Another client's drag is reported, too.
    card = told[0]["id"]
    for phase, x in [("changed", 20), ("changed", 30), ("cancelled", 30)]:
        deckd.ask("POST", f"/v1/sessions/{info['id']}/events", {"type": "drag", "phase": phase, "id": card, "translation": {"x": x, "y": 0}}, info["token"])
    page.until("return told.filter(({ type }) => type === 'didReset').length === 2")
    assert [one["type"] for one in page.run("return told")[len(told):]].count("dragged") >= 2


def test_card_goes_back_when_its_page_is_left_during_a_drag(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    info = page.begin()
    page.rest()
    finger = page.finger("mouse")
    finger.down(250, 160)
    finger.move(60, 0)
    frame = f"/v1/sessions/{info['id']}/frame"
    page.until_async("return (await session.refresh()).dragging")
    page.browser.get("about:blank")
    end = time.monotonic() + 10
    while deckd.ask("GET", frame, token=info["token"])["dragging"]:
        assert time.monotonic() < end, "the card is still held"
    finger.up()


# The answer to a move, or the move itself, stays on its way. `late` sends such a move.
SLOW_MOVES = """
    const { fetch } = window;
    window.fetch = async (url, request) => {
      const isMove = /changed/.test(request.body) && !/cancelled/.test(request.body);
      if (isMove && window.late !== undefined) await new Promise((resolve) => (late = resolve));
      const answer = await fetch(url, request);
      if (isMove) await new Promise(() => {});
      return answer;
    };
"""


@pytest.mark.parametrize("how", ["view.close(); session.close()", "location.href = 'about:blank'"])
def test_drag_is_cancelled_while_a_move_has_no_answer(deckd, open_page, how):
    page = open_page(f"{deckd.url}/deckd.js")
    info = page.begin()
    page.rest()
    page.run(SLOW_MOVES)
    frame = f"/v1/sessions/{info['id']}/frame"
    finger = page.finger("mouse")
    finger.down(X, Y)
    finger.move(60, 0)
    assert deckd.ask("GET", frame, token=info["token"])["dragging"]
    page.run(how)
    end = time.monotonic() + 10
    while deckd.ask("GET", frame, token=info["token"])["dragging"]:
        assert time.monotonic() < end, "the card is still held"
        time.sleep(0.02)
    finger.up()


def test_move_that_arrives_after_the_end_of_its_drag_is_ignored(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    info = page.begin()
    page.rest()
    page.run("window.late = null;" + SLOW_MOVES)
    finger = page.finger("mouse")
    finger.down(X, Y)
    finger.move(60, 0)
    page.until("return !!late")
    # The last move has the time of the end, as far as the browser's clock shows it.
    page.run("session.move({ type: 'drag', phase: 'changed', translation: { x: 70, y: 0 } }); view.close(); session.close()")
    page.until("return log.requests.some(({ body }) => body?.includes('cancelled'))")
    page.run("late()")
    page.until("return performance.getEntriesByType('resource').filter(({ name }) => name.includes('/events')).length >= 2")
    assert not deckd.ask("GET", f"/v1/sessions/{info['id']}/frame", token=info["token"])["dragging"]
    finger.up()


def test_late_answer_to_a_release_leaves_the_next_drag_of_the_card_alone(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.run("""
        WebAssembly.instantiate = () => Promise.reject(new Error("No engine."));
        const { fetch } = window;
        window.fetch = async (url, request) => {
          const answer = await fetch(url, request);
          if (/below|ended/.test(request.body) && !window.go) await new Promise((resolve) => (go = resolve));
          return answer;
        };
    """)
    page.begin(predicts=False)
    page.rest()
    finger = page.finger("mouse")
    finger.drag(X, Y, 40, 0, hold=120)
    page.until("return !!window.go")
    finger.down(X, Y)
    finger.move(30, 0)
    page.run("go()")
    page.until("return log.refused.some(({ reason }) => reason === 'below-threshold')")
    finger.move(90, 0)
    page.until_async("return (await session.refresh()).dragging")
    finger.up()
    page.until("return view.frame.currentIndex === 1")
