// Which sessions have a connection on which they wait for changes. A part of /deckd.js, after saved.js.

/**
 * How many streams and long-polls there are to a server. With HTTP/1.1 a browser has at most six connections to it, for all tabs together,
 * and other requests need some.
 */
const MOST_WAITING = 4;

/** The servers that have answered with HTTP/2 or 3. The list of a page's requests ends when it is full, and an observer gets all. */
const multiplexed = new Set();
if (globalThis.document) {
  new PerformanceObserver((list) => {
    for (const { name, nextHopProtocol } of list.getEntries()) if (/^h[23]/.test(nextHopProtocol)) multiplexed.add(new URL(name).origin);
  }).observe({ type: "resource", buffered: true });
}

/** Locks of this page, which browsers have for all tabs, but not on pages without TLS. */
const taken = new Set();
const pageLocks = {
  async request(name, options, use) {
    if (taken.has(name)) return use(null);
    taken.add(name);
    return use(name).finally(() => taken.delete(name));
  },
};

/** Calls a function that waits for a server, unless there are enough of them. Returns whether it was called. */
async function withConnection(server, wait) {
  if (multiplexed.has(server)) return wait().then(() => true);
  // A page in a sandbox may not use the locks of the browser.
  const locks = (globalThis.origin !== "null" && globalThis.navigator?.locks) || pageLocks;
  const use = async (lock) => lock && wait().then(() => true);
  for (let place = 0; place < MOST_WAITING; place++) {
    if (await locks.request(`deckd ${server} ${place}`, { ifAvailable: true }, use)) return true;
  }
  return false;
}

const turns = new Map();

/** Calls a function when those that were called before for the same server have ended. */
function inTurn(server, ask) {
  const turn = Promise.resolve(turns.get(server)).catch(() => {}).then(ask);
  turns.set(server, turn);
  return turn;
}
