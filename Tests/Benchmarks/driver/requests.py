"""Single requests against bare libmicrohttpd, and what access checks, headers, TLS, logs and workers add to them."""

import re
import subprocess

from load import CONNECTIONS, Contest, Load, Row
from sessions import BROWSER_HEADERS, Sessions, recorded

# Requests are spread over this number of sessions, as if each came from another person.
SESSIONS = 64
# One round with a thousand connections.
LATE_SECONDS = 2
BARE = "bare libmicrohttpd"
MADE = "libmicrohttpd that makes each response"


def measure(programs, scale, peers):
    """:param peers: the other servers of the folder Peers, by name."""
    drags = drag_contest(programs, scale, peers)
    rows = [
        drags.row("drag, answered with a frame of three cards", "plain", "bare", BARE, "≥ 0.70"),
        drags.row("drag, answered with a frame of three cards", "plain", "made", MADE),
        *frame_rows(programs, scale),
    ]
    added = [
        ("drag with an API key", "key", "≥ 0.90"), ("drag with the session's token", "token", "≥ 0.90"),
        ("drag with the 12 headers of a browser", "browser", "≥ 0.90"), ("drag with TLS", "tls", "≥ 0.60"),
        ("drag with an access log as text", "text", "≥ 0.90"), ("drag with an access log as JSON", "json", "≥ 0.90"),
    ]
    rows += [drags.row(text, name, "plain", "the same without", goal) for text, name, goal in added]
    rows += [drags.row("drag", "plain", name, name, GOALS.get(name, "")) for name in peers]
    rows.append(drags.row("drag, two workers", "two", "plain", "one worker, client on the same two cores"))
    rows.append(drags.two_workers_lock_row)
    return rows


GOALS = {"Hummingbird, Codable, DeckEngine": "≥ 2.5", "Node http, JSON": "≥ 3", "FastAPI, uvicorn": "≥ 15"}


def drag_contest(programs, scale, peers):
    made = subprocess.run([programs.deckd, "key", "benchmark"], check=True, capture_output=True, text=True)
    key = re.search(r"^key: (.*)$", made.stderr, re.MULTILINE)[1]
    line = made.stdout.strip()
    plain = programs.deckd_server()
    keyed = programs.deckd_server(access_keys=line)
    tls = programs.deckd_server(tls=programs.certificate())
    logs = {kind: programs.deckd_server(log=kind) for kind in ("text", "json")}
    two = programs.deckd_server(workers=2)
    sessions = Sessions.create(plain, SESSIONS)
    drags = sessions.drags()
    bare = programs.bare_server(recorded(plain, drags[0]))
    made = programs.bare_server(recorded(plain, drags[0]), makes_each=True)
    owned = Sessions.create(keyed, SESSIONS, {"Authorization": f"Bearer {key}"})
    loads = {
        "bare": Load(programs, bare, drags), "made": Load(programs, made, drags),
        "plain": Load(programs, plain, drags),
        "key": Load(programs, keyed, owned.drags()),
        "token": Load(programs, keyed, owned.owned_drags()),
        "browser": Load(programs, plain, Sessions.create(plain, SESSIONS).drags(BROWSER_HEADERS)),
        "tls": Load(programs, tls, Sessions.create(tls, SESSIONS).drags()),
        "two": Load(programs, two, Sessions.create(two, SESSIONS).drags()),
    }
    for name, server in [*logs.items(), *peers.items()]:
        loads[name] = Load(programs, server, Sessions.create(server, SESSIONS).drags())
    contest = Contest(scale.rounds, **loads)
    contest.two_workers_lock_row = lock_row(loads["two"])
    for server in [plain, keyed, tls, *logs.values(), two, bare, made, *peers.values()]:
        server.close()
    return contest


def lock_row(load):
    """The calls of futex, with which threads wait for locks, per request of two workers."""
    command = ["strace", "--follow-forks", "--summary-only", "--trace=futex", "--attach", str(load.server.process.pid)]
    tracer = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    result = load.run(2)
    tracer.terminate()
    match = re.search(r"^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+).*futex$", tracer.communicate()[1], re.MULTILINE)
    calls = int(match[1]) if match else 0
    return Row("futex calls of a drag, two workers", "", [calls / max(result.requests, 1)], "0", "per request",
               f"{calls} calls in {result.requests} requests under strace")


def frame_rows(programs, scale):
    server = programs.deckd_server()
    still = Sessions.create(server, SESSIONS)
    rest = still.frames()
    known = still.frames({"If-None-Match": '"0"'})
    # The appear animation takes a minute, and is restarted before each run, so that every frame is of a moving deck.
    moving = Sessions.create(server, SESSIONS, deck={"count": 100, "motion": {"dragSpeed": 0, "appearDuration": 60_000}})
    restart = moving.events({"type": "appear"})
    moving.send(restart)
    frames = moving.frames()
    bare = {name: programs.bare_server(recorded(server, requests[0]))
            for name, requests in [("bare rest", rest), ("bare known", known), ("bare moving", frames)]}
    made = programs.bare_server(recorded(server, rest[0]), makes_each=True)
    loads = {
        "rest": Load(programs, server, rest), "bare rest": Load(programs, bare["bare rest"], rest),
        "known": Load(programs, server, known), "bare known": Load(programs, bare["bare known"], known),
        "moving": Load(programs, server, frames, prepare=lambda: moving.send(restart)),
        "bare moving": Load(programs, bare["bare moving"], frames),
        "made": Load(programs, made, rest),
    }
    contest = Contest(scale.rounds, **loads)
    for each in [server, made, *bare.values()]:
        each.close()
    return [
        contest.row("GET frame at rest", "rest", "bare rest", BARE, "≥ 0.95"),
        contest.row("GET frame at rest", "rest", "made", MADE),
        contest.row("GET frame, answered with 304", "known", "bare known", BARE, "≥ 0.95"),
        contest.row("GET frame while animating", "moving", "bare moving", BARE, "≥ 0.70"),
        contest.row(MADE, "made", "bare rest", BARE),
    ]


def late_rows(programs, scale):
    """Compares 99th percentiles of response times. deckd and bare libmicrohttpd get the same rate: half of deckd's peak rate."""
    connections = 1000
    server = programs.deckd_server()
    drags = Sessions.create(server, SESSIONS).drags()
    bare = programs.bare_server(recorded(server, drags[0]))
    loads = [Load(programs, each, drags, connections) for each in (server, bare)]
    peak = loads[0].run(LATE_SECONDS).rate
    think = 1000 * connections / (peak / 2)
    results = [[load.run(LATE_SECONDS, think) for load in loads] for _ in range(scale.rounds)]
    server.close()
    bare.close()
    one, other = zip(*results)
    detail = (
        f"p99 {median(one):.2f} to {median(other):.2f} ms at {peak / 2:,.0f} requests/s, "
        f"{connections} connections; {CONNECTIONS} in other rows"
    )
    values = [late.late_seconds / bare.late_seconds for late, bare in results]
    return [Row("p99 of a drag at half the peak rate", "bare libmicrohttpd at the same rate", values, "≤ 2", detail=detail)]


def median(results):
    times = sorted(result.late_seconds for result in results)
    return 1000 * times[len(times) // 2]
