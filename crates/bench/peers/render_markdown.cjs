// Render Markdown with absolute links, and time that: render_markdown.cjs FOLDER URL REPEATS ROUNDS
//
// An ordinary script with markdown-it, as a peer to measure against. It prints how many documents it cannot render, then the
// processor time of each round in seconds, without its start and the reading of files.
const fs = require("node:fs");
const path = require("node:path");
const markdownIt = require("markdown-it");

const [folder, url, repeats, rounds] = process.argv.slice(2);

function absoluteLinks(renderer) {
  renderer.core.ruler.push("absolute-links", (state) => {
    for (const token of state.tokens.flatMap((token) => token.children ?? [])) {
      for (const name of ["href", "src"]) {
        const value = token.attrGet(name);
        if (value !== null && !value.startsWith("#") && URL.canParse(value, url)) {
          token.attrSet(name, new URL(value, url).href);
        }
      }
    }
  });
}

const renderer = markdownIt({ html: true }).use(absoluteLinks);
const documents = fs.readdirSync(folder).sort().map((name) => fs.readFileSync(path.join(folder, name), "utf8"));
// The first round warms up.
for (let number = 0; number <= Number(rounds); number += 1) {
  let failed = 0;
  const start = process.cpuUsage();
  for (let repeat = 0; repeat < Number(repeats); repeat += 1) {
    for (const document of documents) {
      try {
        renderer.render(document);
      } catch {
        failed += 1;
      }
    }
  }
  const { user, system } = process.cpuUsage(start);
  console.log(number === 0 ? failed / Number(repeats) : (user + system) / 1e6);
}
