"""A finger that is ahead of the server: cards are taken before it has said anything of the ones before them."""

import pytest
from geometry import box

X, Y = 250, 160

# Where the middle of the front card is, and whether it can be taken.
FRONT = """
const face = document.querySelector(".deckd-card[data-role=front] .deckd-face");
const {left, width, top, height} = face?.getBoundingClientRect() ?? {};
return face && { x: left + width / 2, y: top + height / 2, width, height, takes: !face.parentElement.inert && view.frame.cards[0].interactive };
"""


def verdicts(page):
    return [(verdict["index"], verdict["direction"]) for verdict in page.run_async("return session.verdicts()")]


def verdicts_on(deckd, info):
    return deckd.ask("GET", f"/v1/sessions/{info['id']}/verdicts", token=info["token"])["verdicts"]


def swipe(page, dx):
    page.finger().drag(X, Y, dx, 4, milliseconds=120, hold=110, steps=4)


@pytest.mark.parametrize("motion", [{}, {"reduced": True}, {"moveBackground": False}])
def test_cards_are_swiped_by_hand_without_a_network(link, deckd, open_page, motion):
    page = open_page(f"{link.url}/deckd.js")
    info = page.begin({"preset": "standard", "count": 20, "motion": motion})
    link.cut()
    for dx in (120, -120, 120):
        swipe(page, dx)
    assert page.run("return view.frame.currentIndex") == 3 and page.run(FRONT)["takes"]
    assert page.until("return log.connection.includes(false)")
    assert verdicts_on(deckd, info) == []
    link.mend()
    page.check_rest()
    assert verdicts(page) == [(0, "right"), (1, "left"), (2, "right")]
    assert page.run("return log.refused") == []


@pytest.mark.parametrize("motion", [{}, {"reduced": True}])
def test_card_that_comes_back_is_taken_again_before_the_answer(link, open_page, motion):
    page = open_page(f"{link.url}/deckd.js")
    page.begin({"preset": "standard", "count": 20, "motion": motion})
    page.check_rest()
    at_rest = page.shown()
    link.cut()
    swipe(page, 40)
    page.rest()
    back = page.shown()
    for card, before in zip(back, at_rest, strict=True):
        assert card["role"] == before["role"] and card["index"] == before["index"]
        assert all(abs(number - other) < 0.1 for number, other in zip(card["box"], before["box"])), (card, before)
        assert card["overlay"] == 0
    swipe(page, -120)
    link.mend()
    page.until("return view.frame.currentIndex === 1 && session.waitingCount === 0")
    assert page.run("return log.refused.map(({reason}) => reason)") == ["below-threshold"]
    assert verdicts(page) == [(0, "left")]
    page.check_rest()


def test_card_that_comes_back_while_it_moves_up_goes_on_to_its_place(link, open_page):
    page = open_page(f"{link.url}/deckd.js")
    page.begin({"preset": "standard", "count": 20, "motion": {"backgroundDuration": 2500}})
    front, *behind = page.check_rest()["cards"]
    link.cut()
    swipe(page, 120)
    swipe(page, 40)
    page.rest()
    shown = [card["box"] for card in page.shown() if card["role"] != "leaving"]
    assert len(shown) == len(behind) + 1
    for seen, place in zip(shown, [front, *behind]):
        assert all(abs(number - other) < 0.1 for number, other in zip(seen, box(place))), (seen, box(place))
    link.mend()
    page.until("return view.frame.currentIndex === 1 && session.waitingCount === 0")
    page.check_rest()


