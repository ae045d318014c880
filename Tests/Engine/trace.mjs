// The records of a trace (Tests/DeckEngineTests/Client/ClientTrace.swift).

import { readFileSync } from "node:fs";

/** Reads the numbers, lists and texts of a trace in order. */
export class Trace {
  #position = 0;

  constructor(file) {
    this.bytes = new Uint8Array(readFileSync(file));
    this.numbers = new Float64Array(this.bytes.buffer, 0, this.bytes.length / 8);
  }

  get isAtEnd() {
    return this.#position === this.numbers.length;
  }

  number() {
    return this.numbers[this.#position++];
  }

  /** null: the call had an error. */
  list() {
    const count = this.number();
    return count < 0 ? null : this.numbers.slice(this.#position, (this.#position += count));
  }

  text() {
    const count = this.number();
    const start = this.#position * 8;
    this.#position += Math.ceil(count / 8);
    return this.bytes.slice(start, start + count);
  }

  /** undefined: there is none. */
  json() {
    const string = new TextDecoder().decode(this.text());
    return string ? JSON.parse(string) : undefined;
  }

  /** The next record. */
  record() {
    switch (this.number()) {
      case 0: return { kind: "open", snapshot: this.text(), cards: this.json() };
      case 1: return { kind: "apply", event: this.list(), expected: this.list(), json: this.json() };
      case 2: return { kind: "frame", time: this.number(), expected: this.list(), json: this.json() };
      default: return { kind: "advance", time: this.number(), expected: this.list(), json: this.json() };
    }
  }
}
