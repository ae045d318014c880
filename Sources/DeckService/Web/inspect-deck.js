// One stored deck: its cards, in pages.

import { ask } from "/web/inspect-client.js";
import { count, find, make } from "/web/inspect-dom.js";
import { formatted } from "/web/json.js";

const PAGE = 50;

export class DeckView {
  #cards = [];
  #first = 0;
  #ended = new AbortController();
  #hasRead = false;

  /** `onSessions` is called when the deck's sessions are wanted. */
  constructor(id, onSessions) {
    this.id = id;
    find("deck-title").textContent = `Deck ${id}`;
    find("deck-state").textContent = find("deck-place").textContent = "";
    find("deck-cards").replaceChildren();
    const on = (id, handler) => find(id).addEventListener("click", handler, { signal: this.#ended.signal });
    on("deck-sessions", onSessions);
    on("deck-before", () => this.#show(this.#first - PAGE));
    on("deck-after", () => this.#show(this.#first + PAGE));
    for (const id of ["deck-before", "deck-after"]) find(id).disabled = true;
  }

  close() {
    this.#ended.abort();
  }

  /** Reads the deck, once: a large one has millions of bytes. */
  async refresh() {
    if (this.#hasRead) return;
    this.#hasRead = true;
    try {
      const response = await ask(`/v1/decks/${this.id}`);
      const { preset, cards, count: number } = await response.json();
      if (this.#ended.signal.aborted) return;
      const revision = response.headers.get("ETag").replaceAll('"', "");
      find("deck-state").textContent = `${count(cards?.length ?? number, "card")} · revision ${revision} · preset ${preset}${cards ? "" : " · numbered cards without data"}`;
      this.#cards = cards ?? [];
      this.#show(0);
    } catch (error) {
      if (this.#ended.signal.aborted) return;
      // With another key, a deck that was refused is read again.
      this.#hasRead = [403, 404].includes(error.status) && !find("gate").open;
      if (!this.#hasRead) throw error;
      find("deck-state").textContent = error.status === 404 ? "There is no deck with this id." : error.message;
    }
  }

  #show(first) {
    this.#first = Math.max(0, first);
    const end = Math.min(this.#first + PAGE, this.#cards.length);
    find("deck-before").disabled = this.#first === 0;
    find("deck-after").disabled = end === this.#cards.length;
    find("deck-place").textContent = this.#cards.length ? `${this.#first + 1}–${end} of ${this.#cards.length.toLocaleString("en")}` : "";
    find("deck-cards").replaceChildren(...this.#cards.slice(this.#first, end).map((card, place) => this.#row(card, this.#first + place)));
  }

  #row({ id, label, data, ...rules }, index) {
    const row = make("li", {}, make("span", { className: "at", textContent: index + 1 }), make("b", { textContent: id }));
    if (label) row.append(make("span", { textContent: label }));
    if (data !== undefined) row.append(make("pre", { textContent: formatted(data) }));
    if (Object.keys(rules).length) row.append(make("p", { textContent: "Rules of this card:" }), make("pre", { textContent: formatted(rules) }));
    return row;
  }
}
