#!/usr/bin/env node
// Checks that `verify` finds each fault that is planted in made-up Markdown, JSON Feeds, documents with a map, and unpacked sites.
//
//     check_planted.mjs [--absolve FILE] [--faults N] [--seed N]
//
// Each document has one fault: a link that leads to another host, to another path, or is relative again, or a character outside of links that is
// gone or is there twice. The exit status is 1 if a fault is not found.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runner } from "./programs/absolve.mjs";
import { documentOf, random } from "./programs/markdown_documents.mjs";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const URL_OF_DOCUMENTS = "https://h.example/d/";
const NEW_URL = "https://new.example/n/";

const { values: options } = parseArgs({
  options: {
    absolve: { type: "string", default: path.join(ROOT, "target/release/absolve") },
    faults: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
  },
});
const run = runner(options.absolve);
const feedOf = (text) => JSON.stringify({ version: "https://jsonfeed.org/version/1.1", items: [{ id: "1", url: "p.html", content_html: pageOf(text) }] });
// The links and images of a document as a page.
const pageOf = (text) => text.replace(/!?\[\w*\]\(([\w./]+)\)/g, '<a href="$1">x</a>').replace(/[<>&"'`$](?![a/]|href|>x)/g, "") + '<a href="z.html">z</a>';
const mapped = ["--url", URL_OF_DOCUMENTS, "--map", `${URL_OF_DOCUMENTS}=${NEW_URL}`];
const kinds = [
  { name: "Markdown", extension: "md", of: (text) => text, flags: ["--url", URL_OF_DOCUMENTS], start: URL_OF_DOCUMENTS },
  { name: "JSON Feed", extension: "feed.json", of: feedOf, flags: ["--url", URL_OF_DOCUMENTS], start: URL_OF_DOCUMENTS },
  { name: "maps", extension: "md", of: (text) => text, flags: mapped, start: NEW_URL },
  { name: "sites", extension: "html", of: pageOf, start: 'href="' },
];
const outer = fs.mkdtempSync(path.join(os.tmpdir(), "planted-"));
let missed = 0;
let planted = 0;
kinds.forEach((kind, index) => {
  const share = Math.ceil(Number(options.faults) / kinds.length);
  const [input, output] = ["input", "output"].map((name) => path.join(outer, `${index}-${name}`));
  const texts = Array.from({ length: share }, (_, number) => kind.of(documentOf(random(Number(options.seed) + 1_000_000 * index + number))));
  const names = texts.map((_, number) => `${String(number).padStart(4, "0")}.${kind.extension}`);
  if (kind.flags) {
    fs.mkdirSync(input);
    names.forEach((name, number) => fs.writeFileSync(path.join(input, name), texts[number]));
    run("rewrite", input, "-o", output, ...kind.flags, "-q");
  } else {
    fs.writeFileSync(`${input}.warc`, Buffer.concat([...names.map((name, number) => record(name, number, texts[number])), record("z.html", 9_999, "z")]));
    run("unpack", `${input}.warc`, "-o", output, "-q");
  }
  const verify = () => run("verify", kind.flags ? input : `${input}.warc`, output, ...(kind.flags ?? []));
  const honest = verify();
  if (honest.status !== 0) throw new Error(`${kind.name}: ${honest.stdout.slice(0, 1000)}`);
  const folder = kind.flags ? output : path.join(output, "h.example/d");
  names.forEach((name, number) => {
    const file = path.join(folder, name);
    const right = fs.readFileSync(file, "utf8");
    fs.writeFileSync(file, faulty(right, kind.start, random(number)));
  });
  const found = verify().stdout;
  const silent = names.filter((name) => !found.includes(name));
  planted += names.length;
  missed += silent.length;
  console.log(`${kind.name}: ${names.length} faults, ${silent.length} not found${silent.map((name) => `\n  ${path.join(folder, name)}`).join("")}`);
});
if (missed === 0) fs.rmSync(outer, { recursive: true });
console.log(`${planted} faults, ${missed} not found`);
process.exitCode = missed > 0 ? 1 : 0;

// Returns a document with one fault.
function faulty(right, start, next) {
  const links = [...right.matchAll(new RegExp(start.replace(/[.?]/g, "\\$&"), "g"))].map((found) => found.index);
  const link = links[Math.floor(next() * links.length)];
  const kind = Math.floor(next() * 4);
  if (link !== undefined && kind < 3) {
    const at = link + start.length;
    if (kind === 0) return `${right.slice(0, at)}other/${right.slice(at)}`;
    if (kind === 1 && start.includes("://")) return right.slice(0, link) + right.slice(at);
    return right.slice(0, at) + "../" + "q/" + right.slice(at);
  }
  const letters = [...right.matchAll(/[a-z]/g)].map((found) => found.index);
  const at = letters[Math.floor(next() * letters.length)];
  return next() < 0.5 ? right.slice(0, at) + right.slice(at + 1) : right.slice(0, at) + right[at] + right.slice(at);
}

function record(name, number, text) {
  const body = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${text}`);
  const id = `<urn:uuid:00000000-0000-0000-0000-${String(number).padStart(12, "0")}>`;
  const fields = ["WARC/1.1", "WARC-Type: response", `WARC-Record-ID: ${id}`, "WARC-Date: 2020-01-01T00:00:00Z", `WARC-Target-URI: ${URL_OF_DOCUMENTS}${name}`];
  const header = [...fields, "Content-Type: application/http; msgtype=response", `Content-Length: ${body.length}`].join("\r\n");
  return Buffer.concat([Buffer.from(`${header}\r\n\r\n`), body, Buffer.from("\r\n\r\n")]);
}
