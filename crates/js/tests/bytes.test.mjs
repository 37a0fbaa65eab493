/** Bytes in every kind of buffer, and buffers that are gone. */

import assert from "node:assert/strict";
import test from "node:test";
import vm from "node:vm";
import { absolve } from "./support.mjs";

const { AbsolveError, links, rewrite, Rewriter, unpack } = absolve;
const SOURCE = { url: "https://example.org/d/" };
const PAGE = '<a href="x">é</a>';
const EXPECTED = '<a href="https://example.org/d/x">é</a>';

const bytesOf = (text) => new TextEncoder().encode(text);
const textOf = (bytes) => new TextDecoder().decode(Uint8Array.from(bytes));

/** Returns a view of the page within a larger buffer. */
function within(buffer) {
  const page = bytesOf(PAGE);
  const view = new Uint8Array(buffer, 7, page.length);
  new Uint8Array(buffer).fill(0x3c);
  view.set(page);
  return view;
}

const BUFFERS = {
  "a view of a part": () => within(new ArrayBuffer(100)),
  "a view of shared memory": () => within(new SharedArrayBuffer(100)),
  "a view of a resizable buffer": () => within(new ArrayBuffer(100, { maxByteLength: 1000 })),
  "a view of memory of WebAssembly": () => within(new WebAssembly.Memory({ initial: 1 }).buffer),
  "a Buffer": () => Buffer.from(PAGE),
  "a part of a Buffer": () => Buffer.from(`<<<${PAGE}>>>`).subarray(3, -3),
};

for (const [name, make] of Object.entries(BUFFERS)) {
  test(`${name} is read as its bytes, and stays as it is`, () => {
    const data = make();
    const before = textOf(data);
    const result = rewrite(data, SOURCE);
    assert.equal(textOf(result), EXPECTED);
    assert.equal(textOf(data), before);
    assert.equal(Buffer.isBuffer(result), Buffer.isBuffer(data));
    assert.equal(new Rewriter().html(data, SOURCE).counts.rewritten, 1);
    const [{ start, end }] = links(data, SOURCE);
    assert.equal(textOf(data.subarray(start, end)), "x");
    // What is returned is memory of its own: a later call does not change it, and it can be passed on.
    rewrite(PAGE.replace("x", "y"), SOURCE);
    assert.equal(textOf(result), EXPECTED);
    structuredClone(result, { transfer: [result.buffer] });
  });
}

test("without a change the same object comes back", () => {
  for (const data of [Buffer.from("<p>"), bytesOf("<p>"), new Uint8Array(0), Buffer.alloc(0), "<p>", ""]) {
    assert.equal(rewrite(data, SOURCE), data);
    assert.equal(new Rewriter().html(data, SOURCE).content, data);
  }
});

test("a detached buffer is an error, and the next call works", () => {
  const data = bytesOf(PAGE);
  structuredClone(data, { transfer: [data.buffer] });
  const calls = [() => rewrite(data, SOURCE), () => links(data), () => unpack(data), () => new Rewriter().message(data), () => new Rewriter().edits(data)];
  for (const call of calls) {
    assert.throws(call, (error) => error instanceof AbsolveError && error.code === "invalid-data" && /detached/.test(error.message));
    assert.equal(rewrite(PAGE, SOURCE), EXPECTED);
  }
});

test("a view that its buffer has become too short for is an error", { skip: !("maxByteLength" in ArrayBuffer.prototype) && "without resizable buffers" }, () => {
  const buffer = new ArrayBuffer(100, { maxByteLength: 100 });
  const data = within(buffer);
  buffer.resize(3);
  assert.throws(() => rewrite(data, SOURCE), (error) => error instanceof AbsolveError && error.code === "invalid-data");
});

test("bytes that are no text of any encoding stay, but for the links", () => {
  const data = Uint8Array.from([...Array(256).keys(), ...bytesOf('<a href="x">'), 0xff, 0xfe, 0xc0, 0x80]);
  const result = rewrite(data, SOURCE);
  assert.deepEqual([...result.subarray(0, 256)], [...Array(256).keys()]);
  assert.deepEqual([...result.subarray(-4)], [0xff, 0xfe, 0xc0, 0x80]);
  assert.equal(textOf(result.subarray(256, -4)), '<a href="https://example.org/d/x">');
});

test("offsets in strings count code units, whatever is before", () => {
  for (const before of ["é", "あ", "😀", "a\u0301", "\0", "\ufeff", "é😀あ".repeat(1000)]) {
    const page = `${before}<a href="x😀">`;
    const [{ start, end }] = links(page, SOURCE);
    assert.equal(page.slice(start, end), "x😀", before);
    const edited = new Rewriter().edits(page, SOURCE).reduceRight((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), page);
    assert.equal(edited, rewrite(page, SOURCE), before);
  }
});

test("bytes, URLs and maps of another realm are what they are", () => {
  const [data, url, map] = vm.runInNewContext("[new Uint8Array(bytes), new URL(text), new Map([['https://example.org/', 'https://new.example/']])]",
    { bytes: [...bytesOf(PAGE)], text: SOURCE.url, URL });
  assert.equal(textOf(rewrite(data, { url })), EXPECTED);
  assert.equal(rewrite(PAGE, { url, map }), EXPECTED.replace("example.org", "new.example"));
  assert.equal(rewrite(PAGE, { root: url, url }), EXPECTED);
});
