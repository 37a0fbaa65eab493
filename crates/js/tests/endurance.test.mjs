/** Many calls, long documents, and workers that end in the middle. `ABSOLVE_LONG=1` adds what takes a gigabyte. */

import assert from "node:assert/strict";
import { once } from "node:events";
import path from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { absolve, PACKAGE } from "./support.mjs";

const { AbsolveError, rewrite, Rewriter } = absolve;
const SOURCE = { url: "https://example.org/d/" };
const CALLS = 100_000;
/** Memory in bytes that such calls may add, when V8 has made the room that it likes to have. */
const GROWTH = 32 << 20;
const skip = process.env.ABSOLVE_LONG !== "1" && "takes a gigabyte of memory (ABSOLVE_LONG=1)";

/** What is called, and how often. Options that are new each time take a thousand times as long. */
const REPEATED = {
  "rewrite with options": [CALLS, (number) => rewrite(`<a href="${number}">`, { ...SOURCE, standard: "rfc3986", keep: ["^x"] })],
  "rewrite with other options each time": [CALLS / 50, (number) => rewrite('<a href="x">', { ...SOURCE, attributes: [`x${number}@href=url`] })],
  "a Rewriter each time": [CALLS, (number) => new Rewriter({ root: `https://example.org/${number % 10}/` }).html('<a href="/x">', SOURCE).content],
  "bytes": [CALLS, () => rewrite(new Uint8Array(200).fill(0x20), SOURCE)],
  "an error each time": [CALLS, () => { try { rewrite("<a href=x>", { url: "x" }); } catch (error) { return error.code; } }],
};

for (const [name, [calls, call]] of Object.entries(REPEATED)) {
  test(`memory is flat over ${calls} calls: ${name}`, () => {
    for (let number = 0; number < calls; number++) call(number);
    const before = process.memoryUsage().rss;
    for (let number = 0; number < calls; number++) call(number);
    const growth = process.memoryUsage().rss - before;
    assert.ok(growth < GROWTH, `${growth} bytes more`);
  });
}

test("a document of 50 MB, and then small ones", () => {
  const page = '<p><a href="x">é</a></p>\n'.repeat(2_000_000);
  const result = new Rewriter().html(page, SOURCE);
  assert.equal(result.counts.rewritten, 2_000_000);
  assert.equal(result.content.length, page.length + 2_000_000 * SOURCE.url.length);
  assert.equal(rewrite('<a href="x">', SOURCE), '<a href="https://example.org/d/x">');
});

for (const length of [500_000_000, 2 ** 29 - 24]) {
  test(`a string of ${length} characters is rewritten, or too large`, { skip }, () => {
    const end = '<a href="x">';
    const page = "x".repeat(length - end.length) + end;
    try {
      assert.equal(rewrite(page, SOURCE).length, length + SOURCE.url.length);
    } catch (error) {
      assert.ok(error instanceof AbsolveError && error.code === "too-large", error.stack);
    }
    assert.equal(rewrite('<a href="x">', SOURCE), '<a href="https://example.org/d/x">');
  });
}

test("a worker that is ended in the middle leaves the others working", async () => {
  const program = `
    import { parentPort } from "node:worker_threads";
    import { rewrite } from ${JSON.stringify(pathToFileURL(path.join(PACKAGE, "node.js")).href)};
    const page = '<a href="x">'.repeat(3_000_000);
    parentPort.postMessage(rewrite('<a href="x">', { url: "https://example.org/d/" }));
    while (true) rewrite(page, { url: "https://example.org/d/" });`;
  const code = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
  for (let time = 0; time < 3; time++) {
    const worker = new Worker(code);
    assert.deepEqual(await once(worker, "message"), ['<a href="https://example.org/d/x">']);
    await new Promise((done) => setTimeout(done, 30 * time));
    await worker.terminate();
    assert.equal(rewrite('<a href="x">', SOURCE), '<a href="https://example.org/d/x">');
  }
});
