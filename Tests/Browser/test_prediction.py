"""A page on a slow link: everything is predicted, and nothing is corrected unless another client changes something."""

import time

import pytest
from attempts import least
from recording import differences, record, stop_recording
from server import Deckd

X, Y = 250, 160


@pytest.fixture
def slow(link):
    """300 ms for a request and its answer, and one of twenty packets is lost."""
    link.delay = 0.15
    link.loss = 0.05
    return link


def begin(page, deck=None):
    info = page.begin({"preset": "standard", "count": 40, **(deck or {})}, record=True)
    page.until("return session.isPredicting")
    return info


def swipe(page, dx, dy=4):
    page.finger().drag(X, Y, dx, dy, milliseconds=120, hold=110, steps=4)


def check(page, deckd, info, measured, what):
    """What was shown at any time is what the server's log has for that time."""
    page.until("return session.waitingCount === 0 && !view.frame.animating")
    shown = stop_recording(page)
    # The page's clock may be ahead by half a way.
    time.sleep(0.5)
    far = differences(shown, deckd.url, info, 60)
    measured(f"{what}: {len(shown)} frames of the display, at most {max(far):.3f} px from the server's")
    assert max(far) < 0.5
    return shown


def test_front_card_is_under_the_finger_in_the_same_frame(slow, open_page, measured):
    page = open_page(f"{slow.url}/deckd.js")
    begin(page)
    page.run("""
        window.far = [];
        let start;
        view.element.addEventListener("pointerdown", ({ clientX, clientY }) => (start = { clientX, clientY }));
        view.element.addEventListener("pointermove", ({ clientX, clientY }) => {
          if (!start || Math.hypot(clientX - start.clientX, clientY - start.clientY) <= 3) return;
          requestAnimationFrame(() => {
            const [x, y] = view.element.querySelector("[data-role=front]").style.translate.split(" ").map(parseFloat);
            far.push(Math.hypot(x - (clientX - start.clientX), y - (clientY - start.clientY)));
          });
        });
    """)
    finger = page.finger("mouse")
    finger.down(X, Y)
    finger.move(60, 20, milliseconds=400, steps=20)
    finger.up()
    far = page.until("return far.length > 10 && far")
    measured(f"the card is at most {max(far):.3f} px from the finger in the frame of its event")
    assert max(far) < 1


def test_twenty_swipes_in_a_row(slow, deckd, open_page, measured):
    page = open_page(f"{slow.url}/deckd.js")
    info = begin(page)
    record(page)
    ways = [1 if number % 3 else -1 for number in range(20)]
    for way in ways:
        swipe(page, 130 * way)
    assert page.run("return view.frame.currentIndex") == 20, "no swipe has waited for an answer"
    check(page, deckd, info, measured, "twenty swipes")
    verdicts = page.run_async("return session.verdicts()")
    assert [verdict["direction"] for verdict in verdicts] == ["right" if way > 0 else "left" for way in ways]
    assert page.run("return log.refused") == []


def test_undo_and_redo(slow, deckd, open_page, measured):
    page = open_page(f"{slow.url}/deckd.js")
    info = begin(page)
    page.run("view.element.focus()")
    record(page)
    for _ in range(3):
        swipe(page, 130)
    page.run("for (const act of ['revert', 'revert', 'redo', 'revert', 'redo', 'redo']) view[act]()")
    assert page.run("return view.frame.currentIndex") == 3
    swipe(page, -130)
    page.run("view.revert()")
    check(page, deckd, info, measured, "undo and redo")
    assert [verdict["direction"] for verdict in page.run_async("return session.verdicts()")] == ["right"] * 3


def test_carousel_flings(slow, deckd, open_page, measured):
    page = open_page(f"{slow.url}/deckd.js")
    info = begin(page, {"preset": "flip-carousel", "layout": {"type": "flip", "cardWidth": 280, "cardHeight": 190}})
    record(page)
    for dy in (150, 90, -60, 120):
        page.finger().drag(X, 200, 0, dy, milliseconds=90, steps=5)
    check(page, deckd, info, measured, "carousel flings")


