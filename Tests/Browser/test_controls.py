"""A card with controls: what a click, a finger, the keyboard and the page's own scrolling do there."""

import pytest
from page import Keys

# Shows the session again, with controls in the cards, and notes what reaches them.
CONTROLS = """
view.close();
Object.assign(window, { clicks: [], told: [] });
session.addEventListener("notification", ({ detail }) => told.push(detail.type));
const render = (card, content) => {
  content.innerHTML = `<p>Words that could be selected</p><button>Play</button><a href="#there">Link</a>
    <label><input placeholder="Note"></label><video tabindex="0"></video><i data-no-drag>Scrubber</i>`;
  for (const child of content.querySelectorAll("*")) child.style.cssText = "display:block;margin:8px;width:140px;height:30px";
  for (const name of ["button", "a", "input", "video", "i"]) {
    content.querySelector(name).addEventListener("click", ({ target }) => clicks.push(target.localName));
  }
};
window.view = new deckd.DeckView(document.getElementById("deck"), session, { render });
"""


def begin(page, **deck):
    page.begin({"preset": "standard", "count": 9, **deck})
    page.run(CONTROLS)
    page.until("return view.frame")
    page.rest()


def middle(page, selector):
    """Where something in the front card is."""
    x, y = page.run("""
        const { x, y, width, height } = document.querySelector(`.deckd-card[data-role=front] ${arguments[0]}`).getBoundingClientRect();
        return [x + width / 2, y + height / 2];
    """, selector)
    return round(x), round(y)


