"""A deckd that a test can kill and start again, and a link to it that can be slow, lossy or cut."""

import json
import os
import random
import re
import signal
import socket
import subprocess
import threading
import time
import urllib.request


# What begins like this is a setting of the server's.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("DECKD_")}


def make_key(*options, name="operator"):
    """An API key, and what the server's environment has of it. The options are those of `deckd key`."""
    command = [os.environ["DECKD_BINARY"], "key", name, *options]
    made = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, check=True)
    return re.match("key: (.*)", made.stderr)[1], made.stdout.strip()


class Deckd:
    """A server with a separate file; it keeps its port when it is started again."""

    def __init__(self, folder, **environment):
        self.folder = folder
        self.environment = environment
        self.port = 0
        self.process = None
        self.start()

    def start(self):
        greeting = open(self.folder / "greeting", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [os.environ["DECKD_BINARY"], "serve", "--port", f"{self.port}", "--data", f"{self.folder}/deckd.sqlite"],
            stdout=greeting,
            stderr=open(self.folder / "log", "a", encoding="utf-8"),
            env=ENVIRONMENT | self.environment,
        )
        until = time.monotonic() + 20
        while time.monotonic() < until:
            line = (self.folder / "greeting").read_text(encoding="utf-8").split("\n")[0]
            if " at http" in line:
                self.url = line.split(" at ")[1]
                self.port = int(self.url.rsplit(":", 1)[1])
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise RuntimeError((self.folder / "log").read_text(encoding="utf-8"))

    def stop(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        self.process.wait(timeout=20)

    def ask(self, method, path, body=None, token=None):
        request = urllib.request.Request(self.url + path, method=method)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request, timeout=10) as answer:
            text = answer.read()
            return json.loads(text) if text else None


class Link:
    """A way to a server for one browser: bytes take `delay` seconds in each direction, or do not come through at all.

    `loss` is the part of the packets that are lost. As with TCP, they arrive later, and so does everything behind them.
    """

    RETRANSMISSION = 0.3

    def __init__(self, port):
        self.target = port
        self.delay = 0.0
        self.loss = 0.0
        self.chance = random.Random(1)
        self.is_cut = False
        self.pairs = set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
                if self.is_cut:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                if self.listener.fileno() < 0:
                    return
                near.close()
                continue
            self.pairs.add((near, far))
            for source, sink in ((near, far), (far, near)):
                source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self.carry, args=(source, sink), daemon=True).start()

    def carry(self, source, sink):
        """What comes in is put on its way at once, so that a delay does not make the link narrower."""
        line = []
        ready = threading.Condition()

        def deliver():
            while True:
                with ready:
                    ready.wait_for(lambda: line)
                    due, data = line.pop(0)
                time.sleep(max(0.0, due - time.monotonic()))
                try:
                    if not data:
                        sink.shutdown(socket.SHUT_WR)
                        return
                    sink.sendall(data)
                except OSError:
                    return

        threading.Thread(target=deliver, daemon=True).start()
        while True:
            try:
                data = source.recv(65536)
            except OSError:
                data = b""
            late = self.RETRANSMISSION if self.chance.random() < self.loss else 0
            with ready:
                line.append((time.monotonic() + self.delay + late, data))
                ready.notify()
            if not data:
                return

    def cut(self, answers_only=False):
        """Breaks every connection; with `answers_only` what was sent still arrives, and only its answer is lost."""
        self.is_cut = True
        for near, far in list(self.pairs):
            for end in (near,) if answers_only else (near, far):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
        self.pairs.clear()

    def mend(self):
        self.is_cut = False

    def close(self):
        self.cut()
        self.listener.close()
