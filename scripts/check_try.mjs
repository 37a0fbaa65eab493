#!/usr/bin/env node
// Checks in a browser that target/js/try.html is what it promises.
//
//     check_try.mjs [--page FILE] [--absolve FILE] [--chromium FILE] [--modules FOLDER] [--megabytes NUMBER] [--screenshots FOLDER]
//
// The page is opened in headless Chromium from its file. Documents of ten kinds are dropped on it, with several sets of options: what it
// downloads has the bytes that the command line writes, which a shell runs as the page shows it. A hostile document must load and run
// nothing, with a server on loopback that it would reach; a long one (30 MB) must leave the page responsive, and can be cancelled. It is used by
// keyboard, axe-core looks for barriers in light, dark and on a telephone, and its options are those of `absolve rewrite --help`.
//
// Needs the page (scripts/build_js.sh, then scripts/build_try.mjs), the program, Chromium, and the npm packages puppeteer-core and
// axe-core, as check_report.mjs does. Each check is one line; the exit status is 1 if one failed, and 77 if something is absent.

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { OPTIONS } from "../crates/js/try/options.js";
import { EXTENSIONS } from "../crates/js/try/types.js";
import { barriers, checks, serious, skip, startBrowser, temporaryFolder } from "./programs/browser.mjs";
import { HOSTILE, OPTION_SETS, documents, longPage } from "./programs/try_documents.mjs";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const TARGET = path.resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target");
const { values: options } = parseArgs({
  options: {
    page: { type: "string", default: path.join(TARGET, "js/try.html") },
    absolve: { type: "string", default: path.join(TARGET, "release/absolve") },
    chromium: { type: "string" },
    modules: { type: "string", default: ROOT },
    megabytes: { type: "string", default: "30" },
    screenshots: { type: "string" },
  },
});

if (!fs.existsSync(options.page)) skip(`${options.page} is absent; scripts/build_js.sh and scripts/build_try.mjs make it`);
if (!fs.existsSync(options.absolve)) skip(`${options.absolve} is absent; cargo build --release makes it`);
const { browser, axe } = await startBrowser(options);
const { check, finish } = checks();
const temporary = temporaryFolder("check-try-");
const url = pathToFileURL(path.resolve(options.page)).href;
const downloads = path.join(temporary, "downloads");

/** The number of files that were downloaded. */
let completed = 0;

/** Opens the page, and lists what it requests and says besides what it must. */
const open = async ({ width = 1280, height = 900 } = {}) => {
  const page = await browser.newPage(), events = [];
  await page.setViewport({ width, height });
  page.on("console", (message) => events.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => events.push(`error: ${error.message}`));
  page.on("dialog", async (dialog) => {
    events.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url() !== url && !request.url().startsWith("blob:null/")) events.push(`request: ${request.url()}`);
  });
  const session = await page.createCDPSession();
  session.on("Browser.downloadProgress", ({ state }) => { if (state === "completed") completed++; });
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: downloads, eventsEnabled: true });
  await page.goto(url);
  await shownAfter(page, 0);
  return { page, events };
};

const numberOf = (page) => page.evaluate(() => Number(document.body.dataset.shown ?? 0));

/** Waits until a run after that with the number is shown. */
const shownAfter = (page, number, timeout = 30_000) =>
  page.waitForFunction((number) => document.body.dataset.state === "done" && Number(document.body.dataset.shown ?? 0) > number, { timeout, polling: 20 }, number);

/** Does something to the page, and waits until what becomes of it is shown. */
const andShown = async (page, action) => {
  const before = await numberOf(page);
  await action();
  await shownAfter(page, before);
};

/** Drops a file on the page. */
const drop = (page, name, bytes) =>
  page.evaluate(async (name, encoded) => {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], name));
    document.getElementById("form").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, name, Buffer.from(bytes).toString("base64"));

