"""Measures deckd against bare C servers, other servers and itself. See docs/performance.md.

usage: Tests/Benchmarks/run [--no-build] [--quick] [--only SUBJECT... | --cluster]
       Tests/Benchmarks/run --stored | --check
  --no-build  measures what was built before
  --quick     fewer rounds, sessions and streams, and neither journal nor build: about 15 minutes
  --only      measures some subjects, and writes nothing: requests, durable, scale, latency, streams, engine, journal,
              build
  --cluster   measures nodes that share PostgreSQL, and writes nothing
  --stored    measures nothing, and writes docs/performance.md and the picture again from docs/benchmarks/results.json
  --check     fails if these two files differ from what --stored would write
"""

import dataclasses
import pathlib
import subprocess
import sys
import tempfile

import cluster
import durable
import engine
import journal
import output
import peers
import requests
import scale
import streams
from servers import Failure, Programs, Server


@dataclasses.dataclass
class Scale:
    rounds: int
    sessions: int
    streams: int


QUICK = Scale(rounds=3, sessions=20_000, streams=2_000)
FULL = Scale(rounds=15, sessions=1_000_000, streams=10_000)

SUBJECTS = {
    "requests": lambda programs, size: requests.measure(programs, size, peers.start(programs.is_built)),
    "durable": durable.measure,
    "scale": scale.measure,
    "latency": requests.late_rows,
    "streams": streams.measure,
    "engine": engine.measure,
    "journal": journal.measure,
    "build": lambda programs, size: [engine.build_row()],
}
# Those that a quick run leaves out.
LONG = ("journal", "build")


def measure(name, programs, size):
    """The rows of a subject. One that cannot be measured takes no others along."""
    try:
        return SUBJECTS[name](programs, size)
    except (Failure, OSError, subprocess.SubprocessError) as failure:
        print(f"{name} was not measured: {failure}", file=sys.stderr)
        return []
    finally:
        for server in [*Server.running]:
            server.close()


def check():
    for path, content in output.documents(*output.stored()).items():
        if path.read_text(encoding="utf-8") != content:
            raise SystemExit(f"{path} does not show docs/benchmarks/results.json: run Tests/Benchmarks/run --stored")


def main(arguments):
    if arguments == ["--stored"]:
        return output.write(*output.stored())
    if arguments == ["--check"]:
        return check()
    is_quick = "--quick" in arguments
    is_built = "--no-build" in arguments
    words = [word for word in arguments if word not in ("--quick", "--no-build")]
    if words[:1] not in ([], ["--only"], ["--cluster"]) or not {*words[1:]} <= SUBJECTS.keys():
        raise SystemExit(__doc__)
    wanted = words[1:] or [name for name in SUBJECTS if name not in LONG or not is_quick]
    with tempfile.TemporaryDirectory(prefix="deckd-benchmark-") as folder:
        programs = Programs(pathlib.Path(folder), is_built)
        if words == ["--cluster"]:
            return cluster.measure(programs)
        rows = []
        for name in wanted:
            print(f"measuring: {name}", file=sys.stderr, flush=True)
            measured = measure(name, programs, QUICK if is_quick else FULL)
            print(output.text(measured), file=sys.stderr, flush=True)
            rows += measured
    print(output.text(rows))
    if not words:
        output.write(rows, output.machine(is_quick))


if __name__ == "__main__":
    main(sys.argv[1:])
