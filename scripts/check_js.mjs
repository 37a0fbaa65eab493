#!/usr/bin/env node
// Checks that the npm package works where it is used, and gives what the command line gives.
//
//     check_js.mjs [--package FOLDER] [--absolve FILE] [--chromium FILE] [--modules FOLDER] [--only PART,PART]
//
// The package (scripts/build_js.sh) is packed as npm packs it and installed in an empty folder. The parts are
//   runtimes  the first example of its README in Node 20, 18, Deno and Bun
//   outputs   all documents of fixtures/ with several sets of options: the bytes are those of the command line
//   browser   both in Chromium: the example as a module and in a worker under a Content-Security-Policy, and the outputs in one page
//   bundlers  the example built by Vite, webpack and esbuild, in Chromium
//   tests     crates/js/tests
//
// Packages of others are looked for in --modules, which is ABSOLVE_NPM otherwise; crates/js/tests/package.json lists them. Each check is one
// line; what is absent is a line that begins with `skipped:`. The exit status is 1 if a check failed, and 77 if there is no package.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { checks, skip, startBrowser, temporaryFolder } from "./programs/browser.mjs";
import { EXTENSIONS, fixtureDocuments, OPTION_SETS } from "./programs/js_documents.mjs";
import { bundled, served } from "./programs/js_pages.mjs";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const URL_OF_DOCUMENTS = "https://example.org/docs/";

const { values: options } = parseArgs({
  options: {
    package: { type: "string", default: path.join(ROOT, "target/js/package") },
    absolve: { type: "string", default: path.join(ROOT, "target/release/absolve") },
    chromium: { type: "string" },
    modules: { type: "string", default: process.env.ABSOLVE_NPM ?? ROOT },
    only: { type: "string", default: "runtimes,outputs,browser,bundlers,tests" },
  },
});
if (!fs.existsSync(path.join(options.package, "absolve.wasm"))) skip(`${options.package} is absent; scripts/build_js.sh makes it`);
const parts = new Set(options.only.split(","));
const modules = path.join(path.resolve(options.modules), "node_modules");
const temporary = temporaryFolder("check-js-");
const { check, finish } = checks();
const absent = (what) => console.log(`skipped: ${what}`);

/** Runs a program, and returns what it printed; throws what it said if it failed. */
const run = (program, typed, more = {}) => {
  const done = spawnSync(program, typed, { encoding: "utf8", maxBuffer: 1 << 28, ...more });
  if (done.error || done.status !== 0) throw new Error(`${path.basename(program)} ${typed.join(" ")}: ${done.error ?? `${done.stdout}${done.stderr}`}`);
  return done.stdout;
};

/** Returns the first of these files that is in the folder of packages. */
const packaged = (...names) => names.map((name) => path.join(modules, name)).find((file) => fs.existsSync(file));

/** Returns the file of the first of these programs that is on the PATH. */
const onPath = (...names) => names.map((name) => spawnSync("which", [name], { encoding: "utf8" }).stdout.trim()).find(Boolean);

