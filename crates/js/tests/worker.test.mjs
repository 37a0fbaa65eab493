/** The worker of the page to try the engine in, without a browser: what it answers is what the package returns. */

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { absolve, PACKAGE, ROOT, workshop } from "./support.mjs";

/** Returns a function that sends a request to the worker, and returns its answer. Its sources stand beside the package there, as in the page. */
async function startWorker() {
  const folder = workshop();
  fs.writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }');
  fs.cpSync(path.join(ROOT, "crates/js/try"), path.join(folder, "try"), { recursive: true });
  fs.cpSync(PACKAGE, path.join(folder, "package"), { recursive: true });
  let answer;
  globalThis.self = globalThis;
  globalThis.postMessage = (message) => message.stage ?? answer(message);
  await import(pathToFileURL(path.join(folder, "try/worker.js")));
  const request = (action, details) => new Promise((resolve) => {
    answer = resolve;
    self.onmessage({ data: { id: 1, action, ...details } });
  });
  await request("start", { module: new WebAssembly.Module(fs.readFileSync(path.join(PACKAGE, "absolve.wasm"))) });
  return request;
}

test("the worker answers with what the package returns", async () => {
  const request = await startWorker();
  const url = "https://example.org/d/";
  const documents = { html: '<a href="x">', css: "a { b: url(c) }", markdown: "[a](b)", message: "Content-Type: text/html\n\n<a href=x>" };
  for (const [type, data] of Object.entries(documents)) {
    const { result, failure } = await request("rewrite", { data, type, url, options: {} });
    assert.equal(failure, undefined);
    assert.equal(await result.blob.text(), absolve.rewrite(data, { url, type }));
    assert.equal(result.changes, 1);
    const { result: listed } = await request("links", { from: 0, count: 9 });
    assert.deepEqual(listed.links, absolve.links(data, { url, type }));
  }
  const { failure } = await request("rewrite", { data: "", type: "html", url: "x", options: {} });
  assert.equal(failure.code, "invalid-url");
});
