// The operator's page: the sessions and decks, one of them in detail, and the state of the server.

import { onKey } from "/web/gate.js";
import { MetricCharts } from "/web/inspect-charts.js";
import { askMetrics } from "/web/inspect-client.js";
import { DeckView } from "/web/inspect-deck.js";
import { find, write } from "/web/inspect-dom.js";
import { Lists } from "/web/inspect-lists.js";
import { SessionView } from "/web/inspect-session.js";

/** What went wrong the last time, for each part of the page. */
const problems = { lists: "", metrics: "", view: "" };

function report(part, text) {
  problems[part] = text;
  write(find("notice"), Object.values(problems).find(Boolean) ?? "");
}

/** Does something for a part of the page, and shows its error until it succeeds. A missing key is asked for instead. */
async function attempt(part, body) {
  try {
    await body();
    report(part, "");
  } catch (error) {
    report(part, find("gate").open ? "" : error.message);
  }
}

/** Attempts something again and again, some seconds after it was done. */
async function repeat(part, seconds, body) {
  for (;;) {
    if (!document.hidden && !find("gate").open) await attempt(part, body);
    await new Promise((resolve) => setTimeout(resolve, 1000 * (typeof seconds === "function" ? seconds() : seconds)));
  }
}

let view = null;
const lists = new Lists(() => attempt("lists", () => lists.refresh()));

/** Shows what the address names: `#/sessions/ID`, `#/decks/ID`, or only the lists. */
function open() {
  const [, kind, id] = /^#\/(sessions|decks)\/([\w-]+)$/.exec(location.hash) ?? [];
  view?.close();
  view = null;
  document.body.dataset.view = kind ? "detail" : "lists";
  find("session").hidden = kind !== "sessions";
  find("deck").hidden = kind !== "decks";
  if (kind === "sessions") view = new SessionView(id);
  if (kind === "decks") view = new DeckView(id, () => showSessionsOf(id));
  lists.mark();
  report("view", "");
  attempt("view", async () => view?.refresh());
  scrollTo(0, 0);
}

function showSessionsOf(deck) {
  location.hash = "#/";
  lists.searchDeck(deck);
}

const charts = new MetricCharts(find("charts"));
find("more-charts").addEventListener("click", () => {
  const isOpen = find("metrics").toggleAttribute("data-open");
  find("more-charts").ariaExpanded = String(isOpen);
});
addEventListener("hashchange", open);
onKey(() => {
  attempt("lists", () => lists.refresh());
  attempt("view", async () => view?.refresh());
});
open();
repeat("lists", () => (lists.isSearch ? 10 : 3), () => lists.refresh());
repeat("metrics", 2, async () => charts.take(await askMetrics(), Date.now()));
repeat("view", 0.5, async () => view?.refresh());