/** Sets controls by their ids, and options that are not among them to their defaults. The page sees it once. */
const set = (page, values) =>
  page.evaluate((values) => {
    for (const control of document.querySelectorAll(":is(#options, #more-options) :is(select, input, textarea)")) {
      if (control.type === "checkbox") control.checked = false;
      else control.value = "";
    }
    for (const [id, value] of Object.entries(values)) {
      const control = document.getElementById(id);
      if (Array.isArray(value)) control.querySelectorAll("input").forEach((box) => { box.checked = value.includes(box.value); });
      else if (control.type === "checkbox") control.checked = value;
      else control.value = value;
    }
    document.getElementById("url").dispatchEvent(new Event("input", { bubbles: true }));
  }, values);

/** Clicks the download, and returns its bytes. */
const downloaded = async (page) => {
  fs.rmSync(downloads, { recursive: true, force: true });
  const before = completed;
  // Without a gesture Chromium stops after ten downloads.
  await page.click("#download");
  for (let step = 0; step < 3000 && completed === before; step++) await new Promise((done) => setTimeout(done, 10));
  const names = fs.readdirSync(downloads);
  if (names.length !== 1) throw new Error(`${names.length} files were downloaded`);
  return fs.readFileSync(path.join(downloads, names[0]));
};

/** Runs a command line in a shell, in a folder with one file, and returns what it wrote there. */
const shell = (command, name, bytes) => {
  const folder = fs.mkdtempSync(path.join(temporary, "run-"));
  fs.writeFileSync(path.join(folder, name), bytes);
  const PATH = `${path.dirname(path.resolve(options.absolve))}:${process.env.PATH}`;
  const done = spawnSync("sh", ["-c", command], { cwd: folder, encoding: "utf8", env: { ...process.env, PATH } });
  const written = fs.readdirSync(folder).filter((other) => other !== name);
  if (written.length !== 1) return { problem: `${command} wrote ${written.length} files: ${done.stderr}` };
  const content = fs.readFileSync(path.join(folder, written[0]));
  fs.rmSync(folder, { recursive: true });
  return { content };
};

/** Returns what differs between the download and what the shown command line writes. */
const difference = async (page, name, bytes) => {
  const command = await page.$eval("#command", (code) => code.textContent);
  const { content, problem } = shell(command, name, bytes);
  if (problem) return problem;
  const given = await downloaded(page);
  return given.equals(content) ? "" : `${given.length} bytes, not the ${content.length} of ${command}`;
};

const checkDocuments = async () => {
  const { page, events } = await open();
  for (const { kind, name, bytes, type, url } of documents(path.join(ROOT, "fixtures"))) {
    await andShown(page, () => drop(page, name, bytes));
    const note = await page.$eval("#type-note", (element) => element.textContent);
    const read = await page.$eval("#command", (code) => code.textContent);
    const problems = note.includes(type) ? [] : [`it is read as: ${note} (${read})`];
    const changed = new Set();
    for (const given of OPTION_SETS) {
      await andShown(page, () => set(page, { url, ...given }));
      problems.push(await difference(page, name, bytes));
      changed.add(await page.$eval("#compare-note", (element) => element.textContent));
    }
    if ([...changed].every((note) => note.startsWith("Nothing"))) problems.push("no option set changes it");
    check(`${kind}: as the command line writes it, ${OPTION_SETS.length} sets of options`, problems.filter(Boolean).join("; "));
  }
  check("ten documents: no message, request or dialog", events.join("; "));
  await page.close();
};

