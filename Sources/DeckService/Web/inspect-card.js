// The content of a card: of the card in front, or of a chosen one.

import { ask } from "/web/inspect-client.js";
import { find } from "/web/inspect-dom.js";
import { formatted } from "/web/json.js";

export class CardPanel {
  /** The index of the chosen card; null: the one in front. */
  #chosen = null;
  #written = null;
  #ended = new AbortController();

  constructor(path) {
    this.path = path;
    const on = (id, type, handler) => find(id).addEventListener(type, handler, { signal: this.#ended.signal });
    on("card-number", "change", () => this.choose(Number(find("card-number").value) - 1));
    on("card-front", "click", () => this.#follow());
    find("card-number").value = "";
    this.#write("", "");
  }

  close() {
    this.#ended.abort();
  }

  /** Shows the card in front of a frame, unless another one was chosen. */
  show({ cardCount }, front) {
    find("card-number").max = cardCount;
    this.front = front;
    if (this.#chosen !== null) return;
    find("card-front").disabled = true;
    if (!front) return this.#write("No card is in front.", "");
    // Somebody may be typing another number.
    if (document.activeElement !== find("card-number")) find("card-number").value = front.index + 1;
    this.#writeCard(front, `In front, card ${front.index + 1} of ${cardCount}`);
  }

  /** Shows a card of the session as it is now. */
  async choose(index) {
    if (!Number.isInteger(index) || index < 0) return;
    this.#chosen = index;
    find("card-front").disabled = false;
    find("card-number").value = index + 1;
    try {
      const card = await (await ask(`${this.path}/cards/${index}`)).json();
      if (this.#chosen === index && !this.#ended.signal.aborted) this.#writeCard(card, `Card ${index + 1}`);
    } catch (error) {
      if (this.#chosen === index) this.#write(error.message, "");
    }
  }

  #follow() {
    this.#chosen = null;
    this.show({ cardCount: find("card-number").max }, this.front);
  }

  #writeCard({ id, label, data }, place) {
    this.#write(`${place}: ${[id, label].filter(Boolean).join(", ")}`, data === undefined || data === null ? "No data." : formatted(data));
  }

  #write(title, text) {
    if (this.#written === title + text) return;
    this.#written = title + text;
    find("card-title").textContent = title;
    find("card-data").textContent = text;
  }
}
