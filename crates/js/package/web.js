/** The package in browsers and workers: the module is fetched from beside this file. */

import { load, moduleVersion } from "./engine.js";

const url = new URL("./absolve.wasm", import.meta.url);
const response = await fetch(url);
if (!response.ok) throw new Error(`cannot load ${url}: ${response.status} ${response.statusText}`);
const isTyped = response.headers.get("Content-Type") === "application/wasm";
load(await (isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer())));

export * from "./absolve.js";
export const version = moduleVersion();