/** Packs and installs the package in an empty folder, and returns this. */
const installed = () => {
  const folder = path.join(temporary, "empty");
  fs.mkdirSync(folder);
  const [{ filename, size, unpackedSize, files }] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", temporary], { cwd: options.package }));
  fs.writeFileSync(path.join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", path.join(temporary, filename)], { cwd: folder });
  const others = fs.readdirSync(path.join(folder, "node_modules")).filter((name) => !name.startsWith(".") && name !== "absolve");
  check(`${filename}: ${files.length} files, ${size} bytes packed, ${unpackedSize} unpacked`, others.length > 0 ? `it installs ${others} too` : size > 1 << 20 ? "it is larger than 1 MB" : "");
  return folder;
};

/** Returns the first example of the README: its code, and what it prints. */
const firstExample = (folder) => {
  const [, code] = fs.readFileSync(path.join(folder, "node_modules/absolve/README.md"), "utf8").match(/^```javascript\n(.*?)^```$/ms);
  return { code, printed: [...code.matchAll(/^\/\/> (.*)$/gm)].map(([, line]) => line).join("\n") };
};

const checkRuntimes = (folder, { code, printed }) => {
  fs.writeFileSync(path.join(folder, "example.mjs"), code);
  const runtimes = {
    "Node": [process.execPath, []],
    "Node 18": [packaged("node18/bin/node"), []],
    "a newer Node": [packaged("node/bin/node"), []],
    "Deno": [packaged(".bin/deno") ?? onPath("deno"), ["run", "--allow-read", "--no-prompt", "--node-modules-dir=manual"]],
    "Bun": [packaged(".bin/bun") ?? onPath("bun"), ["run"]],
  };
  for (const [name, [program, typed]] of Object.entries(runtimes)) {
    if (!program) {
      absent(`${name} is not there (${modules})`);
      continue;
    }
    try {
      const version = run(program, ["--version"]).split("\n")[0];
      const output = run(program, [...typed, "example.mjs"], { cwd: folder }).trim();
      check(`the example of the README in ${name} (${version})`, output === printed ? "" : output);
    } catch (error) {
      check(`the example of the README in ${name}`, error.message);
    }
  }
};

/** The example in CommonJS; Node has it since 20.19. */
const checkRequire = (folder, { code, printed }) => {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19) || (major === 22 && minor < 12)) return absent(`Node ${process.version} requires no ES module`);
  fs.writeFileSync(path.join(folder, "example.cjs"), code.replace(/import (.*) from "absolve";/, 'const $1 = require("absolve");'));
  const output = run(process.execPath, ["example.cjs"], { cwd: folder }).trim();
  return check("the example of the README in CommonJS", output === printed ? "" : output);
};

const hash = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** Writes the documents into a folder for each type, and returns them with the names of their files. */
const written = () => {
  const documents = fixtureDocuments(path.join(ROOT, "fixtures")).map((one, index) => ({ ...one, file: `${index}.${EXTENSIONS[one.type]}` }));
  for (const type of Object.keys(EXTENSIONS)) fs.mkdirSync(path.join(temporary, "in", type), { recursive: true });
  for (const { type, file, bytes } of documents) fs.writeFileSync(path.join(temporary, "in", type, file), bytes);
  return documents;
};

/** Returns what the command line makes of all documents: the hash of each, in their order. */
const ofCommandLine = (documents, url, typed) => {
  const out = path.join(temporary, "out");
  for (const type of Object.keys(EXTENSIONS)) {
    const source = [path.join(temporary, "in", type), "-o", path.join(out, type), "--type", type, "--include", "*", ...(url ? ["--url", url] : [])];
    const done = spawnSync(path.resolve(options.absolve), ["rewrite", ...source, "--quiet", "--layout", "root", "--discover", "nothing", ...typed], { encoding: "utf8" });
    // 1 is its word for a folder in which no link could be resolved.
    if (done.status === null || done.status > 1) throw new Error(`absolve rewrite ${source.join(" ")} ${typed.join(" ")}: ${done.stderr || done.error}`);
  }
  const hashes = documents.map(({ type, file }) => hash(fs.readFileSync(path.join(out, type, file))));
  fs.rmSync(out, { recursive: true });
  return hashes;
};

/** Returns the runs of all documents: the options of the package, the URL, and what the command line makes. */
const expectedRuns = (documents) => [URL_OF_DOCUMENTS, ""].flatMap((url) => OPTION_SETS
  // For --images-url, the command line must know the URL of the folder.
  .filter(([given]) => url || !given.imagesUrl)
  .map(([given, typed]) => ({ url, given, hashes: ofCommandLine(documents, url, typed) })));

/** Checks that the outputs of a runtime are those of the command line. */
const compareOutputs = (where, documents, runs, outputs) => {
  for (const [index, { url, given, hashes }] of runs.entries()) {
    const different = documents.filter((_, number) => outputs[index][number] !== hashes[number]);
    const changed = documents.filter((one, number) => hashes[number] !== hash(one.bytes)).length;
    check(`${where}: ${documents.length} documents (${changed} change), ${url || "no URL"}, ${JSON.stringify(given)}`,
      different.length > 0 ? `${different.length} differ: ${different.slice(0, 5).map(({ name, type }) => `${name} (${type})`).join(", ")}` : "");
  }
};

