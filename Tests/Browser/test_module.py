"""The client module and its engine: their sizes, and what the engine refuses."""

import gzip
import urllib.request


def size_of(url):
    with urllib.request.urlopen(url) as answer:
        return len(gzip.compress(answer.read(), 9, mtime=0)), answer.headers


def test_module_and_engine_are_small(deckd, measured):
    (module, _), (engine, headers) = size_of(f"{deckd.url}/deckd.js"), size_of(f"{deckd.url}/engine.wasm")
    measured(f"gzipped, deckd.js is {module} bytes and engine.wasm {engine}")
    assert headers["Content-Type"] == "application/wasm"
    assert engine < 63_500 and module + engine < 82_000


def test_engine_has_a_path_that_browsers_need_not_ask_for_again(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin()
    page.until("return session.isPredicting")
    (path,) = page.run("return performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.wasm'))")
    size, headers = size_of(path)
    assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert size == size_of(f"{deckd.url}/engine.wasm")[0]


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
