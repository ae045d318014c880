"""The engine by itself, and how long deckd takes to build."""

import re
import subprocess
import tempfile
import time

from load import Row
from servers import ROOT

LINE = re.compile(r"^(\S.*?)\s+([\d.]+)\s+([\d.]+)$", re.MULTILINE)
FRAME = "drag step and frame of three cards, 10 cards"


def measure(programs, scale):
    times, allocations = {}, {}
    for _ in range(scale.rounds):
        text = subprocess.run([programs.engine], check=True, capture_output=True, text=True).stdout
        for name, nanoseconds, count in LINE.findall(text):
            times.setdefault(name, []).append(float(nanoseconds))
            allocations[name] = float(count)
    rows = []
    for name, values in times.items():
        goal = "≤ 400, no allocation" if name == FRAME else ""
        rows.append(Row(f"engine: {name}", "", values, goal, "ns", f"{allocations[name]:g} allocations"))
    return rows


def build_row():
    """The first build of a clean clone. What SwiftPM has downloaded before is there."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
        command = ["swift", "build", "--configuration", "release", "--product", "deckd", "--package-path", folder]
        subprocess.run(["swift", "package", "resolve", "--package-path", folder], check=True, capture_output=True)
        start = time.monotonic()
        subprocess.run(command, check=True, capture_output=True)
        return Row("first build of a clean clone, release", "", [time.monotonic() - start], "≤ 130", "s")
