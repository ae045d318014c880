"""A page with the element <swipe-deck>, and what its events have told."""

CARDS = [
    {"id": "lviv", "label": "Lviv", "data": {"title": "Lviv", "url": "javascript:alert(1)", "of": {"country": "Ukraine"}}},
    {"id": "porto", "label": "Porto", "data": {"title": "<img src=x onerror=alert(1)>", "url": "/porto"}},
    {"id": "kyoto", "label": "Kyoto", "data": {"title": "Kyoto"}},
    {"id": "fez"},
]


def html(inside="", **attributes):
    written = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    return (
        '<!doctype html><html lang="en"><title>Deck</title><script type="module" src="/swipe-deck.js"></script>'
        f'<script src="/log.js"></script><main><h1>Deck</h1><swipe-deck {written}>{inside}</swipe-deck></main>'
    )


# Notes the events of the element.
LOG = """
window.log = [];
for (const type of ["ready", "cards", "swipe", "revert", "redo", "tap", "runout", "needcards", "ended", "problem"]) {
  addEventListener(type, ({ detail, target }) => log.push([target.localName, type, type === "ready" ? null : JSON.parse(JSON.stringify(detail))]));
}
addEventListener("DOMContentLoaded", () => (window.deck = document.querySelector("swipe-deck")));
"""


def create(deckd, cards=None, **members):
    request = {"deck": {"cards": cards or CARDS}, "viewport": {"width": 300, "height": 400}}
    return deckd.ask("POST", "/v1/sessions", request | members)


def events(page, *types):
    return [detail for _, type, detail in page.run("return log") if type in types]
