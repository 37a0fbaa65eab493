// What the page to try the engine in computes without a browser.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { commandLine, quoted } from "../try/command.js";
import { aroundChanges, marksOf, readerOf, rowsOf, shownCharset } from "../try/compare.js";
import { differences } from "../try/differences.js";
import { argumentsOf, packageOptions, withNames } from "../try/options.js";
import { guess } from "../try/types.js";

/** Returns a function that returns whole numbers below a limit, the same in each run. */
const numbers = (seed) => (limit) => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * limit);
};

const textOf = (next, length, letters) => Array.from({ length }, () => letters[next(letters.length)]).join("");

test("a shell reads what is quoted as it was", () => {
  const next = numbers(1), all = Array.from({ length: 300 }, () => textOf(next, next(12), ["a", "'", '"', " ", "$HOME", "\n", "`x`", "\\", "*", "!", "~", "é", ";", "-", "#"]));
  const { stdout } = spawnSync("sh", ["-c", `printf '%s\\0' ${all.map(quoted).join(" ")}`], { encoding: "utf8" });
  assert.deepEqual(stdout.split("\0").slice(0, -1), all);
});

test("the command line names what its name and its defaults do not say", () => {
  const job = { name: "a b.html", type: "html", url: "https://h/", given: {} };
  assert.equal(commandLine(job), "absolve rewrite 'a b.html' --url https://h/ --discover nothing -o 'a b-absolute.html'");
  assert.equal(commandLine({ ...job, name: "-x", type: "css", url: "" }), "absolve rewrite ./-x --type css -o ./-x-absolute");
  assert.match(commandLine({ ...job, text: '<meta charset="koi8-r">' }), / --charset utf-8 /);
  assert.doesNotMatch(commandLine({ ...job, text: '<meta charset="UTF-8">' }), /--charset/);
});

test("options are those of the package and of the command line", () => {
  const given = { purpose: "mail", groups: ["core", "amp"], keep: ["^~", "-x"], map: ["https://a/?b=c=https://d"], relativeLinks: "keep", signatures: "break" };
  assert.deepEqual(packageOptions(given).map, { "https://a/?b=c": "https://d" });
  assert.deepEqual(argumentsOf(given), ["--for", "mail", "--groups", "core,amp", "--keep", "^~", "--keep=-x", "--map", "https://a/?b=c=https://d", "--map-only", "--break-signatures"]);
  assert.throws(() => packageOptions({ map: ["https://a=https://b", "https://a=https://c"] }), /leads to both/);
});

test("what the package says has the names of the command line", () => {
  assert.equal(withNames('keep: "(" is not one'), '--keep: "(" is not one');
  assert.equal(withNames("messageUrl gives one to those without a base"), "--message-url gives one to those without a base");
  assert.equal(withNames("keep the map"), "keep the map");
});

test("a type is guessed by the name, else by the first bytes", () => {
  for (const [name, start, type] of [
    ["a.SVG", "", "xml"], ["llms.txt", "", "markdown"], ["", "\ufeff <!DOCTYPE html>", "html"], ["", "<p>x", "html"], ["", "<?xml version='1.0'?>", "xml"],
    ["", '{"version": "https://jsonfeed.org/version/1.1"}', "json-feed"], ["", "From: a@b\nTo: c@d\n\n", "message"], ["", "@import 'a.css';", "css"], ["", ".a { b: c }", "css"],
    ["", "# Title\n\ntext", "markdown"], ["", "See [it](x.md).", "markdown"], ["", "See <URL:x>.", "text"], ["x.bin", "words", "html"],
  ]) assert.equal(guess(name, start).type, type, `${name} ${start}`);
  for (const [name, start] of [["a.warc.gz", ""], ["", "WARC/1.1\r\n"], ["x", "\x1f\x8b\x08"], ["a.zip", ""], ["", "From a@b Thu Jan  1 00:00:00 1998\n"], ["", "\x89PNG"]]) {
    assert.ok(guess(name, start).refusal, `${name} ${start}`);
  }
});

const splice = (text, edits) => edits.reduceRight((result, { start, end, text: added }) => result.slice(0, start) + added + result.slice(end), text);

/** Returns a text with edits in it that do not touch each other, and links around some of them. */
const edited = (next) => {
  const text = textOf(next, 5 + next(200), ["a", "b", "/", '"', " ", "\n", "<", "é", "."]), edits = [], links = [];
  for (let at = next(9); at < text.length; at += 2 + next(30)) {
    const end = Math.min(text.length, at + next(3));
    edits.push({ start: at, end, text: textOf(next, end === at ? 1 + next(9) : next(9), ["x", "/", "\n", "b", " "]) });
    if (next(2)) links.push({ start: Math.max(0, at - next(2)), end: Math.min(text.length, end + next(4)) });
    at = end;
  }
  return { text, edits, links };
};

test("rows are the original and the result, and hold each change", () => {
  const next = numbers(2);
  for (let round = 0; round < 5000; round++) {
    const { text, edits, links } = edited(next), marks = marksOf(text, edits, links);
    const rows = [...rowsOf(text, marks, readerOf(text))];
    const side = (name) => rows.map((row, index) => (row.line && index ? "\n" : "") + row[name].map(([, piece]) => piece).join("")).join("");
    // Behind the last line break there is no row.
    for (const [name, whole] of [["original", text], ["result", splice(text, edits)]]) {
      assert.ok([whole, whole.replace(/\n$/, "")].includes(side(name)), JSON.stringify({ name, text, edits, links }));
    }
    assert.equal(rows.reduce((sum, { changes }) => sum + changes, 0), marks.length);
    const around = [...aroundChanges(rows)];
    assert.equal(around.reduce((sum, { leftOut }) => sum + (leftOut ?? 1), 0), rows.length);
  }
});

test("two lines have in common what they have in common", () => {
  const next = numbers(3);
  for (let round = 0; round < 2000; round++) {
    const [one, other] = [0, 1].map(() => textOf(next, next(30), ["ab", "c", "/", " ", "="]));
    const found = differences(one, other);
    assert.equal(found.map(({ common, removed }) => common ?? removed).join(""), one);
    assert.equal(found.map(({ common, added }) => common ?? added).join(""), other);
  }
});

test("bytes are shown in their charset", () => {
  const bytes = (text, encoding = "latin1") => Uint8Array.from(Buffer.from(text, encoding));
  assert.equal(shownCharset(bytes("<meta charset=shift_jis>")), "shift_jis");
  assert.equal(shownCharset(bytes("<?xml version='1.0' encoding='KOI8-R'?>")), "koi8-r");
  assert.equal(shownCharset(bytes("<meta charset=utf-16>")), "utf-8");
  assert.equal(shownCharset(bytes("<meta charset=klingon>é")), "windows-1252");
  assert.equal(shownCharset(bytes("é", "utf8"), "iso-8859-2"), "iso-8859-2");
  assert.equal(shownCharset(bytes("\ufeffx", "utf16le")), "utf-16le");
  assert.equal(readerOf(bytes("\x83\x5c\x95\x5c"), "shift_jis")(0, 4), "ソ表");
});
