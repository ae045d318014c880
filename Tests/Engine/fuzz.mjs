// Calls engine.wasm with anything: damaged snapshots with a valid checksum, random numbers as events, times that no session
// has, unknown handles. No call may trap. The snapshots and the events to damage are those of a trace.

import { engineBytes } from "./engine.mjs";
import { Trace } from "./trace.mjs";

const [, , file, seed, rounds] = process.argv;
const trace = new Trace(file);
const records = [];
while (!trace.isAtEnd) records.push(trace.record());
const snapshots = records.filter(({ kind }) => kind === "open").map(({ snapshot }) => snapshot);
const events = records.filter(({ kind }) => kind === "apply").map(({ event }) => event);

let state = BigInt(seed);
/** SplitMix64. */
function random(below) {
  state = (state + 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn;
  let mixed = state;
  mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & 0xffffffffffffffffn;
  mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & 0xffffffffffffffffn;
  return Number((mixed ^ (mixed >> 31n)) % BigInt(below));
}
const pick = (list) => list[random(list.length)];
const EXTREMES = [0, -0, 1, -1, 0.5, 1e6, -1e6, 1e9, 1e12, 1e13, 1e15, 2 ** 31, 2 ** 53, 1e300, -1e300, NaN, Infinity, -Infinity];

const wasm = (await WebAssembly.instantiate(engineBytes)).instance.exports;

function input(bytes) {
  // The memory can grow, and then has another buffer.
  const place = wasm.reserve(bytes.length);
  new Uint8Array(wasm.memory.buffer, place, bytes.length).set(bytes);
}

/** FNV-1a, 64 bits. */
function withChecksum(bytes) {
  let sum = 0xcbf29ce484222325n;
  for (const byte of bytes.subarray(0, -8)) sum = ((sum ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  new DataView(bytes.buffer).setBigUint64(bytes.length - 8, sum, true);
  return bytes;
}

function damaged(snapshot) {
  const bytes = snapshot.slice(0, random(10) ? snapshot.length : 8 + random(snapshot.length - 8));
  for (let count = random(4); count > 0; count--) {
    const place = random(bytes.length);
    if (random(3)) bytes[place] = pick([0, 1, 2, 0x7f, 0x80, 0xff, random(256)]);
    else if (place + 8 < bytes.length) new DataView(bytes.buffer).setFloat64(place, pick(EXTREMES), true);
  }
  return random(20) ? withChecksum(bytes) : bytes;
}

function damagedEvent() {
  const event = pick(events).slice();
  for (let count = random(3); count > 0; count--) event[random(event.length)] = random(2) ? pick(EXTREMES) : random(20);
  return random(10) ? event : event.slice(0, random(event.length + 1));
}

const counts = { calls: 0, opened: 0, refused: 0, applied: 0 };
const call = (name, ...values) => {
  counts.calls += 1;
  return wasm[name](...values);
};

for (let round = 0; round < Number(rounds); round++) {
  const bytes = damaged(pick(snapshots));
  input(bytes);
  const handle = call("open", random(30) ? bytes.length : random(1000) - 100);
  if (handle < 0) counts.refused += 1;
  else counts.opened += 1;
  let time = handle < 0 ? 0 : wasm.now(handle);
  for (let step = 0; step < (handle < 0 ? 1 : 12); step++) {
    const event = damagedEvent();
    if (random(8)) event[1] = time += random(400);
    input(new Uint8Array(event.buffer));
    const target = random(30) ? handle : random(4000) - 2000;
    if (call("apply", target, random(30) ? event.length : random(50) - 10) >= 0) counts.applied += 1;
    call("frame", target, random(4) ? time + random(5000) : pick(EXTREMES));
    if (!random(6)) call("advance", target, random(4) ? time + random(100) : pick(EXTREMES));
    if (!random(20)) call("close", call("copy", target));
  }
  call("close", handle);
  if (!random(100)) call("reserve", pick([0, -1, 7, 2 ** 31 - 1, 2 ** 24 + 1]));
}
if (counts.opened < rounds / 20 || counts.applied < rounds / 2) throw new Error(`too few calls had an effect: ${JSON.stringify(counts)}`);
console.log(`no trap: ${counts.calls} calls, ${counts.opened} snapshots opened, ${counts.refused} refused, ${counts.applied} events applied`);
