"""The page to play with: what is on it, and how a test waits for it."""

import json

DECKS = ["standard", "background", "flip"]
READY = "return document.querySelector('#deck .deckd-card[data-role=front] svg') && document.getElementById('frame').textContent"


def frame_of(page):
    return json.loads(page.until("return document.getElementById('frame').textContent"))


def middle(page):
    x, y = page.run("""
        const box = document.querySelector('#deck .deckd-card[data-role=front] .deckd-face').getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2];
    """)
    return round(x), round(y)


def still(page):
    page.until("const f = document.getElementById('frame').textContent; return f && !JSON.parse(f).animating")


def like(page):
    """Swipes the first card to the right, and waits for the frame after it."""
    page.run("document.getElementById('like').click()")
    page.until("return JSON.parse(document.getElementById('frame').textContent).currentIndex === 1")


def landed(page):
    """Waits until the cards have come to their places."""
    page.until("return document.querySelectorAll('#deck .deckd-card').length === 3 && !document.querySelector('#deck [data-role=leaving]')")


def show_deck(page, name):
    """Opens the tab of a deck, and waits until its cards are at rest."""
    page.until("return document.getElementById('panel')")
    page.run("document.getElementById(`tab-${arguments[0]}`).click()", name)
    page.until(f"return sessionStorage.getItem('deckd.{name}')")
    page.until(READY)
    still(page)