def test_card_that_leaves_a_loop_again_and_again_leaves_nothing_behind(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin({"preset": "standard", "count": 1, "loop": True, "motion": {"dragSpeed": 3000}})
    for count in (1, 2, 3):
        swipe(page, 120)
        page.until("return view.frame.canRevert === arguments[0]", count)
    page.check_rest()


def test_card_may_be_let_go_of_while_the_times_are_put_right(link, deckd, open_page):
    page = open_page(f"{link.url}/deckd.js")
    info = page.begin()
    page.check_rest()
    link.cut()
    swipe(page, 120)
    finger = page.finger("mouse")
    finger.down(X, Y)
    finger.move(-60, 0)
    deckd.ask("POST", f"/v1/sessions/{info['id']}/events", {"type": "swipe", "direction": "left"}, info["token"])
    page.run("""
        const { fetch } = window;
        window.fetch = async (url, request) => {
          const answer = await fetch(url, request);
          if (answer.status === 409) window.isLate = true;
          // What is read then takes its time.
          if (window.isLate && request.method === "GET") await new Promise((resolve) => setTimeout(resolve, 1500));
          return answer;
        };
    """)
    link.mend()
    page.until("return window.isLate")
    finger.move(-60, 0, milliseconds=200)
    finger.up()
    page.until("return view.frame.currentIndex === 2")
    page.check_rest()
    assert page.run("return log.refused.map(({reason}) => reason)") == ["not-front-card"]
    assert verdicts(page) == [(0, "left"), (1, "left")]


def test_next_card_is_taken_before_the_answer_and_is_where_it_is_going_to_be(link, open_page):
    page = open_page(f"{link.url}/deckd.js")
    page.begin()
    first = box(page.check_rest()["cards"][0])
    link.delay = 1.0
    swipe(page, 120)
    before = page.run("return log.requests.length")
    page.run("""
        window.told = [];
        const { fetch } = window;
        window.fetch = (url, request) => {
          if (request.body?.includes('"id":"1"')) told.push(session.frame.currentIndex);
          return fetch(url, request);
        };
    """)
    front = page.until(f"const front = (() => {{ {FRONT} }})(); return front?.width === {first[2]} && front")
    assert front["takes"]
    assert abs(front["x"] - 100 - first[0] - first[2] / 2) < 1 and abs(front["y"] - 60 - first[1] - first[3] / 2) < 1
    finger = page.finger("mouse")
    finger.down(X, Y)
    finger.move(40, 0, milliseconds=40, steps=2)
    held = page.shown()
    assert [card["index"] for card in held if card["role"] == "front"] == [1]
    assert abs(page.run(FRONT)["x"] - front["x"] - 40) < 8, "the card follows, and turns a little"
    assert page.run("return log.requests.length") == before, "nothing has been answered yet"
    # The answer comes while the card is held, and does not take it away.
    finger.move(80, 0, milliseconds=1600, steps=40)
    page.until("return told.length")
    assert set(page.run("return told")) == {1}, "before that, it is not known what moves"
    assert abs(page.run(FRONT)["x"] - front["x"] - 120) < 16
    link.delay = 0.0
    finger.up()
    page.until("return view.frame.currentIndex === 2")
    page.check_rest()
    assert verdicts(page) == [(0, "right"), (1, "right")]


def test_card_that_has_left_stays_away_when_the_card_before_it_is_answered(link, open_page):
    page = open_page(f"{link.url}/deckd.js")
    page.begin()
    page.check_rest()
    link.delay = 1.0
    swipe(page, 120)
    swipe(page, 120)
    page.run("""
        window.fronts = [];
        const look = () => {
          const front = document.querySelector(".deckd-card[data-role=front]");
          fronts.push([session.waitingCount, Number(front.dataset.index)]);
          requestAnimationFrame(look);
        };
        look();
    """)
    page.until("return session.waitingCount === 0")
    page.display_frames(2)
    fronts = page.run("return fronts")
    assert {waiting for waiting, _ in fronts} > {0}, "the page was ahead of the answers"
    assert {front for _, front in fronts} == {2}
    link.delay = 0.0
    page.check_rest()


def test_card_that_leaves_a_loop_and_comes_next_is_two(link, open_page):
    page = open_page(f"{link.url}/deckd.js")
    page.begin({"preset": "standard", "count": 3, "loop": True, "motion": {"dragSpeed": 5000}})
    page.check_rest()
    page.run("document.querySelector('.deckd-card[data-role=front]').id = 'first'")
    swipe(page, 120)
    page.until("return view.frame.currentIndex === 1 && session.waitingCount === 0")
    assert page.run("return document.getElementById('first').dataset.role") == "leaving"
    roles = page.run("return [...document.querySelectorAll('.deckd-card[data-index=\"0\"]')].map(({ dataset }) => dataset.role).sort()")
    assert roles == ["background", "leaving"]
    page.run_async("await new Promise((resolve) => setTimeout(resolve, 400))")
    ways = page.run("return [...document.querySelectorAll('.deckd-card:not([data-role=leaving])')].map(({ style }) => style.translate)")
    assert ways == ["0px"] * 3, "what stays does not fly"


def test_card_whose_own_rules_deny_the_direction_comes_back_before_the_answer(link, open_page):
    page = open_page(f"{link.url}/deckd.js")
    cards = [{"id": "stays", "deniedDirections": ["right"]}, *({"id": f"c{number}"} for number in range(5))]
    page.begin({"preset": "standard", "cards": cards})
    page.check_rest()
    link.delay = 0.4
    page.run("document.querySelector('.deckd-card[data-role=front]').id = 'first'")
    swipe(page, 120)
    assert page.run("return log.refused.map(({reason}) => reason)") == ["direction-denied"]
    assert page.run("return document.getElementById('first')?.dataset.role") == "front", "it is the same element"
    swipe(page, -120)
    assert page.run("return view.frame.currentIndex") == 1
    link.delay = 0.0
    page.check_rest()
    assert page.run("return log.refused.length") == 1
    assert verdicts(page) == [(0, "left")]


def test_card_that_somebody_else_decided_on_is_not_decided_on_again(link, deckd, open_page):
    page = open_page(f"{link.url}/deckd.js")
    info = page.begin()
    page.check_rest()
    link.cut()
    deckd.ask("POST", f"/v1/sessions/{info['id']}/events", {"type": "swipe", "direction": "left"}, info["token"])
    swipe(page, 120)
    link.mend()
    page.until("return log.refused.some(({reason}) => reason === 'not-front-card')")
    page.until("return view.frame.currentIndex === 1 && session.waitingCount === 0")
    page.check_rest()
    assert verdicts(page) == [(0, "left")]
