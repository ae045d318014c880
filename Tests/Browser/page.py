"""A tab of the browser, and a finger on it."""

import time

from geometry import compare
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.keys import Keys

# A page of the server's own origin without anything on it, with a view of a new session.
BEGIN = """
const [request, options, seat, done] = arguments;
document.body.replaceChildren();
document.body.style.cssText = "margin:0;background:#ddd";
const element = document.createElement("div");
element.id = "deck";
element.style.cssText = "position:absolute;left:100px;top:60px;width:300px;height:400px";
document.body.append(element);
window.log = {refused: [], problem: [], connection: [], frames: 0, requests: []};
import("/deckd.js").then(async (deckd) => {
  const onRequest = (request) => log.requests.push(request);
  const client = new deckd.DeckClient({ onRequest });
  const session = await (seat ? client.sessions.open(seat) : client.sessions.create(request));
  for (const type of ["refused", "problem", "connection"]) {
    session.addEventListener(type, ({ detail }) => log[type].push(detail));
  }
  session.addEventListener("frame", () => log.frames++);
  Object.assign(window, { deckd, client, session, view: new deckd.DeckView(element, session, options) });
  done(session.info);
}).catch((error) => done(String(error)));
"""

# What the page shows of each card, with the box around its face; only cards that can be seen.
SHOWN = """
return [...document.querySelectorAll("#deck .deckd-card")].map((card) => {
  const box = card.querySelector(".deckd-face").getBoundingClientRect();
  const deck = document.getElementById("deck").getBoundingClientRect();
  return {
    index: Number(card.dataset.index), role: card.dataset.role, z: Number(card.style.zIndex),
    opacity: Number(getComputedStyle(card).opacity), overlay: Number(card.querySelector(".deckd-overlay").style.opacity),
    direction: card.querySelector(".deckd-overlay").dataset.direction ?? null,
    box: [box.left - deck.left, box.top - deck.top, box.width, box.height],
  };
}).sort((one, other) => other.z - one.z);
"""


# How long a test waits for what must happen. Only a test that fails waits that long.
PATIENCE_SECONDS = 40


