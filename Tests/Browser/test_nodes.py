"""Several nodes: the page continues when its node is gone and the proxy sends it to another one."""

import os
import pathlib
import random
import signal
import subprocess
import tempfile

import pytest
from server import ENVIRONMENT, Link

SCRIPTS = pathlib.Path(__file__).parents[2] / "config" / "cluster"


class Cluster:
    """Two nodes, and three servers of PostgreSQL."""

    def __init__(self, folder):
        self.folder = folder
        # Below the ports that the system gives to connections.
        port = 20_000 + 10 * random.randrange(1000)
        self.ports = [port, port + 1]
        arguments = ["--nodes", "2", "--port", f"{port}", "--postgres-port", f"{port + 5}"]
        self.run("up", *arguments, "--deckd", os.environ["DECKD_BINARY"])

    def run(self, script, *arguments):
        command = [SCRIPTS / script, "--directory", self.folder, *arguments]
        # A pipe would stay open as long as the servers run.
        subprocess.run(command, stdout=subprocess.DEVNULL, env=ENVIRONMENT, check=True, timeout=120)

    def kill(self, index):
        os.kill(int((self.folder / f"node{index + 1}.pid").read_text()), signal.SIGKILL)

    def rejoin(self, index):
        self.run("rejoin", f"node{index + 1}")


@pytest.fixture(scope="module")
def cluster():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        # The servers' user must reach its files.
        folder.chmod(0o755)
        cluster = Cluster(folder / "data")
        yield cluster
        cluster.run("down", "--remove")


@pytest.mark.parametrize("delivery", ["stream", "longpoll", "poll"])
def test_page_goes_on_at_another_node(cluster, open_page, delivery):
    link = Link(cluster.ports[0])
    page = open_page(f"{link.url}/deckd.js")
    page.begin(options={"delivery": delivery})
    page.run("""
        window.versions = [session.frame.version];
        session.addEventListener("frame", () => versions.push(session.frame.version));
    """)
    page.run_async("return session.send({ type: 'swipe', direction: 'left' })")
    page.check_rest()

    def go():
        # The node goes with a drag that was not committed, and with a tap on its way.
        page.run("window.tapped = session.send({ type: 'tap' })")
        cluster.kill(0)
        link.target = cluster.ports[1]
        link.cut()

    page.hold_while(go, link.mend)
    assert page.run_async("return (await tapped)[0].applied")
    page.run_async("return session.send({ type: 'revert' })")
    page.run_async("return session.send({ type: 'swipe', direction: 'left' })")
    page.check_rest()
    assert [verdict["direction"] for verdict in page.run_async("return session.verdicts()")] == ["left", "left"]
    versions = page.run("return versions")
    assert len(versions) > 5 and versions == sorted(versions)
    cluster.rejoin(0)
    link.close()
