/** The types of the package, as TypeScript reads them in a project of its own. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { absolve, lacks, PACKAGE, workshop } from "./support.mjs";

const skip = lacks("typescript", "@types/node");

const RIGHT = `
import { AbsolveError, links, resolve, rewrite, Rewriter, unpack, version } from "absolve";
import type { Data, ErrorCode, Finding, Link, Options, Page, UnpackedFile } from "absolve";
import eleventy from "absolve/eleventy";
import rehype from "absolve/rehype";

const text: string = rewrite("x", { url: new URL("https://example.org/"), type: "markdown", standard: "rfc3986", keep: ["^x"] });
const bytes: Uint8Array = rewrite(new Uint8Array(3));
const buffer: Buffer = rewrite(Buffer.from("x"));
const options: Options = { map: new Map([["https://a/", "https://b/"]]), groups: ["core", "mjml"], root: "https://example.org/" };
const rewriter = new Rewriter(options);
const page: Page<string> = rewriter.html("x", { url: "https://example.org/" });
const finding: Finding | undefined = page.findings[0];
const found: Link[] = links(text as Data);
const file: UnpackedFile | undefined = unpack(bytes).files[0];
const target: string | null = resolve("x", "https://example.org/", { standard: "whatwg" });
const code: ErrorCode = new AbsolveError("internal", "x").code;
eleventy({}, { url: "https://example.org/", types: { txt: "markdown", css: undefined }, feedBase: "feed" });
rehype({ url: (file: { path: string }) => file.path });
console.log(buffer, finding, found, file, target, code, version);
`;

/** Each line is an error. */
const WRONG = `
import { rewrite, Rewriter } from "absolve";
import eleventy from "absolve/eleventy";
import rehype from "absolve/rehype";
rewrite(7);
rewrite("x", { standard: "rfc9999" });
rewrite("x", { baseElement: true });
rewrite("x", { keep: [/x/] });
new Rewriter({ url: "https://example.org/" });
new Rewriter().html("x", { uri: "x" });
new Rewriter().document("x", "pdf");
eleventy({}, {});
rehype({ baseElement: "remove" });
`;

/** Returns what TypeScript says of a program: the lines with errors, and the first message. */
function checked(program) {
  const folder = workshop();
  fs.writeFileSync(path.join(folder, "program.mts"), program);
  const typed = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--types", "node", "program.mts"];
  try {
    execFileSync(path.join(folder, "node_modules/.bin/tsc"), typed, { cwd: folder, encoding: "utf8" });
    return { lines: [], said: "" };
  } catch (error) {
    const lines = [...error.stdout.matchAll(/^program\.mts[(:](\d+)/gm)].map(([, line]) => Number(line));
    return { lines: [...new Set(lines)], said: error.stdout };
  }
}

test("TypeScript accepts what is right", { skip }, () => assert.equal(checked(RIGHT).said, ""));

test("TypeScript finds what is wrong", { skip }, () => {
  const first = WRONG.split("\n").findIndex((line) => line === "rewrite(7);") + 1;
  const { lines, said } = checked(WRONG);
  assert.deepEqual(lines, Array.from({ length: 9 }, (_, index) => first + index), said);
});

test("the package exports what its types declare", () => {
  const declared = [...fs.readFileSync(path.join(PACKAGE, "absolve.d.ts"), "utf8").matchAll(/^export (?:class|function|const) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(Object.keys(absolve).sort(), [...new Set(declared)].sort());
});
