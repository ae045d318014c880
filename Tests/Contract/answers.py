"""Asks for every answer that docs/openapi.yaml has, and checks that it is as the document says.

usage: answers.py URL

Prints one line, and counts what was answered in the file that DECKD_CONTRACT_ANSWERS names.
"""

import re
import sys
from concurrent.futures import ThreadPoolExecutor

import requests
from asker import DOCUMENT, Asker

NOBODY = "A" * 22
WEB = {
    "getPage": "/",
    "getInspectPage": "/inspect",
    "getPagePart": "/web/demo.js",
    "getClient": "/deckd.js",
    "getClientTypes": "/deckd.d.ts",
    "getElement": "/swipe-deck.js",
    "getElementTypes": "/swipe-deck.d.ts",
    "getEngine": "/engine.wasm",
}
VIEWPORT = {"width": 300, "height": 400}
CARDS = [{"id": "lviv", "label": "Lviv", "data": {"title": "Lviv"}}, {"id": "porto"}, {"id": "kyoto", "undoable": False}]


class Places:
    """A deck, and sessions that can be asked for anything."""

    def __init__(self, asker):
        self.asker = asker
        asker.ask("putDeck", "/v1/decks/answers", 201, {"cards": CARDS})
        self.live = self.begin(clock="manual", record=True)
        self.ended = self.begin()
        asker.ask("endSession", f"/v1/sessions/{self.ended}", 204)

    def begin(self, deck="answers", **members):
        answer = self.asker.ask("createSession", "/v1/sessions", 201, {"deck": deck, "viewport": VIEWPORT} | members)
        return answer.json()["id"]

    def path(self, operation, session, other="0"):
        """The path of an operation, with the query that it cannot do without."""
        values = {"id": session, "deck": "answers", "name": "not-found", "index": other, "file": "demo.js"}
        path = re.sub(r"\{(\w+)\}", lambda match: values[match[1]], operation.path)
        return path + ("?from=0&to=100" if path.endswith("/frames") else "")


def ask_for_refusals(asker, places):
    """What can be refused before anything is looked at is refused everywhere."""
    for name, operation in asker.operations.items():
        raw = operation.definition.raw
        live, body = places.path(operation, places.live), None
        limit = raw.get("requestBody", {}).get("x-max-bytes")
        if limit:
            body = "{}"
        sign = "&" if "?" in live else "?"
        asker.ask(name, f"{live}{sign}nothing=1", 400, body)
        asker.ask(name, live, 406, body, headers={"Accept": "image/png"})
        asker.ask(name, live, 413, b" " * ((limit or 0) + 1))
        if limit:
            asker.ask(name, live, 415, "a=b", headers={"Content-Type": "text/plain"})
        if "{id}" in operation.path:
            asker.ask(name, places.path(operation, NOBODY), 404, body)
            asker.ask(name, places.path(operation, places.ended), 410, body)
        if limit:
            asker.ask_for_problem(name, live, 400, "malformed-request", "{")
    asker.ask_for_problem("getDeck", "/v1/decks/%FF", 400, "malformed-target")
    asker.ask("getDeck", "/v1/decks/none", 404)
    asker.ask("deleteDeck", "/v1/decks/none", 404)
    asker.ask("explainProblem", "/problems/none", 404)


