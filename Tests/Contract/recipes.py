"""Runs the programs of docs/recipes.md as they are there, against a server with API keys.

usage: recipes.py URL

DECKD_CONTRACT_KEY has one of the server's keys, and DECKD_BINARY is the program of servers with other settings. The kiosk is tested by
Tests/Browser/test_recipes.py, because it has pages. Prints one line.
"""

import contextlib
import json
import os
import pathlib
import re
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import dating
from programs import Recipes, until
from server import Link


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


CHECKS = [check_client, *dating.CHECKS, check_endless, check_game, check_robot]


def main(url):
    for check in CHECKS:
        with tempfile.TemporaryDirectory() as folder:
            check(Recipes(url, os.environ["DECKD_CONTRACT_KEY"], pathlib.Path(folder)))
    print(f"{len(CHECKS)} checks of the programs of docs/recipes.md")


if __name__ == "__main__":
    main(sys.argv[1])
