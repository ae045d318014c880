// Repeats a trace of Tests/DeckEngineTests/Client with engine.wasm, and compares every number with the native engine's and
// every object with the server's JSON.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { DeckEngine, engineBytes } from "./engine.mjs";
import { eventOf } from "./events.mjs";

const file = await readFile(process.argv[2]);
const bytes = new Uint8Array(file);
const numbers = new Float64Array(bytes.buffer, 0, bytes.length / 8);
let position = 0;

const next = () => numbers[position++];
const list = (count = next()) => (count < 0 ? null : numbers.subarray(position, (position += count)));
function text() {
  const count = next();
  const start = position * 8;
  position += Math.ceil(count / 8);
  return bytes.subarray(start, start + count);
}
const json = () => {
  const string = new TextDecoder().decode(text());
  return string && JSON.parse(string);
};

const wasm = (await WebAssembly.instantiate(engineBytes)).instance.exports;
const module = await DeckEngine.load(engineBytes);
const counts = { events: 0, frames: 0, objects: 0 };
let handle = -1;
let session;

/** Whether the output of a call has the bits that the trace has. */
function compare(count, expected, what) {
  if (!expected) return assert.ok(count < 0, `${what}: no error`);
  assert.ok(count >= 0, `${what}: error ${count}`);
  const found = new Float64Array(wasm.memory.buffer, wasm.output(), count).slice();
  assert.deepEqual(new BigUint64Array(found.buffer), new BigUint64Array(expected.slice().buffer), `${what}: ${found} is not ${expected}`);
}

/** The same members in the same order. */
function compareObjects(found, expected, what) {
  assert.equal(JSON.stringify(found), JSON.stringify(expected), what);
  counts.objects += 1;
}

const records = {
  0: () => {
    const snapshot = text().slice();
    const cards = json();
    wasm.close(handle);
    session?.close();
    new Uint8Array(wasm.memory.buffer, wasm.reserve(snapshot.length), snapshot.length).set(snapshot);
    handle = wasm.open(snapshot.length);
    assert.ok(handle >= 0, `open: error ${handle}`);
    session = module.open(snapshot, { session: "s", cards });
    session.names = Object.fromEntries(Object.entries(cards).map(([number, { id }]) => [number, id]));
  },
  1: () => {
    const event = list();
    const expected = list();
    const answer = json();
    new Float64Array(wasm.memory.buffer, wasm.reserve(event.length * 8), event.length).set(event);
    compare(wasm.apply(handle, event.length), expected, `event ${event}`);
    const object = eventOf(event, session.names);
    const { result, notifications } = session.apply(object);
    if (answer) compareObjects({ result, notifications }, answer, `event ${JSON.stringify(object)}`);
    counts.events += 1;
  },
  2: () => {
    const time = next();
    compare(wasm.frame(handle, time), list(), `frame at ${time}`);
    const frame = json();
    if (frame) compareObjects(session.frame(time, { labels: true, data: true }), frame, `frame at ${time}`);
    counts.frames += 1;
  },
  3: () => {
    const time = next();
    compare(wasm.advance(handle, time), list(), `advance to ${time}`);
    const answer = json();
    const notifications = session.advance(time);
    if (answer) compareObjects({ notifications }, answer, `advance to ${time}`);
  },
};

while (position < numbers.length) records[next()]();
console.log(`the same: ${counts.events} events, ${counts.frames} frames, ${counts.objects} objects`);
