"""A session, and the operator's page that shows it."""


def begin(deckd, record=True, token=None, **more):
    """A session whose second event is a swipe, at 1000 ms. It is at 3000 ms."""
    request = {"deck": {"count": 9}, "viewport": {"width": 300, "height": 400}, "clock": "manual", "record": record}
    session = deckd.ask("POST", "/v1/sessions", request | more, token)
    path = f"/v1/sessions/{session['id']}/events"
    drag = {"type": "drag", "phase": "changed", "translation": {"x": 60, "y": 0}, "at": 500}
    deckd.ask("POST", path, drag, token)
    deckd.ask("POST", path, {"type": "drag", "phase": "ended", "translation": {"x": 200, "y": 0}, "at": 1000}, token)
    deckd.ask("POST", path, {"type": "tick", "at": 3000}, token)
    return session


def choose(page, session):
    """Opens a session, and waits until it is drawn."""
    page.until("return document.getElementById('session')")
    page.run("location.hash = `#/sessions/${arguments[0]}`", session["id"])
    page.until("return document.querySelector('#picture svg')")


def shown(page, text):
    """Waits until the picture says something, and gives all that it says."""
    return page.until("const said = document.querySelector('#picture svg')?.ariaLabel; return said?.includes(arguments[0]) && said", text)


def go(page, moment):
    """Moves the slider to a time in milliseconds."""
    page.run("const slider = document.getElementById('slider'); slider.value = arguments[0]; slider.dispatchEvent(new Event('input'))", moment)
