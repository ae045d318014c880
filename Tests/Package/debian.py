#!/usr/bin/env python3
"""Installs the Debian package as the image recipe does, runs it, and removes it.

usage: debian.py PACKAGE

There is no registry for images here. So the steps of config/container/Containerfile are run in a chroot of the Debian release that
it names, and the program is started with the recipe's user, variables and command, in a separate network. Needs root. Prints one
line.
"""

import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = {
    "etc/deckd/deckd.yaml", "lib/systemd/system/deckd.service", "lib/systemd/system/deckd.socket", "usr/bin/deckd",
    "usr/share/bash-completion/completions/deckd", "usr/share/fish/vendor_completions.d/deckd.fish", "usr/share/lintian/overrides/deckd",
    "usr/share/man/man1/deckd.1.gz", "usr/share/zsh/vendor-completions/_deckd",
}


def run(*command, status=0, limit=300, **options):
    """What a command prints."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True} | options
    done = subprocess.run(command, timeout=limit, **options)
    assert done.returncode == status, f"{shlex.join(map(str, command))}: {done.returncode}\n{done.stdout}"
    return done.stdout


class Recipe:
    """The instructions of a Containerfile."""

    def __init__(self, text):
        text = re.sub(r"\\\n\s*", " ", text)
        lines = [line for line in text.splitlines() if line and not line.startswith("#")]
        self.steps = [line.split(" ", 1) for line in lines]
        self.release = re.fullmatch(r"debian:(\w+)-slim", self.only("FROM"))[1]
        self.user = self.only("USER")
        self.folder = self.only("WORKDIR")
        self.port = self.only("EXPOSE")
        self.variables = dict(value.split("=") for value in self.all("ENV"))
        self.command = json.loads(self.only("ENTRYPOINT")) + json.loads(self.only("CMD"))
        self.check = self.only("HEALTHCHECK").split(" CMD ")[1]

    def all(self, name):
        return [value for instruction, value in self.steps if instruction == name]

    def only(self, name):
        (value,) = self.all(name)
        return value


class Container:
    """A chroot in which the steps of a recipe were done, and its program."""

    def __init__(self, recipe, root, package):
        self.recipe, self.root = recipe, root
        run("mmdebstrap", "--quiet", "--variant=minbase", recipe.release, str(root))
        # A builder of images gives a step the network of the machine.
        for name in ("etc/resolv.conf", "etc/hosts"):
            shutil.copy(f"/{name}", root / name)
        for instruction, value in recipe.steps:
            if instruction == "COPY":
                pattern, place = value.split()
                assert package.match(pattern), (package, pattern)
                shutil.copy(package, root / place.strip("/"))
            elif instruction == "RUN":
                self.run("/bin/sh", "-c", value, env={"PATH": os.environ["PATH"], "DEBIAN_FRONTEND": "noninteractive"})
            elif instruction not in ("FROM", "USER", "WORKDIR", "VOLUME", "ENV", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"):
                raise AssertionError(f"the test does not know {instruction}")

    def entering(self, *command):
        """The command in the chroot, with /proc as in a container."""
        return ["unshare", "--mount", "sh", "-c", f'mount -t proc proc {self.root}/proc && exec chroot "$@"', "sh", *command]

    def run(self, *command, **options):
        return run(*self.entering(str(self.root), *command), **options)

    @contextlib.contextmanager
    def started(self, log, **variables):
        """Starts the recipe's program as a runtime of containers does: its own network, user, folder and variables."""
        recipe = self.recipe
        environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"} | recipe.variables | variables
        enter = self.entering(f"--userspec={recipe.user}", str(self.root), "/usr/bin/env", f"--chdir={recipe.folder}", *recipe.command)
        command = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", *enter]
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    def inside(self, process, command, **options):
        """Runs a command in the network of a process."""
        return run("nsenter", f"--net=/proc/{process.pid}/ns/net", "chroot", str(self.root), "/bin/sh", "-c", command, **options)


def check_files(package):
    print(run("lintian", "--fail-on", "error,warning", "--info", str(package)), end="")
    listed = run("dpkg-deb", "--contents", str(package)).splitlines()
    names = {line.split(" ./", 1)[1] for line in listed if not line.endswith("/")}
    others = {name for name in names - FILES if not name.startswith("usr/share/doc/deckd/")}
    assert FILES <= names and not others, (FILES - names, others)
    documents = {pathlib.Path(name.removesuffix(".gz")).name for name in names - FILES}
    expected = {path.name for path in (ROOT / "docs").glob("*.md")} | {"openapi.yaml", "copyright", "changelog", "nginx.conf", "haproxy.cfg"}
    assert expected <= documents, expected - documents
    assert run("dpkg-deb", "--info", str(package), "conffiles").split() == ["/etc/deckd/deckd.yaml"]


