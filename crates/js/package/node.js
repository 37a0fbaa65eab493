/** The package in Node, Deno and Bun: the module is read from the file beside this one. */

import { readFileSync } from "node:fs";
import { load, moduleVersion } from "./engine.js";

load(new WebAssembly.Module(readFileSync(new URL("./absolve.wasm", import.meta.url))));

export * from "./absolve.js";
export const version = moduleVersion();