const checkText = async () => {
  const { page, events } = await open();
  const problems = [];
  const examples = await page.$$eval("#examples button", (buttons) => buttons.length);
  for (let index = 0; index < examples; index++) {
    await andShown(page, () => page.evaluate((index) => document.querySelectorAll("#examples button")[index].click(), index));
    const name = await page.$eval("#download", (link) => link.download.replace("-absolute", ""));
    problems.push(await difference(page, name, await page.$eval("#text", (area) => area.value)));
  }
  check(`${examples} examples: as the command line writes them`, problems.filter(Boolean).join("; "));
  const text = '<meta charset="shift_jis"><a href="é/ü.html?q=ß">日本</a>\n<a href=\'$HOME "x"\'>x</a>';
  await andShown(page, () => set(page, { text, url: "https://example.org/it's a \"$HOME\"/", "option-spelling": "ascii", "option-keep": "^~'$\n-x" }));
  check("pasted text in another charset than it declares", await difference(page, "pasted.html", text));
  await browser.defaultBrowserContext().overridePermissions(url, ["clipboard-read", "clipboard-write", "clipboard-sanitized-write"]).catch(() => {});
  await page.click("#copy-result");
  await page.waitForFunction(() => /ied/.test(document.getElementById("copy-result").textContent), { timeout: 3000 });
  const label = await page.$eval("#copy-result", (button) => button.textContent);
  check("the result is copied", label === "Copied" ? "" : label);
  check("pasted text: no message, request or dialog", events.join("; "));
  await page.close();
};

/** Checks that a hostile document is text: nothing of it is an element, runs, or reaches the server. */
const checkHostile = async () => {
  let reached = 0;
  const server = http.createServer((_, response) => { reached++; response.end(); }).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const text = HOSTILE(`http://127.0.0.1:${server.address().port}`);
  const { page, events } = await open();
  const elements = () => page.$$eval("script, img, iframe, object, embed, link, base, meta, svg, style, [onerror], [onload]", (all) => all.length);
  const before = await elements();
  for (const [how, action] of [
    ["dropped", () => drop(page, "</script><img src=x onerror=alert(1)>.html", text)],
    ["as a message", () => drop(page, "x.eml", `Content-Base: <script>alert(2)</script>\nContent-Type: text/html\n\n${text}`)],
    ["pasted", () => set(page, { text, url: 'https://example.org/"><img src=x onerror=alert(7)>' })],
  ]) {
    if (how === "pasted") await andShown(page, () => page.click("#back"));
    await andShown(page, action);
    await page.$$eval("details", (all) => all.forEach((details) => { details.open = true; }));
    await new Promise((done) => setTimeout(done, 300));
    const found = (await elements()) - before;
    const lines = await page.$eval("#lines", (element) => element.textContent);
    const controls = await page.$eval("#results", (element) => /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.exec(element.textContent));
    const problems = [found ? `${found} elements of it` : "", lines.includes("onerror=alert") && lines.includes("</textarea>") ? "" : "it is not shown as text", controls ? "controls are shown raw" : ""];
    check(`a hostile document, ${how}: text`, problems.filter(Boolean).join("; "));
  }
  check("a hostile document: nothing reached the network", reached ? `${reached} requests` : "");
  check("a hostile document: no message, request or dialog", events.join("; "));
  server.close();
  await page.close();
};

/** Checks that a long document leaves the page responsive, can be cancelled, and is as the command line writes it. */
const checkLong = async () => {
  const { page, events } = await open();
  const bytes = longPage(Number(options.megabytes) * 1e6), file = path.join(temporary, "long.html");
  fs.writeFileSync(file, bytes);
  await set(page, { url: "https://example.org/long/" });
  await page.evaluate(() => {
    let last = performance.now();
    window.longest = 0;
    setInterval(() => { const now = performance.now(); window.longest = Math.max(window.longest, now - last); last = now; }, 10);
  });
  const chooser = await page.$("#choose");
  await chooser.uploadFile(file);
  await page.waitForFunction(() => document.body.dataset.state === "busy", { polling: 10 });
  await page.waitForFunction(() => /Making|Listing/.test(document.getElementById("state").textContent), { polling: 10 });
  const start = performance.now();
  await page.click("#cancel");
  const state = await page.$eval("body", (body) => body.dataset.state);
  check(`${options.megabytes} MB: cancelled in ${(performance.now() - start).toFixed(0)} ms`, state === "stopped" ? "" : `it is ${state}`);
  const before = await numberOf(page), again = performance.now();
  await page.click("#again");
  await shownAfter(page, before, 120_000);
  const seconds = ((performance.now() - again) / 1000).toFixed(1);
  const longest = await page.evaluate(() => window.longest);
  check(`${options.megabytes} MB: shown after ${seconds} s, and the page never stood still for over ${longest.toFixed(0)} ms`, longest < 500 ? "" : "it froze");
  check(`${options.megabytes} MB: as the command line writes it`, await difference(page, "long.html", bytes));
  const note = await page.$eval("#compare-note", (element) => element.textContent);
  check(`${options.megabytes} MB: ${note}`, note.includes("only lines around changes") ? "" : "it does not say what is left out");
  await page.click("#more-rows");
  await page.waitForFunction(() => document.querySelectorAll("#lines > *").length > 250, { timeout: 10_000 });
  check(`${options.megabytes} MB: ${await page.$eval("#more-rows", (button) => button.textContent)}; ${await page.$eval("#links-count", (line) => line.textContent)}`, "");
  check(`${options.megabytes} MB: no message, request or dialog`, events.join("; "));
  await page.close();
};

