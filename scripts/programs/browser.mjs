// What the checks in a browser share: Chromium without a network, axe-core, and the lines that say what holds.

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** Ends the program with the status for what is absent. */
export const skip = (what) => {
  console.log(`skipped: ${what}`);
  process.exit(77);
};

const which = (name) => spawnSync("which", [name], { encoding: "utf8" }).stdout.trim();

/** Returns Chromium without a network, and the script of axe-core; `modules` is the folder of their packages. */
export const startBrowser = async ({ chromium, modules }) => {
  const executablePath = chromium ?? (which("chromium") || which("chromium-browser"));
  if (!executablePath) skip("chromium is not installed");
  const require = createRequire(pathToFileURL(path.join(path.resolve(modules), "package.json")));
  try {
    const loaded = (await import(pathToFileURL(require.resolve("puppeteer-core")))).default;
    const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
    const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"];
    return { browser: await (loaded.launch ? loaded : loaded.default).launch({ executablePath, args }), axe };
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    return skip("the npm packages puppeteer-core and axe-core are absent; --modules names their folder");
  }
};

/** Returns a function that prints a line for each check, and one that ends the program with their sum. */
export const checks = () => {
  let failed = 0, passed = 0;
  const check = (name, problem) => {
    problem ? failed++ : passed++;
    console.log(`${problem ? "WRONG" : "ok   "}  ${name}${problem ? `: ${problem}` : ""}`);
  };
  const finish = () => {
    console.log(`${passed} passed, ${failed} failed`);
    process.exit(failed ? 1 : 0);
  };
  return { check, finish };
};

/** Returns a folder that goes when the program ends. */
export const temporaryFolder = (prefix) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), prefix));
  process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Returns what axe-core finds in light and dark. */
export const barriers = async (page, axe) => {
  const found = [];
  for (const scheme of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await page.evaluate(axe);
    const results = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    for (const { id, impact, nodes } of results.violations) found.push(`${scheme}: ${impact} ${id} at ${nodes[0].target} (${nodes.length})`);
  }
  return found;
};

/** Returns the findings of axe-core that bar someone. */
export const serious = (found) => found.filter((line) => /serious|critical/.test(line)).join("; ");
