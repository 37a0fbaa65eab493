/**
 * Runs the examples of `docs/javascript.md` and of the README of the package. Lines that begin with `//>` or `#>` are what the lines
 * before them print. A section is a folder: an example that begins with the name of a file is that file, and the others run in their order.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { promisify } from "node:util";
import { hasPackage, NODE, PACKAGE, ROOT, workshop } from "./support.mjs";

/** How many examples run in each document if nothing is absent. */
const DOCUMENTS = [[path.join(ROOT, "docs/javascript.md"), 17], [path.join(PACKAGE, "README.md"), 2]];

/** Returns the sections of a document that have examples. */
function sections(markdown) {
  return markdown.split(/^(?=##? )|^(?=### )/m).map((text) => ({
    title: text.match(/^#+ (.*)/)?.[1],
    examples: [...text.matchAll(/^```(javascript|sh)\n(.*?)^```$/gms)].map(([, language, code]) => ({ language, code })),
  }));
}

const fileNameOf = ({ code }) => code.match(/^\/\/ (\S+\.\w+)\n/)?.[1];
const isRun = (example) => !fileNameOf(example) && /^(?:\/\/|#)>/m.test(example.code);

/** Returns what an example says that it prints. */
const promised = ({ code }) => [...code.matchAll(/^(?:\/\/|#)> ?(.*)$/gm)].map(([, line]) => line).join("\n");

/** Returns the packages of others that examples need. */
function needed(examples) {
  const imported = examples.flatMap(({ code }) => [...code.matchAll(/from "((?:@[\w-]+\/)?[\w-]+)/g)].map(([, name]) => name));
  const called = examples.flatMap(({ code }) => [...code.matchAll(/^npx (\S+)/gm)].map(([, name]) => ({ eleventy: "@11ty/eleventy", maizzle: "@maizzle/framework" })[name]));
  return [...new Set([...imported, ...called])].filter((name) => name !== "absolve");
}

/** Runs an example in a folder, and returns what it printed. */
async function printed(folder, { language, code }, number) {
  const file = path.join(folder, `example-${number}.${language === "sh" ? "sh" : "mjs"}`);
  fs.writeFileSync(file, code);
  const PATH = [path.dirname(NODE), path.join(folder, "node_modules/.bin"), process.env.PATH].join(path.delimiter);
  const [program, ...typed] = language === "sh" ? ["bash", "-e", file] : [NODE, file];
  const { stdout } = await promisify(execFile)(program, typed, { cwd: folder, env: { ...process.env, PATH } });
  return stdout.trimEnd();
}

for (const [file, expected] of DOCUMENTS) {
  const all = sections(fs.readFileSync(file, "utf8"));
  test(`the examples of ${path.basename(file)} print what they say`, { concurrency: 2 }, async (context) => {
    assert.equal(all.flatMap(({ examples }) => examples.filter(isRun)).length, expected);
    await Promise.all(all.filter(({ examples }) => examples.some(isRun)).map(({ title, examples }) => {
      const absent = needed(examples).filter((name) => !hasPackage(name));
      return context.test(title, { skip: absent.length > 0 && `without ${absent.join(", ")}` }, async () => {
        const folder = workshop();
        for (const example of examples) if (fileNameOf(example)) fs.writeFileSync(path.join(folder, fileNameOf(example)), example.code);
        for (const [number, example] of examples.filter(isRun).entries()) assert.equal(await printed(folder, example, number), promised(example));
      });
    }));
  });
}
