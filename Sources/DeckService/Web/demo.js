// The page to play with: three decks in tabs, the rules to turn, and what goes over the wire.

import { DeckClient, DeckView, frontOf, newKey } from "/deckd.js";
import { cards, drawCard } from "/web/demo-cards.js";
import { askForKey, knownKey, onKey } from "/web/gate.js";
import { formatted } from "/web/json.js";

const DECKS = [
  { name: "standard", title: "Standard", deck: { preset: "standard", cards, appearance: { semiTransparent: 1 } } },
  { name: "background", title: "Background", deck: { preset: "koloda-background", cards, rules: { swipeThreshold: 0.6 }, appearance: { semiTransparent: 0.3 } } },
  { name: "flip", title: "Flip", deck: { preset: "flip-carousel", cards, layout: { type: "flip", cardWidth: 280, cardHeight: 190 } } },
];
const SIDES = ["left", "right", "up", "down"];
const ENDED = "This session has ended. Load the page again for another one.";
/** How often a request fails before the page says so. */
const QUIET_FAILURES = 5;
const VERDICTS = { left: "skipped", right: "liked", up: "super", down: "later" };

const find = (id) => document.getElementById(id);
const client = new DeckClient({ key: knownKey(), onRequest: showRequest });
const hall = new BroadcastChannel("deckd-second-screen");
let [view, session, current] = [null, null, null];
/** Ends the current attempt to open a session. An earlier one that ends later is ignored. */
let opening = new AbortController();
/** The requests for new sessions, by the names of their decks. Each has one key, so that it creates one session. */
const requests = new Map();

// -- Sessions. Their tokens are stored for this tab, and are never part of an address.

async function findSession({ name, deck }, options) {
  const kept = JSON.parse(sessionStorage.getItem(`deckd.${name}`) ?? "null");
  if (kept) {
    try {
      const found = await client.sessions.open(kept, options);
      Object.assign(found.info, kept);
      return found;
    } catch (problem) {
      if (![401, 404, 410].includes(problem.status)) throw problem;
    }
  }
  if (!requests.has(name)) {
    const { clientWidth: width, clientHeight: height } = find("deck");
    const screen = { width: innerWidth, height: innerHeight };
    requests.set(name, { key: newKey(), body: { deck, viewport: { width, height }, screen } });
  }
  const { key, body } = requests.get(name);
  let made;
  try {
    made = await client.sessions.create(body, { ...options, key });
  } finally {
    // Without an answer, the same request is sent when this deck is opened again.
    if (!options.signal.aborted) requests.delete(name);
  }
  const { id, token, spectatorToken } = made.info;
  sessionStorage.setItem(`deckd.${name}`, JSON.stringify({ id, token, spectatorToken }));
  return made;
}

function open(chosen) {
  current = chosen;
  sessionStorage.setItem("deckd.tab", chosen.name);
  view?.close();
  session?.close();
  [view, session] = [null, null];
  // Before a button that has the focus is hidden.
  wait();
  for (const { name } of DECKS) {
    const tab = find(`tab-${name}`);
    tab.ariaSelected = String(name === chosen.name);
    tab.tabIndex = name === chosen.name ? 0 : -1;
  }
  find("panel").setAttribute("aria-labelledby", `tab-${chosen.name}`);
  const isPile = chosen.name === "flip";
  for (const id of ["rules", "undo", "skip", "like", "redo"]) find(id).hidden = isPile;
  for (const id of ["back", "next"]) find(id).hidden = !isPile;
  find("panel").dataset.deck = chosen.name;
  notice("");
  openSession((options) => findSession(chosen, options)).catch((problem) => {
    const isRefused = problem.type === "/problems/insufficient-scope";
    if (problem.status === 401 || isRefused) askForKey(isRefused ? problem.message : undefined);
    else fail(problem.message);
  });
}

/** Shows a session that `seek` finds, unless another one is wanted by then. Looks again while the server or the network is away. */
async function openSession(seek, options = {}, greeting = "") {
  opening.abort();
  const { signal } = (opening = new AbortController());
  const onFailure = (problem, failures) => {
    if (!signal.aborted && failures >= QUIET_FAILURES) notice("The server cannot be reached. The page tries again.");
  };
  try {
    const found = await seek({ signal, attempts: Infinity, onFailure });
    if (signal.aborted) return found.close();
    notice(greeting);
    show(found, options);
  } catch (problem) {
    if (!signal.aborted) throw problem;
  }
}

/** There is no session, and none is awaited. */
function fail(text) {
  find("deck").removeAttribute("aria-busy");
  notice(text);
}

