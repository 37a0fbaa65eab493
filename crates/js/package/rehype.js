/**
 * A plugin for rehype: makes the links of a tree absolute.
 *
 * The engine reads text, so the plugin writes the elements of the tree, without their text, as one HTML document, and puts what the engine
 * changes back into the tree. It needs no compiler, and so works in Astro, MDX and react-markdown as well.
 */

import { AbsolveError, Rewriter } from "absolve";

const EMPTY = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]);
const NAMES = { className: "class", httpEquiv: "http-equiv", xLinkHref: "xlink:href", xmlBase: "xml:base" };
const ESCAPES = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };
const CHARACTERS = Object.fromEntries(Object.entries(ESCAPES).map(([character, escape]) => [escape, character]));

/** Returns a transformer of trees. */
export default function rehypeAbsolve({ url, ...options } = {}) {
  const rewriter = new Rewriter(options);
  const { baseElement = "keep" } = options;
  if (baseElement !== "keep") throw new AbsolveError("invalid-option", "baseElement must be keep: a plugin of rehype changes values only");
  return (tree, file) => {
    const document = { pieces: [], length: 0, line: 1, values: [], nodes: [] };
    write(document, tree, false);
    const text = document.pieces.join("");
    const source = { url: typeof url === "function" ? url(file) : url };
    replaceValues(document.values, rewriter.edits(text, source));
    for (const { code, message, line } of rewriter.html(text, source).findings) {
      file.message(message, document.nodes.filter((one) => one.line <= line).at(-1)?.node, `absolve:${code}`);
    }
  };
}

/** Puts edits into the values in which they are; both are in the order of the text. */
function replaceValues(values, edits) {
  let next = 0;
  for (const { start, text, put } of values) {
    const inside = [];
    while (edits[next]?.end <= start + text.length) inside.push(edits[next++]);
    const replaced = (before, edit) => before.slice(0, edit.start - start) + edit.text + before.slice(edit.end - start);
    if (inside.length > 0) put(inside.reduceRight(replaced, text));
  }
}

/** Writes a node with all in it, on a line of its own. The text of a style is read, other text is not. */
function write(document, node, isStyle) {
  add(document, "\n");
  document.nodes.push({ node, line: document.line });
  const put = (value) => { node.value = value; };
  if (node.type === "raw" || (isStyle && node.type === "text")) addValue(document, node.value, put);
  if (node.type === "comment") addValue(document, `<!--${node.value}-->`, (comment) => put(comment.slice("<!--".length, -"-->".length)));
  if (node.type === "element") writeTag(document, node.tagName, node.properties ?? {});
  for (const child of node.content ? [node.content] : node.children ?? []) write(document, child, node.tagName === "style");
  if (node.type === "element" && !EMPTY.has(node.tagName)) add(document, `</${node.tagName}>`);
}

function writeTag(document, tagName, properties) {
  add(document, `<${tagName}`);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    add(document, ` ${NAMES[name] ?? name.replace(/^data[A-Z].*/, (data) => data.replaceAll(/[A-Z]/g, "-$&")).toLowerCase()}="`);
    const [list, keys] = Array.isArray(value) ? [value, [...value.keys()]] : [properties, [name]];
    for (const key of keys) {
      if (key > 0) add(document, name === "srcSet" ? ", " : " ");
      const escaped = String(list[key]).replaceAll(/[&"<>]/g, (character) => ESCAPES[character]);
      addValue(document, escaped, (text) => { list[key] = text.replaceAll(/&(amp|quot|lt|gt);/g, (escape) => CHARACTERS[escape]); });
    }
    add(document, '"');
  }
  add(document, ">");
}

function addValue(document, text, put) {
  document.values.push({ start: document.length, text, put });
  add(document, text);
}

function add(document, text) {
  document.pieces.push(text);
  document.length += text.length;
  document.line += text.split("\n").length - 1;
}