const checkOutputs = async (folder, documents, runs) => {
  const { Rewriter } = await import(pathToFileURL(path.join(folder, "node_modules/absolve/node.js")));
  compareOutputs("Node", documents, runs, runs.map(({ url, given }) => {
    const rewriter = new Rewriter(given);
    return documents.map(({ bytes, type, file }) => hash(rewriter.document(bytes, type, url ? { url: url + file } : {}).content));
  }));
};

/** Returns the title that a page gives itself, and what it says to the console; it must have one within twenty seconds. */
const titleOf = async (browser, url) => {
  const page = await browser.newPage(), said = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  await page.goto(url);
  await page.waitForFunction(() => document.title !== "", { timeout: 20_000 }).catch(() => said.push("it has no title after twenty seconds"));
  const title = await page.title();
  await page.close();
  return { title, said: said.join("; ") };
};

const checkTitle = async (browser, name, url, expected) => {
  const { title, said } = await titleOf(browser, url);
  check(name, said || (title === expected ? "" : title));
};

const checkBrowser = async (browser, folder, example, documents, runs) => {
  const { url, outputs, close } = await served(folder, example, documents, runs);
  await checkTitle(browser, "the example of the README in Chromium, as a module", `${url}module.html`, example.printed);
  await checkTitle(browser, "the example of the README in Chromium, in a worker", `${url}worker.html`, example.printed);
  await checkTitle(browser, `Chromium reads ${documents.length} documents in ${runs.length} ways`, `${url}outputs.html`, "done");
  compareOutputs("Chromium", documents, runs, await outputs);
  close();
};

const checkBundlers = async (browser, folder, example) => {
  for await (const { name, missing, failed, url, close } of bundled(folder, modules, example)) {
    if (missing) absent(`${name} is not there (${modules})`);
    else if (failed) check(`the example of the README built by ${name}`, failed);
    else await checkTitle(browser, `the example of the README built by ${name}`, url, example.printed);
    close?.();
  }
};

const checkTests = (folder) => {
  const tests = path.join(ROOT, "crates/js/tests");
  const env = { ...process.env, ABSOLVE_PACKAGE: path.join(folder, "node_modules/absolve"), ABSOLVE_NPM: path.resolve(options.modules) };
  const files = fs.readdirSync(tests).filter((name) => name.endsWith(".test.mjs")).map((name) => path.join(tests, name));
  const done = spawnSync(process.execPath, ["--test", "--test-reporter=tap", ...files], { encoding: "utf8", env, maxBuffer: 1 << 28 });
  for (const [, test, why] of done.stdout.matchAll(/^\s*ok \d+ - (.*) # SKIP (.*)$/gm)) absent(`${test}: ${why}`);
  const [, passed] = done.stdout.match(/^# pass (\d+)$/m) ?? [];
  check(`${passed} tests of crates/js/tests pass`, done.status === 0 ? "" : [...done.stdout.matchAll(/^\s*not ok .*?^\s*\.\.\.$/gms)].join("\n") || done.stderr);
};

const hasBrowser = () => {
  const missing = [["chromium", options.chromium ?? onPath("chromium", "chromium-browser")], ...["puppeteer-core", "axe-core"].map((name) => [name, packaged(`${name}/package.json`)])];
  const without = missing.filter(([, file]) => !file).map(([name]) => name);
  if (without.length > 0) absent(`the browser, without ${without.join(", ")}`);
  return without.length === 0;
};

const folder = installed();
const example = firstExample(folder);
if (parts.has("runtimes")) {
  checkRuntimes(folder, example);
  checkRequire(folder, example);
}
const isCompared = parts.has("outputs") || parts.has("browser");
if (isCompared && !fs.existsSync(options.absolve)) absent(`${options.absolve} is absent, and with it what outputs are compared with`);
const documents = isCompared && fs.existsSync(options.absolve) ? written() : [];
const runs = documents.length > 0 ? expectedRuns(documents) : [];
if (parts.has("outputs")) await checkOutputs(folder, documents, runs);
if ((parts.has("browser") || parts.has("bundlers")) && hasBrowser()) {
  const { browser } = await startBrowser(options);
  if (parts.has("browser")) await checkBrowser(browser, folder, example, documents, runs);
  if (parts.has("bundlers")) await checkBundlers(browser, folder, example);
  await browser.close();
}
if (parts.has("tests")) checkTests(folder);
finish();
