"""A view from its beginning to its end: what it leaves behind, and a session that the server has ended."""

import pytest

# The attributes of an element, and the kinds of events that somebody listens to on it, on the window and on the document.
LISTENERS = """[document.getElementById("deck"), window, document].map((target) =>
  Object.entries(getEventListeners(target)).map(([type, { length }]) => [type, length]).sort())"""
ATTRIBUTES = "return Object.fromEntries([...document.getElementById('deck').attributes].map(({ name, value }) => [name, value]))"
CENTRE = """
const { x, y, width, height } = document.querySelector(".deckd-stage").getBoundingClientRect();
return [x + width / 2 - 100, y + height / 2 - 60, width, height].map(Math.round);
"""


def listeners(page):
    answer = page.cdp("Runtime.evaluate", expression=LISTENERS, includeCommandLineAPI=True, returnByValue=True)
    return answer["result"]["value"]


@pytest.mark.parametrize("own", [{}, {"tabindex": "-1", "role": "group", "aria-label": "Mine"}])
def test_close_leaves_nothing_behind(deckd, open_page, own):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin()
    page.run("""
        view.close();
        const element = document.getElementById("deck");
        for (const [name, value] of Object.entries(arguments[0])) element.setAttribute(name, value);
        if (!Object.keys(arguments[0]).length) element.removeAttribute("style");
    """, own)
    before, heard = page.run(ATTRIBUTES), listeners(page)
    assert set(before) == {"id", "style"} | set(own) if own else {"id"}
    page.run("""
        window.removed = [];
        const render = (card, content) => (content.dataset.mine = card.id);
        window.view = new deckd.DeckView(document.getElementById("deck"), session, { render, remove: ({ dataset }) => removed.push(dataset.mine) });
    """)
    page.until("return view.frame")
    assert page.run(ATTRIBUTES)["role"] == "region" and listeners(page) != heard
    page.run("view.close()")
    assert page.run(ATTRIBUTES) == before
    assert listeners(page) == heard
    assert page.run("return document.getElementById('deck').childNodes.length") == 0
    assert sorted(page.run("return removed")) == ["0", "1", "2"]
    # Nothing draws any more, and the session continues.
    assert page.run_async("return (await session.send({ type: 'swipe', direction: 'left' }))[0].applied")
    assert page.run("return document.getElementById('deck').childNodes.length") == 0


