"""The kiosk of docs/recipes.md works as it is there."""

import contextlib
import os
import pathlib
import re
import socket
import subprocess
import sys
import time

import pytest

from server import Deckd

TEXT = (pathlib.Path(__file__).parents[2] / "docs/recipes.md").read_text(encoding="utf-8")
SHOWN = "return document.querySelector('.deckd-card[data-role=front] .deckd-content')?.textContent"


@pytest.fixture
def kiosk(tmp_path):
    """The address of the kiosk's pages, which are of another origin than deckd."""
    for program, name in re.findall(r"^```python\n(# (deckd|kiosk)\.py\n.*?)^```", TEXT, re.M | re.S):
        (tmp_path / f"{name}.py").write_text(program, encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    deckd = Deckd(tmp_path, DECKD_ACCESS_ALLOWED_ORIGINS=url)
    environment = {"PATH": os.environ["PATH"], "DECKD": deckd.url, "PORT": f"{port}", "IDLE_SECONDS": "3"}
    with open(tmp_path / "kiosk.log", "w", encoding="utf-8") as log:
        program = subprocess.Popen([sys.executable, "kiosk.py"], cwd=tmp_path, env=environment, stderr=log)
    end = time.monotonic() + 10
    while program.poll() is None and time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            break
        time.sleep(0.05)
    yield url
    assert program.poll() is None, (tmp_path / "kiosk.log").read_text(encoding="utf-8")
    program.kill()
    program.wait()
    deckd.stop()


def test_second_screen_follows_the_first_until_the_visitor_has_left(kiosk, open_page):
    touch = open_page(kiosk)
    touch.until(f"{SHOWN}?.startsWith('Lviv')")
    screen = open_page(f"{kiosk}/screen")
    screen.until(f"{SHOWN}?.startsWith('Lviv')")
    touch.front()
    touch.finger("mouse").drag(*touch.run("return [innerWidth / 2, innerHeight / 2].map(Math.round)"), 160, 0, hold=100)
    touch.until(f"{SHOWN}.startsWith('Porto')")
    screen.front()
    screen.until(f"{SHOWN}.startsWith('Porto')")
    # Three seconds without an event.
    screen.until(f"{SHOWN}.startsWith('Lviv')")
    # The second screen only shows the deck.
    screen.finger("mouse").drag(*screen.run("return [innerWidth / 2, innerHeight / 2].map(Math.round)"), 160, 0, hold=100)
    assert screen.run(SHOWN).startswith("Lviv")
