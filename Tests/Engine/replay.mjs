// Repeats a trace with engine.wasm, and compares every number with the native engine's and every object with the server's
// JSON.

import assert from "node:assert/strict";
import { DeckEngine, engineBytes } from "./engine.mjs";
import { eventOf } from "./events.mjs";
import { Trace } from "./trace.mjs";

const trace = new Trace(process.argv[2]);
const wasm = (await WebAssembly.instantiate(engineBytes)).instance.exports;
const module = await DeckEngine.load(engineBytes);
const counts = { events: 0, frames: 0, objects: 0 };
let handle = -1;
let session;
let ids;

/** Whether the output of a call has the bits that the trace has. */
function compare(count, expected, what) {
  if (!expected) return assert.ok(count < 0, `${what}: no error`);
  assert.ok(count >= 0, `${what}: error ${count}`);
  const found = new Float64Array(wasm.memory.buffer, wasm.output(), count).slice();
  const bits = (numbers) => new BigUint64Array(numbers.buffer, 0, numbers.length);
  assert.ok(bits(found).every((word, index) => word === bits(expected)[index]) && found.length === expected.length, `${what}: ${found} is not ${expected}`);
}

/** Whether an object has the members of the server's JSON, in its order. */
function compareObjects(found, expected, what) {
  if (!expected) return;
  const texts = [found, expected].map((object) => JSON.stringify(object));
  assert.ok(texts[0] === texts[1], `${what}: ${texts[0]} is not ${texts[1]}`);
  counts.objects += 1;
}

function input(numbers, list = Float64Array) {
  // The memory can grow, and then has another buffer.
  const place = wasm.reserve(numbers.length * list.BYTES_PER_ELEMENT);
  new list(wasm.memory.buffer, place, numbers.length).set(numbers);
  return numbers.length;
}

const steps = {
  open({ snapshot, cards }) {
    wasm.close(handle);
    session?.close();
    handle = wasm.open(input(snapshot, Uint8Array));
    assert.ok(handle >= 0, `open: error ${handle}`);
    session = module.open(snapshot, { session: "s", cards });
    ids = Object.fromEntries(Object.entries(cards).map(([number, { id }]) => [number, id]));
  },
  apply({ event, expected, json }) {
    compare(wasm.apply(handle, input(event)), expected, `event ${event}`);
    const object = eventOf(event, ids);
    const { result, notifications } = session.apply(object);
    compareObjects({ result, notifications }, json, `event ${JSON.stringify(object)}`);
    counts.events += 1;
  },
  frame({ time, expected, json }) {
    compare(wasm.frame(handle, time), expected, `frame at ${time}`);
    if (json) compareObjects(session.frame(time, { labels: true, data: true }), json, `frame at ${time}`);
    counts.frames += 1;
  },
  advance({ time, expected, json }) {
    compare(wasm.advance(handle, time), expected, `advance to ${time}`);
    compareObjects({ notifications: session.advance(time) }, json, `advance to ${time}`);
  },
};

while (!trace.isAtEnd) {
  const record = trace.record();
  steps[record.kind](record);
}
console.log(`the same: ${counts.events} events, ${counts.frames} frames, ${counts.objects} objects`);
