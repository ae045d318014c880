"""Asks a server that has API keys, and small limits, for what docs/openapi.yaml says of credentials and of limits.

usage: access.py URL

DECKD_CONTRACT_KEY has one of its keys, DECKD_CONTRACT_REVOKED_KEY one that it has no more, DECKD_CONTRACT_EXPIRED_KEY one
that has expired, and DECKD_CONTRACT_FEED_KEY and DECKD_CONTRACT_DECKS_KEY one each with this scope only. A session may have one stream,
and its requests may hardly cost more in a second than one batch costs; the key may have few sessions. Prints one line, and counts what was answered in the file that
DECKD_CONTRACT_ANSWERS names.
"""

import json
import os
import re
import sys
import time

from asker import Asker

STRANGER = {"Authorization": "Bearer " + "A" * 22}
# requests leaves a field out whose value is None.
NOBODY = {"Authorization": None}
SESSION = {"deck": {"count": 9}, "viewport": {"width": 300, "height": 400}, "clock": "manual", "record": True}
DENIALS = (401, 403)
# What a batch may have, and what the key may.
BATCH = 256
SESSIONS = 100


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


class Doors:
    """Compares who is admitted where with the document."""

    def __init__(self, asker):
        self.asker = asker

        # Another's session: what opens it opens no other.
        self.other = self.begin()

    def begin(self):
        return self.asker.ask("createSession", "/v1/sessions", 201, SESSION).json()

    def try_all(self):
        for name, operation in self.asker.operations.items():
            session = self.begin()
            values = {"id": session["id"], "deck": "sample", "name": "forbidden", "index": "0", "file": "demo.js"}
            path = re.sub(r"\{(\w+)\}", lambda match: values[match[1]], operation.path)
            raw = operation.definition.raw
            listed = {scheme for entry in raw.get("security", []) for scheme in entry}
            if listed:
                self.try_strangers(name, path, "{}" if "requestBody" in raw else None)
            self.try_holders(name, path, session, listed)
            if "{id}" in operation.path:
                self.asker.ask("endSession", f"/v1/sessions/{session['id']}", 204 if name != "endSession" else 410)

    def try_strangers(self, name, path, body):
        self.asker.ask_for_problem(name, path, 401, "unauthorized", body, headers=NOBODY)
        revoked = os.environ["DECKD_CONTRACT_REVOKED_KEY"]
        foreign = (self.other["token"], self.other["playerToken"], self.other["spectatorToken"])
        expired = bearer(os.environ["DECKD_CONTRACT_EXPIRED_KEY"])
        self.asker.ask_for_problem(name, path, 401, "key-expired", body, headers=expired)
        for headers in (STRANGER, bearer(revoked), *map(bearer, foreign)):
            self.asker.ask_for_problem(name, path, 401, "invalid-token", body, headers=headers)

    def try_holders(self, name, path, session, listed):
        """Each credential is taken where it is listed, and nowhere else. The last that is tried may end the session."""
        raw = self.asker.operations[name].definition.raw
        body = "{}" if "requestBody" in raw else None
        spectator, full = session["spectatorToken"], session["token"]
        if not listed:
            self.expect_entry(name, path, body, headers=NOBODY)
        elif "sessionToken" not in listed:
            self.asker.ask_for_problem(name, path, 401, "invalid-token", body, headers=bearer(full))
            query = {"params": {"access_token": full}}
            self.asker.ask_for_problem(name, path, 400, "malformed-query", body, headers=NOBODY, **query)
        else:
            query = {"params": {"access_token": spectator}, "headers": NOBODY}
            if "spectatorToken" in listed:
                self.expect_entry(name, path, body, headers=bearer(spectator))
                self.expect_entry(name, path, body, **query)
            else:
                self.asker.ask_for_problem(name, path, 403, "forbidden", body, headers=bearer(spectator))
                self.asker.ask_for_problem(name, path, 403, "forbidden", body, **query)
            player = session["playerToken"]
            if "playerToken" in listed:
                self.expect_entry(name, path, body, headers=bearer(player))
            else:
                self.asker.ask_for_problem(name, path, 403, "not-a-players-event", body, headers=bearer(player))
            if name == "getCard":
                hidden = path.replace("/cards/0", "/cards/7")
                self.asker.ask_for_problem(name, hidden, 403, "not-a-players-event", headers=bearer(player))
            twice = {"params": {"access_token": full}, "headers": bearer(full)}
            self.asker.ask_for_problem(name, path, 400, "malformed-header", body, **twice)
            key = {"params": {"access_token": os.environ["DECKD_CONTRACT_KEY"]}, "headers": NOBODY}
            self.asker.ask_for_problem(name, path, 401, "invalid-token", body, **key)
            self.expect_entry(name, path, body, headers=NOBODY, params={"access_token": full})
            self.expect_entry(name, path, body, headers=bearer(full))
        if "apiKey" in listed:
            scope = "DECKS" if path.startswith(("/v1/feed", "/v1/verdicts")) else "FEED"
            other = bearer(os.environ[f"DECKD_CONTRACT_{scope}_KEY"])
            self.asker.ask_for_problem(name, path, 403, "insufficient-scope", body, headers=other)
            self.expect_entry(name, path, body)

    def expect_entry(self, name, path, body, **options):
        """Sends a request that must be admitted, whatever its answer is."""
        method = self.asker.operations[name].method.upper()
        # A stream has no end, and HEAD stands for GET.
        method = "HEAD" if method == "GET" else method
        if body is not None:
            options["headers"] = {"Content-Type": "application/json"} | options.get("headers", {})
        answer = self.asker.session.request(method, self.asker.base + path, data=body, timeout=20, **options)
        if answer.status_code in DENIALS:
            self.asker.failures.append(f"{name}: {answer.status_code} in place of entry: {list(options)}")


