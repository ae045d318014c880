"""Servers of other kinds with the same deck, in the folder Peers."""

import subprocess
import sys

from servers import HERE, STATIC, Server, build

FOLDER = HERE / "Peers"
VENV = HERE / ".build/peers"


def start(is_built):
    """The servers by their names. Their processes have one thread for requests, as a worker of deckd is one."""
    return {
        "Hummingbird, Codable, DeckEngine": Server(
            [build(FOLDER / "Swift", "HummingbirdPeer", is_built, STATIC)],
            {"NIO_SINGLETON_GROUP_LOOP_COUNT": "1"},
        ),
        "Node http, JSON": Server(["node", FOLDER / "Node/server.js"]),
        "FastAPI, uvicorn": Server([python(), "-B", FOLDER / "Python/server.py"]),
    }


def python():
    """An interpreter with the packages of Peers/Python/requirements.txt."""
    wanted = (FOLDER / "Python/requirements.txt").read_text()
    installed = VENV / "requirements.txt"
    if not installed.exists() or installed.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=True)
        install = [VENV / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]
        subprocess.run([*install, FOLDER / "Python/requirements.txt"], check=True)
        installed.write_text(wanted)
    return VENV / "bin/python"