def ask_for_decks(asker):
    asker.ask("listDecks", "/v1/decks?limit=1", 200)
    tag = asker.ask("getDeck", "/v1/decks/answers", 200).headers["ETag"]
    asker.ask("getDeck", "/v1/decks/answers", 304, headers={"If-None-Match": tag})
    asker.ask("putDeck", "/v1/decks/answers", 412, {"count": 1}, headers={"If-Match": '"0"'})
    asker.ask("deleteDeck", "/v1/decks/answers", 412, headers={"If-Match": '"0"'})
    asker.ask("putDeck", "/v1/decks/answers", 422, {"count": -1})
    asker.ask("putDeck", "/v1/decks/answers", 200, {"cards": CARDS}, headers={"If-Match": tag})
    stale = {"If-Match": '"0"'}
    asker.ask("changeDeck", "/v1/decks/answers", 200, {"cards": {"lviv": {"label": None}}, "loop": None})
    asker.ask("changeDeck", "/v1/decks/answers", 412, {"loop": True}, headers=stale)
    asker.ask("changeDeck", "/v1/decks/answers", 422, {"cards": {"missing": None}})
    asker.ask("changeDeck", "/v1/decks/none", 404, {"loop": True})
    asker.ask("appendCards", "/v1/decks/answers/cards", 412, {"cards": [{"id": "appended"}]}, headers=stale)
    for _ in range(2):
        key = {"Idempotency-Key": '"append"'}
        asker.ask("appendCards", "/v1/decks/answers/cards", 200, {"cards": [{"id": "appended"}]}, headers=key)
    asker.ask("appendCards", "/v1/decks/answers/cards", 422, {"cards": [{"id": "appended"}]})
    asker.ask("appendCards", "/v1/decks/none/cards", 404, {"count": 1})
    asker.ask("changeDeck", "/v1/decks/answers", 200, {"cards": {"appended": None}})
    for preset in ("standard", "koloda", "koloda-background", "flip-carousel"):
        asker.ask("putDeck", f"/v1/decks/{preset}", 201, {"preset": preset, "count": 5})
        asker.ask("getDeck", f"/v1/decks/{preset}", 200)
        asker.ask("deleteDeck", f"/v1/decks/{preset}", 204)


def ask_for_events(asker, path):
    """A story of a session whose clock is the client's, up to when it has moved for a second."""
    point = {"x": 60, "y": 4}
    for at, status, event in [
        (10, 200, {"type": "drag", "phase": "changed", "translation": point}),
        (20, 200, {"type": "drag", "phase": "ended", "translation": point}),
        (900, 200, {"type": "drag", "phase": "ended", "translation": {"x": 290, "y": 0}}),
        (910, 200, {"type": "scroll", "phase": "ended", "offset": 5}),
        (920, 409, {"type": "tick", "at": 5}),
        (930, 422, {"type": "swipe", "direction": "sideways"}),
        (940, 200, {"type": "revert", "direction": "origin"}),
    ]:
        asker.ask("sendEvents", f"{path}/events", status, {"at": at} | event)
        asker.ask("getFrame", f"{path}/frame?include=data,motion,labels&since=0", 200)
    key = {"Idempotency-Key": '"answers"'}
    for _ in range(2):
        asker.ask("sendEvents", f"{path}/events", 200, {"type": "tick", "at": 2000}, headers=key)
    asker.ask("sendEvents", f"{path}/events", 422, {"type": "tick", "at": 2001}, headers=key)
    unquoted = {"Idempotency-Key": "answers"}
    asker.ask_for_problem("sendEvents", f"{path}/events", 400, "malformed-header", {"type": "tick"}, headers=unquoted)
    asker.ask("sendEvents", f"{path}/events", 412, {"type": "tick", "at": 2002}, headers={"If-Match": '"99999"'})
    asker.ask("sendEvents", f"{path}/events?frame=none", 200, {"events": [{"type": "tick", "at": 5000}]})


def ask_for_repetitions(asker, places):
    """Requests with a key that are repeated, and requests on a version that is not there."""
    body = {"deck": "answers", "viewport": VIEWPORT}
    key = {"Idempotency-Key": '"repetition"'}
    for operation, path, other, statuses in [
        ("createSession", "/v1/sessions", body | {"appear": True}, (201, 201)),
        ("forkSession", f"/v1/sessions/{places.live}/fork", {"at": 99999}, (201, 201)),
        ("putDeck", "/v1/decks/repeated", {"count": 2}, (201, 201)),
    ]:
        request = {"createSession": body, "forkSession": {}, "putDeck": {"count": 1}}[operation]
        answers = [asker.ask(operation, path, status, request, headers=key) for status in statuses]
        if answers[0].content != answers[1].content or answers[1].headers.get("Idempotency-Replayed") != "true":
            asker.failures.append(f"{operation} with a key was not answered with the same outcome")
        asker.ask_for_problem(operation, path, 422, "idempotency-key-reused", other, headers=key)
        if operation != "putDeck":
            asker.ask("endSession", f"/v1/sessions/{answers[0].json()['id']}", 204)
            asker.ask(operation, path, 410, request, headers=key)
    asker.ask("deleteDeck", "/v1/decks/repeated", 204)
    ask_twice_at_once(asker)
    stale = {"If-Match": '"99999"'}
    asker.ask("changeSession", f"/v1/sessions/{places.live}", 412, {"loop": True}, headers=stale)
    asker.ask("forkSession", f"/v1/sessions/{places.live}/fork", 412, {}, headers=stale)
    asker.ask("endSession", f"/v1/sessions/{places.live}", 412, headers=stale)
    condemned = places.begin(clock="manual")
    asker.ask("endSession", f"/v1/sessions/{condemned}", 204, headers={"If-Match": '"0"'})


