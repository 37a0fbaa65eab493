#!/usr/bin/env node
// Builds target/js/try.html: one page with its style, its scripts, and the module of the package. Needs Node alone.
//
//     build_try.mjs [--package FOLDER] [--output FILE]
//
// FOLDER is the built package (scripts/build_js.sh). The policy of the page names its style and its script by their digests.

import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import vm from "node:vm";
import { gzipSync } from "node:zlib";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const TARGET = path.resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target");
const { values: options } = parseArgs({
  options: {
    package: { type: "string", default: path.join(TARGET, "js/package") },
    output: { type: "string", default: path.join(TARGET, "js/try.html") },
  },
});

const SOURCES = path.join(ROOT, "crates/js/try");
const PACKAGE = path.join(ROOT, "crates/js/package");

const read = (...names) => fs.readFileSync(path.join(...names), "utf8");

/** Returns the file of an import. The package is read where it was built: there it has the glue. */
const resolved = (from, name) => {
  const file = path.resolve(path.dirname(from), name);
  return path.dirname(file) === PACKAGE ? path.join(options.package, path.basename(file)) : file;
};

/** Returns names as an object pattern: `a as b` is `a: b`. */
const pattern = (names) => names.replaceAll(" as ", ": ");

/** Returns the exports of a module as the properties of an object. */
const exportsOf = (text) => {
  const declared = [...text.matchAll(/^export (?:async )?(?:const|function\*?|class) (\w+)/gm)].map(([, name]) => name);
  const listed = [...text.matchAll(/^export \{([^}]*)\};?$/gm)].flatMap(([, names]) => names.split(",").map((name) => name.trim()).filter(Boolean));
  return [...declared, ...listed.map((name) => name.replace(/^(\w+) as (\w+)$/, "$2: $1"))].join(", ");
};

/** Returns a module and those that it imports as one script: each is a function that returns its exports. */
const bundle = (entry) => {
  const made = new Map();
  const add = (file) => {
    if (made.has(file)) return made.get(file).name;
    const text = read(file), name = `module_${path.basename(file, ".js")}_${made.size}`;
    made.set(file, { name });
    const body = text
      .replace(/^import \{([^}]*)\} from "([^"]+)";\n/gm, (_, names, from) => `const {${pattern(names)}} = ${add(resolved(file, from))};\n`)
      .replace(/^export \{[^}]*\};?$/gm, "")
      .replace(/^export (?=async|const|function|class)/gm, "")
      .replaceAll("import.meta.url", "undefined");
    if (/^(import|export) /m.test(body)) throw new Error(`${file} imports or exports in a way that cannot be joined`);
    // A module stands behind those that it imports.
    made.delete(file);
    made.set(file, { name, code: `const ${name} = (() => {\n${body}\nreturn { ${exportsOf(text)} };\n})();\n` });
    return name;
  };
  add(entry);
  return [...made.values()].map(({ code }) => code).join("");
};

/** Returns JSON that no end tag can end. */
const json = (value) => JSON.stringify(value).replaceAll("<", "\\u003c");

/** Returns the text of Markdown on one line, in which links are their words. Code stays between backticks. */
const plain = (markdown) => {
  const words = (piece, index) => (index % 2 ? piece : piece.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1"));
  return markdown.trim().replace(/\s+/g, " ").split("`").map(words).join("`");
};

/** Returns what each finding means, and what to do, as docs/findings.md has it: the first sentence and the rest. */
const explanations = () =>
  Object.fromEntries(
    read(ROOT, "docs/findings.md").split("\n### `").slice(1).map((section) => {
      const [, code, markdown] = /^([^`]+)`\n([^]*)$/.exec(section), text = plain(markdown), end = text.indexOf(". ");
      return [code, end < 0 ? [text, ""] : [text.slice(0, end + 1), text.slice(end + 2)]];
    }),
  );

const digest = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Checks that a script can stand in the page, and that it is one. */
const checked = (name, text) => {
  new vm.Script(`(async () => {${text}\n})`, { filename: name });
  if (/<\/script|<!--/i.test(text)) throw new Error(`${name} has what a script in a page cannot have`);
  return text;
};

const style = read(ROOT, "crates/report/src/page/style.css") + read(SOURCES, "style.css");
const script = checked("the script of the page", bundle(path.join(SOURCES, "main.js")));
const worker = checked("the worker", bundle(path.join(SOURCES, "worker.js")));
const module = gzipSync(fs.readFileSync(path.join(options.package, "absolve.wasm")), { level: 9 });
const policy = [
  "default-src 'none'", `script-src ${digest(script)} 'wasm-unsafe-eval'`, `style-src ${digest(style)}`, "img-src data:", "worker-src blob:",
  "base-uri 'none'", "form-action 'none'",
].join("; ");
const parts = {
  policy, style, script, worker: json(worker), explanations: json(explanations()),
  version: JSON.parse(read(options.package, "package.json")).version,
  module: module.toString("base64"),
};
const page = read(SOURCES, "page.html").replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
fs.mkdirSync(path.dirname(options.output), { recursive: true });
fs.writeFileSync(options.output, page);
console.log(`${options.output}: ${Buffer.byteLength(page)} bytes, ${module.length} of them the module in gzip`);
