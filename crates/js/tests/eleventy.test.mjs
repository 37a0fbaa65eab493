/** The plugin for Eleventy, in Eleventy. */

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { absolve, fileOfPackage, lacks, npmPackage, workshop } from "./support.mjs";

const skip = lacks("@11ty/eleventy");
const { default: plugin } = await fileOfPackage("eleventy.js");

const PAGES = {
  "index.njk": '<a href="posts/a/">a</a> <a href="/x">x</a> <a href="#top">top</a>',
  "posts/a.njk": '<img src="photo.jpg"> <a href="../b/">b</a>',
  "unwritten.njk": '---\npermalink: false\n---\n<a href="x">',
  "style.njk": "---\npermalink: /css/style.css\n---\na { background: url(x.png) }",
  "data.njk": '---\npermalink: /data.json\n---\n{ "url": "x" }',
  "notes.njk": '---\npermalink: /notes.txt\n---\n[x](y)',
  "feed.njk": '---\npermalink: /feed.xml\n---\n<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="/posts/a/"/>' +
    '<content type="html">&lt;img src="photo.jpg"></content></entry></feed>',
  "json.njk": '---\npermalink: /feed.json\n---\n{ "version": "https://jsonfeed.org/version/1.1", "items": [' +
    '{ "url": "/posts/a/", "content_html": "<img src=photo.jpg>" }] }',
};

/** Returns the content of the pages that Eleventy makes, by their path, and what was printed as a warning. */
async function built(pages, options, config = () => {}) {
  const { Eleventy, EleventyHtmlBasePlugin } = await npmPackage("@11ty/eleventy");
  const folder = workshop();
  for (const [name, text] of Object.entries(pages)) {
    fs.mkdirSync(path.dirname(path.join(folder, "site", name)), { recursive: true });
    fs.writeFileSync(path.join(folder, "site", name), text);
  }
  const warnings = [];
  const warn = console.warn;
  console.warn = (line) => warnings.push(line);
  try {
    const eleventy = new Eleventy(path.join(folder, "site"), path.join(folder, "out"), {
      quietMode: true,
      configPath: false,
      config: (own) => { config(own, EleventyHtmlBasePlugin); own.addPlugin(plugin, options); },
    });
    eleventy.disableLogger();
    const results = await eleventy.toJSON();
    const written = Object.fromEntries(results.map(({ url, content }) => [url, content.trim()]));
    return { written, warnings: warnings.filter((line) => line.startsWith("[absolve]")) };
  } finally {
    console.warn = warn;
  }
}

test("pages, styles and feeds have absolute links, and nothing else changes", { skip }, async () => {
  const { written, warnings } = await built(PAGES, { url: "https://example.org/" });
  assert.equal(written["/"], '<a href="https://example.org/posts/a/">a</a> <a href="https://example.org/x">x</a> <a href="#top">top</a>');
  assert.equal(written["/posts/a/"], '<img src="https://example.org/posts/a/photo.jpg"> <a href="https://example.org/posts/b/">b</a>');
  assert.equal(written["/css/style.css"], "a { background: url(https://example.org/css/x.png) }");
  assert.equal(written["/data.json"], '{ "url": "x" }');
  assert.equal(written["/notes.txt"], "[x](y)");
  assert.equal(written["false"] ?? written[false], '<a href="x">');
  assert.match(written["/feed.xml"], /<link href="https:\/\/example.org\/posts\/a\/"\/>.*src="https:\/\/example.org\/posts\/a\/photo.jpg"/);
  assert.match(written["/feed.json"], /"https:\/\/example.org\/posts\/a\/".*<img src=https:\/\/example.org\/posts\/a\/photo.jpg>/);
  assert.deepEqual(warnings, []);
});

test("an item of a feed is read at the feed with feedBase", { skip }, async () => {
  const { written } = await built(PAGES, { url: "https://example.org/", feedBase: "feed" });
  assert.match(written["/feed.xml"], /src="https:\/\/example.org\/photo.jpg"/);
});

test("types adds extensions and leaves some out", { skip }, async () => {
  const { written } = await built(PAGES, { url: "https://example.org", types: { txt: "markdown", css: undefined } });
  assert.equal(written["/notes.txt"], "[x](https://example.org/y)");
  assert.equal(written["/css/style.css"], PAGES["style.njk"].split("\n").at(-1));
});

test("HtmlBase puts the path prefix before links, and the plugin what is before that", { skip }, async () => {
  const config = (own, htmlBase) => { own.addPlugin(htmlBase, { baseHref: "/blog/" }); };
  const { written } = await built(PAGES, { url: new URL("https://example.org/blog/") }, config);
  assert.equal(written["/"], '<a href="https://example.org/blog/posts/a/">a</a> <a href="https://example.org/blog/x">x</a> <a href="#top">top</a>');
});

test("what stays relative is printed with the path of the page", { skip }, async () => {
  const pages = { "index.njk": '<base href="mailto:x@example.org">\n<a href="x">' };
  const { written, warnings } = await built(pages, { url: "https://example.org/" });
  assert.equal(written["/"], pages["index.njk"]);
  assert.deepEqual(warnings.map((line) => line.split(": ")[1]), ["base-not-portable", "opaque-base"]);
  assert.match(warnings[1], /^\[absolve\] .*out\/index\.html:2:10: opaque-base: 1 reference left relative: /);
});

test("wrong options are errors before any page is built", () => {
  const config = { addTransform: () => assert.fail("a transform was added") };
  for (const [options, code] of [[undefined, "invalid-url"], [{}, "invalid-url"], [{ url: "example.org" }, "invalid-url"],
    [{ url: "https://example.org/", standard: "rfc9999" }, "invalid-option"], [{ url: "https://example.org/", extension: "html" }, "invalid-option"]]) {
    assert.throws(() => plugin(config, options), (error) => error instanceof absolve.AbsolveError && error.code === code, JSON.stringify(options));
  }
});
