#!/usr/bin/env node
// Checks in a browser that the page of `--report FILE.html` is what it promises.
//
//     check_report.mjs [--absolve FILE] [--chromium FILE] [--modules FOLDER] [--documents NUMBER] [--screenshots FOLDER]
//
// Pages of `rewrite`, `verify` and `check` are opened in headless Chromium from a file, without a network: over names, URLs and
// messages that are markup, scripts and controls, over the fixtures, over ../shared/corpora if that is there, and over a tree of many
// documents (32,000). Each must open without a console message and without a request; it is filtered and sorted by mouse and by
// keyboard, rows are opened, axe-core looks for barriers in light and dark, without scripts all rows must be there, and 390 pixels
// are enough to read it.
//
// Needs Chromium (Debian package) and, in --modules or beside the script, the npm packages puppeteer-core and axe-core
// (`npm install --prefix FOLDER puppeteer-core axe-core`). Each check is one line; the exit status is 1 if one failed, and 77 if
// something that is needed is absent.

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { barriers, checks, serious, startBrowser, temporaryFolder } from "./programs/browser.mjs";

const HERE = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const MOST_BYTES = 5_000_000, MOST_MILLISECONDS = 3000;

const { values: options } = parseArgs({
  options: {
    absolve: { type: "string", default: path.join(HERE, "target/release/absolve") },
    chromium: { type: "string" },
    modules: { type: "string", default: HERE },
    documents: { type: "string", default: "32000" },
    screenshots: { type: "string" },
  },
});

const { browser, axe } = await startBrowser(options);
const { check, finish } = checks();
const temporary = temporaryFolder("check-report-");

const runIn = (cwd, ...typed) => {
  const done = spawnSync(path.resolve(options.absolve), typed, { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
  if (done.status === null || done.status > 1) throw new Error(`absolve ${typed.join(" ")}: ${done.stderr || done.error}`);
};

const run = (...typed) => runIn(temporary, ...typed);

// Names, URLs and references that would be markup, run, or turn the text around them.
const hostileTree = () => {
  const root = path.join(temporary, "hostile");
  const evil = ["<img src=x onerror=alert(1)>", "\"><svg onload=alert(2)>", "'onmouseover='alert(3)", "<!--", "]]>", "\u202egnp.exe",
    "\u001b[31mred", "line\nend", "&lt;b&gt;", "<script>alert(4)<", "${alert(5)}", "{{7*7}}", "=1+1", "\u2066x\u2069", "é\u0301\u200b"];
  const page = (text) => `<title>${text}</title><base href="http://h/${text.replaceAll('"', "%22")}/"><a href='${text.replaceAll("'", "&#39;")}'>x</a>` +
    `<a href="//<b>x</b>/">y</a><a href="javascript:alert(6)">z</a><a href="http://<script>alert(7)</script>/">w</a><a href="Talk:<i>">v</a>`;
  for (const name of evil) {
    const folder = path.join(root, `${name}/script>`.replaceAll("\0", ""));
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, `${name}.html`), page(name));
  }
  fs.writeFileSync(path.join(root, "mail.eml"), "Content-Base: <script>alert(8)</script>\nContent-Location: http://h/<img src=x onerror=alert(9)>\n" +
    "Content-Type: text/html\n\n<a href=x><a href='</summary><script>alert(10)</script>'>\n");
  return root;
};

const manyDocuments = (number) => {
  const root = path.join(temporary, "many");
  for (let index = 0; index < number; index++) {
    const folder = path.join(root, `section-${String(Math.floor(index / 400)).padStart(3, "0")}`);
    if (index % 400 === 0) fs.mkdirSync(folder, { recursive: true });
    const links = Array.from({ length: 12 }, (_, link) => `<a href="../section-000/page-${link}.html#x">next</a>`).join("");
    fs.writeFileSync(path.join(folder, `a-page-with-a-name-${index}.html`), `<!doctype html><title>${index}</title>${links}<a href="http://other.example/">o</a>`);
  }
  return root;
};

const open = async (file, scripts = true) => {
  const page = await browser.newPage();
  const events = [];
  await page.setViewport({ width: 1280, height: 900 });
  await page.setOfflineMode(true);
  await page.setJavaScriptEnabled(scripts);
  const url = pathToFileURL(file).href;
  page.on("console", (message) => events.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => events.push(`error: ${error.message}`));
  page.on("dialog", async (dialog) => { events.push(`dialog: ${dialog.message()}`); await dialog.dismiss(); });
  page.on("request", (request) => { if (request.url() !== url) events.push(`request: ${request.url()}`); });
  const start = performance.now();
  await page.goto(url, { waitUntil: "load" });
  if (scripts) await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))));
  return { page, events, milliseconds: performance.now() - start };
};

