"""The picture of a session on the operator's page."""

from inspecting import choose, shown

LABEL = "A very long title that has more letters than a card has room for, and so is shortened, "
# The corners of the front card, and the box of its label.
FRONT = """
const card = [...document.querySelectorAll("#picture .card")].at(-1);
const corners = [...card.querySelector("polygon").points].map(({ x, y }) => [x, y]);
const { x, y, width, height } = card.querySelector("text")?.getBBox() ?? {};
return { corners, text: card.textContent, label: width && [x, x + width, y, y + height] };
"""


def open_session(deckd, page, size, cards, *events):
    """A session on the operator's page, after some events. The last one has the time that is shown."""
    width, height = size
    request = {"deck": {"cards": cards, "motion": {"appear": False}}, "viewport": {"width": width, "height": height}, "clock": "manual"}
    session = deckd.ask("POST", "/v1/sessions", request)
    for event in events:
        deckd.ask("POST", f"/v1/sessions/{session['id']}/events", event)
    page.run("location.hash = ''")
    choose(page, session)
    page.until("return document.getElementById('session-title').textContent.includes(arguments[0])", session["id"])
    shown(page, "card 1 of")


def turns(corners):
    """Which way a line along the corners turns at each of them."""
    count = len(corners)
    edges = [[corners[(n + 1) % count][axis] - corners[n][axis] for axis in (0, 1)] for n in range(count)]
    return [edges[n][0] * edges[(n + 1) % count][1] - edges[n][1] * edges[(n + 1) % count][0] > 0 for n in range(count)]


def test_label_stays_in_its_card(own_deckd, open_page):
    page = open_page(f"{own_deckd.url}/inspect")
    page.until("return document.getElementById('session')")
    drag = {"type": "drag", "phase": "changed", "translation": {"x": 80, "y": 10}, "at": 10}
    for events in ([], [drag]):
        open_session(own_deckd, page, (300, 400), [{"id": f"c{n}", "label": f"{LABEL}{n}"} for n in range(3)], *events)
        front = page.run(FRONT)
        sides = sorted(x for x, _ in front["corners"])
        left, right, _, _ = front["label"]
        assert sides[0] <= left and right <= sides[-1], front
        assert LABEL.startswith(front["text"][:-1]) and front["text"].endswith("…") and len(front["text"]) > 10
    open_session(own_deckd, page, (300, 400), [{"id": "c", "label": "Lviv"}])
    assert page.run(FRONT)["text"] == "Lviv"
    # A card that is seen from the side has no room for letters.
    open_session(own_deckd, page, (300, 400), [{"id": "c", "label": "Lviv"}], {"type": "flip", "at": 100}, {"type": "tick", "at": 298})
    assert page.run(FRONT)["text"] == ""


def test_part_of_a_card_that_is_behind_the_eye_is_not_drawn(own_deckd, open_page):
    page = open_page(f"{own_deckd.url}/inspect")
    page.until("return document.getElementById('session')")
    counts = set()
    for at in (1050, 1100, 1150, 1180, 1250):
        events = [{"type": "flip", "at": 1000}, {"type": "tick", "at": at}]
        open_session(own_deckd, page, (2600, 1500), [{"id": "c", "label": "Lviv"}], *events)
        corners = page.run(FRONT)["corners"]
        counts.add(len(corners))
        assert len(set(turns(corners))) == 1, f"the sides at {at} ms cross each other: {corners}"
    assert counts == {4}, "an edge that is cut takes the place of another one"
