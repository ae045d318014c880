// The requests of the operator's page. They are counted, so that the charts can leave them out.

import { askForKey, knownKey } from "/web/gate.js";

/** How many requests this page has completed, and how many of them failed. Requests of metrics are not among them. */
const own = { requests: 0, problems: 0 };
const pending = new Set();
let measuring = Promise.resolve();

async function send(path, headers) {
  // The metrics have no times of requests with this header, so those of this page do not change their mean.
  const all = { ...headers, Prefer: "wait=0" };
  if (knownKey()) all.Authorization = `Bearer ${knownKey()}`;
  const response = await fetch(path, { headers: all, cache: "no-store", signal: AbortSignal.timeout(10000) });
  const body = response.status === 304 ? null : await response.blob();
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
}

/** The last key with which the server has answered a request. It does not need to allow everything. */
let goodKey = null;

async function checked(response, path) {
  if (response.ok || response.status === 304) {
    if (path.startsWith("/v1/")) goodKey = knownKey();
    return response;
  }
  const isProblem = response.headers.get("Content-Type") === "application/problem+json";
  const { type, detail } = isProblem ? await response.json() : { detail: response.statusText };
  if (response.status === 401) askForKey();
  if (type === "/problems/insufficient-scope" && goodKey !== knownKey()) askForKey(detail);
  throw Object.assign(new Error(`${path.split("?")[0]}: ${detail}`), { status: response.status });
}

/** A request that is counted. */
async function counted(path, headers) {
  await measuring;
  const request = send(path, headers);
  pending.add(request);
  try {
    const response = await request;
    own.requests += 1;
    if (response.status >= 400) own.problems += 1;
    return response;
  } finally {
    pending.delete(request);
  }
}

/**
 * Sends a GET request with the operator's key. Returns the response with its whole body, or throws an error with its `status`.
 *
 * A long log can cost more than its session can pay at once. So a request that gets 429 is sent again when the server says.
 */
export async function ask(path, headers = {}) {
  for (;;) {
    const response = await counted(path, headers);
    if (response.status !== 429) return checked(response, path);
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response.headers.get("Retry-After") ?? 1)));
  }
}

/** The server's metrics as text, and the number of this page's own requests in them: no other request is in progress. */
export async function askMetrics() {
  let done;
  await measuring;
  measuring = new Promise((resolve) => (done = resolve));
  try {
    await Promise.allSettled(pending);
    const response = await checked(await send("/metrics", {}), "/metrics");
    return { text: await response.text(), own: { ...own } };
  } finally {
    done();
  }
}

/** The path of the next page of a list; null: this is the last one. */
export const nextPage = (response) => /^<(.+)>; rel="next"$/.exec(response.headers.get("Link") ?? "")?.[1] ?? null;
