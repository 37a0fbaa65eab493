// Markdown that is made up: a generator of documents with tables, mathematics, HTML and quotes, from a seed.

const DESTINATIONS = ["a.md", "../b.html", "c(d).png", "<e f.md>", "g?h=i&amp;j", "k\\_l", "/m", "?n", "o/./p", "q$5", "http://x.example/y", "#r"];
const TITLES = ["", "", "", ' "t"', " 't'", " (t)", '\n"t"', ' "a$b"'];
const LABELS = ["one", "two", "three"];
const BLOCKS = ["paragraph", "paragraph", "paragraph", "heading", "list", "quote", "table", "html", "code", "mathematics", "definition"];
const NOISE = ["*", "_", "`", "$", "[", "]", "(", ")", "<", ">", "|", "~", "\\", "!", "\n", " ", "\t", "&", "#", "-", ":", "'", '"', "5"];

// Returns a source of numbers from 0 to 1 that a seed decides (mulberry32).
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Returns a document. A third of them have mistakes.
export function documentOf(next) {
  const below = (number) => Math.floor(next() * number);
  const one = (list) => list[below(list.length)];
  const many = (least, most, make) => Array.from({ length: least + below(most - least + 1) }, make);
  // A mistake in a tag of raw text would hide what follows it, which renderers do not show.
  const hasMistakes = below(3) === 0;
  const destination = () => one(DESTINATIONS);

  const inline = (depth) => {
    const inside = () => (depth > 0 ? many(1, 2, () => inline(depth - 1)).join(" ") : one(["x", "y z", "ü"]));
    return one([
      () => one(["word", "two words", "größe", "a_b", "x | y", "1 < 2", "R&D"]),
      () => `[${inside()}](${destination()}${one(TITLES)})`,
      () => `[${inside()}](${destination()}${one(TITLES)})`,
      () => `![${inside()}](${destination()}${one(TITLES)})`,
      () => `[${inside()}][${one(LABELS)}]`,
      () => `[${one(LABELS)}]`,
      () => `**${inside()}**`,
      () => `*${inside()}*`,
      () => `~~${inside()}~~`,
      () => `\`${one(["code", "[x](y)", "$", "<a href='b'>"])}\``,
      () => `<img src="${one(["i.png", "j k.png"])}">`,
      () => `<a href='${one(["l.html", "../m"])}'>${inside()}</a>`,
      () => `<img\n  src="n.png"\n>`,
      () => one(["<!-- c -->", "<b>", "</b>", "<br/>", "<http://x.example/z>"]),
      () => one(["$5", "**$5**", "*$10*", "($20)", "$x+y$", "$a_b$", "\\$3", "US$4", "$"]),
      () => one(["line\nbreak", "hard  \nbreak", "back\\\nslash"]),
    ])();
  };
  const inlines = () => many(1, 4, () => inline(2)).join(one([" ", " ", " ", ""]));
  const indented = (text, first, other) => text.split("\n").map((line, index) => (index === 0 ? first : other) + line).join("\n");
  const cell = () => inline(1).replace(/\n/g, " ").replace(/\|/g, "\\|");
  const row = (columns) => `| ${Array.from({ length: columns }, cell).join(" | ")} |`;

  const block = (depth) => {
    const kind = one(depth > 0 ? BLOCKS : BLOCKS.filter((name) => name !== "list" && name !== "quote"));
    const columns = 1 + below(3);
    return {
      paragraph: inlines,
      heading: () => `${"#".repeat(1 + below(3))} ${inlines().replace(/\n/g, " ")}`,
      list: () => many(1, 3, () => indented(block(depth - 1), one(["- ", "- "]), "  ")).join("\n"),
      quote: () => indented(many(1, 2, () => block(depth - 1)).join("\n\n"), "> ", "> "),
      table: () => [row(columns), `|${" --- |".repeat(columns)}`, ...many(1, 2, () => row(columns))].join("\n"),
      html: () =>
        one([
          () => `<div>\n  <a href="${one(["s", "t/u"])}">v</a>\n</div>`,
          () => `<p align=center><img src="w.png"></p>`,
          () => `<div>\n\n${inlines()}\n\n</div>`,
          () => (hasMistakes ? "<hr>" : `<${one(["script></style", "pre></script", "style></STYLE", "textarea></pre"])}>\n${inlines()}`),
          () => `<!-- [a](b)\n<img src="c"> -->`,
        ])(),
      code: () => `\`\`\`\n${inlines()}\n\`\`\``,
      mathematics: () => `$$\n${one(["x", "\\frac{a}{b}", "a_b"])}\n$$`,
      definition: () => `[${one(LABELS)}]: ${destination()}${one(TITLES.filter((title) => !title.includes("\n")))}`,
    }[kind]();
  };
  let text = `${many(1, 5, () => block(2)).join("\n\n")}\n\n${LABELS.map((label) => `[${label}]: ${label}.md`).join("\n")}\n`;
  if (hasMistakes) {
    for (const change of many(1, 3, () => below(3))) {
      const at = below(text.length);
      text = text.slice(0, at) + (change === 0 ? "" : one(NOISE)) + text.slice(at + (change === 1 ? 0 : 1));
    }
  }
  return text;
}