function show(found, options) {
  session = found;
  // An answer can come after another tab was chosen.
  const on = (type, handler) => found.addEventListener(type, ({ detail }) => session === found && handler(detail));
  on("frame", showFrame);
  on("refused", ({ reason }) => {
    // A card that was not dragged far enough goes back, as everybody expects.
    echo(reason === "below-threshold" ? "" : `Not done: ${reason.replaceAll("-", " ")}.`);
  });
  on("ended", () => {
    sessionStorage.removeItem(SEAT);
    wait();
    notice("");
  });
  on("connection", (isThere) => notice(isThere ? "Connected again." : "No connection. Your swipes are saved and sent when it is back."));
  on("notification", ({ type, id, direction }) => {
    const title = cards.find((card) => card.id === id)?.data.title ?? id;
    if (type === "didSwipe" || type === "didRedo") echo(`${title}: ${VERDICTS[direction] ?? direction}.`);
    if (type === "didRewind") echo(`${title} is back.`);
  });
  view = new DeckView(find("deck"), session, { label: "Places to go", render: drawCard, ended: ENDED, ...options });
  showRules(session.info.rules);
}

// -- What is said

function notice(text) {
  find("status").textContent = text;
  find("echo").textContent = "";
}

/** Shows what the view announces to screen readers, so that they say it once. */
function echo(text) {
  notice("");
  find("echo").textContent = text;
}

/** The last request; with the token that it was sent with. */
let request = null;

function showRequest({ method, url, body }) {
  if (method === "GET") return;
  request = { method, url, body, token: url.endsWith("/v1/sessions") ? client.key : session?.token };
  for (const id of ["copy", "show-token"]) find(id).disabled = false;
  drawRequest();
}

/** The last request as a command. Its events are applied when it is run, to the card that is in front then. */
function command(token) {
  const address = new URL(request.url, location.href).href.replaceAll("%2C", ",");
  const lines = [`curl -sS -X ${request.method} '${address}'`];
  if (request.token) lines.push(`-H "Authorization: Bearer ${token}"`);
  if (request.body) {
    const body = JSON.parse(request.body);
    for (const event of body.events ?? [body]) if (event.type) delete event.at, delete event.id;
    lines.push(`--json '${JSON.stringify(body).replaceAll("'", "'\\''")}'`);
  }
  return lines.join(" \\\n  ");
}

function drawRequest() {
  const isShown = find("show-token").ariaPressed === "true";
  find("request").textContent = request ? command(isShown ? request.token : "$TOKEN") : "";
}

/** Copies the command with its token, so that it works where it is pasted. */
async function copyRequest() {
  const text = command(request.token);
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A page that has not come over TLS may not write to the clipboard.
    const area = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  find("copy").textContent = "Copied";
  setTimeout(() => (find("copy").textContent = "Copy"), 1500);
}

/** Nothing can be done until there is a frame. */
function wait() {
  clearTimeout(settling);
  find("deck").setAttribute("aria-busy", String(!session?.isEnded));
  for (const button of document.querySelectorAll("#actions button, #again, #second")) setEnabled(button, false);
}

/** The keys stay in the page: a button that is disabled gives its focus to the deck. */
function setEnabled(button, isEnabled) {
  if (!isEnabled && button === document.activeElement) find("deck").focus({ preventScroll: true });
  button.disabled = !isEnabled;
}

/** Enables what can be done with a frame. */
function enable(frame) {
  const front = frontOf(frame);
  const can = {
    like: front?.allowedDirections.includes("right"), skip: front?.allowedDirections.includes("left"), back: front, next: front,
    undo: frame.canRevert, redo: frame.canRedo, again: true, second: session.info.spectatorToken,
  };
  for (const [id, isPossible] of Object.entries(can)) setEnabled(find(id), isPossible);
}

let drawn = 0;
let settling = 0;

function showFrame(frame) {
  // There is no further frame when the cards come to rest. Timers can be early, and without a prediction the frame stays the same.
  clearTimeout(settling);
  if (frame.settlesAt > frame.at) settling = setTimeout(() => {
    const later = session.frameAt(session.now);
    if (later !== frame) showFrame(later);
  }, frame.settlesAt - frame.at);
  find("deck").toggleAttribute("data-exhausted", frame.exhausted);
  find("deck").removeAttribute("aria-busy");
  enable(frame);
  cancelAnimationFrame(drawn);
  drawn = requestAnimationFrame(() => {
    find("version").textContent = `version ${frame.version}`;
    find("frame").textContent = formatted(frame);
  });
}

// -- Rules

function showRules({ swipeThreshold, allowedDirections, deniedDirections }) {
  find("threshold").value = swipeThreshold;
  find("threshold-value").textContent = `${Math.round(swipeThreshold * 100)} %`;
  for (const side of SIDES) {
    find(`allow-${side}`).checked = allowedDirections.includes(side);
    find(`deny-${side}`).checked = deniedDirections.includes(side);
  }
}