def test_commands_that_wait_for_the_deck(slow, deckd, open_page, measured):
    page = open_page(f"{slow.url}/deckd.js")
    info = begin(page, {"rules": {"whileAnimating": "queue"}})
    record(page)
    page.run("for (const way of ['left', 'right', 'left', 'right']) session.send({ type: 'swipe', direction: way })")
    check(page, deckd, info, measured, "queued commands")
    verdicts = page.run_async("return session.verdicts()")
    assert [verdict["direction"] for verdict in verdicts] == ["left", "right", "left", "right"]


@pytest.mark.parametrize("deck", [
    {"motion": {"resetSpring": {"bounciness": 18, "speed": 6}}},
    {"rules": {"dragDirections": ["left", "right"], "deniedDirections": ["left"]}},
    {"preset": "koloda"},
    {"motion": {"exitFollowsFling": True, "tracking": "koloda"}},
])
def test_what_waited_for_the_server_is_predicted(slow, deckd, open_page, measured, deck):
    page = open_page(f"{slow.url}/deckd.js")
    info = begin(page, deck)
    record(page)
    swipe(page, 50)
    swipe(page, -150)
    swipe(page, 170, 30)
    check(page, deckd, info, measured, f"{deck}")


def test_without_the_engine_the_frames_of_the_server_are_shown(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.block("*.wasm")
    page.begin(predicts=False)
    page.until("return log.problem.length")
    swipe(page, 130)
    # The view names the card that it shows, and without the engine that is the server's.
    page.until("return view.frame.currentIndex === 1")
    page.run("view.swipe('left')")
    page.until("return view.frame.currentIndex === 2")
    assert not page.run("return session.isPredicting")
    page.check_rest()
    assert [verdict["direction"] for verdict in page.run_async("return session.verdicts()")] == ["right", "left"]
    # A card that has followed a finger without a drag goes back.
    finger = page.finger("mouse")
    finger.down(250, 160)
    finger.move(5, 3)
    place = "return document.querySelector('#deck [data-role=front]').style.translate"
    assert page.run(place) == "5px 3px"
    finger.up()
    page.until(f"{place} === '0px'")


def test_deck_that_is_too_large_for_clients_is_shown(tmp_path, open_page):
    deckd = Deckd(tmp_path, DECKD_LIMITS_COST_PER_SECOND="0")
    deckd.ask("PUT", "/v1/decks/grows", {"cards": [{"id": "a"}, {"id": "b"}]})
    page = open_page(f"{deckd.url}/deckd.js")
    info = page.begin("grows")
    page.until("return session.isPredicting")
    deckd.ask("PUT", "/v1/decks/grows", {"count": 150000})
    deckd.ask("POST", f"/v1/sessions/{info['id']}/events", {"type": "reload"}, info["token"])
    page.until("return !session.isPredicting && view.frame.cardCount === 150000")
    page.run("view.swipe('left')")
    page.until("return view.frame.canRevert === 1")
    page.check_rest()
    deckd.stop()


def test_what_is_saved_for_a_reload_does_not_grow(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin()
    page.until("return session.isPredicting")
    count = "return log.requests.filter(({ url }) => url.includes('/snapshot')).length"
    before = page.run(count)
    page.run_async("""
        for (let x = 0; x < 700; x++) {
          session.move({ type: "drag", phase: "changed", translation: { x: x % 50, y: 0 } });
          if (x % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
        }
    """)
    page.until(f"return (() => {{ {count} }})() > arguments[0]", before)


def test_player_sees_the_next_cards_only(deckd, open_page):
    cards = [{"id": f"c{number}", "data": {"title": f"card {number}"}} for number in range(20)]
    request = {"deck": {"cards": cards}, "viewport": {"width": 300, "height": 400}}
    made = deckd.ask("POST", "/v1/sessions", request)
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin(seat={"id": made["id"], "token": made["playerToken"]})
    page.until("return session.isPredicting")
    for _ in range(8):
        swipe(page, 130)
    page.check_rest()
    assert page.run("return view.frame.cards.map(({ data }) => data?.title)") == ["card 8", "card 9", "card 10"]
    assert page.run("return log.refused") == []
    bodies = page.run_async("""
        const { body } = await client.request("GET", `/v1/sessions/${session.id}/snapshot`, { token: session.token });
        return new TextDecoder().decode(body);
    """)
    assert "card 13" in bodies and "card 14" not in bodies


def test_prediction_starts_at_once(deckd, open_page, measured):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin()
    page.run("view.close()")
    opened = """
        const seat = { id: session.id, token: session.token };
        const start = performance.now();
        const other = await new deckd.DeckClient().sessions.open(seat);
        while (!other.isPredicting) await new Promise((resolve) => setTimeout(resolve, 1));
        return performance.now() - start;
    """
    after = least(lambda: page.run_async(opened), 100)
    measured(f"a session is opened and predicted after {after:.0f} ms")
    assert after < 100


def test_cost_of_a_drag(deckd, open_page, measured):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin()
    page.until("return session.isPredicting")
    move = """
        const count = 500;
        const start = performance.now();
        for (let x = 0; x < count; x++) {
          session.move({ type: "drag", phase: "changed", translation: { x: x % 70, y: 0 }, location: { x: 150, y: 100 } });
        }
        return (performance.now() - start) / count * 1000;
    """
    microseconds = least(lambda: page.run(move), 8000)
    page.cdp("HeapProfiler.startSampling", samplingInterval=1024, includeObjectsCollectedByMajorGC=True, includeObjectsCollectedByMinorGC=True)
    page.run(move)
    samples = page.cdp("HeapProfiler.stopSampling")["profile"]["samples"]
    kilobytes = sum(sample["size"] for sample in samples) / 500 / 1000
    measured(f"a move of the finger takes {microseconds:.0f} µs with what is drawn for it, and allocates {kilobytes:.1f} kB")
    assert microseconds < 8000, "half of a frame of the display"


def test_failure_of_the_server_ends_the_prediction_for_a_time_only(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    info = page.begin()
    page.check_rest()
    page.run("""
        const { fetch } = window;
        window.failures = 0;
        window.isFailing = true;
        window.fetch = async (url, request) => {
          if (!isFailing || !/snapshot|frame\\?/.test(url) || request.method !== "GET") return fetch(url, request);
          // Another event waits by the time the snapshot cannot be read.
          if (!failures++) session.send({ type: "swipe", direction: "right" });
          const problem = { type: "/problems/internal-error", title: "The server has failed", status: 500 };
          return new Response(JSON.stringify(problem), { status: 500, headers: { "Content-Type": "application/problem+json" } });
        };
    """)
    deckd.ask("POST", f"/v1/sessions/{info['id']}/events", {"type": "swipe", "direction": "left"}, info["token"])
    page.until("return failures && !session.isPredicting && session.waitingCount === 0")
    directions = "return (await session.verdicts()).map(({ direction }) => direction)"
    assert page.run_async(directions) == ["left", "right"]
    page.run("isFailing = false")
    page.until("return session.isPredicting")
    page.check_rest()
    page.run("view.swipe('left')")
    page.check_rest()
    assert page.run_async(directions) == ["left", "right", "left"]


def test_move_of_a_finger_repeats_nothing_that_waits(link, open_page):
    page = open_page(f"{link.url}/deckd.js")
    page.begin()
    page.check_rest()
    page.run_async("""
        const state = (await client.engine).open(await (async () => {
          const { body } = await client.request("GET", `/v1/sessions/${session.id}/snapshot`, { token: session.token });
          return body.subarray(20 + new DataView(body.buffer).getUint32(16, true));
        })());
        const prototype = Object.getPrototypeOf(state);
        const { copy } = prototype;
        window.copies = 0;
        prototype.copy = function () {
          copies++;
          return copy.call(this);
        };
    """)
    link.cut()
    page.run("view.swipe('right')")
    page.until("return log.connection.includes(false)")
    page.run("""
        window.copies = 0;
        for (let x = 0; x < 100; x++) session.move({ type: "drag", phase: "changed", translation: { x: x % 50, y: 0 } });
        session.send({ type: "drag", phase: "cancelled", translation: { x: 0, y: 0 } });
    """)
    assert page.run("return copies") == 0
    link.mend()
    page.check_rest()
    assert page.run("return log.refused.map(({ reason }) => reason)") == ["cancelled"]
