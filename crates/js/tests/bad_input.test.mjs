/** Whatever is passed, the result is right or an `AbsolveError` with a code, and the next call works. */

import assert from "node:assert/strict";
import test from "node:test";
import { absolve } from "./support.mjs";

const { AbsolveError, links, resolve, rewrite, Rewriter, unpack } = absolve;
const URL_OF_PAGE = "https://example.org/d/";
const PAGE = '<a href="x">';
const CODES = ["invalid-option", "invalid-url", "invalid-data", "too-large", "internal"];

const throwing = (what) => new Proxy({}, { get: () => { throw what; }, ownKeys: () => { throw what; }, getPrototypeOf: () => { throw what; } });
const revoked = () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; };
const cyclic = () => { const value = {}; value.map = value; return value; };
const deep = () => { let value = {}; for (let level = 0; level < 100_000; level++) value = { map: value }; return value; };

/** Values of all kinds; none is data, a URL, options or a name. */
const WRONG = {
  "a number": 7, "NaN": NaN, "a boolean": true, "a BigInt": 7n, "a symbol": Symbol("x"), "a function": () => "x", "an array": ["x"], "an array of bytes": [1, 2],
  "a Map": new Map([["x", "y"]]), "a Set": new Set(["x"]), "a RegExp": /x/, "a Date": new Date(NaN), "an error": new Error("x"), "a promise": Promise.resolve("x"),
  "an ArrayBuffer": new ArrayBuffer(3), "a DataView": new DataView(new ArrayBuffer(3)), "words of 16 bits": new Uint16Array(3), "a String object": Object("x"),
  "a proxy that throws": throwing(new Error("x")), "a proxy that throws undefined": throwing(undefined), "a revoked proxy": revoked(), "a cycle": cyclic(), "a deep object": deep(),
  "an object without a prototype": Object.create(null, { x: { value: 1, enumerable: true } }),
  "a getter that throws": Object.defineProperty({}, "url", { enumerable: true, get: () => { throw new RangeError("x"); } }),
  "a toString that throws": { toString: () => { throw new Error("x"); }, x: 1 }, "a toJSON that throws": { toJSON: () => { throw new Error("x"); } },
  ...Object.fromEntries(["Uint8Array", "URL", "Map", "Array", "String"].map((name) => [`what calls itself ${name}`, { [Symbol.toStringTag]: name, x: 1 }])),
  "a lone surrogate": "\ud800", "a lone surrogate at the end": "http://h/\udfff",
};

/** Returns calls with each wrong value, but for those that are right there. */
const wrong = (call, right) => Object.entries(WRONG).filter(([name]) => name !== right).map(([name, value]) => [name, () => call(value)]);

/** Returns what is wrong with the error that a call throws, if anything. Afterwards the module must work. */
function problem(call, name, codes = CODES.slice(0, 3)) {
  let found = `${name}: no error`;
  try {
    call();
  } catch (error) {
    const { code, message } = error instanceof AbsolveError && error.name === "AbsolveError" ? error : {};
    found = codes.includes(code) && message.length > 10 && message.length < 2000 ? "" : `${name}: ${code ?? "no AbsolveError"}: ${error?.stack ?? String(error)}`;
  }
  works();
  return found.slice(0, 300);
}

/** Asserts that each call throws an error of the package; the calls are by what they pass. */
function refused(calls) {
  assert.deepEqual(calls.map(([name, call]) => problem(call, name)).filter((found) => found !== ""), []);
}

function works() {
  assert.equal(rewrite(PAGE, { url: URL_OF_PAGE }), '<a href="https://example.org/d/x">');
}

/** Each argument of each function: the calls that get a wrong value in its place. */
const ARGUMENTS = {
  "data of rewrite": (value) => rewrite(value, { url: URL_OF_PAGE }),
  "data of links": (value) => links(value),
  "data of unpack": (value) => unpack(value),
  "data of html": (value) => new Rewriter().html(value),
  "data of document": (value) => new Rewriter().document(value, "css"),
  "data of message": (value) => new Rewriter().message(value),
  "data of edits": (value) => new Rewriter().edits(value),
  "data of base": (value) => new Rewriter().base(value),
  "reference of resolve": (value) => resolve(value, URL_OF_PAGE),
  "base of resolve": (value) => resolve("x", value),
  "standard of resolve": (value) => resolve("x", URL_OF_PAGE, { standard: value }),
  "url of rewrite": (value) => rewrite(PAGE, { url: value }),
  "url of html": (value) => new Rewriter().html(PAGE, { url: value }),
  "type of rewrite": (value) => rewrite(PAGE, { type: value }),
  "type of document": (value) => new Rewriter().document(PAGE, value),
  "source of html": (value) => new Rewriter().html(PAGE, value),
  "source of links": (value) => new Rewriter().links(PAGE, value),
  "options of resolve": (value) => resolve("x", URL_OF_PAGE, value),
  ...Object.fromEntries(["standard", "precedence", "baseElement", "root", "imagesUrl", "relativeLinks", "sameDocument", "feedBase", "spelling",
    "purpose", "headers", "signatures", "messageUrl", "charset"].map((name) => [`option ${name}`, (value) => new Rewriter({ [name]: value })])),
};

for (const [argument, call] of Object.entries(ARGUMENTS)) {
  test(`wrong values as ${argument}`, () => refused(wrong(call)));
}

test("wrong values as options", () => {
  const takers = [(options) => new Rewriter(options), (options) => rewrite(PAGE, options), (options) => links(PAGE, options), (options) => unpack(PAGE, options)];
  for (const call of takers) refused(wrong(call));
  for (const option of ["groups", "attributes", "keep", "map"]) {
    refused(wrong((value) => new Rewriter({ [option]: value }), option === "keep" ? "an array" : undefined));
    refused(wrong((value) => new Rewriter({ [option]: option === "map" ? { "http://a/": value } : [value] })));
  }
  refused([
    ["an unknown option", () => new Rewriter({ nothing: 1 })],
    ["an expression that is none", () => new Rewriter({ keep: ["("] })],
    ["a map of no URLs", () => new Rewriter({ map: { x: "y" } })],
    ["a map with other keys", () => new Rewriter({ map: new Map([[Symbol("x"), "http://a/"]]) })],
    ["a charset that is none", () => new Rewriter({ charset: "utf-9" })],
  ]);
});
