"""The client module and its engine: their sizes, and what the engine refuses."""

import gzip
import json
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

DENO = Path(sys.executable).parent / "deno"
RUNTIMES = pytest.mark.parametrize("runtime", [["node"], [DENO, "run", "--no-config", "--allow-net", "--allow-read"]], ids=["node", "deno"])


def load(url, coding="identity"):
    request = urllib.request.Request(url, headers={"Accept-Encoding": coding})
    with urllib.request.urlopen(request) as answer:
        return answer.read(), answer.headers


def test_module_and_engine_are_small(deckd, measured):
    sizes = []
    for path, media_type in [("/deckd.js", "text/javascript"), ("/engine.wasm", "application/wasm")]:
        body, headers = load(f"{deckd.url}{path}", "gzip")
        assert headers["Content-Type"] == media_type and headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(body) == load(f"{deckd.url}{path}")[0]
        sizes.append(len(body))
    module, engine = sizes
    measured(f"compressed, deckd.js is {module} bytes and engine.wasm {engine}")
    assert engine <= 60_000 and module + engine <= 70_000


def test_engine_has_a_path_that_browsers_need_not_ask_for_again(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin()
    page.until("return session.isPredicting")
    (path,) = page.run("return performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.wasm'))")
    body, headers = load(path)
    assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert body == load(f"{deckd.url}/engine.wasm")[0]


def test_snapshots_that_are_not_whole_are_refused(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin()
    refused = page.run_async("""
        const { body } = await client.request("GET", `/v1/sessions/${session.id}/snapshot`, { token: session.token });
        const length = new DataView(body.buffer).getUint32(16, true);
        const state = body.subarray(20 + length);
        const engine = await client.engine;
        const other = state.slice();
        other[0]++;
        const changed = state.slice();
        changed[40] ^= 1;
        return [state.subarray(0, 30), new Uint8Array(0), other, changed, new Uint8Array(5000)].map((bytes) => {
          try {
            engine.open(bytes);
          } catch (error) {
            return [error.name, error.code];
          }
        });
    """)
    assert [name for name, _ in refused] == ["EngineError"] * 5
    assert [code for _, code in refused] == ["invalid", "invalid", "unknown-format", "invalid", "unknown-format"]


def test_a_large_session_is_the_first_of_an_engine(deckd, open_page):
    """A snapshot for which the engine's memory grows."""
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin()
    indices = page.run_async("""
        const { DeckEngine, openSnapshot } = await import("/deckd.js");
        const request = { deck: { count: 100000 }, viewport: { width: 300, height: 400 }, clock: "manual" };
        const { body: { id, token } } = await client.request("POST", "/v1/sessions", { body: request });
        await client.request("POST", `/v1/sessions/${id}/events`, { token, body: { type: "shuffle", seed: 7, at: 9 } });
        const { body } = await client.request("GET", `/v1/sessions/${id}/snapshot`, { token });
        const { state } = openSnapshot(await DeckEngine.load("/engine.wasm"), body);
        const { body: frame } = await client.request("GET", `/v1/sessions/${id}/frame`, { token });
        // The cards that leave are not among those that the snapshot has.
        const shown = ({ cards }) => cards.filter(({ role }) => role !== "leaving").map(({ index, role }) => [index, role]);
        return [state.frame(), frame].map(shown);
    """)
    assert indices[0] == indices[1] and len(indices[0]) > 1


def test_engine_runs_in_a_worker(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin()
    frames = page.run_async("""
        const { body } = await client.request("GET", `/v1/sessions/${session.id}/snapshot`, { token: session.token });
        const script = `onmessage = async ({ data: { origin, body } }) => {
          const { DeckEngine, openSnapshot } = await import(origin + "/deckd.js");
          const { state } = openSnapshot(await DeckEngine.load(origin + "/engine.wasm"), body);
          state.apply({ type: "swipe", direction: "left", at: state.now + 1 });
          postMessage(state.frame(state.now + 5000));
        };`;
        const worker = new Worker(URL.createObjectURL(new Blob([script])));
        worker.postMessage({ origin: location.origin, body });
        const frame = await new Promise((resolve, reject) => Object.assign(worker, { onmessage: ({ data }) => resolve(data), onerror: reject }));
        worker.terminate();
        return [frame.currentIndex, frame.cards.map(({ role }) => role)];
    """)
    assert frames == [1, ["front", "background", "background"]]


# A session that is continued without a page.
CONTINUE = """
import process from "node:process";
import { DeckEngine, openSnapshot } from "./deckd.mjs";

const [, , url, id, token] = process.argv;
const engine = await DeckEngine.load(`${url}/engine.wasm`);
const response = await fetch(`${url}/v1/sessions/${id}/snapshot`, { headers: { Authorization: `Bearer ${token}` } });
const { state } = openSnapshot(engine, new Uint8Array(await response.arrayBuffer()));
state.apply({ type: "swipe", direction: "left", at: 100 });
console.log(JSON.stringify([state.frame(300), state.frame(5000)]));
state.close();
"""


@RUNTIMES
def test_engine_runs_without_a_page(deckd, tmp_path, runtime):
    (tmp_path / "deckd.mjs").write_bytes(load(f"{deckd.url}/deckd.js")[0])
    (tmp_path / "continue.mjs").write_text(CONTINUE)
    deck = {"preset": "standard", "count": 5}
    made = deckd.ask("POST", "/v1/sessions", {"deck": deck, "clock": "manual", "record": True, "viewport": {"width": 300, "height": 400}})
    command = [*runtime, tmp_path / "continue.mjs", deckd.url, made["id"], made["token"]]
    frames = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout)
    path = f"/v1/sessions/{made['id']}"
    deckd.ask("POST", f"{path}/events", {"type": "swipe", "direction": "left", "at": 100}, made["token"])
    deckd.ask("POST", f"{path}/events", {"type": "tick", "at": 5000}, made["token"])
    for frame in frames:
        assert frame == deckd.ask("GET", f"{path}/frame?at={frame['at']}", token=made["token"]) | {"version": frame["version"]}


# A client without a page, while requests fail.
CLIENT = """
import process from "node:process";
import { DeckClient, DeckDatabase } from "./deckd.mjs";

const [, , url] = process.argv;
const send = fetch;
let lost = 2;
globalThis.fetch = (...call) => (lost-- > 0 ? Promise.reject(new TypeError("no network")) : send(...call));
const database = new DeckDatabase();
const session = await new DeckClient({ baseURL: url }).sessions.create({ deck: { count: 5 }, viewport: { width: 300, height: 400 } });
const told = [];
session.addEventListener("notification", ({ detail }) => told.push(detail.type));
session.watch();
while (!session.isPredicting) await new Promise((resolve) => setTimeout(resolve, 10));
const [{ outcome }] = await session.send({ type: "swipe", direction: "right" });
while (!told.includes("didShow")) await new Promise((resolve) => setTimeout(resolve, 10));
const missing = await database.getItem("a").catch(({ name }) => name);
session.close();
console.log(JSON.stringify([outcome, session.frame.currentIndex, missing]));
"""


@RUNTIMES
def test_client_runs_without_a_page(deckd, tmp_path, runtime):
    (tmp_path / "deckd.mjs").write_bytes(load(f"{deckd.url}/deckd.js")[0])
    (tmp_path / "client.mjs").write_text(CLIENT)
    done = subprocess.run([*runtime, tmp_path / "client.mjs", deckd.url], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ["swiped", 1, "ReferenceError"]


@pytest.mark.parametrize("failure, is_repeated", [
    ("Promise.reject(new TypeError('no network'))", True),
    ("Promise.resolve(new Response('', { status: 503 }))", True),
    ("Promise.resolve(new Response('', { status: 404 }))", False),
    ("Promise.resolve(new Response('not WebAssembly'))", False),
])
def test_engine_is_loaded_again_after_a_failure_of_the_network(deckd, open_page, failure, is_repeated):
    page = open_page(f"{deckd.url}/deckd.js")
    page.run(f"""
        window.loads = 0;
        const send = fetch;
        const fail = () => {failure};
        window.fetch = (url, request) => (String(url).endsWith(".wasm") && ++loads < 3 ? fail() : send(url, request));
        Math.random = () => 0.1;
    """)
    page.begin(predicts=is_repeated)
    page.until("return log.problem.length")
    page.run("view.swipe('right')")
    page.until("return view.frame.currentIndex === 1 && session.waitingCount === 0")
    page.check_rest()
    assert page.run("return [loads, log.problem.length]") == [3 if is_repeated else 1, 1]
