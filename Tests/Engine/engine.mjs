// The engine and the client module as they are served, loaded by Node.

import { readFileSync } from "node:fs";

const built = new URL("../../Sources/DeckService/Web/Built/", import.meta.url);
const source = readFileSync(new URL("deckd.js", built));

/** The module in WebAssembly. */
export const engineBytes = readFileSync(new URL("engine.wasm", built));
// The file is a module, but its name does not say so to Node.
export const { DeckEngine, EngineError } = await import(`data:text/javascript;base64,${source.toString("base64")}`);
