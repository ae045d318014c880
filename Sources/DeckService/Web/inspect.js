// The operator's page: the sessions, their current and past frames, and the state of the server.

import { askForKey, knownKey, onKey } from "/web/gate.js";
import { MetricCharts } from "/web/inspect-charts.js";
import { SessionReplay } from "/web/inspect-replay.js";

const PAGE = 50;
const MOST = 1000;
const find = (id) => document.getElementById(id);
let shownCount = PAGE;
let replay = null;

/** Asks the server for something, as an operator. */
async function ask(path, headers = {}) {
  const key = knownKey();
  const all = key ? { ...headers, Authorization: `Bearer ${key}` } : headers;
  const response = await fetch(path, { headers: all, cache: "no-store", signal: AbortSignal.timeout(10000) });
  if (response.ok || response.status === 304) return response;
  if (response.status === 401) askForKey();
  const isProblem = response.headers.get("Content-Type") === "application/problem+json";
  const { detail } = isProblem ? await response.json() : { detail: response.statusText };
  throw Object.assign(new Error(`${path.split("?")[0]}: ${detail}`), { status: response.status });
}

/** Does something again and again, each time after it was done, and says what went wrong. */
async function repeat(seconds, body) {
  for (;;) {
    try {
      if (!document.hidden && !find("gate").open) {
        await body();
        find("notice").textContent = "";
      }
    } catch (error) {
      find("notice").textContent = error.message;
    }
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  }
}

function ago(text) {
  const seconds = Math.max(0, (Date.now() - Date.parse(text)) / 1000);
  const units = [[86400, "d"], [3600, "h"], [60, "min"]];
  const [size, name] = units.find(([size]) => seconds >= size) ?? [1, "s"];
  return `${Math.floor(seconds / size)} ${name} ago`;
}

function item(session) {
  const button = Object.assign(document.createElement("button"), { type: "button" });
  const part = (name, text) => button.append(Object.assign(document.createElement("span"), { className: name, textContent: text }));
  part("id", session.id);
  part("deck", [session.deck ?? "own deck", session.key && `by ${session.key}`].filter(Boolean).join(", "));
  part("used", `used ${ago(session.lastActiveAt)}`);
  part("version", [`version ${session.version}`, session.record && "recorded"].filter(Boolean).join(", "));
  button.ariaCurrent = String(replay?.session.id === session.id);
  button.addEventListener("click", () => choose(session));
  const row = document.createElement("li");
  row.append(button);
  row.dataset.session = session.id;
  return row;
}

async function listSessions() {
  const response = await ask(`/v1/sessions?limit=${shownCount}`);
  const { sessions } = await response.json();
  const focused = document.activeElement.closest?.("[data-session]")?.dataset.session;
  find("sessions").replaceChildren(...sessions.map(item));
  if (focused) find("sessions").querySelector(`[data-session="${focused}"] button`)?.focus();
  const hasMore = response.headers.has("Link");
  find("count").textContent = sessions.length === 0 ? "none yet" : `${sessions.length}${hasMore ? " used last" : ""}`;
  find("more").hidden = !hasMore || shownCount >= MOST;
}

function choose(session) {
  replay?.close();
  replay = new SessionReplay(session, ask);
  for (const row of find("sessions").children) row.firstChild.ariaCurrent = String(row.dataset.session === session.id);
}

const charts = new MetricCharts(find("charts"));
find("more").addEventListener("click", () => {
  shownCount = Math.min(shownCount + PAGE, MOST);
  listSessions().catch((error) => (find("notice").textContent = error.message));
});
onKey(() => listSessions().catch((error) => (find("notice").textContent = error.message)));
repeat(3, listSessions);
repeat(2, async () => charts.take(await (await ask("/metrics")).text(), performance.now()));
repeat(0.5, async () => replay?.refresh());
