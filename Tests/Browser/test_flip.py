"""The back of a card that was turned over: in a view, in the element and on the operator's page."""

from elements import create, events
from inspecting import choose, shown
from page import Keys

FACES = """
return [...document.querySelectorAll("#deck .deckd-card")].map((card) => [
  card.dataset.id, card.dataset.face, card.querySelector(".deckd-face").part.value, card.querySelector(".deckd-content").textContent,
]).sort();
"""


def test_view_draws_the_other_side_and_names_it(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin({"cards": [{"id": "a", "label": "Lviv"}, {"id": "b"}], "motion": {"appear": False}})
    page.rest()
    assert page.run(FACES) == [["a", "front", "face front", "Lviv"], ["b", "front", "face front", "b"]]
    page.run("view.flip()")
    page.until("return view.frame.cards[0].face === 'back'")
    page.rest()
    assert page.run(FACES) == [["a", "back", "face back", ""], ["b", "front", "face front", "b"]]
    page.run("""
        view.close();
        window.drawn = [];
        const render = ({ id, face }) => drawn.push([id, face]);
        window.view = new deckd.DeckView(document.getElementById("deck"), session, { render });
    """)
    page.until("return drawn.length === 2")
    page.run("view.flip()")
    page.until("return drawn.length === 3")
    page.rest()
    assert page.run("return drawn") == [["a", "back"], ["b", "front"], ["a", "front"]]


def test_element_has_a_style_and_a_word_for_each_side(deckd, show):
    made = create(deckd)
    inside = '<template><article class="{{face}}"><a href="/">{{title}}</a></article></template><button slot="actions" data-action="flip">Turn</button>'
    page = show(inside, session=made["id"], token=made["token"])
    page.until("return deck.view.session.isPredicting && !deck.view.frame.animating")
    assert [card["face"] for card in events(page, "cards")[-1]] == ["front"] * 3
    page.run("deck.querySelector('article a').focus(); deck.querySelector('button').click()")
    page.until("return deck.cards[0].face === 'back'")
    page.until("return !deck.view.frame.animating")
    assert sorted(page.run("return [...deck.querySelectorAll('article')].map(({ className }) => className)")) == ["back", "front", "front"]
    assert [card["face"] for card in events(page, "cards")[-1]] == ["back", "front", "front"]
    assert page.run("return deck.shadowRoot.activeElement?.part.value") == "deck", "the focus was in the side that is gone"
    page.press(Keys.ARROW_RIGHT)
    page.until("return deck.view.frame.currentIndex === 1")


def test_element_without_a_template_shows_an_empty_back(deckd, show):
    made = create(deckd)
    page = show(session=made["id"], token=made["token"])
    page.until("return deck.view.session.isPredicting && !deck.view.frame.animating")
    face = """
        const face = deck.shadowRoot.querySelector("[part~=card][part~=front] [part~=face]");
        return [getComputedStyle(face).backgroundColor, face.querySelector("slot slot").textContent];
    """
    front, name = page.run(face)
    page.run("deck.flip()")
    page.until("return deck.cards[0].face === 'back' && !deck.view.frame.animating")
    back, none = page.run(face)
    assert (name, none) == ("Lviv", "") and back != front


def test_operator_sees_which_side_is_up(own_deckd, open_page):
    cards = [{"id": "a", "label": "Lviv"}, {"id": "b", "label": "Porto"}]
    request = {"deck": {"cards": cards, "motion": {"appear": False}}, "viewport": {"width": 300, "height": 400}, "clock": "manual"}
    session = own_deckd.ask("POST", "/v1/sessions", request)
    page = open_page(f"{own_deckd.url}/inspect")
    choose(page, session)
    seen = "return [...document.querySelectorAll('#picture .card')].map((card) => [card.dataset.index, card.textContent, card.querySelectorAll('.shade').length])"
    assert page.run(seen) == [["1", "Porto", 0], ["0", "Lviv", 0]]
    for event in ({"type": "flip", "at": 100}, {"type": "tick", "at": 5000}):
        own_deckd.ask("POST", f"/v1/sessions/{session['id']}/events", event)
    shown(page, "card 1 of 2 · turned over · at rest")
    assert page.run(seen) == [["1", "Porto", 0], ["0", "", 1]]
    fill = "const shade = document.querySelector('#picture .shade'); return shade.checkVisibility() && getComputedStyle(shade).fill"
    assert page.run(fill) == "rgba(0, 0, 0, 0.467)"
