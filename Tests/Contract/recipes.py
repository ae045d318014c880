"""Runs the programs of docs/recipes.md as they are there, against a server with API keys.

usage: recipes.py URL

DECKD_CONTRACT_KEY has one of the server's keys. The kiosk is tested by Tests/Browser/test_recipes.py, because it has pages. Prints
one line.
"""

import contextlib
import json
import os
import pathlib
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser"))

from server import Link  # noqa: E402

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


class Dating:
    """The people who use the dating app, and its database."""

    def __init__(self, recipes):
        self.recipes = recipes
        self.path = recipes.folder / "dating.sqlite"
        self.port = free_port()
        self.query("CREATE TABLE profiles (id TEXT PRIMARY KEY, name TEXT)")
        self.query("INSERT INTO profiles VALUES ('ada', 'Ada'), ('bo', 'Bo'), ('cy', 'Cy'), ('di', 'Di')")

    def query(self, statement):
        with contextlib.closing(sqlite3.connect(self.path, timeout=10)) as database, database:
            return database.execute(statement).fetchall()

    def started(self):
        return self.recipes.started("dating.py", PORT=str(self.port), DATABASE=str(self.path))

    def ask(self, path, user, request=""):
        headers = {"X-User": user, "X-Request": request}
        answer = until(lambda: self.try_to_ask(path, headers))
        assert answer, "the back end does not answer"
        return answer[1]

    def try_to_ask(self, path, headers):
        with contextlib.suppress(ConnectionRefusedError, urllib.error.URLError):
            return post(f"http://127.0.0.1:{self.port}{path}", **headers)

    def verdicts(self):
        return self.query("SELECT user, profile, direction FROM verdicts ORDER BY user, profile")

    def swipe(self, seat, direction, outcome):
        result = self.recipes.play(seat, {"type": "swipe", "direction": direction})
        assert result.get("outcome") == outcome, result

    def front(self, seat):
        """The card in front, once nothing waits for the back end."""
        path = f"/v1/sessions/{seat['id']}/frame?fields=pending,cards"
        frame = until(lambda: frame if not (frame := self.recipes.get(path))["pending"] else None)
        return frame["cards"][0]["id"]

    def expect(self, *verdicts):
        assert until(lambda: self.verdicts() == list(verdicts)), self.verdicts()


