"""What many sessions, many cards and a long history change."""

import json
import time

from load import Contest, Load, Row
from servers import Failure
from sessions import DECK, SWIPE, VIEWPORT, Client, Request, Sessions

SAMPLE = 100
IDLE_SECONDS = 10
# Of fewer idle sessions, the memory that a server needs once would be a large part.
LEAST_IDLE = 200_000


def measure(programs, scale):
    return session_rows(programs, scale) + deck_rows(programs, scale)


def fill(programs, server, count):
    """Creates sessions of a shared deck until there are about this many. Returns the number."""
    body = json.dumps({"deck": "shared", "viewport": VIEWPORT})
    request = Request("POST", "/v1/sessions", {"Content-Type": "application/json"}, body)
    load = Load(programs, server, [request], 256)
    created = 0
    rate = load.run(1)
    created += rate.requests
    while created < count:
        created += load.run(max(1, round((count - created) / rate.rate))).requests
    return created


def session_rows(programs, scale):
    """Drags in a few sessions of many, and the memory of those that rest."""
    servers = [programs.deckd_server(data=programs.new_path("sqlite")) for _ in range(2)]
    deck = Request("PUT", "/v1/decks/shared", {"Content-Type": "application/json"}, json.dumps(DECK))
    drags = []
    for server in servers:
        Client(server).expect(deck)
        drags.append(Sessions.create(server, SAMPLE, deck="shared").drags())
    before = servers[0].resident_bytes()
    count = fill(programs, servers[0], scale.sessions)
    each = (servers[0].resident_bytes() - before) / count
    loads = {name: Load(programs, *pair) for name, *pair in zip(("many", "few"), servers, drags)}
    contest = Contest(scale.rounds, **loads)
    for server in servers:
        server.close()
    return [
        contest.row(f"drag, {count:,} live sessions", "many", "few", f"{SAMPLE} live sessions", "≥ 0.90"),
        Row("memory of a session of a shared deck in use", "", [each], "", "bytes", f"of {count:,} sessions"),
        idle_row(programs, scale, deck),
    ]


def idle_row(programs, scale, deck):
    """The memory of sessions that were not used for `residentIdleSeconds`, which is 10 minutes by default and shorter here."""
    server = programs.deckd_server(data=programs.new_path("sqlite"), limits_resident_idle_seconds=IDLE_SECONDS)
    Client(server).expect(deck)
    # What exists once, however many sessions there are, is in memory before.
    wait_until_idle(server, fill(programs, server, SAMPLE))
    before = server.resident_bytes()
    count = fill(programs, server, max(scale.sessions, LEAST_IDLE))
    wait_until_idle(server, count)
    each = (server.resident_bytes() - before) / count
    server.close()
    return Row("memory of an idle session of a shared deck", "", [each], "≤ 1,024", "bytes", f"of {count:,} sessions")


def wait_until_idle(server, count):
    """Waits until the sessions have left memory, and the allocator has returned what they had to the system."""
    end = time.monotonic() + IDLE_SECONDS + 180 + count / 1000
    while server.metric("deckd_sessions_resident"):
        if time.monotonic() > end:
            raise Failure("sessions stay in memory")
        time.sleep(1)
    time.sleep(15)


def deck_rows(programs, scale):
    server = programs.deckd_server()
    small, large, fresh, old = (
        Sessions.create(server, SAMPLE, deck={"count": count, "loop": True}) for count in (10, 1_000_000, 100, 100)
    )
    for sessions, count in ((fresh, 10), (old, 100)):
        for _ in range(10 if sessions is old else 1):
            sessions.send(sessions.events({"events": [SWIPE] * count}, "?frame=none"))
    names = {"small": small, "large": large, "fresh": fresh, "old": old}
    loads = {name: Load(programs, server, sessions.drags()) for name, sessions in names.items()}
    contest = Contest(scale.rounds, **loads)
    server.close()
    return [
        contest.row("drag, 1,000,000 cards", "large", "small", "10 cards", "≥ 0.98"),
        contest.row("drag after 1,000 swipes", "old", "fresh", "after 10 swipes", "≥ 0.95"),
    ]
