"""Nodes that share a PostgreSQL primary with two synchronous standbys, all on this machine."""

import os
import pathlib
import random
import statistics
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from load import Load
from servers import ROOT, Failure, processor_seconds
from sessions import SWIPE, Client, Request, Sessions

SESSIONS = 1024
ROUNDS = 5
SECONDS = 3
# Enough that a node commits about as many entries in a group as the program in C does.
CONNECTIONS = 512
# Below the ports that the system gives to connections.
PORT, DATABASE_PORT = 23_081, 23_091
# Enough for a 99th percentile.
FAILOVERS = 100
# A failover that takes longer has failed.
PATIENCE_SECONDS = 60


class Node:
    scheme = "http"

    def __init__(self, cluster, index):
        self.cluster, self.name, self.port = cluster, f"node{index + 1}", PORT + index

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def processor_seconds(self):
        return self.cluster.processor_seconds(self.name)


class Cluster:
    """A cluster of config/cluster, with some nodes."""

    def __init__(self, programs, count):
        self.programs, self.folder = programs, programs.folder / "cluster"
        # PostgreSQL runs as another user.
        programs.folder.chmod(0o755)
        self.call("up", "--nodes", count, "--port", PORT, "--postgres-port", DATABASE_PORT, "--sync", "--deckd",
                  programs.deckd)
        self.nodes = [Node(self, index) for index in range(count)]

    def call(self, script, *arguments):
        environment = os.environ | {"DECKD_LIMITS_COST_PER_SECOND": "0", "DECKD_LOG_LEVEL": "warning"}
        command = [ROOT / "config/cluster" / script, "--directory", self.folder, *arguments]
        subprocess.run([str(word) for word in command], env=environment, check=True, stdout=subprocess.DEVNULL)

    def text(self, name):
        return (self.folder / name).read_text().strip()

    def processor_seconds(self, name):
        """The time of a node or of a server of PostgreSQL, with its processes."""
        identifier = self.text(f"{name}.pid")
        children = subprocess.run(["pgrep", "-P", identifier], capture_output=True, text=True).stdout.split()
        return sum(processor_seconds(each) for each in [identifier, *children] if pathlib.Path(f"/proc/{each}").exists())

    def close(self):
        self.call("down", "--remove")


def measure(programs):
    # A node without clients receives the others' notifications, too, so there is only one node here.
    for count, bodies in ((1, [compare_with_c]), (3, [compare_nodes, measure_failovers])):
        cluster = Cluster(programs, count)
        try:
            for body in bodies:
                body(programs, cluster)
        finally:
            cluster.close()


def swipes(programs, node, sessions, connections):
    return Load(programs, node, sessions.events(SWIPE, "?frame=none"), connections)


def compare_with_c(programs, cluster):
    """Swipes of one node, and a C program that commits groups of 256 entries."""
    node = cluster.nodes[0]
    load = swipes(programs, node, Sessions.create(node, SESSIONS), CONNECTIONS)
    names = ["node1", "primary", "standby1", "standby2"]
    use, count, ratios = dict.fromkeys(names, 0.0), 0, []
    address = f"host={cluster.folder}/sockets port={DATABASE_PORT} user=postgres dbname=deckd"
    for _ in range(ROUNDS):
        command = [programs.commit, address, str(SECONDS)]
        entries = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        before = {name: cluster.processor_seconds(name) for name in names}
        result = load.run(SECONDS)
        for name in names:
            use[name] += cluster.processor_seconds(name) - before[name]
        count += result.requests
        ratios.append(result.rate / entries)
        print(f"{result.rate:,.0f} swipes/s of one node, {entries:,.0f} entries/s in C", flush=True)
    print(f"swipes of one node to entries in C: {statistics.median(ratios):.2f}")
    for name in names:
        print(f"    {name}: {use[name] / count * 1e6:.0f} µs of processor time for each swipe")


def compare_nodes(programs, cluster):
    """The rates of one, two and three nodes, each with a third of the sessions."""
    paths = Sessions.create(cluster.nodes[0], SESSIONS).paths
    for count in (1, 2, 3):
        loads = [
            swipes(programs, node, Sessions(node, paths[index::3], [], {}), 256 // count)
            for index, node in enumerate(cluster.nodes[:count])
        ]
        rates = []
        for _ in range(ROUNDS):
            with ThreadPoolExecutor(count) as pool:
                rates.append(sum(result.rate for result in pool.map(lambda load: load.run(SECONDS), loads)))
        print(f"{count} nodes: {statistics.median(rates):,.0f} swipes/s", flush=True)


def measure_failovers(programs, cluster):
    """Kills the primary again and again, promotes a standby at once, and measures how long no change is taken."""
    seconds = sorted(fail_over(cluster) for _ in range(FAILOVERS))
    late = seconds[-(-99 * FAILOVERS // 100) - 1]
    print(f"from the kill of a primary to the next change: p50 {statistics.median(seconds):.2f} s, p99 {late:.2f} s")


def fail_over(cluster):
    former = cluster.text("leader")
    standbys = [name for name in ("primary", "standby1", "standby2") if name != former]
    identifier = cluster.text(f"{former}.pid")
    start = time.monotonic()
    # Kills all processes of the server, as when its machine fails.
    subprocess.run(["pkill", "-KILL", "-P", identifier], check=True)
    subprocess.run(["kill", "-KILL", identifier], check=True)
    cluster.call("promote", random.choice(standbys))
    while not takes_change(cluster.nodes[0]):
        if time.monotonic() - start > PATIENCE_SECONDS:
            raise Failure("no change is taken after a failover")
        time.sleep(0.002)
    seconds = time.monotonic() - start
    cluster.call("rejoin", former)
    return seconds


def takes_change(node):
    request = Request("PUT", "/v1/decks/probe", {"Content-Type": "application/json"}, '{"count":1}')
    try:
        return Client(node).send(request)[0].status in (200, 201)
    except OSError:
        return False