def ask_twice_at_once(asker):
    """A request whose key is in use is refused. Which one comes second is a matter of luck, so it is tried often."""
    cards = [{"id": f"card-{number}"} for number in range(5000)]
    body = {"deck": {"cards": cards}, "viewport": VIEWPORT}

    def begin(attempt):
        headers = {"Idempotency-Key": f'"at once {attempt}"'}
        return requests.post(f"{asker.base}/v1/sessions", json=body, headers=headers, timeout=20)

    with ThreadPoolExecutor(4) as pool:
        for attempt in range(100):
            answers = list(pool.map(begin, [attempt] * 4))
            refused = [answer for answer in answers if answer.status_code == 409]
            if refused:
                asker.check(asker.operations["createSession"], refused[0])
                return


def ask_for_sights(asker, places):
    path = f"/v1/sessions/{places.live}"
    asker.ask("getSession", path, 200)
    tag = asker.ask("getFrame", f"{path}/frame", 200).headers["ETag"]
    for prefer in ("wait=0", "wait=1"):
        asker.ask("getFrame", f"{path}/frame", 304, headers={"If-None-Match": tag, "Prefer": prefer})
    asker.ask("getFrame", f"{path}/frame?at=15&fields=drag,version", 200)
    tag = asker.ask("getPicture", f"{path}/frame.svg", 200).headers["ETag"]
    asker.ask("getPicture", f"{path}/frame.svg", 304, headers={"If-None-Match": tag})
    tag = asker.ask("getSnapshot", f"{path}/snapshot", 200).headers["ETag"]
    asker.ask("getSnapshot", f"{path}/snapshot", 304, headers={"If-None-Match": tag})
    asker.ask("getFrames", f"{path}/frames?from=0&to=1000&fps=10&include=motion", 200)
    asker.ask("getSlots", f"{path}/slots", 200)
    asker.ask("getCards", f"{path}/cards", 200)
    asker.ask("getCard", f"{path}/cards/0", 200)
    asker.ask("getVerdicts", f"{path}/verdicts", 200)
    asker.ask("getLog", f"{path}/events?after=1", 200)
    for name, feed in (("getVerdictFeed", "/v1/verdicts"), ("getFeed", "/v1/feed")):
        asker.ask(name, f"{feed}?deck=answers", 200)
        asker.ask(name, f"{feed}?user=unknown&session=none", 200)
        asker.ask(name, feed, 200, headers={"Accept": "application/x-ndjson"})
        asker.ask_for_problem(name, f"{feed}?after=999999", 410, "cursor-ahead")
    asker.ask("getFeed", "/v1/feed?types=needsCards,ranOut,ended,pending", 200)
    plain = f"/v1/sessions/{places.begin(clock='manual')}"
    asker.ask("sendEvents", f"{plain}/events", 200, {"type": "tick", "at": 100})
    asker.ask("getFrame", f"{plain}/frame?at=5", 409)
    asker.ask("getPicture", f"{plain}/frame.svg?at=5", 409)
    asker.ask("getSnapshot", f"{plain}/snapshot?at=5", 409)
    asker.ask("getFrames", f"{plain}/frames?from=0&to=200", 409)
    asker.ask("forkSession", f"{plain}/fork", 409, {"at": 5})
    asker.ask("forkSession", f"{path}/fork", 201, {"at": 500})
    asker.ask("forkSession", f"{path}/fork", 422, {"at": -1})
    asker.ask("changeSession", path, 200, {"rules": {"swipeThreshold": 0.6}, "overlay": {"directions": None}})
    asker.ask("changeSession", path, 422, {"rules": {"swipeThreshold": 101}})
    asker.ask("createSession", "/v1/sessions", 422, {"deck": "none", "viewport": VIEWPORT})


