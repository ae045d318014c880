"""The servers that are measured, each a separate process that `close` ends."""

import os
import pathlib
import re
import signal
import subprocess
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parents[1]
TICKS = os.sysconf("SC_CLK_TCK")


class Failure(Exception):
    """A measurement that cannot be made."""


class Server:
    """A process that prints a line with its port."""

    running = []

    def __init__(self, command, environment=None, log=subprocess.DEVNULL, scheme="http"):
        self.scheme = scheme
        self.process = subprocess.Popen(
            [str(word) for word in command], env=os.environ | (environment or {}), stdout=subprocess.PIPE, stderr=log,
            text=True, cwd=HERE,
        )
        Server.running.append(self)
        line = self.process.stdout.readline()
        match = re.search(r"(\d+)\s*$", line)
        if match is None:
            raise Failure(f"{command[0]} has not started: {line}")
        self.port = int(match[1])

    @property
    def address(self):
        return f"{self.scheme}://127.0.0.1:{self.port}"

    def processor_seconds(self):
        return processor_seconds(self.process.pid)

    def written_bytes(self):
        """What the process has written to disks."""
        counts = pathlib.Path(f"/proc/{self.process.pid}/io").read_text()
        return int(re.search(r"^write_bytes: (\d+)", counts, re.MULTILINE)[1])

    def metric(self, name):
        """A number of /metrics without labels."""
        with urllib.request.urlopen(f"{self.address}/metrics") as response:
            return float(re.search(rf"^{name} (\S+)$", response.read().decode(), re.MULTILINE)[1])

    def resident_bytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) * 1024

    def close(self):
        Server.running.remove(self)
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


def processor_seconds(identifier):
    """The processor time of a process, in user mode and in the kernel."""
    fields = pathlib.Path(f"/proc/{identifier}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


class Programs:
    """Release builds of everything that is measured."""

    def __init__(self, folder, is_built):
        self.folder = folder
        self.is_built = is_built
        self.deckd = build(ROOT, "deckd", is_built, STATIC)
        self.engine = build(HERE, "EngineBenchmark", is_built, STATIC)
        self.bare, self.commit = (build(HERE, name, is_built) for name in ("BareServer", "CommitBenchmark"))
        self.count = 0

    def deckd_server(self, data=":memory:", log=None, tls=None, **settings):
        """deckd with one worker and Tests/Benchmarks/deckd.yaml.

        :param log: `text` or `json` for an access log, which is written to a file.
        :param tls: the paths of a certificate and its key.
        :param settings: names of settings as in the environment, without DECKD_ and in lower case.
        """
        environment = {"DECKD_WORKERS": "1"}
        if log:
            environment |= {"DECKD_LOG_LEVEL": "info", "DECKD_LOG_FORMAT": log}
        if tls:
            environment |= {"DECKD_TLS_CERTIFICATE": str(tls[0]), "DECKD_TLS_KEY": str(tls[1])}
        environment |= {f"DECKD_{name.upper()}": str(value) for name, value in settings.items()}
        command = [self.deckd, "serve", "--config", HERE / "deckd.yaml", "--data", data]
        with open(self.new_path("log"), "w") as file:
            return Server(command, environment, file, "https" if tls else "http")

    def bare_server(self, response, database=None, makes_each=False):
        """libmicrohttpd that answers everything with a response of deckd.

        :param makes_each: whether it makes the library's response for each request, and not once.
        """
        path = self.new_path("response")
        path.write_bytes(response)
        return Server([self.bare, *(["--each"] if makes_each else []), path, *([database] if database else [])])

    def new_path(self, ending):
        self.count += 1
        return self.folder / f"{self.count}.{ending}"

    def certificate(self):
        certificate, key = self.folder / "certificate.pem", self.folder / "key.pem"
        if not key.exists():
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                 "2", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate],
                check=True, capture_output=True,
            )
        return certificate, key


# Programs in Swift are linked as config/package links deckd. These builds have a separate folder, so that they do not replace
# others.
STATIC = [
    "--static-swift-stdlib", "-Xlinker", "-z", "-Xlinker", "now", "--experimental-lto-mode", "full",
    "--scratch-path", ".build/static",
]


def build(package, product, is_built=False, options=()):
    """Builds a program. Returns its path."""
    command = ["swift", "build", "--configuration", "release", "--package-path", package, "--product", product, *options]
    if not is_built:
        subprocess.run(command, check=True, cwd=package)
    shown = subprocess.run([*command, "--show-bin-path"], check=True, cwd=package, capture_output=True, text=True)
    program = pathlib.Path(shown.stdout.strip()) / product
    if not program.exists():
        raise Failure(f"{product} has not been built")
    return program
