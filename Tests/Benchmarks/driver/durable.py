"""Swipes that are committed to a file before they are answered."""

from load import Contest, Load, Row
from sessions import SWIPE, Sessions, recorded

CONNECTIONS = 256
SESSIONS = 16_000
QUERY = "?frame=none"
# Long enough for the journal to move what it has logged into its tables.
DISK_SECONDS = 10
COMMITS = "deckd_journal_commit_duration_seconds_count"


def measure(programs, scale):
    durable = programs.deckd_server(data=programs.new_path("sqlite"))
    memory = programs.deckd_server()
    sessions = Sessions.create(durable, SESSIONS)
    swipes = sessions.events(SWIPE, QUERY)
    few = swipes[:CONNECTIONS]
    bare = programs.bare_server(recorded(durable, swipes[0]), programs.new_path("sqlite"))
    keyed = sessions.events(SWIPE, QUERY, {"Idempotency-Key": '"NUMBER"'})
    in_memory = Sessions.create(memory, SESSIONS).events(SWIPE, QUERY)
    fresh, old = (Sessions.create(durable, 1000) for _ in range(2))
    batch = {"events": [SWIPE] * 100}
    for _ in range(10):
        old.send(old.events(batch, QUERY))
    requests = {
        "durable": (durable, swipes), "bare": (bare, swipes), "memory": (memory, in_memory), "keyed": (durable, keyed),
        "few": (durable, few), "old": (durable, old.events(SWIPE, QUERY)), "fresh": (durable, fresh.events(SWIPE, QUERY)),
    }
    loads = {name: Load(programs, server, sent, CONNECTIONS) for name, (server, sent) in requests.items()}
    contest = Contest(scale.rounds, **loads)
    disk = disk_row(durable, loads["durable"])
    for server in (durable, memory, bare):
        server.close()
    text = f"durable swipe, {CONNECTIONS} connections, {SESSIONS:,} sessions"
    return [
        contest.row(text, "durable", "bare", "libmicrohttpd and group commit in C", "≥ 0.85"),
        contest.row("durable swipe", "durable", "memory", "the same in memory"),
        contest.row("durable swipe with an idempotency key", "keyed", "durable", "the same without"),
        contest.row(f"durable swipe in {CONNECTIONS} sessions", "few", "durable", f"in {SESSIONS:,} sessions"),
        contest.row("durable swipe after 1,000 swipes of its session", "old", "fresh", "after few", "≥ 0.95"),
        disk,
    ]


def disk_row(server, load):
    """What a swipe writes to the disk. The journal writes each change twice: to its log at once, and to its tables later."""
    written, commits = server.written_bytes(), server.metric(COMMITS)
    result = load.run(DISK_SECONDS)
    commits = server.metric(COMMITS) - commits
    each = (server.written_bytes() - written) / result.requests
    detail = f"{result.requests / max(commits, 1):,.0f} swipes in a commit"
    return Row("written to the disk for a durable swipe", "", [each], "", "bytes", detail)