const rowTexts = (page, column) => page.$$eval("#rows tbody tr", (rows, column) => rows.map((row) => row.cells[column]?.textContent ?? ""), column);
const settled = () => new Promise((done) => setTimeout(done, 400));

const filtersAndSorts = async (page) => {
  const all = await page.$eval("#count", (count) => count.textContent);
  const first = (await rowTexts(page, 0))[0];
  const sought = (await page.$eval("#rows tbody tr", (row) => (row.querySelector("summary") ?? row.cells[0]).textContent)).slice(-14);
  // By keyboard: the field is reached with Tab.
  await page.evaluate(() => document.querySelector(".controls").previousElementSibling.scrollIntoView());
  for (let step = 0; step < 400; step++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement.name === "text")) break;
  }
  await page.keyboard.type(sought);
  await settled();
  const found = await page.$eval("#count", (count) => count.textContent);
  const names = await page.$$eval("#rows tbody tr", (rows) => rows.map((row) => row.textContent));
  if (!names.length || !names.every((name) => name.toLowerCase().includes(sought.toLowerCase()))) return `the filter ${sought} shows ${names[0]}`;
  for (let step = 0; step < 10; step++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement.type === "reset")) break;
  }
  await page.keyboard.press("Enter");
  await settled();
  if ((await page.$eval("#count", (count) => count.textContent)) !== all) return `after ${found}, not all rows are back`;
  const links = await page.$$eval("#rows thead th", (heads) => heads.findIndex((head) => head.textContent === "Links"));
  await page.click(`#rows thead th:nth-child(${links + 1}) button`);
  await settled();
  const isSorted = (numbers, sign) => numbers.every((number, index) => index === 0 || sign * (numbers[index - 1] - number) <= 0);
  const descending = (await rowTexts(page, links)).map(Number);
  if (!isSorted(descending, -1)) return "the click does not sort";
  const state = () => page.$eval(`#rows thead th:nth-child(${links + 1})`, (head) => head.getAttribute("aria-sort"));
  if ((await state()) !== "descending") return `aria-sort is ${await state()}`;
  await page.keyboard.press("Enter");
  await settled();
  if ((await state()) !== "ascending" || !isSorted((await rowTexts(page, links)).map(Number), 1)) return "the key does not sort";
  await page.focus("#rows thead th:first-child button");
  await page.keyboard.press("Space");
  await settled();
  const collator = new Intl.Collator("en", { numeric: true });
  const sorted = await page.$$eval("#rows tbody tr", (rows) => rows.map((row) => (row.querySelector("summary") ?? row.cells[0]).textContent));
  if (!sorted.every((name, index) => index === 0 || collator.compare(sorted[index - 1], name) <= 0)) return `names are not sorted (${first})`;
  const summary = await page.$("#rows summary");
  if (summary) {
    await summary.focus();
    await page.keyboard.press("Enter");
    if (!(await page.$eval("#rows details", (details) => details.open && details.querySelector(".box, ul") !== null))) return "a row does not open";
  }
  return "";
};

const openRows = (page) =>
  page.$$eval("#rows details", (all) => all.slice(0, 5).forEach((details) => { details.open = true; }));

const isOfPage = async (page) => page.evaluate(() => {
  const strangers = [...document.querySelectorAll("img, iframe, object, embed, link, base, style ~ style, [onclick], [onerror], [onload], [onmouseover], [style], i i, svg svg")];
  const scripts = document.querySelectorAll("script").length;
  const links = [...document.querySelectorAll("a")].filter((link) => !link.getAttribute("href").startsWith("#"));
  const text = document.body.textContent;
  const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/.exec(text);
  return strangers.length || scripts !== 1 || links.length || controls
    ? `${strangers.map((one) => one.outerHTML.slice(0, 80))} ${scripts} scripts, ${links.length} links, controls: ${JSON.stringify(controls)}` : "";
});

// On a telephone, nothing but tables is wider than the page, and each host has room for twelve characters or breaks only behind its dots.
const onTelephone = async (file) => {
  const { page } = await open(file);
  await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
  await settled();
  const problem = await page.evaluate(() => {
    const root = document.scrollingElement;
    scrollTo(1000, 0);
    if (root.scrollWidth > 390 || scrollX > 0) return `the page is ${root.scrollWidth} wide, and scrolls by ${scrollX}`;
    const ruler = document.createElement("span");
    ruler.textContent = "0".repeat(12);
    ruler.style.whiteSpace = "nowrap";
    for (const cell of document.querySelectorAll(".hosts tbody th")) {
      cell.append(ruler);
      const wanted = ruler.getBoundingClientRect().width;
      ruler.remove();
      const style = getComputedStyle(cell);
      const room = cell.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      const text = cell.firstChild, range = document.createRange();
      const isBroken = [...text.data].some((_, at) => {
        if (at === 0 || text.data[at - 1] === ".") return false;
        const bottoms = [at - 1, at].map((from) => { range.setStart(text, from); range.setEnd(text, from + 1); return range.getBoundingClientRect().bottom; });
        return bottoms[1] > bottoms[0] + 1;
      });
      if (room < wanted && isBroken) return `${text.data} has ${room} pixels, not ${wanted}, and breaks within a label`;
    }
    return "";
  });
  await page.close();
  return problem;
};