def ask_for_documents(asker):
    for kind in ("out-of-range", "stopping"):
        asker.ask("explainProblem", f"/problems/{kind}", 200)
    description = asker.ask("getDescription", "/openapi.yaml", 200)
    if description.content != DOCUMENT.read_bytes():
        asker.failures.append("/openapi.yaml is not docs/openapi.yaml")
    asker.ask("getDescription", "/openapi.yaml", 304, headers={"If-None-Match": description.headers["ETag"]})
    same = asker.ask("getDescriptionAsJSON", "/openapi.json", 200)
    if same.json() != asker.document:
        asker.failures.append("/openapi.json is not docs/openapi.yaml")
    asker.ask("getDescriptionAsJSON", "/openapi.json", 304, headers={"If-None-Match": same.headers["ETag"]})
    # The module names the engine of its release.
    hashed = re.search(r"/engine/\w+\.wasm", asker.ask("getClient", "/deckd.js", 200).text)[0]
    for name, path in [*WEB.items(), ("getHashedEngine", hashed)]:
        part = asker.ask(name, path, 200)
        asker.ask(name, path, 304, headers={"If-None-Match": part.headers["ETag"]})


def ask_for_operations(asker):
    asker.ask("getLiveness", "/livez", 200)
    asker.ask("getReadiness", "/readyz", 200)
    asker.ask("getMetrics", "/metrics", 200)


def ask_for_a_stream(asker, places):
    """Reads the first frame of a stream; its end is the client's to make."""
    operation = asker.operations["streamFrames"]
    frames = asker.operations["getFrame"]
    url = f"{asker.base}/v1/sessions/{places.live}"
    with asker.session.get(f"{url}/stream", stream=True, timeout=20) as answer:
        data = next(line for line in answer.iter_lines() if line.startswith(b"data: "))
        declared = operation.definition.raw["responses"]["200"]
        if answer.status_code != 200 or answer.headers["Content-Type"] not in declared["content"]:
            asker.failures.append(f"streamFrames: {answer.status_code} {answer.headers['Content-Type']}")
        whole = asker.session.get(f"{url}/frame", timeout=20)
        whole._content = data.removeprefix(b"data: ")
        asker.check(frames, whole)
    asker.answers["streamFrames 200"] += 1


def ask_with_every_method(asker):
    """HEAD and OPTIONS, which the document describes once, and a method that applies nowhere."""
    methods = {}
    for operation in asker.operations.values():
        methods.setdefault(operation.path, set()).add(operation.method.upper())
    for path, known in methods.items():
        allowed = known | {"OPTIONS"} | ({"HEAD"} if "GET" in known else set())
        url = asker.base + re.sub(r"\{\w+\}", NOBODY, path)
        options, other = asker.session.options(url, timeout=20), asker.session.request("BREW", url, timeout=20)
        for answer, status in ((options, 204), (other, 405)):
            listed = {name.strip() for name in answer.headers.get("Allow", "").split(",")}
            if answer.status_code != status or listed != allowed:
                asker.failures.append(f"{path}: {answer.status_code}, {listed} in place of {status}, {allowed}")
        if other.json()["type"] != "/problems/method-not-allowed":
            asker.failures.append(f"{path}: {other.text}")


def main(base):
    asker = Asker(base)
    places = Places(asker)
    ask_for_refusals(asker, places)
    ask_for_decks(asker)
    ask_for_events(asker, f"/v1/sessions/{places.live}")
    ask_for_sights(asker, places)
    ask_for_repetitions(asker, places)
    ask_for_documents(asker)
    ask_for_operations(asker)
    ask_for_a_stream(asker, places)
    ask_with_every_method(asker)
    asker.ask("deleteDeck", "/v1/decks/answers", 204)
    asker.finish()


if __name__ == "__main__":
    main(sys.argv[1])