def test_close_lets_go_of_a_card(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin()
    page.rest()
    finger = page.finger("mouse")
    finger.down(250, 160)
    finger.move(120, 0)
    assert page.run("return session.frameAt(session.now).dragging")
    page.run("view.close()")
    page.until_async("const frame = await session.refresh(); return !frame.dragging && frame.version > 0")
    assert page.run_async("return session.verdicts()") == []
    finger.up()


def test_close_ends_the_wait_for_the_network(link, open_page):
    page = open_page(f"{link.url}/deckd.js")
    page.begin()
    page.run("Math.random = () => 100")
    link.cut()
    page.until("return log.connection.length")
    is_waiting = lambda: "online" in dict(listeners(page)[1])
    assert is_waiting()
    page.run("view.close()")
    page.display_frames(2)
    assert not is_waiting()


def test_ended_session_says_so(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    info = page.begin(options={"ended": "It is over."})
    page.rest()
    page.run("""
        window.ended = [];
        window.unhandled = [];
        addEventListener("unhandledrejection", ({ reason }) => unhandled.push(String(reason)));
        session.addEventListener("ended", ({ detail }) => ended.push([detail.status, detail.type]));
    """)
    deckd.ask("DELETE", f"/v1/sessions/{info['id']}", token=info["token"])
    page.until("return ended.length")
    assert page.run("return ended") == [[410, "/problems/session-ended"]]
    assert page.run("return document.querySelector('.deckd-ended').textContent") == "It is over."
    assert page.run("return view.live.textContent") == "It is over."
    assert page.run("return document.querySelectorAll('.deckd-card').length") == 0
    assert page.run("return session.isEnded")
    assert page.run_async("return session.send({ type: 'tap' }).catch(({ status }) => status)") == 410
    page.run("view.swipe('right'); view.revert(); view.element.focus()")
    page.press("\ue014")
    page.finger("mouse").drag(250, 160, 130, 0)
    page.display_frames(3)
    assert page.run("return unhandled") == []
    # A view of it says so from the beginning, and closes like any other.
    page.run("view.close(); window.view = new deckd.DeckView(document.getElementById('deck'), session)")
    assert page.run("return document.querySelector('.deckd-ended').textContent") == "This deck has ended."
    page.run("view.close()")
    assert page.run(ATTRIBUTES).keys() == {"id", "style"}


@pytest.mark.parametrize("delivery", ["stream", "poll"])
def test_deleted_session_ends_in_every_tab(deckd, open_page, delivery):
    pages = [open_page(f"{deckd.url}/deckd.js")]
    info = pages[0].begin(options={"delivery": delivery})
    pages.append(open_page(f"{deckd.url}/deckd.js"))
    pages[1].begin(seat={"id": info["id"], "token": info["token"]})
    for page in pages:
        page.front()
        page.rest()
        page.run("window.ended = []; session.addEventListener('ended', ({ detail }) => ended.push([detail.status, detail.type]))")
    pages[0].front()
    pages[0].run_async("await session.delete()")
    for page in pages:
        page.front()
        page.until("return ended.length")
        assert page.run("return [ended, session.isEnded, log.connection]") == [[[410, "/problems/session-ended"]], True, []]
        assert page.run("return document.querySelector('.deckd-ended').textContent") == "This deck has ended."
        assert page.run("return log.problem.map(({ status }) => status)") == [410]
        assert page.run_async("return session.send({ type: 'tap' }).catch(({ status }) => status)") == 410


def test_events_that_wait_for_an_ended_session_are_rejected(link, deckd, open_page):
    page = open_page(f"{link.url}/deckd.js")
    info = page.begin(options={"delivery": "poll", "interval": 60000})
    link.cut()
    page.run("""
        window.rejected = [];
        for (const direction of ["left", "right"]) session.send({ type: "swipe", direction }).catch(({ status }) => rejected.push(status));
    """)
    deckd.ask("DELETE", f"/v1/sessions/{info['id']}", token=info["token"])
    link.mend()
    page.until("return rejected.length === 2")
    assert page.run("return rejected") == [410, 410]
    assert page.run("return session.waitingCount") == 0
    assert page.run("return Object.keys(sessionStorage)") == []


def test_view_for_looking_is_scaled_and_in_the_middle(deckd, open_page):
    made = deckd.ask("POST", "/v1/sessions", {"deck": {"count": 5}, "viewport": {"width": 300, "height": 400}})
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin(seat={"id": made["id"], "token": made["spectatorToken"]}, options={"isReadOnly": True})
    for width, height, wanted in [(900, 600, [450, 300, 450, 600]), (150, 700, [75, 350, 150, 200])]:
        page.run("Object.assign(document.getElementById('deck').style, { width: `${arguments[0]}px`, height: `${arguments[1]}px` })", width, height)
        page.until(f"return String((() => {{ {CENTRE} }})()) === String(arguments[0])", wanted)
    resize = {"type": "resize", "viewport": {"width": 300, "height": 100}}
    deckd.ask("POST", f"/v1/sessions/{made['id']}/events", resize, made["token"])
    page.until(f"return String((() => {{ {CENTRE} }})()) === '75,350,150,50'")


@pytest.mark.parametrize("call", ["swipe('right')", "flip()"])
def test_call_without_a_card_is_refused_on_the_page(link, deckd, open_page, call):
    page = open_page(f"{link.url}/deckd.js")
    info = page.begin({"preset": "standard", "count": 1, "appearance": {"semiTransparent": 1}})
    page.run("view.swipe('left')")
    page.until("return view.frame.exhausted && session.waitingCount === 0 && !view.frame.animating")
    version = deckd.ask("GET", f"/v1/sessions/{info['id']}/frame", token=info["token"])["version"]
    requests = page.run("return log.requests.length")
    link.cut()
    result = page.run_async(f"return view.{call}")
    assert [result["applied"], result["reason"]] == [False, "no-card"]
    assert page.run("return log.refused.at(-1).reason") == "no-card"
    assert page.run("return session.waitingCount") == 0
    link.mend()
    assert page.run("return log.requests.slice(arguments[0]).some(({ method }) => method === 'POST')", requests) is False
    assert deckd.ask("GET", f"/v1/sessions/{info['id']}/frame", token=info["token"])["version"] == version
    for undo, reason in [("redo", "nothing-to-redo"), ("revert", None)]:
        assert page.run_async(f"return view.{undo}()").get("reason") == reason
    assert page.run_async("return view.revert()")["reason"] == "nothing-to-revert"


def test_options_that_are_undefined_are_those_by_default(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin()
    page.rest()
    page.run("""
        view.close();
        const options = { label: undefined, render: undefined, ended: undefined };
        window.view = new deckd.DeckView(document.getElementById("deck"), session, options);
    """)
    page.rest()
    assert page.run("return view.element.getAttribute('aria-label')") == "Cards"
    assert page.run("return document.querySelector('[data-role=front] .deckd-content').textContent") == "0"
    assert page.run_async("return (await session.send({ type: 'tap', at: undefined }))[0].applied")
    page.run_async("await session.delete()")
    assert page.run("return document.querySelector('.deckd-ended').textContent") == "This deck has ended."


def test_calls_before_anything_is_shown_are_refused(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin()
    results = page.run_async("""
        view.close();
        const early = new deckd.DeckView(document.getElementById("deck"), session, { delivery: "poll" });
        early.frame = null;
        const result = await early.swipe("right");
        early.close();
        return [result.applied, result.reason, session.frame.currentIndex];
    """)
    assert results == [False, "no-card", 0]


def test_card_that_is_heard_of_late_fades_in(link, deckd, open_page):
    page = open_page(f"{link.url}/deckd.js")
    info = page.begin({"preset": "standard", "count": 1, "motion": {"reduced": True}})
    page.rest()
    page.run("""
        window.seen = [];
        const look = () => {
          const card = document.querySelector("[data-id=new]");
          if (card) seen.push(Number(card.style.opacity));
          requestAnimationFrame(look);
        };
        look();
    """)
    link.delay = 0.5
    event = {"type": "insert", "index": 1, "cards": [{"id": "new"}]}
    deckd.ask("POST", f"/v1/sessions/{info['id']}/events", event, info["token"])
    page.until("return seen.length && seen.at(-1) === view.frame.cards.find(({ id }) => id === 'new')?.opacity")
    seen = page.run("return seen")
    assert seen == sorted(seen) and len({value for value in seen if value < 0.9 * seen[-1]}) >= 3, seen


def test_card_that_cannot_be_drawn_is_reported_and_the_deck_continues(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    # The fourth card has no data.
    page.begin({"preset": "standard", "cards": [{"id": f"c{n}", **({} if n == 4 else {"data": {"title": f"T{n}"}})} for n in range(1, 8)]})
    page.run("""
        Object.assign(window, { reported: 0, thrown: [] });
        addEventListener("error", (event) => {
          reported++;
          event.preventDefault();
        });
        view.close();
        const fail = (name) => {
          thrown.push(name);
          throw new Error(name);
        };
        const remove = () => fail("remove");
        const render = (card, content) => (card.data ? void (content.textContent = card.data.title) : fail(card.id));
        window.view = new deckd.DeckView(document.getElementById("deck"), session, { render, remove });
    """)
    for number in range(1, 6):
        front = page.check_rest()["cards"][0]["id"]
        assert front == f"c{number}"
        shown = page.run("const { dataset, textContent } = document.querySelector('#deck [data-role=front]'); return [dataset.id, textContent]")
        assert shown == [front, "" if number == 4 else f"T{number}"]
        page.run("view.swipe('right')")
    page.check_rest()
    assert sorted(page.run("return thrown")) == ["c4"] + 5 * ["remove"], "a card is drawn once"
    assert page.run("return reported") == 6
    page.run("view.close()")
    assert page.run("return document.getElementById('deck').childNodes.length") == 0


def test_view_that_may_not_resize_its_session_is_scaled(deckd, open_page):
    request = {"deck": {"preset": "standard", "count": 9, "rules": {"playerEvents": ["drag", "swipe"]}}, "viewport": {"width": 600, "height": 800}}
    made = deckd.ask("POST", "/v1/sessions", request)
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin(seat={"id": made["id"], "token": made["playerToken"]})
    page.until(f"return (() => {{ {CENTRE} }})().join() === '150,200,300,400'")
    assert page.run("return session.info.viewport") == {"width": 600, "height": 800}
    page.until("return session.waitingCount === 0 && session.isPredicting")
    page.rest()
    # The card is under the finger.
    finger = page.finger("mouse")
    finger.down(250, 160)
    finger.move(60, 0)
    assert page.run("return document.querySelector('.deckd-card[data-role=front]').style.translate").startswith("120px")
    finger.move(40, 0, milliseconds=300)
    finger.up()
    page.until("return view.frame.currentIndex === 1 && session.waitingCount === 0")
    # Another size of the element is another scale.
    page.run("document.getElementById('deck').style.width = '150px'")
    page.until(f"return (() => {{ {CENTRE} }})().join() === '75,200,150,200'")


@pytest.mark.parametrize("has_engine", [True, False])
def test_view_is_scaled_after_another_view_has_resized_the_session(deckd, open_page, has_engine):
    page = open_page(f"{deckd.url}/deckd.js")
    if not has_engine:
        page.block("*.wasm")
    info = page.begin(predicts=has_engine)
    page.check_rest()
    resize = {"type": "resize", "viewport": {"width": 200, "height": 200}}
    deckd.ask("POST", f"/v1/sessions/{info['id']}/events", resize, info["token"])
    page.until(f"return (() => {{ {CENTRE} }})().join() === '150,200,300,300'")
    page.run("view.swipe('right')")
    page.until("return view.frame.currentIndex === 1 && session.waitingCount === 0")
    page.rest()
    assert page.run(f"return (() => {{ {CENTRE} }})().join()") == "150,200,300,300"
    # The element that changes last has its size.
    page.run("document.getElementById('deck').style.width = '150px'")
    page.until(f"return (() => {{ {CENTRE} }})().join() === '75,200,150,400'")
    page.until("return session.waitingCount === 0")
    page.check_rest()
    assert page.run_async("return (await session.get()).viewport") == {"width": 150, "height": 400}


def test_size_that_could_not_be_sent_is_sent_later(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin()
    page.rest()
    page.run("client.queueLength = 0; document.getElementById('deck').style.width = '350px'")
    page.display_frames(5)
    page.run("client.queueLength = 1000")
    page.until_async("return (await session.get()).viewport.width === 350")
    assert page.run("return view.stage.style.scale") in ("", "1")


@pytest.mark.parametrize("has_engine", [True, False])
def test_settings_of_another_client_reach_the_finger(deckd, open_page, has_engine):
    page = open_page(f"{deckd.url}/deckd.js")
    if not has_engine:
        page.block("*.wasm")
    info = page.begin({"preset": "standard", "count": 20, "rules": {"dragAxis": "horizontal"}}, predicts=has_engine)
    page.until("return document.getElementById('deck').style.touchAction.includes('pan-y')")
    deckd.ask("PATCH", f"/v1/sessions/{info['id']}", {"rules": {"dragAxis": "free"}}, info["token"])
    page.until("return document.getElementById('deck').style.touchAction === 'pinch-zoom'")


def test_element_of_an_ended_session_scrolls_the_page(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    info = page.begin()
    page.until("return document.getElementById('deck').style.touchAction === 'pinch-zoom'")
    deckd.ask("DELETE", f"/v1/sessions/{info['id']}", token=info["token"])
    page.until("return session.isEnded")
    assert page.run("return [document.getElementById('deck').style.touchAction, document.getElementById('deck').ariaKeyShortcuts]") == ["", None]