def press(page, kind, selector, dx=0, dy=0):
    """A click, a tap or a drag in one go: a finger that waits would be a long press."""
    page.finger(kind).drag(*middle(page, selector), dx, dy, milliseconds=10 * (abs(dx) + abs(dy)) // 8, steps=8 if dx or dy else 1)


@pytest.mark.parametrize("kind", ["mouse", "touch"])
def test_clicks_and_taps_reach_what_is_in_a_card(deckd, open_page, kind):
    page = open_page(f"{deckd.url}/deckd.js")
    begin(page)
    for name in ("button", "a", "video", "input", "i"):
        press(page, kind, name)
        page.until("return clicks.at(-1) === arguments[0]", name)
    assert page.run("return location.hash") == "#there"
    assert page.run("return told") == [], "the clicks were on controls"
    press(page, kind, "p")
    page.until("return told.length")
    assert page.run("return told") == ["didSelect"]
    press(page, kind, "input")
    page.press(Keys.ARROW_RIGHT)
    page.press("h")
    page.press("i")
    assert page.run("return document.activeElement.value") == "hi"
    assert page.check_rest()["currentIndex"] == 0, "the keys of a field are its own"


@pytest.mark.parametrize("kind", ["mouse", "touch"])
@pytest.mark.parametrize("control", ["button", "a", "video"])
def test_drag_that_starts_on_a_control_moves_the_card_and_is_no_click(deckd, open_page, kind, control):
    page = open_page(f"{deckd.url}/deckd.js")
    begin(page)
    press(page, kind, control, dx=160)
    page.until("return view.frame.currentIndex === 1")
    assert page.check_rest()["currentIndex"] == 1
    assert page.run("return clicks") == []
    press(page, kind, control)
    page.until("return clicks.length")
    assert page.run("return clicks") == [control], "the next click is one again"


def test_click_after_a_drag_reaches_a_control_that_stops_the_press(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    begin(page)
    page.run("""
        for (const button of document.querySelectorAll(".deckd-card button")) {
          button.addEventListener("pointerdown", (event) => event.stopPropagation());
        }
    """)
    press(page, "mouse", "p", dx=160)
    page.until("return view.frame.currentIndex === 1")
    page.rest()
    press(page, "mouse", "button")
    page.until("return clicks.length")
    assert page.run("return clicks") == ["button"]


def test_finger_takes_the_card_after_8_px(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    begin(page)
    translate = "return document.querySelector('.deckd-card[data-role=front]').style.translate"
    finger = page.finger("mouse")
    finger.down(*middle(page, "button"))
    finger.move(8, 0, steps=4)
    page.display_frames(10)
    assert page.run(translate) == "8px", "the card is under the finger, also while it rests"
    assert not page.run("return session.frameAt(session.now).dragging")
    finger.up()
    page.until("return clicks.length")
    page.rest()
    assert page.run(translate) == "0px"
    finger.down(*middle(page, "button"))
    finger.move(9, 0, steps=3)
    assert page.run(translate) == "9px"
    assert page.run("return session.frameAt(session.now).drag.translation.x") == 9
    finger.up()
    page.check_rest()
    assert page.run("return clicks.length") == 1
    page.until("return told.includes('didReset')")


def test_card_that_is_not_dragged_yet_follows_the_rules(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    begin(page, rules={"dragAxis": "horizontal", "dragDirections": ["right"]})
    finger = page.finger("mouse")
    for x, y, shown in [(6, 6, "6px"), (-6, 40, "0px")]:
        finger.down(*middle(page, "p"))
        finger.move(x, y, steps=3)
        assert page.run("return document.querySelector('.deckd-card[data-role=front]').style.translate") == shown
        finger.up()
        page.rest()
    assert "panBegan" not in page.run("return told")


def test_drag_in_a_field_belongs_to_the_field(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    begin(page)
    for name in ("input", "i"):
        press(page, "mouse", name, dx=150)
    assert page.check_rest()["currentIndex"] == 0
    assert page.run("return told") == []


def test_drag_selects_no_text(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    begin(page)
    press(page, "mouse", "p", dx=60, dy=90)
    page.check_rest()
    assert page.run("return getSelection().toString()") == ""


def test_press_that_ends_outside_of_the_deck_leaves_nothing_held(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    begin(page)
    page.run("document.querySelector('.deckd-card[data-role=front] p').addEventListener('pointerup', (event) => event.stopPropagation())")
    right = page.run("return document.querySelector('.deckd-card[data-role=front] .deckd-face').getBoundingClientRect().right")
    for x, dx in [(round(right) - 3, 6), (middle(page, "p")[0], 1)]:
        finger = page.finger("mouse")
        finger.down(x, middle(page, "p")[1])
        finger.move(dx, 0, steps=2)
        finger.up()
        finger.move(-60, 0)
    page.check_rest()
    assert page.run("return [view.frame.currentIndex, told.includes('panBegan')]") == [0, False]


def test_only_the_front_card_can_be_reached(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    begin(page)
    roles = page.run("return [...document.querySelectorAll('.deckd-card')].map(({ dataset, inert }) => [dataset.role, inert])")
    assert sorted(roles) == [["background", True], ["background", True], ["front", False]]
    page.run("document.getElementById('deck').focus()")
    reached = []
    for _ in range(4):
        page.press(Keys.TAB)
        reached.append(page.run("const { activeElement: e } = document; return [e.localName, e.closest('.deckd-card')?.dataset.index]"))
    assert reached == [["button", "0"], ["a", "0"], ["input", "0"], ["video", "0"]]
    page.run("document.querySelector('.deckd-card[data-role=front] button').focus(); view.swipe('right')")
    assert page.run("return document.activeElement.id") == "deck", "the focus stays in the deck when its card leaves"
    page.press(Keys.ARROW_LEFT)
    page.until("return view.frame.currentIndex === 2")


@pytest.mark.parametrize("deck, wanted", [
    ({}, "pinch-zoom"),
    ({"rules": {"dragAxis": "horizontal"}}, "pan-y pinch-zoom"),
    ({"rules": {"dragAxis": "vertical"}}, "pan-x pinch-zoom"),
    ({"rules": {"dragDirections": ["left", "right"]}}, "pan-y pinch-zoom"),
    ({"rules": {"draggable": False}}, "auto"),
    ({"preset": "flip-carousel"}, "pan-x pinch-zoom"),
])
def test_touch_action_leaves_the_page_what_the_deck_does_not_use(deckd, open_page, deck, wanted):
    page = open_page(f"{deckd.url}/deckd.js")
    begin(page, **deck)
    assert page.run("return getComputedStyle(view.element).touchAction") == wanted


@pytest.mark.parametrize("axis, scrolls", [("horizontal", True), ("free", False)])
def test_page_scrolls_under_a_finger_on_a_card(deckd, open_page, axis, scrolls):
    page = open_page(f"{deckd.url}/deckd.js")
    page.cdp("Emulation.setTouchEmulationEnabled", enabled=True)
    begin(page, rules={"dragAxis": axis})
    page.run("document.body.style.height = '4000px'")
    page.display_frames(2)
    page.finger().drag(250, 400, 0, -200, milliseconds=400, steps=20)
    if scrolls:
        page.until("return scrollY > 100")
        assert "panBegan" not in page.run("return told"), "the deck has not taken the card"
    else:
        page.until("return told.includes('panFinished')")
        assert page.run("return scrollY") == 0
    page.cdp("Emulation.setTouchEmulationEnabled", enabled=False)


def test_touch_action_is_that_of_a_card_that_can_be_dragged(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin({"cards": [{"id": "free", "draggable": True}, {"id": "fixed"}], "rules": {"draggable": False}})
    assert page.run("return view.element.style.touchAction") == "pinch-zoom"
    page.run("view.swipe('right')")
    page.until("return view.element.style.touchAction === 'auto'")


@pytest.mark.parametrize("style", ["zoom: 1.5", "transform: scale(0.5)"])
def test_card_follows_the_finger_in_a_deck_that_the_page_scales(deckd, open_page, style):
    page = open_page(f"{deckd.url}/deckd.js")
    begin(page)
    page.run("view.element.style.cssText += arguments[0]", style)
    page.display_frames(2)
    x, y = page.run("""
        const { x, y, width, height } = document.querySelector(".deckd-card[data-role=front] p").getBoundingClientRect();
        return [x + width / 2, y + height / 2];
    """)
    left = "return document.querySelector('.deckd-card[data-role=front] .deckd-face').getBoundingClientRect().x"
    before = page.run(left)
    finger = page.finger("mouse")
    finger.down(round(x), round(y))
    finger.move(15, 0, milliseconds=300, steps=5)
    finger.up()
    page.until("return log.requests.some(({ body }) => body?.includes('ended'))")
    events = page.run("return log.requests.flatMap(({ body }) => (body ? [JSON.parse(body)] : [])).flatMap((body) => body.events ?? body)")
    scale = 1.5 if "zoom" in style else 0.5
    end = next(event for event in events if event.get("phase") == "ended")
    assert end["translation"]["x"] == pytest.approx(15 / scale, abs=0.1)
    page.rest()
    assert page.run(left) == pytest.approx(before, abs=0.5)


def test_text_of_a_page_from_right_to_left_stays_so(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.run("document.documentElement.dir = 'rtl'")
    begin(page)
    assert page.run("return getComputedStyle(document.querySelector('.deckd-content p')).direction") == "rtl"
    box = page.run("const { x, width } = document.querySelector('.deckd-card[data-role=front]').getBoundingClientRect(); return [x, width]")
    assert box == [100, 300]


def test_focus_stays_in_the_deck_when_its_card_is_gone(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    begin(page)
    page.run("view.swipe('right')")
    page.until("return view.frame.currentIndex === 1 && !view.frame.animating")
    page.run("document.querySelector('.deckd-card[data-role=front] button').focus(); session.send({ type: 'move', to: 5 })")
    page.until("return view.frame.currentIndex === 5")
    assert page.run("return document.activeElement.id") == "deck"


@pytest.mark.parametrize("rest, flings", [(20, True), (60, False)])
def test_finger_that_has_rested_does_not_fling(deckd, open_page, rest, flings):
    page = open_page(f"{deckd.url}/deckd.js")
    begin(page)
    # The times of the events are given, because a busy machine cannot keep them.
    page.run("""
        const [rest] = arguments;
        const target = document.querySelector(".deckd-card[data-role=front] p");
        let time = performance.now();
        const point = (type, x, later) => {
          time += later;
          const event = new PointerEvent(type, { bubbles: true, pointerId: 1, isPrimary: true, clientX: 200 + x, clientY: 200 });
          Object.defineProperty(event, "timeStamp", { value: time });
          target.dispatchEvent(event);
        };
        point("pointerdown", 0, 0);
        for (const x of [15, 30, 45]) point("pointermove", x, 10);
        point("pointerup", 45, rest);
    """, rest)
    page.until("return log.requests.some(({ body }) => body?.includes('ended'))")
    body = page.run("return log.requests.findLast(({ body }) => body?.includes('ended')).body")
    assert ('"velocity":{"x":0,"y":0}' not in body) == flings, body
