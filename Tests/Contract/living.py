"""Existing sessions and decks, so that requests get further than 404."""

import os
import re
import zlib

import requests

SESSION_ID = re.compile(r"[A-Za-z0-9_-]{22}\Z")
TAGS = re.compile(r'(\*|(W/)?"[!#-~]*"([ \t]*,[ \t]*(W/)?"[!#-~]*")*)\Z')
KEY = re.compile(r'"[ !#-\[\]-~]{1,255}"\Z')
DECK_ID = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")

CARDS = [{"id": f"card-{number}", "label": f"Card {number}", "data": {"number": number}} for number in range(12)]

# A session for each thing that makes a difference to what its events do.
BEGINNINGS = [
    {"deck": {"cards": CARDS}, "viewport": {"width": 375, "height": 600}},
    {"deck": {"cards": CARDS, "loop": True}, "viewport": {"width": 300, "height": 400}, "clock": "manual", "record": True},
    {"deck": {"preset": "koloda", "count": 40}, "viewport": {"width": 320, "height": 480}, "clock": "manual"},
    {"deck": {"preset": "koloda-background", "count": 40}, "viewport": {"width": 320, "height": 480}, "record": True},
    {"deck": {"preset": "flip-carousel", "count": 40}, "viewport": {"width": 400, "height": 700}, "clock": "manual"},
]
STACK_MEMBERS = ("visibleCount", "topMargin", "scale", "from")
# After this number of requests a session can be in a state that no event leaves.
REQUESTS_OF_A_SESSION = 40


class Session:
    """What is known of a session: enough to send it events at times that it takes."""

    def __init__(self, answer):
        self.id = answer["id"]
        self.is_manual = answer["clock"] == "manual"
        self.now = answer["frame"]["at"]
        self.uses = 0


def begin(base, number):
    answer = requests.post(f"{base}/v1/sessions", json=BEGINNINGS[number % len(BEGINNINGS)], timeout=20)
    answer.raise_for_status()
    return Session(answer.json())


class Living:
    """Directs requests to existing sessions and decks."""

    def __init__(self):
        self.base = os.environ.get("DECKD_CONTRACT_URL", "")
        self.turn = 0
        self.sessions = [None] * len(BEGINNINGS)
        # Those that the requests have created. The checks look at them.
        self.given = {}

    def session(self):
        place = self.turn % len(self.sessions)
        session = self.sessions[place]
        if session is None or session.uses >= REQUESTS_OF_A_SESSION:
            session = self.sessions[place] = begin(self.base, place)
        session.uses += 1
        return session

    def lead(self, case):
        """Changes a request's ids; and, if all of it fits the document, values that would only be refused."""
        if not self.base:
            return
        self.turn += 1
        is_valid = case.meta is not None and case.meta.generation.mode.is_positive
        parameters = case.path_parameters or {}
        identity = parameters.get("id")
        session = self.given.get(identity) if isinstance(identity, str) else None
        if session is None and isinstance(identity, str) and SESSION_ID.match(identity):
            session = begin(self.base, self.turn) if case.method.upper() == "DELETE" else self.session()
            parameters["id"] = session.id
        deck = parameters.get("deck")
        if isinstance(deck, str) and DECK_ID.match(deck) and is_valid:
            parameters["deck"] = f"contract-{zlib.crc32(deck.encode()) % 6}"
        if is_valid:
            settle_deck(case, self.base)
            self.settle_headers(case)
            settle_query(case, session)
            settle_body(case, session)

    def settle_headers(self, case):
        headers = case.headers or {}
        # Most strings are not an existing version.
        if "If-Match" in headers and self.turn % 4:
            if "id" in (case.path_parameters or {}):
                headers["If-Match"] = "*"
            else:
                del headers["If-Match"]
        if "If-None-Match" in headers and self.turn % 2:
            headers["If-None-Match"] = "*"
        # schemathesis gives some texts out as valid that do not have the form which the document asks for.
        if not TAGS.match(headers.get("If-Match", "*")):
            headers["If-Match"] = '"0"'
        key = headers.get("Idempotency-Key")
        if key is not None and (self.turn % 3 or not KEY.match(key)):
            headers["Idempotency-Key"] = f'"key {self.turn}"'
        if "Prefer" in headers:
            # A minute's wait would be the whole run's.
            headers["Prefer"] = f"wait={self.turn % 50 == 0:d}"

    def note(self, case, response):
        if response.status_code == 201 and case.operation.path.startswith("/v1/sessions"):
            session = Session(response.json())
            self.given[session.id] = session


