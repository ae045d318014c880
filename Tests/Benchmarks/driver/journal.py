"""What entries with idempotency keys leave in the journal's file while they come at a fixed rate for a minute."""

import re
import subprocess

from load import Row
from servers import HERE, build


def measure(programs, scale):
    program = build(HERE, "JournalBenchmark", programs.is_built)
    text = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    rates = [float(rate) for rate in re.findall(r"(\d+) entries/s", text)]
    detail = f"10,000 are offered; {text.splitlines()[-1].strip()}"
    return [Row("entries with idempotency keys in the journal", "", rates, "", "per second", detail)]