const checkPage = async (name, file) => {
  const bytes = fs.statSync(file).size;
  check(`${name}: ${bytes} bytes`, bytes <= MOST_BYTES ? "" : "it is too long");
  const { page, events, milliseconds } = await open(file);
  check(`${name}: opened in ${milliseconds.toFixed(0)} ms`, milliseconds <= MOST_MILLISECONDS ? "" : "it takes too long");
  check(`${name}: nothing in it is markup of others`, await isOfPage(page));
  check(`${name}: filters, sorts and opens`, (await page.$("#rows tbody tr")) ? await filtersAndSorts(page) : "no rows");
  await openRows(page);
  const found = await barriers(page, axe);
  check(`${name}: axe finds nothing serious`, serious(found));
  found.filter((line) => !serious([line])).forEach((line) => console.log(`       ${line}`));
  check(`${name}: readable on a telephone`, await onTelephone(file));
  check(`${name}: no message, request or dialog`, events.join("; "));
  await page.close();
  const plain = await open(file, false);
  const rows = await plain.page.evaluate(() => [...document.querySelectorAll("#rows tbody tr")].filter((row) => row.offsetHeight > 0).length);
  const written = fs.readFileSync(file, "utf8").split("\n<tr><td>").length - 1;
  check(`${name}: ${rows} rows without scripts`, rows === written && rows > 0 ? "" : `${written} are in the file`);
  await plain.page.close();
};

const screenshots = async (file, folder) => {
  for (const scheme of ["light", "dark"]) {
    const { page } = await open(file);
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await page.setViewport({ width: 1200, height: 780, deviceScaleFactor: 1 });
    if (scheme === "dark") {
      await page.evaluate(() => {
        document.getElementById("documents").scrollIntoView({ behavior: "instant" });
        document.querySelector(".controls").elements.source.value = "BASE";
        document.querySelector(".controls").dispatchEvent(new Event("input"));
      });
      await settled();
      await page.evaluate(() => {
        const opens = [...document.querySelectorAll("#rows details")];
        (opens.find((details) => details.querySelectorAll("li").length > 4) ?? opens[0]).open = true;
      });
    }
    await settled();
    await page.screenshot({ path: path.join(folder, `report-${scheme}.png`) });
    await page.close();
  }
};

const at = (name) => path.join(temporary, name);
try {
  const hostile = hostileTree();
  run("rewrite", hostile, "-o", at("hostile-out"), "--url", "http://h/<b>/", "--keep", "<x>", "--report", at("hostile.html"), "--quiet");
  await checkPage("hostile names, rewrite", at("hostile.html"));
  fs.appendFileSync(path.join(at("hostile-out"), "mail.eml"), "<script>alert(11)</script>");
  run("verify", hostile, at("hostile-out"), "--url", "http://h/<b>/", "--report", at("hostile-verify.html"), "--quiet");
  await checkPage("hostile names, verify", at("hostile-verify.html"));
  run("check", hostile, "--report", at("hostile-check.html"), "--quiet");
  await checkPage("hostile names, check", at("hostile-check.html"));
  const corpora = path.join(HERE, "../shared/corpora");
  const trees = [["fixtures", path.join(HERE, "fixtures")], ...(fs.existsSync(corpora) ? [["corpora", corpora]] : [])];
  if (trees.length === 1) console.log("skipped: ../shared/corpora is absent");
  for (const [name, tree] of trees) {
    const file = at(`${name}.html`);
    runIn(path.dirname(tree), "rewrite", path.basename(tree), "--dry-run", "--url", "https://www.example.org/", "--report", file, "--quiet");
    await checkPage(name, file);
    if (options.screenshots && name === trees.at(-1)[0]) await screenshots(file, options.screenshots);
  }
  run("rewrite", manyDocuments(Number(options.documents)), "--dry-run", "--url", "https://www.example.org/archive/", "--report", at("many.html"), "--quiet");
  await checkPage(`${options.documents} documents`, at("many.html"));
} catch (error) {
  check("the checks run to their end", error.stack);
}
await browser.close();
finish();
