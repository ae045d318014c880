// The operator's page: the sessions and decks, one of them in detail, and the state of the server.

import { onKey } from "/web/gate.js";
import { MetricCharts } from "/web/inspect-charts.js";
import { askMetrics } from "/web/inspect-client.js";
import { DeckView } from "/web/inspect-deck.js";
import { find } from "/web/inspect-dom.js";
import { Lists } from "/web/inspect-lists.js";
import { SessionView } from "/web/inspect-session.js";

/** Shows what went wrong. A missing key is asked for instead. */
function problem(error) {
  if (error.status !== 401) find("notice").textContent = error.message;
}

/** Does something again and again, some seconds after it was done, and shows the error of the last time. */
async function repeat(seconds, body) {
  for (;;) {
    try {
      if (!document.hidden && !find("gate").open) {
        await body();
        find("notice").textContent = "";
      }
    } catch (error) {
      problem(error);
    }
    await new Promise((resolve) => setTimeout(resolve, 1000 * (typeof seconds === "function" ? seconds() : seconds)));
  }
}

let view = null;
const lists = new Lists(() => lists.refresh().catch(problem));

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
  view?.refresh().catch(problem);
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
  lists.refresh().catch(problem);
  view?.refresh().catch(problem);
});
open();
repeat(() => (lists.isSearch ? 10 : 3), () => lists.refresh());
repeat(2, async () => charts.take(await askMetrics(), Date.now()));
repeat(0.5, async () => view?.refresh());
