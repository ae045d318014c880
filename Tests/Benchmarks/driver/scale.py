"""What many sessions, many cards and a long history change."""

import json

from load import Contest, Load, Row
from sessions import DECK, SWIPE, VIEWPORT, Client, Request, Sessions

SAMPLE = 100


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
    contest = Contest(scale.rounds, scale.seconds, **loads)
    for server in servers:
        server.close()
    return [
        contest.row(f"drag, {count:,} live sessions", "many", "few", f"{SAMPLE} live sessions", "≥ 0.90"),
        Row("memory of an idle session of a shared deck", "", [each], "≤ 1,024", "bytes", f"of {count:,} sessions"),
    ]


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
    contest = Contest(scale.rounds, scale.seconds, **loads)
    server.close()
    return [
        contest.row("drag, 1,000,000 cards", "large", "small", "10 cards", "≥ 0.98"),
        contest.row("drag after 1,000 swipes", "old", "fresh", "after 10 swipes", "≥ 0.95"),
    ]
