"""Checks that every answer of docs/openapi.yaml was seen, and that the drawn requests did not all come to nothing.

usage: reach.py ACCESS ASKED DRAWN...

Each file has how often an operation was answered with a status: ACCESS by access.py, ASKED by answers.py, DRAWN by
schemathesis.
"""

import json
import pathlib
import sys
from collections import Counter

import yaml

DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "openapi.yaml"
# These take a defect, or a server that is full, stopping or without a disk.
NOT_ASKED_FOR = {"500", "503"}
# Reading the verdicts costs more than a session can have at once if some hundred thousand of them were reverted, and a stream
# does if its price is larger than the bucket.
NOT_MADE = {("getVerdicts", "422"), ("streamFrames", "422")}
# The first has no end, so schemathesis does not ask for it. The path of the second has a hash, which it cannot find.
NOT_DRAWN = {"streamFrames", "getHashedEngine"}
# How often each operation has to be done by a run, and events to be taken.
LEAST_DONE = 3
LEAST_EVENTS = 100


def read(path):
    return Counter(json.loads(pathlib.Path(path).read_text(encoding="utf-8")))


def documented():
    document = yaml.safe_load(DOCUMENT.read_text(encoding="utf-8"))
    for item in document["paths"].values():
        for method, operation in item.items():
            if method != "parameters":
                yield operation["operationId"], set(operation["responses"])


def main(access, asked, *drawn):
    failures = []
    seen = read(access) + read(asked)
    for path in drawn:
        answers = read(path)
        seen += answers
        # How much is drawn by the clock depends on the machine.
        if pathlib.Path(path).name == "fresh.json":
            continue
        for name, statuses in documented():
            done = sum(answers[f"{name} {status}"] for status in statuses if status[0] in "23")
            least = LEAST_EVENTS if name == "sendEvents" else LEAST_DONE
            if name not in NOT_DRAWN and done < least:
                failures.append(f"{path}: {name} was done {done} times, which is less than {least}")
    for name, statuses in documented():
        for status in sorted(statuses - NOT_ASKED_FOR):
            if not seen[f"{name} {status}"] and (name, status) not in NOT_MADE:
                failures.append(f"{name} was never answered with {status}")
    if failures:
        raise SystemExit("\n".join(failures))
    print(f"every documented answer was seen, in {seen.total()} requests")


if __name__ == "__main__":
    main(*sys.argv[1:])
