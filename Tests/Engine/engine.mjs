// engine.wasm and the part of /deckd.js that calls it, as Node loads them.

import { readFileSync } from "node:fs";

const client = new URL("../../Sources/DeckService/Web/Client/", import.meta.url);
const source = readFileSync(new URL("engine.js", client));

/** The module in WebAssembly. */
export const engineBytes = readFileSync(process.env.DECKD_TEST_ENGINE ?? new URL("engine.wasm", client));
// A part is a module by itself, but its name does not say so to Node.
export const { DeckEngine, EngineError } = await import(`data:text/javascript;base64,${source.toString("base64")}`);