def check_dating(recipes):
    dating = Dating(recipes)
    recipes.swipe_elsewhere()
    with dating.started():
        ada = dating.ask("/deck", "ada")
        dating.swipe(ada, "left", "swiped")
        dating.swipe(ada, "right", "pending")
        dating.expect(("ada", "bo", "left"), ("ada", "cy", "right"))
        assert dating.query("SELECT likes_left FROM users") == [(49,)]

        # Without likes, the card goes back.
        dating.query("UPDATE users SET likes_left = 0")
        dating.swipe(ada, "right", "pending")
        assert dating.front(ada) == "di"
        dating.query("UPDATE users SET likes_left = 49")

        di = dating.ask("/deck", "di")
        cy = dating.ask("/deck", "cy")
        dating.swipe(cy, "right", "pending")
        dating.expect(("ada", "bo", "left"), ("ada", "cy", "right"), ("cy", "ada", "right"))
        (matches,) = re.findall(r"^```sql\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
        assert dating.query(matches) == [("ada", "cy")], dating.query(matches)

    # What happens while the back end is away is in the table later, and nothing is there twice.
    dating.swipe(di, "right", "pending")
    recipes.end(di)
    dating.swipe(ada, "right", "pending")
    with dating.started():
        dating.expect(("ada", "bo", "left"), ("ada", "cy", "right"), ("ada", "di", "right"), ("cy", "ada", "right"))
        refused = recipes.play(ada, {"type": "revert"})
        assert refused["type"] == "/problems/not-a-players-event", refused
        for _ in range(2):
            assert dating.ask("/undo", "ada", "undo-1")["applied"]
        dating.expect(("ada", "bo", "left"), ("ada", "cy", "right"), ("cy", "ada", "right"))
        assert dating.ask("/undo", "ada", "undo-2") == {"applied": False, "reason": "no-coins"}
        assert dating.front(ada) == "di"
        assert dating.front(dating.ask("/deck", "ada")) == "di"
        # An undo that is refused is not paid.
        dating.ask("/deck", "bo")
        assert dating.ask("/undo", "bo", "undo-3")["reason"] == "nothing-to-revert"
        assert dating.query("SELECT id, coins FROM users ORDER BY id") == [("ada", 0), ("bo", 1), ("cy", 1), ("di", 1)]
        assert dating.query("SELECT likes_left FROM users WHERE id = 'di'") == [(50,)]


def check_endless(recipes):
    link = Link(int(recipes.url.rsplit(":", 1)[1]))
    with contextlib.closing(link), recipes.started("endless.py", DECKD=link.url) as program:
        seat = json.loads(program.stdout.readline())
        path = f"/v1/sessions/{seat['id']}"

        def card_count():
            return recipes.get(f"{path}/frame?fields=cardCount")["cardCount"]

        for swipes in range(1, 31):
            result = recipes.play(seat, {"type": "swipe", "direction": "right"})
            assert result["applied"], result
            if swipes == 17:
                # The stream is interrupted.
                link.cut()
                link.mend()
            assert until(lambda: card_count() - swipes > 5), (swipes, card_count())
        # Time for what would be appended twice.
        time.sleep(0.5)
        ids = [card["id"] for card in recipes.get(f"{path}/cards?from=0&to={card_count()}")["cards"]]
        assert ids == [f"post-{number}" for number in range(40)], ids


def check_game(recipes):
    lines = [line.split(": ")[1] for line in recipes.run("game.py", text="right\nleft\n").splitlines()]
    assert len(lines) > 10, lines
    paths = {}
    for line in lines:
        for card, x, y in re.findall(r"(\w+) (-?\d+),(-?\d+)", line):
            paths.setdefault(card, []).append((int(x), int(y)))
    across = {card: [x for x, _ in places] for card, places in paths.items()}
    assert across["lviv"] == sorted(across["lviv"]) and across["lviv"][-1] > 540, across["lviv"]
    assert across["porto"] == sorted(across["porto"], reverse=True) and across["porto"][-1] < -180, across["porto"]
    # The third card is the front one then: it rests in the middle of the deck.
    assert paths["bergen"][-1] == (180, 276), paths["bergen"]


def check_robot(recipes):
    said = recipes.run("-m", "unittest", "robot")
    assert re.search(r"^Ran 5 tests.*\n\nOK$", said, re.MULTILINE), said


class Busy(BaseHTTPRequestHandler):
    """A server that says once that the same request is being processed."""

    keys = []

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.keys.append(self.headers["Idempotency-Key"])
        is_first = len(self.keys) == 1
        body = b'{"type": "/problems/request-under-way"}' if is_first else b'{"id": "a"}'
        self.send_response(409 if is_first else 201)
        if is_first:
            self.send_header("Retry-After", "1")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def check_client(recipes):
    """A request that is being processed is sent again with its key."""
    server = HTTPServer(("127.0.0.1", 0), Busy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    client = Recipes(f"http://127.0.0.1:{server.server_port}", recipes.key, recipes.folder)
    said = client.run("-c", "from deckd import call; print(call('POST', '/v1/sessions', {})['id'])")
    server.shutdown()
    server.server_close()
    assert said == "a\n" and len(Busy.keys) == 2 and len(set(Busy.keys)) == 1, (said, Busy.keys)


CHECKS = [check_client, check_dating, check_endless, check_game, check_robot]


def main(url):
    for check in CHECKS:
        with tempfile.TemporaryDirectory() as folder:
            check(Recipes(url, os.environ["DECKD_CONTRACT_KEY"], pathlib.Path(folder)))
    print(f"{len(CHECKS)} programs of docs/recipes.md do what it says of them")


if __name__ == "__main__":
    main(sys.argv[1])