def ask_for_too_many_events(asker, path):
    batch = {"events": [{"type": "tick", "at": 1} for _ in range(BATCH)]}
    fields = {"RateLimit", "RateLimit-Policy"}
    for status in (200, 429):
        answer = asker.ask("sendEvents", f"{path}/events", status, batch)
        if not fields <= answer.headers.keys():
            asker.failures.append(f"sendEvents {status}: {fields - answer.headers.keys()} are missing")
    if answer.json()["type"] != "/problems/rate-limited":
        asker.failures.append(f"sendEvents: {answer.text}")
    # What is left is less than a copy takes. A patch takes one event, of which time may have brought some.
    asker.ask_for_problem("forkSession", f"{path}/fork", 429, "rate-limited", {})
    for _ in range(BATCH):
        answer = asker.session.patch(f"{asker.base}{path}", json={"loop": False}, timeout=20)
        if answer.status_code == 429:
            asker.check(asker.operations["changeSession"], answer)
            break
    else:
        asker.failures.append("changeSession: never 429")
    # A session that is to end with a certain version only is read, so the request costs.
    stale = {"If-Match": '"99999"'}
    for _ in range(BATCH):
        answer = asker.session.delete(f"{asker.base}{path}", headers=stale, timeout=20)
        if answer.status_code == 429:
            return asker.check(asker.operations["endSession"], answer)
    asker.failures.append("endSession: never 429")


READS = {
    "getSession": "", "getLog": "/events", "getFrame": "/frame", "getPicture": "/frame.svg", "getSlots": "/slots",
    "getFrames": "/frames?from=1&to=1", "streamFrames": "/stream", "getCards": "/cards", "getCard": "/cards/0",
    "getVerdicts": "/verdicts", "getSnapshot": "/snapshot",
}


def ask_for_too_many_reads(asker, path):
    """Reads of a session that has just paid for nearly all that it may."""
    for name, part in READS.items():
        for _ in range(BATCH):
            # Each reading is charged the same whether it has a body or not, and a stream has no end.
            answer = asker.session.request("HEAD", f"{asker.base}{path}{part}", timeout=20)
            if answer.status_code == 429:
                asker.ask_for_problem(name, f"{path}{part}", 429, "rate-limited")
                break


