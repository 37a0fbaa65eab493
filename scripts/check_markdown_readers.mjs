#!/usr/bin/env node
// Checks `rewrite` and `verify` on Markdown that is made up, with three readers of others as judges.
//
//     check_markdown_readers.mjs [--absolve FILE] [--modules FOLDER] [--documents N] [--seed N] [--keep FOLDER]
//
// The documents have tables, mathematics, HTML and quotes. commonmark.js, markdown-it (with mathematics by the rule of pandoc) and micromark (with
// GitHub's extensions) render each before and after `rewrite`. Where all three agree on the links of a document, each link has to lead where
// it led at the URL of the document, nothing else may differ, and `verify` may not object. Documents on which they disagree, or in which `rewrite` reports a
// tag that it leaves unchanged, are counted.
//
// The readers are looked for in --modules, which is ABSOLVE_NPM otherwise:
//     npm install commonmark markdown-it micromark micromark-extension-gfm parse5
// The exit status is 1 if a check failed, and 77 if a reader is absent.

import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { runner } from "./programs/absolve.mjs";
import { documentOf, random } from "./programs/markdown_documents.mjs";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const URL_OF_DOCUMENTS = "https://h.example/d/";
const SHOWN = 20;
const STAYS = /^\s*(#|$)|["<\r\n]/;
const LINKS = new Set(["a href", "img src"]);
const EXTENSIONS = { table: "Table", strikethrough: "Strikethrough", footnote: "Footnote", "task-list-item": "TaskListItem" };
const PACKAGES = ["commonmark", "markdown-it", "micromark", "parse5"];

const { values: options } = parseArgs({
  options: {
    absolve: { type: "string", default: path.join(ROOT, "target/release/absolve") },
    modules: { type: "string", default: process.env.ABSOLVE_NPM ?? ROOT },
    documents: { type: "string", default: "2000" },
    seed: { type: "string", default: "1" },
    keep: { type: "string" },
  },
});

const run = runner(options.absolve);
const { readers, parse5 } = await readersIn(path.resolve(options.modules)).catch((error) => {
  if (error.code !== "MODULE_NOT_FOUND") throw error;
  console.log(`skipped: ${error.message.split("\n")[0]}`);
  process.exit(77);
});
const folder = options.keep ?? fs.mkdtempSync(path.join(os.tmpdir(), "markdown-"));
const [before, after] = ["before", "after"].map((name) => path.join(folder, name));
fs.mkdirSync(before, { recursive: true });
const documents = Array.from({ length: Number(options.documents) }, (_, number) => documentOf(random(Number(options.seed) + number)));
documents.forEach((text, number) => fs.writeFileSync(path.join(before, nameOf(number)), text));
run("rewrite", before, "-o", after, "--url", URL_OF_DOCUMENTS, "--report", `${folder}/report.csv`, "-q");
const reported = fs.readFileSync(`${folder}/report.csv`, "utf8");
const withFinding = (code) => new Set([...reported.matchAll(new RegExp(`(\\d{6})\\.md,.*${code}`, "g"))].map((found) => Number(found[1])));
// Where readers with and without mathematics disagree, a link may stay.
const [disputed, left] = ["mathematics", "composed-reference"].map(withFinding);
const verified = run("verify", before, after, "--url", URL_OF_DOCUMENTS);
const alarms = new Map();
for (const line of verified.stdout.split("\n").filter(Boolean)) {
  const number = Number(/(\d{6})\.md/.exec(line)?.[1]);
  alarms.set(number, [...(alarms.get(number) ?? []), line]);
}

const counts = { agreed: 0, wrong: 0, alarms: 0, others: 0, links: 0, reported: 0 };
let shown = 0;
documents.forEach((text, number) => {
  const judged = readers.map((reader) => linksOf(reader(text)));
  const [first, ...rest] = judged.map(({ links }) => JSON.stringify(links));
  if (left.has(number) || rest.some((other) => other !== first)) {
    counts.others += alarms.has(number) ? 1 : 0;
    return;
  }
  counts.agreed += 1;
  counts.links += judged[0].links.length;
  const now = fs.readFileSync(path.join(after, nameOf(number)), "utf8");
  const rendered = readers.map((reader) => linksOf(reader(now)));
  const faults = judged.map((old, index) => fault(old.links, rendered[index].links, URL_OF_DOCUMENTS + nameOf(number))).filter(Boolean);
  if (judged.every((old, index) => old.rest !== rendered[index].rest)) faults.push(`${JSON.stringify(judged[0].rest)} has become ${JSON.stringify(rendered[0].rest)}`);
  if (disputed.has(number) && faults.length > 0) {
    counts.reported += 1;
    return;
  }
  counts.wrong += faults.length > 0 ? 1 : 0;
  counts.alarms += alarms.has(number) ? 1 : 0;
  if ((faults.length > 0 || alarms.has(number)) && (shown += 1) <= SHOWN) {
    console.log(`${nameOf(number)}: ${JSON.stringify(text)}\n  ${[...new Set(faults), ...(alarms.get(number) ?? [])].join("\n  ")}`);
  }
});
if (!options.keep) fs.rmSync(folder, { recursive: true });
console.log(
  `${documents.length} documents; the readers agree on ${counts.agreed}, with ${counts.links} links: ${counts.wrong} documents with wrong links, ` +
    `${counts.alarms} false alarms, ${counts.reported} with the finding mathematics; they disagree on ${documents.length - counts.agreed}: ${counts.others} alarms`,
);
process.exitCode = counts.wrong + counts.alarms > 0 ? 1 : 0;

function nameOf(number) {
  return `${String(number).padStart(6, "0")}.md`;
}

// Renderers escape a backslash, which is a slash in a URL, and a tab, which is nothing.
function resolved(written, base) {
  const url = written.replace(/%5C/gi, "/").replace(/%09/g, "");
  return URL.canParse(url, base) ? new URL(url, base).href : url;
}

// What is wrong with the links of a document, if anything. An empty reference and one to a fragment stay, and what holds a line end may.
function fault(old, now, base) {
  if (old.length !== now.length) return `${old.length} links have become ${now.length}`;
  const wrong = old.findIndex(([place, url], index) => {
    const [placeNow, urlNow] = now[index];
    return place !== placeNow || ((STAYS.test(url) ? url !== urlNow : true) && resolved(url, base) !== resolved(urlNow));
  });
  return wrong < 0 ? null : `${old[wrong].join(" ")} has become ${now[wrong].join(" ")}`;
}

// Returns the links of rendered Markdown, each with its place, and all else, except the text of autolinks.
function linksOf(html) {
  const found = { links: [], rest: "" };
  const add = (token) => (found.rest += token.chars ?? token.data ?? `</${token.tagName}>`);
  const onStartTag = ({ tagName, attrs }) => {
    found.rest += `<${tagName}>`;
    for (const { name, value } of attrs) {
      if (LINKS.has(`${tagName} ${name}`)) found.links.push([`${tagName} ${name}`, value]);
      // What stands behind a quote that is not closed is no attribute.
      else if (value !== "" && !name.includes('"')) found.rest += ` ${name}=${value}`;
    }
  };
  const others = { onCharacter: add, onWhitespaceCharacter: add, onNullCharacter: add, onEndTag: add, onDoctype: add, onComment() {}, onEof() {} };
  const plain = html.replace(/<a href="([^"]*)">([^<]*)<\/a>/g, (link, url, text) => (/^https?:/.test(text) ? `<a href="${url}"></a>` : link));
  new parse5.Tokenizer({}, { onStartTag, ...others }).write(plain, true);
  return found;
}

