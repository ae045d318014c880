// Requests, and what becomes of them when the server is away. The first part of /deckd.js, whose parts are put
// together into one module: see docs/browser.md and deckd.d.ts.

export class DeckProblem extends Error {
  constructor(document) {
    super(document.detail ?? document.title);
    Object.assign(this, { name: "DeckProblem", status: 0 }, document);
  }

  get isTransient() {
    const { status, type } = this;
    if (/^\/problems\//.test(type)) return [429, 502, 503, 504].includes(status) || type === "/problems/request-under-way";
    // The network or a proxy has failed, unless deckd could not read the request: then its answer has no type.
    return ![400, 413, 414, 431].includes(status);
  }
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Waits longer after each failure, and a random part of it, so that clients do not come back together. Waits no longer when the network
 * is back, or the signal aborts.
 */
async function backOff(failures, { retryAfter }, signal) {
  const ended = new AbortController();
  let timer;
  await new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    timer = setTimeout(resolve, Math.random() * Math.min(8000, 200 * 2 ** failures) + (retryAfter * 1000 || 0));
    // Only browsers report the network.
    globalThis.addEventListener?.("online", resolve, { signal: ended.signal });
    signal?.addEventListener("abort", resolve, { signal: ended.signal });
  });
  clearTimeout(timer);
  ended.abort();
}

/** Calls a function of the page. Its error is reported as that of a listener is, and the deck continues. */
const call = (body) => {
  try {
    body();
  } catch (error) {
    // Node has no `reportError`.
    queueMicrotask(() => {
      throw error;
    });
  }
};

/** The body of a response: JSON, bytes, or a stream. */
async function content(response) {
  const type = response.headers.get("Content-Type");
  // A browser may give an empty stream as the body of a 304.
  if (response.status === 304) return null;
  if (/[/+]json\b/.test(type)) return response.json();
  if (response.ok && /html/.test(type)) throw new Error("The answer is a page, and not the server's.");
  if (/octet/.test(type)) return new Uint8Array(await response.arrayBuffer());
  return response.body;
}

/** A page that may not store anything throws here. */
function usualStorage() {
  try {
    return globalThis.sessionStorage;
  } catch {
    return null;
  }
}

const NEVER = new AbortController().signal;

/** An idempotency key. `crypto.randomUUID` is only on pages with HTTPS and on those of this machine. */
export const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

export class DeckClient {
  #engine = null;

  constructor({
    // The server that has sent this module.
    baseURL = new URL(".", import.meta.url).href, key, onRequest, storage = usualStorage(), queueLength = 1000, lookAhead = 100,
  } = {}) {
    Object.assign(this, { baseURL: baseURL.replace(/\/$/, ""), key, onRequest, storage, queueLength, lookAhead });
    const body = async (...request) => (await this.request(...request)).body;
    const path = (id) => `/v1/decks/${encodeURIComponent(id)}`;
    this.decks = {
      list: (query) => body("GET", "/v1/decks", { query }),
      get: (id) => body("GET", path(id)),
      put: (id, deck) => body("PUT", path(id), { body: deck }),
      patch: (id, patch) => body("PATCH", path(id), { body: patch }),
      append: (id, cards) => body("POST", `${path(id)}/cards`, { body: cards }),
      delete: (id) => body("DELETE", path(id)),
    };
    this.sessions = {
      create: async (request, options) => DeckSession.begin(this, await body("POST", "/v1/sessions", { ...options, body: request }), options),
      open: (seat, options) => DeckSession.begin(this, seat, options),
    };
  }

  /** The engine, which all sessions share. It is loaded when the first one needs it. */
  get engine() {
    this.#engine ??= DeckEngine.load(`${this.baseURL}/engine.wasm`);
    this.#engine.catch(() => (this.#engine = null));
    return this.#engine;
  }

  /** Sends a request, and again while the server is away and `wanted` is not aborted, a change with the same key. */
  async request(method, path, { attempts = 6, key = newKey(), onFailure, wanted, ...options } = {}) {
    const headers = { ...options.headers };
    if (["POST", "PATCH"].includes(method) && attempts > 1) headers["Idempotency-Key"] = `"${key}"`;
    for (let failures = 0; ; failures++) {
      try {
        return await this.#ask(method, path, { ...options, headers });
      } catch (problem) {
        if (!problem.isTransient || failures + 1 >= attempts) throw problem;
        call(() => onFailure?.(problem, failures));
        await backOff(failures, problem, wanted ?? options.signal);
        wanted?.throwIfAborted();
      }
    }
  }

  async #ask(method, path, { body: document, query, headers, token = this.key, signal = NEVER, timeout = 15000 }) {
    // JSON has no undefined members.
    const url = `${this.baseURL}${path}${query ? `?${new URLSearchParams(JSON.parse(JSON.stringify(query)))}` : ""}`;
    const body = document && JSON.stringify(document);
    if (body) headers["Content-Type"] = "application/json";
    const all = token ? { ...headers, Authorization: `Bearer ${token}` } : headers;
    const sent = performance.now();
    let response, answer;
    try {
      // A short change is sent to its end although the page is left. Browsers allow 64 KiB, and a character has up to three bytes.
      const keepalive = body?.length < 2e4;
      response = await fetch(url, { method, headers: all, body, keepalive, signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]) });
      answer = await content(response);
    } catch (error) {
      if (signal.aborted) throw error;
      throw new DeckProblem({ detail: `${method} ${path}: ${error.message}` });
    }
    const { status } = response;
    call(() => this.onRequest?.({ method, url, headers, body, status }));
    if (response.ok || status === 304) return { status, headers: response.headers, body: answer, sent };
    const retryAfter = Number(response.headers.get("Retry-After"));
    throw new DeckProblem({ title: response.statusText, ...answer, status, retryAfter });
  }
}