def check_units(package, work):
    """An upgrade restarts the service and leaves the socket open. A removal stops the socket first, because it would start the
    service again. There is no systemd in the chroot, so the commands are read and not run."""
    run("dpkg-deb", "--control", str(package), str(work / "control"))
    commands = {}
    for path in (work / "control").glob("p*"):
        for action, units in re.findall(r"deb-systemd-invoke (\S+) (.*?) >", path.read_text(encoding="utf-8")):
            commands.setdefault(path.name, []).append((action, units.replace("'", "")))
    # The last command of postinst is that of an upgrade and of a first installation.
    assert commands.pop("postinst")[-1] == ("$_dh_action", "deckd.service"), commands
    assert commands == {"prerm": [("stop", "deckd.socket"), ("stop", "deckd.service")]}, commands


def check_description(container):
    """The man page and the completions name the commands."""
    root = container.root
    page = str(root / "usr/share/man/man1/deckd.1.gz")
    text = run("man", "--warnings", "--local-file", page, env={"PATH": os.environ["PATH"], "MANWIDTH": "100", "LC_ALL": "C.UTF-8"})
    completions = (root / "usr/share/bash-completion/completions/deckd").read_text(encoding="utf-8")
    for command in ("serve", "check-config", "key", "replay", "backup", "restore", "import"):
        assert re.search(rf"^ +{command}\b", text, re.MULTILINE), text
        assert command in completions, command
    assert "warning" not in text and "--config" in text, text
    complete = run("bash", "-c", f"source {root}/usr/share/bash-completion/completions/deckd && complete -p deckd")
    assert complete.strip().endswith(" deckd"), complete
    service = (root / "lib/systemd/system/deckd.service").read_text(encoding="utf-8")
    program, *arguments = re.search(r"^ExecStart=(.*)$", service, re.MULTILINE)[1].split()
    container.run(program, "check-config", *arguments[1:])


def wait_until_healthy(container, process):
    """Waits until the recipe's check passes."""
    end = time.monotonic() + 20
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(AssertionError):
            return container.inside(process, container.recipe.check)
        time.sleep(0.1)
    return container.inside(process, container.recipe.check)


def check_server(container, work):
    recipe = container.recipe
    url = f"http://127.0.0.1:{recipe.port}"
    with open(work / "log", "w+", encoding="utf-8") as log:
        # Its address can be reached from everywhere, so it does not start without keys.
        with container.started(log) as process:
            assert process.wait(timeout=20) == 2, (work / "log").read_text(encoding="utf-8")
        made = container.run("/usr/bin/deckd", "key", "test")
        line, key = (re.search(pattern, made, re.MULTILINE)[1] for pattern in ("^(test .*)$", "^key: (.*)$"))
        with container.started(log, DECKD_ACCESS_KEYS=line) as process:
            wait_until_healthy(container, process)
            request = json.dumps({"deck": "sample", "viewport": {"width": 300, "height": 400}})
            ask = f"curl -sS -H 'Authorization: Bearer {key}' --json '{request}' {url}/v1/sessions"
            assert json.loads(container.inside(process, ask))["frame"]["cards"], "no session"
            container.inside(process, f"curl --fail -sS {url}/v1/decks", status=22)
            assert (container.root / recipe.folder.strip("/") / "deckd.sqlite").exists()
            process.terminate()
            assert process.wait(timeout=20) == 0, (work / "log").read_text(encoding="utf-8")


def check_removal(container):
    settings = container.root / "etc/deckd/deckd.yaml"
    container.run("dpkg", "--remove", "deckd")
    assert not (container.root / "usr/bin/deckd").exists() and settings.exists()
    container.run("dpkg", "--purge", "deckd")
    assert not settings.exists()
    assert (container.root / "var/lib/deckd/deckd.sqlite").exists(), "the data is gone"


def main(package):
    recipe = Recipe((ROOT / "config/container/Containerfile").read_text(encoding="utf-8"))
    check_files(package)
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        work.chmod(0o755)
        check_units(package, work)
        container = Container(recipe, work / "root", package)
        check_description(container)
        check_server(container, work)
        check_removal(container)
    print(f"{package.name} is installed by the image recipe, serves, and is removed")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