def ask_for_too_expensive_reads(asker, path):
    """What costs more than a session can have at once. A log's line costs a unit here, and a picture more than there is."""
    asker.ask_for_problem("getPicture", f"{path}/frame.svg", 422, "too-expensive")
    asker.ask_for_problem("getFrames", f"{path}/frames?from=1&to=9001&fps=60", 422, "too-expensive")
    lines = {"events": [{"type": "tick", "at": 1} for _ in range(BATCH - 4)]}
    asker.ask("sendEvents", f"{path}/events", 200, lines)
    for moment in (2, 3, 4):
        time.sleep(2)
        asker.ask("sendEvents", f"{path}/events", 200, {"type": "tick", "at": moment})
    time.sleep(2)
    for name, part in (("getFrame", "frame"), ("getSnapshot", "snapshot")):
        asker.ask_for_problem(name, f"{path}/{part}?at=1", 422, "too-expensive")


def ask_for_too_expensive_frames(asker):
    """A spectator looks at a session in which a command waits that rearranges more cards than spectators can pay for."""
    deck = {"count": 25600, "rules": {"whileAnimating": "queue"}}
    session = asker.ask("createSession", "/v1/sessions", 201, SESSION | {"deck": deck}).json()
    path = f"/v1/sessions/{session['id']}"
    events = [{"type": "swipe", "direction": "left", "at": 0}, {"type": "sendToBack", "at": 0}]
    asker.ask("sendEvents", f"{path}/events", 200, {"events": events})
    spectator = bearer(session["spectatorToken"])
    for name in ("getSession", "getSlots", "getCards", "getCard"):
        asker.ask_for_problem(name, f"{path}{READS[name]}", 422, "too-expensive", headers=spectator)


def ask_for_too_many_streams(asker, path):
    with asker.session.get(f"{asker.base}{path}/stream", stream=True, timeout=20) as stream:
        # Without a reference to it, the iterator would end and close the connection, and the place would be free again.
        lines = stream.iter_lines()
        next(lines)
        asker.ask_for_problem("streamFrames", f"{path}/stream", 503, "too-many-streams")


def ask_for_too_many_sessions(asker, path):
    for _ in range(SESSIONS):
        answer = asker.session.post(f"{asker.base}/v1/sessions", json=SESSION, timeout=20)
        if answer.status_code != 201:
            break
    asker.ask_for_problem("createSession", "/v1/sessions", 429, "too-many-sessions-of-key", SESSION)
    asker.ask_for_problem("forkSession", f"{path}/fork", 429, "too-many-sessions-of-key", {})


def ask_from_another_origin(asker):
    """A script of an origin that is allowed reads what is answered, and what is refused."""
    origin = {"Origin": os.environ["DECKD_CONTRACT_ORIGIN"]}
    for status, headers in ((200, origin), (401, origin | NOBODY)):
        answer = asker.ask("listDecks", "/v1/decks", status, headers=headers)
        if answer.headers.get("Access-Control-Allow-Origin") != origin["Origin"]:
            asker.failures.append(f"listDecks {status}: scripts cannot read it")
    preflight = origin | NOBODY | {"Access-Control-Request-Method": "PUT"}
    answer = asker.session.options(f"{asker.base}/v1/decks/sample", headers=preflight, timeout=20)
    if answer.status_code != 204 or "PUT" not in answer.headers.get("Access-Control-Allow-Methods", ""):
        asker.failures.append(f"a preflight: {answer.status_code}, {json.dumps(dict(answer.headers))}")


def main(base):
    asker = Asker(base, has_origins=True)
    asker.session.headers.update(bearer(os.environ["DECKD_CONTRACT_KEY"]))
    doors = Doors(asker)
    doors.try_all()
    path = f"/v1/sessions/{doors.begin()['id']}"
    spent = f"/v1/sessions/{doors.begin()['id']}"
    ask_for_too_many_events(asker, spent)
    ask_for_too_many_reads(asker, spent)
    ask_for_too_expensive_reads(asker, f"/v1/sessions/{doors.begin()['id']}")
    ask_for_too_expensive_frames(asker)
    ask_for_too_many_streams(asker, path)
    ask_for_too_many_sessions(asker, path)
    ask_from_another_origin(asker)
    asker.finish()


if __name__ == "__main__":
    main(sys.argv[1])
