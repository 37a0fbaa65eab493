/**
 * The cases of other projects' test suites, in `fixtures/javascript`: each is as they expect, or has a deviation with its reason, which
 * `docs/javascript.md` gives as well.
 */

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { absolve, ROOT } from "./support.mjs";

const FOLDER = path.join(ROOT, "fixtures/javascript");

/** How many cases each suite has, and how many of them deviate. */
const SUITES = {
  "eleventy": [48, 4],
  "eleventy-plugin-rss": [7, 0],
  "ghost-url-utils": [105, 6],
  "posthtml-base-url": [10, 1],
  "posthtml-urls": [98, 2],
  "rehype-urls": [1, 0],
};

/** Returns what the package makes of a case. */
function outcome({ type = "html", input, url, options, only }) {
  const rewriter = new absolve.Rewriter(options);
  if (type === "reference") return ofReference(rewriter, input, url);
  if (only) return someLinks(rewriter, input, { type, url }, only);
  return rewriter.document(input, type, { url }).content;
}

/** Returns what a reference becomes as the target of a link. */
function ofReference(rewriter, reference, url) {
  const [before, after] = ['<a href="', '">'];
  return rewriter.html(before + reference + after, { url }).content.slice(before.length, -after.length);
}

/** Returns a document with some of its links made absolute, as `docs/javascript.md#some-of-the-links` does it. */
function someLinks(rewriter, document, source, { elements, references }) {
  const chosen = rewriter.links(document, source).filter((link) => elements?.includes(link.element) ?? link.reference.includes(references));
  return rewriter.edits(document, source)
    .filter((edit) => chosen.some((link) => link.start <= edit.start && edit.end <= link.end))
    .reduceRight((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), document);
}

/** Returns what of a result is compared. */
function compared({ type, compare }, text) {
  return compare === "links" ? absolve.links(text, { type }).map((link) => link.reference) : text;
}

function checkCase(one) {
  const actual = compared(one, outcome(one));
  const expected = compared(one, one.expected);
  if (one.deviation) {
    assert.deepEqual(actual, compared(one, one.actual), one.name);
    assert.notDeepEqual(actual, expected, `${one.name} is as they expect, and has a deviation`);
  } else {
    assert.deepEqual(actual, expected, one.name);
  }
}

const suites = Object.keys(SUITES).map((name) => [name, JSON.parse(fs.readFileSync(path.join(FOLDER, `${name}.json`), "utf8"))]);

for (const [name, suite] of suites) {
  test(`the cases of ${suite.version}`, () => {
    suite.cases.forEach(checkCase);
    assert.deepEqual([suite.cases.length, suite.cases.filter((one) => one.deviation).length], SUITES[name]);
  });
}

test("95 of 100 cases are as they expect, and no suite is left out", () => {
  assert.deepEqual(fs.readdirSync(FOLDER).sort(), Object.keys(SUITES).map((name) => `${name}.json`).sort());
  const cases = suites.flatMap(([, suite]) => suite.cases);
  const alike = cases.filter((one) => !one.deviation).length;
  assert.ok(alike / cases.length >= 0.95, `${alike} of ${cases.length}`);
});

test("the documentation has the number of cases, and each deviation with its reason", () => {
  const documentation = fs.readFileSync(path.join(ROOT, "docs/javascript.md"), "utf8").replaceAll(/\s+/g, " ");
  const cases = suites.flatMap(([, suite]) => suite.cases);
  const alike = cases.filter((one) => !one.deviation).length;
  assert.ok(documentation.includes(`Of ${cases.length} cases, ${alike} are as they expect.`));
  const reasons = new Set(suites.flatMap(([, suite]) => suite.cases.flatMap((one) => one.deviation ?? [])));
  for (const reason of reasons) assert.ok(documentation.includes(reason), reason);
});