class Page:
    def __init__(self, browser, url, size=None):
        self.browser = browser
        self.handle = browser.current_window_handle
        self.url = url
        if size:
            width, height = size
            self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2, mobile=True)
        browser.get(url)

    def cdp(self, command, **parameters):
        return self.browser.execute_cdp_cmd(command, parameters)

    def block(self, *urls):
        """Lets requests for some URLs fail, which can have `*`; without one, all requests can succeed again."""
        self.cdp("Network.enable")
        self.cdp("Network.setBlockedURLs", urls=urls)

    def front(self):
        self.browser.switch_to.window(self.handle)

    def run(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def run_async(self, script, *arguments):
        """What the body of an asynchronous function gives."""
        body = f"const [cases] = arguments; const done = arguments[arguments.length - 1]; (async () => {{ {script} }})().then(done, (e) => done('failed: ' + e))"
        answer = self.browser.execute_async_script(body, *arguments)
        assert not str(answer).startswith("failed: "), answer
        return answer

    def begin(self, deck=None, options=None, seat=None, predicts=True, **request):
        """Creates a session, or opens one, and waits until its events are predicted."""
        deck = deck or {"preset": "standard", "count": 20}
        request |= {"deck": deck, "viewport": {"width": 300, "height": 400}, "screen": {"width": 1280, "height": 800}}
        info = self.browser.execute_async_script(BEGIN, request, options or {}, seat)
        assert isinstance(info, dict), info
        self.until("return view.frame && session.frame && (session.isPredicting || !arguments[0])", predicts)
        return info

    def until(self, script, *arguments):
        """Waits until a script gives something."""
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            value = self.run(script, *arguments)
            if value:
                return value
            assert time.monotonic() < end, f"in vain: {script} {self.run('return window.log ?? null')}"
            time.sleep(0.02)

    def until_async(self, script, *arguments):
        """The same for the body of an asynchronous function."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not (value := self.run_async(script, *arguments)):
            assert time.monotonic() < end, f"in vain: {script} {self.run('return window.log ?? null')}"
        return value

    def display_frames(self, count):
        """Waits until the display has shown some frames."""
        self.run_async("for (let rest = cases; rest > 0; rest--) await new Promise(requestAnimationFrame)", count)

    def rest(self):
        """Waits until nothing moves, and gives the frame that is shown then. A correction moves cards of a frame at rest."""
        end = time.monotonic() + PATIENCE_SECONDS
        shown = None
        while True:
            frame = self.until("return view.frame && !view.frame.animating && !view.frame.dragging && view.frame")
            before, shown = shown, self.shown()
            if shown == before:
                return frame
            assert time.monotonic() < end, f"the page does not come to rest: {shown}"
            self.display_frames(2)

    def check_rest(self):
        """Waits until all is answered and nothing moves, and compares the page with the server's frame."""
        self.until("return session.waitingCount === 0")
        self.rest()
        frame = self.run_async("return session.refresh()")
        compare(self.shown(), frame)
        return frame

    def shown(self):
        return self.run(SHOWN)

    def finger(self, kind="touch"):
        return Finger(self, kind)

    def hold_while(self, go, come_back):
        """Drags the front card to the right. The server goes while the card is held, and comes back before it is let go."""
        finger = self.finger("mouse")
        finger.down(250, 160)
        finger.move(60, 0)
        self.until("return log.requests.some(({body}) => body?.includes('changed'))")
        go()
        finger.move(30, 0)
        held = self.run("return document.querySelector('.deckd-card[data-role=front]').style.translate")
        assert held.startswith("90px")
        come_back()
        finger.move(20, 0, milliseconds=400)
        finger.up()
        self.until("return view.frame.currentIndex === 2 && session.waitingCount === 0")

    def press(self, *keys):
        """Keys to what has the focus."""
        actions = ActionBuilder(self.browser)
        for key in keys:
            actions.key_action.key_down(key)
        for key in reversed(keys):
            actions.key_action.key_up(key)
        actions.perform()


class Finger:
    """Moves to the given places with real pointer events."""

    def __init__(self, page, kind):
        self.page = page
        self.kind = kind

    def _perform(self, steps):
        pointer = PointerInput(self.kind, f"{self.kind}")
        for step in steps:
            step(pointer)
        builder = ActionBuilder(self.page.browser, mouse=pointer, duration=0)
        builder.perform()

    def down(self, x, y):
        self.at = (x, y)
        self._perform([lambda p: p.create_pointer_move(0, x, y, origin="viewport"), lambda p: p.create_pointer_down(button=0)])

    def move(self, dx, dy, milliseconds=200, steps=10):
        """Moves on from where the finger is."""
        x, y = self.at
        places = [(round(x + dx * i / steps), round(y + dy * i / steps)) for i in range(1, steps + 1)]
        self._perform([
            lambda p, place=place: p.create_pointer_move(milliseconds // steps, *place, origin="viewport") for place in places
        ])
        self.at = places[-1]

    def up(self):
        self._perform([lambda p: p.create_pointer_up(button=0)])

    def drag(self, x, y, dx, dy, milliseconds=300, hold=0, steps=12):
        """A whole gesture; with `hold` the finger rests before it lets go."""
        places = [(round(x + dx * i / steps), round(y + dy * i / steps)) for i in range(1, steps + 1)]
        moves = [lambda p: p.create_pointer_move(0, x, y, origin="viewport"), lambda p: p.create_pointer_down(button=0)]
        moves += [
            lambda p, place=place: p.create_pointer_move(milliseconds // steps, *place, origin="viewport") for place in places
        ]
        if hold:
            moves.append(lambda p: p.create_pause(hold / 1000))
        self._perform(moves + [lambda p: p.create_pointer_up(button=0)])


__all__ = ["Page", "Finger", "Keys"]