/** Checks what the page says of what it cannot do. */
const checkRefusals = async () => {
  const { page, events } = await open();
  const stopped = async (name, action, expected) => {
    await action();
    await page.waitForFunction((expected) => document.body.dataset.state === "stopped" && document.getElementById("state").textContent.includes(expected), { timeout: 5000 }, expected)
      .then(() => check(name, ""), async () => check(name, await page.$eval("#state", (line) => `it says ${JSON.stringify(line.textContent)}`)));
  };
  await stopped("an invalid expression", () => set(page, { "option-keep": "(" }), "regular expression");
  await stopped("a URL without a scheme", () => set(page, { url: "example.org/x" }), "example.org/x");
  await stopped("an invalid map", () => set(page, { url: "", "option-map": "x" }), "FROM=TO");
  await stopped("an unknown charset", async () => { await drop(page, "a.html", "<a href=x>"); await set(page, { "option-charset": "klingon" }); }, "klingon");
  await stopped("an archive", () => drop(page, "crawl.warc.gz", "\x1f\x8b"), "command line");
  await stopped("a compressed page", () => drop(page, "page.html.gz", "\x1f\x8b"), "Unpack it first");
  await stopped("no document", async () => { await page.click("#back"); await set(page, { text: "" }); }, "Nothing is given");
  await stopped("a lone surrogate", () => set(page, { text: "<a href=x>\ud800" }), "surrogate");
  await andShown(page, () => set(page, { text: "<a href=x>", url: "https://example.org/" }));
  check("it works afterwards", (await page.$eval("#lead", (line) => line.textContent)).startsWith("1 of 1") ? "" : "it does not");
  check("refusals: no message, request or dialog", events.join("; "));
  await page.close();
};

/** Checks that each control is reached by Tab, shows the focus, and works by keyboard; and that no one is barred. */
const checkAccess = async () => {
  const { page, events } = await open();
  const wanted = ["text", "choose", "url", "type", "option-purpose", "option-standard", "option-headers", "reset", "copy-command", "download", "copy-result", "compared", "status"];
  const reached = new Map();
  for (let step = 0; step < 80; step++) {
    await page.keyboard.press("Tab");
    const [id, outline] = await page.evaluate(() => {
      const active = document.activeElement, shown = active.id === "choose" ? document.querySelector(".choose .button") : active;
      return [active.id, getComputedStyle(shown).outlineStyle];
    });
    reached.set(id, outline);
    if (await page.evaluate(() => document.activeElement.matches(".more > summary"))) await page.keyboard.press("Enter");
  }
  const missing = wanted.filter((id) => !reached.has(id)), unseen = [...reached].filter(([id, outline]) => id && outline === "none").map(([id]) => id);
  check("by keyboard: each control is reached, with a visible focus", [missing.length ? `not reached: ${missing}` : "", unseen.length ? `no outline: ${unseen}` : ""].filter(Boolean).join("; "));
  await page.focus("#url");
  await page.keyboard.press("End");
  await andShown(page, () => page.keyboard.type("x"));
  for (const [width, height] of [[1280, 900], [390, 844]]) {
    await page.setViewport({ width, height });
    await page.$$eval("details", (all) => all.forEach((details) => { details.open = true; }));
    const found = await barriers(page, axe);
    check(`${width} pixels: axe finds nothing serious`, serious(found));
    found.filter((line) => !serious([line])).forEach((line) => console.log(`       ${line}`));
    const wide = await page.evaluate(() => { scrollTo(1000, 0); const { scrollWidth } = document.scrollingElement; return scrollWidth > innerWidth || scrollX > 0 ? scrollWidth : 0; });
    check(`${width} pixels: nothing is wider than the page`, wide ? `it is ${wide} wide` : "");
  }
  check("access: no message, request or dialog", events.join("; "));
  await page.close();
};

