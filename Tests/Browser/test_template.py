"""The templates of the element <swipe-deck>: what is written into a copy, and whose copies they are."""

import pytest
from elements import create


def test_name_of_a_member_can_have_any_letters(deckd, show):
    made = create(deckd, [{"id": "a", "data": {"first-name": "Zoë", "größe": {"in-cm": 170}}}])
    page = show("<template><p>{{ first-name }}, {{größe.in-cm}}</p></template>", session=made["id"], token=made["token"])
    assert page.run("return deck.querySelector('p').textContent") == "Zoë, 170"


def test_list_or_object_is_written_as_json(deckd, show):
    values = [{"toString": 1, "valueOf": 1}, ["a", {"b": None}], "text", 1.5, False, None, {"a": "<b>"}]
    made = create(deckd, [{"id": "a", "data": {f"v{n}": value for n, value in enumerate(values)}}, {"id": "b", "data": {"v0": "second"}}])
    names = " ".join(f"{{{{v{n}}}}}" for n in range(len(values)))
    page = show(f'<template><p title="{{{{v0}}}}">{names} {{{{v9}}}}</p></template>', session=made["id"], token=made["token"])
    written = page.run("return [...deck.querySelectorAll('p')].map(({ title, textContent }) => [title, textContent.trim()])")
    assert written == [['{"toString":1,"valueOf":1}', '{"toString":1,"valueOf":1} ["a",{"b":null}] text 1.5 false  {"a":"<b>"}'], ["second", "second"]]


@pytest.mark.parametrize("way", ["deck.after(deck.cloneNode(true))", "main.innerHTML += ''"])
def test_copied_element_shows_each_card_once(deckd, show, way):
    made = create(deckd)
    page = show("<template><p>{{title}}</p></template>", session=made["id"], token=made["token"])
    page.run(f"""
        const main = document.querySelector("main");
        {way};
        window.deck = [...document.querySelectorAll("swipe-deck")].at(-1);
    """)
    page.until("return deck.view?.frame && deck.cards.length")
    shown = page.until("return deck.querySelectorAll(':scope > p').length >= deck.cards.length && [deck.querySelectorAll(':scope > p').length, deck.cards.length]")
    assert shown[0] == shown[1]


def test_inherited_member_is_not_written(deckd, show):
    made = create(deckd, [{"id": "a", "data": {"title": "Lviv", "tags": ["x"]}}])
    template = "{{title}},{{constructor.name}},{{title.big}},{{tags.map}},{{tags.0}},{{none.of.them}}"
    page = show(f"<template><p>{template}</p></template>", session=made["id"], token=made["token"])
    assert page.run("return deck.querySelector('p').textContent") == "Lviv,,,,x,"