def settle_deck(case, base):
    """Puts the deck that a part of a deck fits."""
    method, path, body = case.method.upper(), case.operation.path, case.body
    if not isinstance(body, dict) or (method, path) not in (("PATCH", "/v1/decks/{deck}"), ("POST", "/v1/decks/{deck}/cards")):
        return
    cards = body.get("cards")
    if method == "PATCH" and cards is not None:
        # Most strings are not the id of a card.
        body["cards"] = {card["id"]: patch for card, patch in zip(CARDS, cards.values())}
        body.pop("count", None)
    if isinstance(body.get("layout"), dict):
        body["layout"] = {name: value for name, value in body["layout"].items() if name in STACK_MEMBERS}
    deck = "contract-count" if cards is None else "contract-list"
    content = {"count": 3} if cards is None else {"cards": CARDS}
    requests.put(f"{base}/v1/decks/{deck}", json=content, timeout=20).raise_for_status()
    case.path_parameters["deck"] = deck


def settle_query(case, session):
    query = case.query or {}
    # A number in a query may be its text already.
    if case.operation.path.endswith("/cards"):
        if "from" in query:
            query["from"] = int(query["from"]) % 4
        if "to" in query:
            query["to"] = query.get("from", 0) + int(query["to"]) % 4
    if session is None:
        return
    if case.operation.path.endswith(("/frame", "/frame.svg")) and "at" in query:
        if session.is_manual:
            query["at"] = session.now + float(query["at"]) % 3000
        else:
            del query["at"]
    if case.operation.path.endswith("/frames") and "from" in query and "to" in query:
        query["from"] = (session.now if session.is_manual else 0) + float(query["from"]) % 100
        query["to"] = query["from"] + float(query["to"]) % 3000


def settle_body(case, session):
    body = case.body
    if not isinstance(body, dict):
        return
    if case.operation.path == "/v1/sessions":
        if isinstance(body.get("deck"), str):
            body["deck"] = "sample"
        if "startIndex" in body:
            body["startIndex"] = int(body["startIndex"]) % 4
    elif session is None:
        return
    elif case.operation.path.endswith("/events"):
        for event in body.get("events", [body]):
            settle_event(event, session)
    elif case.operation.path.endswith("/fork") and "at" in body:
        if session.is_manual:
            body["at"] = session.now + body["at"] % 3000
        else:
            del body["at"]


def settle_event(event, session):
    if session.is_manual:
        session.now += event.get("at", 100) % 400
        event["at"] = session.now
    else:
        event.pop("at", None)
    if event["type"] in ("remove", "refresh"):
        start, end = sorted((int(event["from"]), int(event["to"])))
        event["from"], event["to"] = start % 16, start % 16 + 1 + (end - start) % 3
    for name in ("index", "to"):
        if event["type"] in ("move", "tap", "insert") and name in event:
            event[name] = int(event[name]) % 16
    if event["type"] == "insert" and "count" in event:
        event["count"] = int(event["count"]) % 16
    if event["type"] in ("drag", "scroll") and int(session.now) % 2:
        for name, size in (("translation", 400), ("velocity", 2000)):
            if isinstance(event.get(name), dict):
                event[name] = {axis: value % size - size / 2 for axis, value in event[name].items()}
