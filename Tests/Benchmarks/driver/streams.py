"""Clients that wait: long-polls and streams at rest, and streams of decks that move."""

import selectors
import socket
import time

from load import Contest, Load, Row
from sessions import Request, Sessions

MOVING = 1000
FPS = 30
WATCHED_SECONDS = 3
HEARTBEAT_SECONDS = 15
# A deck that grows for a minute.
LONG = {"count": 100, "motion": {"dragSpeed": 0, "appearDuration": 60_000}}


class Waiters:
    """Connections that have sent a request and read what comes."""

    def __init__(self, server, requests):
        self.sockets = []
        for request in requests:
            connection = socket.create_connection(("127.0.0.1", server.port))
            fields = "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
            connection.sendall(f"{request.method} {request.path} HTTP/1.1\r\nHost: localhost\r\n{fields}\r\n".encode())
            self.sockets.append(connection)

    def frames(self, seconds):
        """How many frames come in this time. The first one of a stream does not move."""
        marker, found, end = b"event: frame", 0, time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            for connection in self.sockets:
                connection.setblocking(False)
                selector.register(connection, selectors.EVENT_READ)
            while time.monotonic() < end:
                for key, _ in selector.select(0.05):
                    found += key.fileobj.recv(1 << 16).count(marker)
        return found

    def close(self):
        for connection in self.sockets:
            connection.close()


def streams(paths, query=""):
    return [Request("GET", f"{path}/stream{query}") for path in paths]


def measure(programs, scale):
    return rest_rows(programs, scale) + moving_rows(programs)


def rest_rows(programs, scale):
    servers = [programs.deckd_server() for _ in range(2)]
    drags = [Sessions.create(server, 64).drags() for server in servers]
    # The first connections set up what is there once.
    Waiters(servers[0], streams(Sessions.create(servers[0], 200).paths)).close()
    count = scale.streams
    watched = Sessions.create(servers[0], count)
    before = servers[0].resident_bytes()
    waiters = Waiters(servers[0], streams(watched.paths))
    time.sleep(1)
    each = (servers[0].resident_bytes() - before) / count
    loads = {name: Load(programs, *pair) for name, *pair in zip(("watched", "alone"), servers, drags)}
    contest = Contest(scale.rounds, **loads)
    used = servers[0].processor_seconds()
    time.sleep(HEARTBEAT_SECONDS)
    share = 100 * (servers[0].processor_seconds() - used) / HEARTBEAT_SECONDS
    waiters.close()
    polls_before = servers[1].resident_bytes()
    polled = Sessions.create(servers[1], count)
    with_sessions = servers[1].resident_bytes()
    polls = Waiters(servers[1], polled.frames({"If-None-Match": '"0"', "Prefer": "wait=60"}))
    time.sleep(1)
    poll = (servers[1].resident_bytes() - with_sessions) / count
    session = (with_sessions - polls_before) / count
    polls.close()
    for server in servers:
        server.close()
    return [
        contest.row(f"drag beside {count:,} streams at rest", "watched", "alone", "no streams", "≥ 0.95"),
        Row("processor time of streams at rest", "", [share], "", "% of a core", f"heartbeats of {count:,} streams"),
        Row("memory of a stream at rest", "", [each], "", "bytes"),
        Row("memory of a long-poll", "", [poll], "", "bytes"),
        Row("memory of an idle session with its own deck", "", [session], "", "bytes", "the journal is in memory, too"),
    ]


def moving_rows(programs):
    """The same number of streams, one on each session and sixteen on each."""
    rows = []
    for watchers in (1, 16):
        server = programs.deckd_server()
        sessions = Sessions.create(server, -(-MOVING // watchers), deck=LONG)
        sessions.send(sessions.events({"type": "appear"}))
        paths = [path for path in sessions.paths for _ in range(watchers)][:MOVING]
        waiters = Waiters(server, streams(paths, f"?fps={FPS}"))
        waiters.frames(0.5)
        used = server.processor_seconds()
        frames = waiters.frames(WATCHED_SECONDS) / WATCHED_SECONDS
        cost = (server.processor_seconds() - used) / WATCHED_SECONDS
        waiters.close()
        server.close()
        detail = f"{frames:,.0f} of {MOVING * FPS:,} frames/s arrive, {100 * cost:.0f} % of a core"
        text = f"{MOVING:,} streams at {FPS} fps, {watchers} on each session"
        rows.append(Row(text, "", [1e6 * cost / max(frames, 1)], "", "µs per frame", detail))
    return rows
