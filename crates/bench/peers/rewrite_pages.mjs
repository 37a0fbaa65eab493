// Make the links of pages absolute, and time that: rewrite_pages.mjs ENGINE FOLDER URL REPEATS ROUNDS
//
// The peers are ordinary scripts. They change four attributes: parse5 in its tree, cheerio by its selectors, and both write the page anew.
// It prints on how many pages the engine fails, then the processor time of each round in seconds, without its start and the reading of
// files. Without a folder it only loads the engine.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [engine, folder, url, repeats, rounds] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const ATTRIBUTES = ["href", "src", "action", "cite"];

function target(value) {
  return URL.canParse(value, url) ? new URL(value, url).href : value;
}

const engines = {
  async bytes() {
    const { rewrite } = await import(pathToFileURL(process.env.ABSOLVE_PACKAGE));
    return (page) => rewrite(page, { url });
  },
  strings: () => engines.bytes(),
  parse5() {
    const { parse, serialize } = require("parse5");
    return (page) => {
      const tree = parse(page);
      const nodes = [tree];
      while (nodes.length > 0) {
        const node = nodes.pop();
        for (const attribute of node.attrs ?? []) {
          if (ATTRIBUTES.includes(attribute.name)) attribute.value = target(attribute.value);
        }
        nodes.push(...(node.childNodes ?? []));
      }
      return serialize(tree);
    };
  },
  cheerio() {
    const { load } = require("cheerio");
    return (page) => {
      const $ = load(page);
      for (const name of ATTRIBUTES) $(`[${name}]`).attr(name, (_, value) => target(value));
      return $.html();
    };
  },
};

const rewrite = await engines[engine]();
const read = (name) => readFileSync(join(folder, name), engine === "bytes" ? undefined : "utf8");
const pages = folder === undefined ? [] : readdirSync(folder).sort().map(read);
// The compiler needs some passes over the first rounds, which warm up.
for (let number = -4; number < Number(rounds); number += 1) {
  let failed = 0;
  const start = process.cpuUsage();
  for (let repeat = 0; repeat < Number(repeats); repeat += 1) {
    for (const page of pages) {
      try {
        rewrite(page);
      } catch {
        failed += 1;
      }
    }
  }
  const { user, system } = process.cpuUsage(start);
  if (number === -1) console.log(failed / Number(repeats));
  if (number >= 0) console.log((user + system) / 1e6);
}
