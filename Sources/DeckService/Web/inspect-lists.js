// The lists of sessions and of decks.

import { ask, nextPage } from "/web/inspect-client.js";
import { ago, count, find, make, useTabs, write } from "/web/inspect-dom.js";

const PAGE = 50;
const MOST = 1000;
/** A search by deck can need several pages for one that is shown. */
const PAGES_AT_A_TIME = 5;
const HINTS = {
  idPrefix: "At least 4 characters", user: "Name of the user", deck: "Id of the deck",
};
const NOTHING = {
  idPrefix: "No session has an id that starts with this.", user: "This user has no sessions.", deck: "This deck has no sessions.",
};

/** A list that is read from pages, with a button for more of it. */
class PagedList {
  #shownCount = PAGE;
  #reading = null;

  /** `list` and `more` are the ids of the list and of its button; `member` is the name of the list in a response. */
  constructor({ list, more, member, row, onMore }) {
    Object.assign(this, { list: find(list), more: find(more), member, row });
    this.more.addEventListener("click", () => {
      this.#shownCount += PAGE;
      onMore();
    });
  }

  restart() {
    this.#shownCount = PAGE;
  }

  /** Shows nothing, whatever is being read. */
  clear() {
    this.#reading = null;
    this.#show([]);
    this.more.hidden = true;
  }

  /** Reads the first pages. Returns the entries, and whether there can be more; null: another call has started since. */
  async read(path) {
    const reading = (this.#reading = {});
    const found = [];
    let next = path;
    for (let page = 0; next && found.length < this.#shownCount && page < PAGES_AT_A_TIME + this.#shownCount / PAGE; page++) {
      const response = await ask(next);
      found.push(...(await response.json())[this.member]);
      next = nextPage(response);
    }
    if (this.#reading !== reading) return null;
    this.#show(found.slice(0, this.#shownCount));
    const hasMore = next !== null || found.length > this.#shownCount;
    this.more.hidden = !hasMore || this.#shownCount >= MOST;
    return { shown: Math.min(found.length, this.#shownCount), hasMore };
  }

  /** Puts the entries in the page. A row stays the same element, so that a click can begin before and end after. The focus stays in its row. */
  #show(entries) {
    const { list } = this;
    const focused = document.activeElement.closest?.("[data-id]")?.dataset.id;
    const former = new Map([...list.children].map((row) => [row.dataset.id, row]));
    const rows = entries.map((entry) => renewed(former.get(entry.id), this.row(entry)));
    for (const row of former.values()) if (!rows.includes(row)) row.remove();
    for (const [place, row] of rows.entries()) if (list.children[place] !== row) list.insertBefore(row, list.children[place] ?? null);
    if (focused) list.querySelector(`[data-id="${focused}"] a`)?.focus();
  }

  /** Marks the entry that is open. */
  mark() {
    for (const link of this.list.querySelectorAll("a")) link.ariaCurrent = String(link.hash === location.hash);
  }
}

/** A row with the texts of a newer one. */
function renewed(row, newer) {
  if (!row) return newer;
  const texts = newer.querySelectorAll("span");
  for (const [place, span] of row.querySelectorAll("span").entries()) write(span, texts[place].textContent);
  return row;
}

function link(kind, id, ...parts) {
  const texts = parts.map(([className, textContent]) => make("span", { className, textContent }));
  const address = `#/${kind}/${id}`;
  return make("li", { data: { id } }, make("a", { href: address, ariaCurrent: String(location.hash === address) }, make("span", { className: "id", textContent: id }), ...texts));
}

function sessionRow({ id, deck, user, key, lastActiveAt, version, record }) {
  const facts = [user && `user ${user}`, deck ?? "inline deck", key && `key ${key}`].filter(Boolean);
  const state = [`version ${version}`, record && "recorded"].filter(Boolean);
  return link("sessions", id, ["facts", facts.join(" · ")], ["used", `used ${ago(lastActiveAt)}`], ["state", state.join(", ")]);
}

const deckRow = ({ id, cardCount, revision }) => link("decks", id, ["facts", `${count(cardCount, "card")} · revision ${revision}`]);

export class Lists {
  #sessions;
  #decks;
  #tab = "tab-sessions";

  /** `refresh` is called when something else should be listed. */
  constructor(refresh) {
    this.#sessions = new PagedList({ list: "sessions", more: "more", member: "sessions", row: sessionRow, onMore: refresh });
    this.#decks = new PagedList({ list: "decks", more: "more-decks", member: "decks", row: deckRow, onMore: refresh });
    this.showTab = useTabs(find("list-tabs"), (id) => {
      this.#tab = id;
      refresh();
    });
    let typing = 0;
    const search = () => {
      clearTimeout(typing);
      this.#sessions.restart();
      typing = setTimeout(refresh, 250);
    };
    find("search-by").addEventListener("change", () => {
      find("search-for").placeholder = HINTS[find("search-by").value];
      find("search-for").value = "";
      search();
    });
    find("search-for").addEventListener("input", search);
    find("search").addEventListener("submit", (event) => {
      event.preventDefault();
      search();
    });
    find("search-for").placeholder = HINTS[find("search-by").value];
  }

  /** Whether sessions are searched. */
  get isSearch() {
    return find("search-for").value.trim() !== "";
  }

  /** Lists the sessions of a deck. */
  searchDeck(id) {
    find("search-by").value = "deck";
    find("search-for").value = id;
    this.#sessions.restart();
    this.showTab("tab-sessions");
  }

  mark() {
    this.#sessions.mark();
    this.#decks.mark();
  }

  async refresh() {
    await (this.#tab === "tab-decks" ? this.#readDecks() : this.#readSessions());
  }

  async #readDecks() {
    const read = await this.#decks.read(`/v1/decks?limit=${PAGE}`);
    if (!read) return;
    const number = count(read.shown, "deck");
    write(find("deck-count"), read.shown ? (read.hasMore ? `The first ${number}` : number) : "No decks are stored.");
  }

  async #readSessions() {
    const [by, text] = [find("search-by").value, find("search-for").value.trim()];
    // What cannot be an id is the id of nothing.
    if (text && by !== "user" && !(by === "deck" ? /^[\w-]{1,64}$/ : /^[\w-]{4,64}$/).test(text)) {
      this.#sessions.clear();
      write(find("count"), by === "deck" ? "This is not the id of a deck." : "Enter at least 4 characters of the id.");
      return;
    }
    const read = await this.#sessions.read(`/v1/sessions?limit=${PAGE}${text && `&${by}=${encodeURIComponent(text)}`}`);
    if (read) write(find("count"), this.#describe(read, text && by));
  }

  #describe({ shown, hasMore }, by) {
    if (!by) return shown ? (hasMore ? `The last used ${shown}` : count(shown, "session")) : "No sessions yet.";
    if (!shown) return hasMore ? "None among the last used sessions so far. Show more continues the search." : NOTHING[by];
    return hasMore ? `The first ${shown} found` : `${count(shown, "session")} found`;
  }
}
