/** The plugin for rehype, in unified. */

import assert from "node:assert/strict";
import test from "node:test";
import { absolve, fileOfPackage, lacks, npmPackage } from "./support.mjs";

const skip = lacks("unified", "rehype-parse", "rehype-stringify");
const { default: plugin } = await fileOfPackage("rehype.js");

/** Returns what the pipeline makes of HTML, and its messages. */
async function processed(html, options) {
  const [{ unified }, { default: parse }, { default: stringify }] =
    await Promise.all(["unified", "rehype-parse", "rehype-stringify"].map(npmPackage));
  const file = await unified().use(parse, { fragment: true }).use(plugin, options).use(stringify).process(html);
  return { html: String(file), messages: file.messages };
}

const URL_OF_PAGE = "https://example.org/d/";
const ABSOLUTE = {
  "a link": ['<a href="x?a=1&#x26;b=&#x22;">é &#x3C;</a>', '<a href="https://example.org/d/x?a=1&#x26;b=&#x22;">é &#x3C;</a>'],
  "lists": ['<a ping="a b"></a><img srcset="a 1x, b 2x">', '<a ping="https://example.org/d/a https://example.org/d/b"></a><img srcset="https://example.org/d/a 1x, https://example.org/d/b 2x">'],
  "CSS": ['<style>a{background:url(x)}</style><p style="background:url(x)">x</p>', '<style>a{background:url(https://example.org/d/x)}</style><p style="background:url(https://example.org/d/x)">x</p>'],
  "SVG": ['<svg><image xlink:href="x"></image></svg>', '<svg><image xlink:href="https://example.org/d/x"></image></svg>'],
  "a refresh": ['<meta http-equiv="refresh" content="1;url=x">', '<meta http-equiv="refresh" content="1;url=https://example.org/d/x">'],
  "a template": ["<template><a href=\"x\"></a></template>", "<template><a href=\"https://example.org/d/x\"></a></template>"],
  "a conditional comment": ['<!--[if mso]><v:fill src="x"/><![endif]-->', '<!--[if mso]><v:fill src="https://example.org/d/x"/><![endif]-->'],
  "a document in an attribute": ['<iframe srcdoc="<a href=&#x27;x&#x27;>"></iframe>', '<iframe srcdoc="<a href=&#x27;https://example.org/d/x&#x27;>"></iframe>'],
  "a base": ['<base href="/e/"><a href="x"></a>', '<base href="https://example.org/e/"><a href="https://example.org/e/x"></a>'],
};
const KEPT = ['<a href="#top"></a>', '<p hidden title="x" data-x="y">href="x"</p>', '<script>"<a href=x>"</script>', "<textarea><a href=x></textarea>", "<!-- <a href=x> -->"];

test("links in a tree become absolute", { skip }, async (context) => {
  for (const [name, [html, expected]] of Object.entries(ABSOLUTE)) {
    await context.test(name, async () => assert.equal((await processed(html, { url: URL_OF_PAGE })).html, expected));
  }
});

test("what is no link stays", { skip }, async () => {
  for (const html of KEPT) assert.equal((await processed(html, { url: URL_OF_PAGE })).html, (await processed(html)).html, html);
});

test("raw nodes, properties without a value and many values", () => {
  const many = Array.from({ length: 1000 }, (_, number) => ({ type: "element", tagName: "a", properties: { href: `${number}`, id: null, rel: undefined }, children: [] }));
  const tree = { type: "root", children: [{ type: "raw", value: '<a href="x">' }, ...many] };
  plugin({ url: URL_OF_PAGE })(tree, {});
  assert.equal(tree.children[0].value, '<a href="https://example.org/d/x">');
  assert.equal(tree.children[1000].properties.href, "https://example.org/d/999");
});

test("the URL may depend on the file", { skip }, async () => {
  assert.equal((await processed('<a href="x"></a>', { url: (file) => `https://example.org/${file.value.length}/` })).html, '<a href="https://example.org/16/x"></a>');
});

test("react-markdown", { skip: lacks("react-markdown", "react", "react-dom") }, async () => {
  const [{ default: Markdown }, { createElement }, { renderToStaticMarkup }] = await Promise.all(["react-markdown", "react", "react-dom/server"].map(npmPackage));
  const element = createElement(Markdown, { rehypePlugins: [[plugin, { url: URL_OF_PAGE }]] }, "[x](x)");
  assert.equal(renderToStaticMarkup(element), '<p><a href="https://example.org/d/x">x</a></p>');
});

test("MDX", { skip: lacks("@mdx-js/mdx", "react", "react-dom") }, async () => {
  const [{ evaluate }, runtime, { renderToStaticMarkup }] = await Promise.all(["@mdx-js/mdx", "react/jsx-runtime", "react-dom/server"].map(npmPackage));
  const { default: Content } = await evaluate("[x](x)", { ...runtime, rehypePlugins: [[plugin, { url: URL_OF_PAGE }]] });
  assert.equal(renderToStaticMarkup(runtime.jsx(Content, {})), '<p><a href="https://example.org/d/x">x</a></p>');
});

test("findings are messages of the file, at the element", { skip }, async () => {
  const { messages } = await processed('<p>text</p>\n<p>\n<a href="x"></a></p>');
  assert.equal(messages.length, 1);
  assert.equal(messages[0].reason, "1 reference left relative: no base is known");
  assert.deepEqual([messages[0].source, messages[0].ruleId, messages[0].line], ["absolve", "no-base", 3]);
});

test("wrong options are errors when the plugin is used", () => {
  for (const options of [{ standard: "rfc9999" }, { baseElement: "remove" }, { uri: "x" }]) {
    assert.throws(() => plugin(options), (error) => error instanceof absolve.AbsolveError && error.code === "invalid-option");
  }
});