async function changeRules() {
  const chosen = (kind) => SIDES.filter((side) => find(`${kind}-${side}`).checked);
  const rules = {
    swipeThreshold: Number(find("threshold").value), allowedDirections: chosen("allow"), deniedDirections: chosen("deny"),
  };
  showRules(rules);
  try {
    await session?.patch({ rules });
  } catch (problem) {
    notice(problem.message);
  }
}

function makeChoices(kind) {
  for (const side of SIDES) {
    const label = document.createElement("label");
    const box = Object.assign(document.createElement("input"), { type: "checkbox", id: `${kind}-${side}` });
    label.append(box, side);
    find(kind).append(label);
  }
  find(kind).addEventListener("change", changeRules);
}

// -- The second screen. Its window has a name that is good for one question; the token is handed over inside the browser.

const SEAT = "deckd.seat";
/** How long a second screen waits for the first, in ms. */
const SEAT_PATIENCE = 5000;
const offers = new Map();

function openSecondScreen() {
  const name = newKey();
  offers.set(name, { id: session.info.id, token: session.info.spectatorToken });
  window.open(`/#watch-${name}`, "_blank", "popup,width=460,height=760");
}

hall.addEventListener("message", ({ data }) => {
  if (!offers.has(data.ask)) return;
  hall.postMessage({ to: data.ask, seat: offers.get(data.ask) });
  offers.delete(data.ask);
});

/** Asks the first screen, which may be closed. */
function askForSeat(name) {
  return new Promise((resolve) => {
    hall.addEventListener("message", ({ data }) => data.to === name && resolve(data.seat));
    hall.postMessage({ ask: name });
    setTimeout(resolve, SEAT_PATIENCE);
  });
}

async function watch(name) {
  history.replaceState(null, "", "/");
  document.body.classList.add("watching");
  document.title = "deckd: second screen";
  const seat = JSON.parse(sessionStorage.getItem(SEAT) ?? "null") ?? (await askForSeat(name));
  if (!seat) return fail("The first screen does not answer. Open the second screen from it again.");
  sessionStorage.setItem(SEAT, JSON.stringify(seat));
  const options = { isReadOnly: true, label: "Places to go, as the first screen shows them" };
  try {
    await openSession((request) => client.sessions.open(seat, request), options, "You are watching.");
  } catch (problem) {
    const isOver = [401, 404, 410].includes(problem.status);
    if (isOver) sessionStorage.removeItem(SEAT);
    fail(isOver ? ENDED : problem.message);
  }
}

// -- Beginning

function makeTabs() {
  for (const [place, chosen] of DECKS.entries()) {
    const tab = Object.assign(document.createElement("button"), { type: "button", id: `tab-${chosen.name}`, textContent: chosen.title, role: "tab" });
    tab.setAttribute("aria-controls", "panel");
    tab.addEventListener("click", () => open(chosen));
    tab.addEventListener("keydown", ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: DECKS.length - 1 }[key];
      if (!step) return;
      const next = DECKS[(place + step) % DECKS.length];
      find(`tab-${next.name}`).focus();
      open(next);
    });
    find("tabs").append(tab);
  }
}

/** Turns the pile by a number of cards. */
function turn(step) {
  const { currentIndex, cardCount } = session.frame;
  return session.send({ type: "move", to: (currentIndex + step + cardCount) % cardCount });
}

function listen() {
  const on = (id, handler) => find(id).addEventListener("click", () => handler()?.catch?.((problem) => notice(problem.message)));
  on("like", () => view?.swipe("right"));
  on("skip", () => view?.swipe("left"));
  on("back", () => turn(-1));
  on("next", () => turn(1));
  on("undo", () => view?.revert());
  on("redo", () => view?.redo());
  on("second", openSecondScreen);
  on("again", () => session?.send({ type: "reset" }).then(() => notice("")));
  on("copy", copyRequest);
  on("show-token", () => {
    const button = find("show-token");
    button.ariaPressed = String(button.ariaPressed !== "true");
    drawRequest();
  });
  find("threshold").addEventListener("change", changeRules);
  onKey((key) => {
    client.key = key;
    open(current);
  });
}

makeTabs();
makeChoices("allow");
makeChoices("deny");
listen();
const [, name] = /^#watch-([\w-]+)$/.exec(location.hash) ?? [];
if (name || sessionStorage.getItem(SEAT)) watch(name);
else open(DECKS.find(({ name }) => name === sessionStorage.getItem("deckd.tab")) ?? DECKS[0]);
