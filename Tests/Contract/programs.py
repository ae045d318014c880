"""The programs of docs/recipes.md, and servers for them."""

import contextlib
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser"))

from server import Deckd, make_key  # noqa: E402

TEXT = (ROOT / "docs/recipes.md").read_text(encoding="utf-8")
WAIT_SECONDS = 20


def write_programs(folder):
    """Writes each program of the document to the file that its first line names."""
    for program, name in re.findall(r"^```python\n(# (\S+)\n.*?)^```", TEXT, re.MULTILINE | re.DOTALL):
        (folder / name).write_text(program, encoding="utf-8")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def until(condition):
    """Waits until something is true, and returns it."""
    end = time.monotonic() + WAIT_SECONDS
    while True:
        value = condition()
        if value or time.monotonic() > end:
            return value
        time.sleep(0.05)


def post(url, body=None, **headers):
    """The status and the body of the response."""
    data = json.dumps(body).encode() if body is not None else b""
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"} | headers)
    try:
        with urllib.request.urlopen(request, timeout=WAIT_SECONDS) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


class Recipes:
    """The programs in a folder, and a server for them."""

    def __init__(self, url, key, folder):
        self.url, self.key, self.folder = url, key, folder
        write_programs(folder)

    def environment(self, **variables):
        kept = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
        return kept | {"DECKD": self.url, "API_KEY": self.key} | variables

    def run(self, *arguments, text=""):
        """What a program prints that ends by itself."""
        done = subprocess.run(
            [sys.executable, *arguments], cwd=self.folder, env=self.environment(), input=text, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    @contextlib.contextmanager
    def started(self, name, **variables):
        """A program that does not end by itself. It is killed in the end, so that it must cope with that."""
        with open(self.folder / "log", "a", encoding="utf-8") as log:
            program = subprocess.Popen(
                [sys.executable, name], cwd=self.folder, env=self.environment(**variables), stdout=subprocess.PIPE, stderr=log,
                text=True,
            )
        try:
            yield program
            assert program.poll() is None, f"{name} has ended"
        except BaseException:
            print((self.folder / "log").read_text(encoding="utf-8"), file=sys.stderr)
            raise
        finally:
            program.send_signal(signal.SIGKILL)
            program.wait()
            program.stdout.close()

    def get(self, path):
        request = urllib.request.Request(self.url + path, headers={"Authorization": f"Bearer {self.key}"})
        with urllib.request.urlopen(request, timeout=WAIT_SECONDS) as response:
            return json.load(response)

    def end(self, seat):
        path = f"{self.url}/v1/sessions/{seat['id']}"
        urllib.request.urlopen(urllib.request.Request(path, headers={"Authorization": f"Bearer {self.key}"}, method="DELETE")).close()

    def swipe_elsewhere(self):
        """A swipe that waits for a confirmation, in a session of another program."""
        key = {"Authorization": f"Bearer {self.key}"}
        viewport = {"width": 360, "height": 560}
        deck = {"cards": [{"id": "other"}], "rules": {"confirm": ["right"]}}
        status, seat = post(f"{self.url}/v1/sessions", {"deck": deck, "viewport": viewport}, **key)
        assert status == 201, seat
        result = self.play({"id": seat["id"], "token": seat["token"]}, {"type": "swipe", "direction": "right"})
        assert result.get("outcome") == "pending", result

    def play(self, seat, event):
        """The app's part: sends an event with the player's token."""
        path = f"{self.url}/v1/sessions/{seat['id']}/events?frame=none"
        status, body = post(path, event, Authorization=f"Bearer {seat['token']}")
        return body["results"][0] if status == 200 else body


@contextlib.contextmanager
def another_server(recipes, **settings):
    """The programs with a server that has settings, and this server."""
    key, line = make_key()
    folder = recipes.folder / "server"
    folder.mkdir()
    deckd = Deckd(folder, DECKD_ACCESS_KEYS=line, **settings)
    try:
        yield Recipes(deckd.url, key, recipes.folder), deckd
    finally:
        deckd.stop()