/** Checks that options have the names and values of the command line. */
const checkOptions = () => {
  const help = spawnSync(path.resolve(options.absolve), ["rewrite", "--help"], { encoding: "utf8" }).stdout;
  const sections = new Map(help.split(/\n(?=  (?:-\w, |    )--)/).map((section) => [/--[a-z-]+/.exec(section)?.[0], section]));
  const problems = OPTIONS.flatMap(({ name, kind, values, flags }) => {
    const absent = name.split(", ").filter((one) => !sections.has(one)).map((one) => `there is no ${one}`);
    if (absent.length || (kind !== "choice" && kind !== "set") || flags) return absent;
    const section = sections.get(name);
    const listed = /\[possible values: ([^\]]*)\]/.exec(section)?.[1].split(/,\s+/) ?? [...section.matchAll(/^ {10}- ([a-z0-9-]+)/gm)].map(([, value]) => value);
    return [...listed].sort().join() === [...values].sort().join() ? [] : [`${name} has ${listed}, not ${values}`];
  });
  check(`${OPTIONS.length} options with the names and values of the command line`, problems.join("; "));
};

/** Checks that an extension means the type that the command line reads. */
const checkExtensions = () => {
  const folder = path.join(temporary, "extensions"), wanted = new Map();
  fs.mkdirSync(folder);
  for (const [type, extensions] of Object.entries(EXTENSIONS)) {
    for (const extension of extensions) {
      fs.writeFileSync(path.join(folder, `x.${extension}`), "Content-Type: text/html\n\n<a href=x>");
      wanted.set(`x.${extension}`, { message: "1", html: "text/html", css: "text/css", text: "text/plain", markdown: "text/markdown" }[type] ?? "application/xml");
    }
  }
  const { stdout } = spawnSync(path.resolve(options.absolve), ["base", folder, "--json"], { encoding: "utf8" });
  const found = new Map(stdout.trim().split("\n").map(JSON.parse).map(({ path: name, part, media_type: type }) => [path.basename(name), part || type]));
  const wrong = [...wanted].filter(([name, type]) => found.get(name) !== type).map(([name, type]) => `${name} is ${found.get(name)}, not ${type}`);
  check(`${wanted.size} extensions mean what they mean on the command line`, wrong.join("; "));
};

const screenshots = async (folder) => {
  for (const [name, scheme, width, height, example, anchor] of [["light", "light", 1120, 900, 0, ""], ["dark", "dark", 1120, 780, 0, "result"]]) {
    const { page } = await open({ width, height });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await andShown(page, () => page.evaluate((example) => document.querySelectorAll("#examples button")[example].click(), example));
    if (anchor) await page.evaluate((id) => document.getElementById(id).scrollIntoView({ behavior: "instant" }), anchor);
    await page.screenshot({ path: path.join(folder, `try-${name}.png`) });
    await page.close();
  }
};

try {
  checkOptions();
  checkExtensions();
  await checkDocuments();
  await checkText();
  await checkHostile();
  await checkRefusals();
  await checkAccess();
  await checkLong();
  if (options.screenshots) await screenshots(options.screenshots);
} catch (error) {
  check("the checks run to their end", error.stack);
}
await browser.close();
finish();
