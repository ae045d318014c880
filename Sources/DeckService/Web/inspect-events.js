// The lines of a session's log.

import { clockTime, count, find, make } from "/web/inspect-dom.js";
import { formatted } from "/web/json.js";

const MOST_ROWS = 1000;
/** An event with more characters is folded. */
const LONGEST_LINE = 300;

/** What a line of the log has, by its kind. */
function kindOf({ at: _, event, patch, checkpoint, ...creation }) {
  if (event) {
    const { type, at: _, ...rest } = event;
    return [type, rest];
  }
  if (patch) return ["settings", patch];
  if (checkpoint) return ["checkpoint", checkpoint];
  return creation.session ? ["created", creation] : ["numbers", creation.numbers];
}

export class EventList {
  #lineCount = 0;

  /** `onChoose` gets the time of a chosen line. */
  constructor(onChoose) {
    this.onChoose = onChoose;
    find("events").replaceChildren();
  }

  /** Adds lines. Every one has its time as `at`. */
  add(lines, isCut) {
    this.#lineCount += lines.length;
    find("events").append(...lines.slice(-MOST_ROWS).map((line) => this.#row(line)));
    while (find("events").children.length > MOST_ROWS) find("events").firstChild.remove();
    const left = this.#lineCount > MOST_ROWS ? `, of which the last ${count(MOST_ROWS, "line")} are shown` : "";
    find("log-state").textContent = `${count(this.#lineCount, "line")}${left}${isCut ? "; the log is full and has ended" : ""}`;
  }

  /** Marks the last line that is not after a moment. */
  mark(moment) {
    const rows = [...find("events").children];
    const current = rows.findLast((row) => Number(row.dataset.at) <= moment);
    if (current === this.current) return;
    for (const row of [this.current, current]) if (row) row.firstChild.ariaCurrent = String(row === current);
    this.current = current;
    const list = find("events");
    if (current) list.scrollTop = Math.max(0, current.offsetTop - list.offsetTop - (list.clientHeight - current.clientHeight) / 2);
  }

  #row(line) {
    const [type, content] = kindOf(line);
    const text = Object.keys(content).length ? JSON.stringify(content) : "";
    const isLong = text.length > LONGEST_LINE;
    const button = make(
      "button", { type: "button" },
      make("span", { className: "at", textContent: clockTime(line.at) }), make("b", { textContent: type }),
      ...(text && !isLong ? [make("span", { className: "json", textContent: text })] : []),
    );
    button.addEventListener("click", () => this.onChoose(line.at));
    const row = make("li", { data: { at: line.at } }, button);
    if (isLong) row.append(this.#folded(content, text.length));
    return row;
  }

  /** The content is formatted when it is unfolded for the first time. */
  #folded(content, length) {
    const details = make("details", {}, make("summary", { textContent: count(length, "character") }));
    details.addEventListener("toggle", () => details.append(make("pre", { textContent: formatted(content), tabIndex: 0 })), { once: true });
    return details;
  }
}