// Mathematics by the rule of pandoc: a `$` opens nothing before white space, and closes nothing behind it or before a digit.
function readMathematics(state, isSilent) {
  const { src, pos } = state;
  const [dollars] = /^\$*/.exec(src.slice(pos));
  if (dollars === "") return false;
  const found = dollars.length > 2 ? null : (dollars === "$" ? /^\$(?!\s)(?:\\.|[^$\\])*(?<!\s)\$(?!\d)/s : /^\$\$(?:\\.|[^\\])+?\$\$/s).exec(src.slice(pos));
  state.pos += (found?.[0] ?? dollars).length;
  if (!isSilent && found) state.push("text", "", 0).content = found[0];
  if (!isSilent && !found) state.pending += dollars;
  return true;
}

async function readersIn(modules) {
  const from = createRequire(path.join(modules, "package.json"));
  const load = (name) => import(pathToFileURL(from.resolve(name)));
  const [commonmark, { default: MarkdownIt }, { micromark }, reading] = await Promise.all(PACKAGES.map(load));
  const github = await Promise.all(Object.keys(EXTENSIONS).map((name) => load(`micromark-extension-gfm-${name}`)));
  const made = (end) => Object.values(EXTENSIONS).map((name, index) => github[index][`gfm${name}${end}`]());
  const it = new MarkdownIt({ html: true });
  it.inline.ruler.before("escape", "mathematics", readMathematics);
  it.validateLink = () => true;
  const [reader, writer] = [new commonmark.Parser(), new commonmark.HtmlRenderer()];
  const inHtml = { extensions: made(""), htmlExtensions: made("Html"), allowDangerousHtml: true, allowDangerousProtocol: true };
  return {
    parse5: reading,
    readers: [
      (text) => writer.render(reader.parse(text)),
      (text) => it.render(text),
      (text) => micromark(text, inHtml),
    ],
  };
}
