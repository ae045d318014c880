"""Loads that `wrk` makes, and contests between them."""

import dataclasses
import os
import re
import statistics
import subprocess

from servers import HERE, Failure

CONNECTIONS = 32
TRIES = 5
ROUND_SECONDS = 1
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0}


@dataclasses.dataclass
class Result:
    rate: float
    median_seconds: float
    late_seconds: float
    processor_seconds: float
    requests: int

    @property
    def cost(self):
        """The processor time of the server for each request, in microseconds."""
        return self.processor_seconds / max(self.requests, 1) * 1e6


class Load:
    """Requests that are sent to a server in turn."""

    def __init__(self, programs, server, requests, connections=CONNECTIONS, prepare=None):
        """:param prepare: is called before each run."""
        self.server = server
        self.connections = connections
        self.prepare = prepare
        self.file = programs.new_path("requests")
        lines = []
        for request in requests:
            # wrk separates names and values at the first equals sign.
            headers = "|".join(f"{name}={value}" for name, value in request.headers.items())
            lines.append(f"{request.method}\t{request.path}\t{headers}\t{request.body}\n")
        self.file.write_text("".join(lines))

    def run(self, seconds, think_milliseconds=0, threads=1):
        """Sends for some seconds. :param think_milliseconds: the mean time before a connection sends again."""
        for _ in range(TRIES):
            if self.prepare:
                self.prepare()
            result = self.send(seconds, think_milliseconds, threads)
            # A machine that does other work can leave no time for a single request.
            if result.requests:
                return result
        raise Failure(f"{self.server.address} has answered nothing")

    def send(self, seconds, think_milliseconds, threads):
        command = ["wrk", "--latency", "--threads", threads, "--connections", self.connections, "--duration",
                   f"{seconds}s", "--script", HERE / "wrk/requests.lua", self.server.address, "--", self.file]
        environment = os.environ | {"WRK_THREADS": str(threads), "WRK_THINK_MILLISECONDS": str(think_milliseconds)}
        before = self.server.processor_seconds()
        run = subprocess.run([str(word) for word in command], env=environment, capture_output=True, text=True)
        used = self.server.processor_seconds() - before
        text = run.stdout
        if run.returncode != 0 or "Non-2xx" in text or "Socket errors" in text:
            raise Failure(f"wrk failed: {text}{run.stderr}")
        return Result(
            float(re.search(r"Requests/sec:\s+([0-9.]+)", text)[1]), quantile(text, "50%"), quantile(text, "99%"), used,
            int(re.search(r"(\d+) requests in", text)[1]),
        )


def quantile(text, name):
    match = re.search(rf"^\s+{name}\s+([0-9.]+)(us|ms|s|m)$", text, re.MULTILINE)
    return float(match[1]) * UNITS[match[2]] if match else float("nan")


@dataclasses.dataclass
class Row:
    """A line of the table."""

    name: str
    against: str
    # The numbers of the rounds: their median is shown, and the smallest and the largest.
    values: list
    goal: str = ""
    unit: str = ""
    # Absolute numbers, for instance.
    detail: str = ""
    # The same ratios by the processor time of the servers, which changes less on a busy machine.
    by_processor_time: list = dataclasses.field(default_factory=list)

    @property
    def median(self):
        return statistics.median(self.values)

    def json(self):
        return dataclasses.asdict(self) | {"median": self.median}

    @classmethod
    def read(cls, value):
        """The row of what `json` has returned."""
        return cls(**{field.name: value[field.name] for field in dataclasses.fields(cls)})


class Contest:
    """Loads that run in turn, so that what disturbs one disturbs the others.

    There are many short rounds, because the speed of a machine can change from one minute to the next.
    """

    def __init__(self, rounds, **loads):
        self.results = {name: [] for name in loads}
        for number in range(rounds + 1):
            for name, load in loads.items():
                result = load.run(ROUND_SECONDS)
                # The first round warms up.
                if number:
                    self.results[name].append(result)

    def rate(self, name):
        return statistics.median(result.rate for result in self.results[name])

    def cost(self, name):
        return statistics.median(result.cost for result in self.results[name])

    def row(self, text, name, base, against, goal=""):
        """The rate of a load, relative to that of another."""
        pairs = list(zip(self.results[name], self.results[base]))
        detail = (
            f"{self.rate(name):,.0f} to {self.rate(base):,.0f} requests/s; "
            f"{self.cost(name):.1f} to {self.cost(base):.1f} µs of processor time each"
        )
        rates = [one.rate / other.rate for one, other in pairs]
        costs = [other.cost / one.cost for one, other in pairs if one.cost]
        return Row(text, against, rates, goal, detail=detail, by_processor_time=costs)
