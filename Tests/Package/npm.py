#!/usr/bin/env python3
"""Builds the npm package, installs it without a network, and uses it as its README says.

usage: npm.py DECKD

DECKD is the program that was built. Prints one line.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser"))

from server import Deckd  # noqa: E402

FILES = {"package.json", "README.md", "CHANGELOG.md", "deckd.js", "deckd.d.ts", "engine.wasm", "swipe-deck.js", "swipe-deck.d.ts"}
TSC = "tsc --noEmit --strict --target es2022 --module node16 --moduleResolution node16 --lib es2022,dom".split()
TYPES = """
import { DeckClient, DeckView, type Direction } from "deckd";

const directions: Direction[] = ["left", "right"];
const session = await new DeckClient({ baseURL: "https://decks.example" }).sessions.open({ id: "1" });
const view = new DeckView(document.body, session);
for (const direction of directions) await view.swipe(direction);
// @ts-expect-error: There is no such direction.
await view.swipe("rihgt");
const { SwipeDeckElement } = await import("deckd/swipe-deck");
const element = new SwipeDeckElement();
document.body.append(element);
"""


def run(*command, folder, **variables):
    """What a command prints. It must succeed."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder)} | variables
    done = subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}"
    return done.stdout


def get(url):
    with urllib.request.urlopen(url, timeout=20) as response:
        return response.read()


def check_files(package, deckd):
    with tarfile.open(package) as archive:
        assert {member.name for member in archive} == {f"package/{name}" for name in FILES}, archive.getnames()
        contents = {name: archive.extractfile(f"package/{name}").read() for name in FILES}
    about = json.loads(contents["package.json"])
    release = run(os.environ["DECKD_BINARY"], "--version", folder=ROOT).split()[1]
    assert about["version"] == release and package.name == f"deckd-{release}.tgz", about
    assert contents["engine.wasm"] == get(f"{deckd.url}/engine.wasm")
    for name in ["deckd.d.ts", "swipe-deck.js", "swipe-deck.d.ts"]:
        assert contents[name] == get(f"{deckd.url}/{name}"), name
    # The module is the one that deckd serves, except for where its engine is, and for its comments and names.
    served = get(f"{deckd.url}/deckd.js")
    path = re.search(rb"/engine/\w+\.wasm", served)[0]
    readable = contents["deckd.js"].replace(b'new URL("./engine.wasm", import.meta.url)', b"`${this.baseURL}%s`" % path)
    minified = subprocess.run(ROOT / "config/client/minify", input=readable, capture_output=True, check=True).stdout
    assert minified == served, "deckd.js is not what deckd serves"


def check_use(package, deckd, project):
    """An application that has the package as its only dependency."""
    (project / "package.json").write_text('{"name": "application", "version": "1.0.0", "type": "module"}')
    run("npm", "install", "--offline", "--no-audit", "--no-fund", str(package), folder=project)
    readme = (project / "node_modules/deckd/README.md").read_text(encoding="utf-8")
    _, example = re.findall(r"^```js\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    (project / "use.js").write_text(example, encoding="utf-8")
    request = {"deck": {"count": 5}, "viewport": {"width": 300, "height": 400}, "clock": "manual"}
    session = deckd.ask("POST", "/v1/sessions", request)["id"]
    outcome, frame = run("node", "use.js", folder=project, DECKD=deckd.url, SESSION=session).split(" ", 1)
    deckd.ask("POST", f"/v1/sessions/{session}/events", {"type": "swipe", "direction": "right", "at": 100})
    expected = deckd.ask("GET", f"/v1/sessions/{session}/frame?at=150")
    assert outcome == "swiped" and json.loads(frame) == expected, (outcome, frame, expected)
    # A server that renders pages imports the element, and does not use it.
    (project / "render.js").write_text('import { SwipeDeckElement } from "deckd/swipe-deck"; console.log(SwipeDeckElement.name);')
    assert run("node", "render.js", folder=project) == "SwipeDeckElement\n"
    (project / "use.mts").write_text(TYPES, encoding="utf-8")
    run(*TSC, "use.mts", folder=project)


def main(binary):
    os.environ["DECKD_BINARY"] = binary
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # A folder that config/package has not made, and must not remove.
        (folder / "packages/npm").mkdir(parents=True)
        run(str(ROOT / "config/package"), "--npm", "--output", str(folder / "packages"), folder=folder)
        (package,) = folder.glob("packages/*.tgz")
        assert {*(folder / "packages").iterdir()} == {package, folder / "packages/npm"}
        (folder / "deckd").mkdir()
        (folder / "project").mkdir()
        deckd = Deckd(folder / "deckd")
        try:
            check_files(package, deckd)
            check_use(package, deckd, folder / "project")
        finally:
            deckd.stop()
    print(f"{package.name} has {len(FILES)} files, and can be installed and used")


if __name__ == "__main__":
    main(sys.argv[1])
