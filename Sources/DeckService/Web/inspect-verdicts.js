// The verdicts of a session that were not reverted.

import { ask } from "/web/inspect-client.js";
import { clockTime, count, find, make } from "/web/inspect-dom.js";

const PAGE = 200;

export class VerdictList {
  #shownCount = PAGE;
  #ended = new AbortController();
  #reading = null;

  /** `onMoment` gets the time of a chosen verdict, `onCard` the index of its card. */
  constructor(path, onMoment, onCard) {
    Object.assign(this, { path, onMoment, onCard });
    find("verdicts").replaceChildren();
    find("verdict-state").textContent = "";
    find("more-verdicts").hidden = true;
    find("more-verdicts").addEventListener("click", () => {
      this.#shownCount += PAGE;
      this.refresh();
    }, { signal: this.#ended.signal });
  }

  close() {
    this.#ended.abort();
  }

  /** Reads the list again, one request at a time. */
  refresh() {
    this.#reading = (this.#reading ?? Promise.resolve()).then(() => this.#read()).catch((error) => {
      find("verdict-state").textContent = error.message;
    });
  }

  async #read() {
    const found = [];
    let isFull = true;
    while (isFull && found.length < this.#shownCount) {
      const limit = Math.min(1000, this.#shownCount - found.length);
      const { verdicts } = await (await ask(`${this.path}/verdicts?after=${found.at(-1)?.seq ?? 0}&limit=${limit}`)).json();
      found.push(...verdicts);
      isFull = verdicts.length === limit;
    }
    if (this.#ended.signal.aborted) return;
    find("verdict-state").textContent = found.length ? count(found.length, "verdict") : "No verdicts yet.";
    find("more-verdicts").hidden = !isFull;
    find("verdicts").replaceChildren(...found.map((verdict) => this.#row(verdict)));
  }

  #row({ at, index, id, direction }) {
    const moment = make("button", { type: "button", className: "at", textContent: clockTime(at), title: "Show this moment" });
    const card = make("button", { type: "button", className: "card", textContent: id, title: "Show this card" });
    moment.addEventListener("click", () => this.onMoment(at));
    card.addEventListener("click", () => this.onCard(index));
    return make("li", {}, moment, make("span", { className: direction, textContent: direction }), card);
  }
}
