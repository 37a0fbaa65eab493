/** A plugin for Eleventy: makes the links of pages, feeds and styles absolute before they are written. */

import { AbsolveError, Rewriter } from "absolve";

/** The types of documents by the extensions of output files. */
const TYPES = {
  html: "html",
  htm: "html",
  xhtml: "xml",
  xml: "xml",
  rss: "xml",
  atom: "xml",
  svg: "xml",
  css: "css",
  json: "json-feed",
  md: "markdown",
};

/** Adds the transform. An item of a feed is read at its own URL, because Eleventy puts the content of pages there. */
export default function absolveLinks(eleventyConfig, { url, types, ...options } = {}) {
  const site = siteOf(url);
  const typeOf = { ...TYPES, ...types };
  const rewriter = new Rewriter({ feedBase: "item", ...options });
  // Checks the URL before any page is built.
  rewriter.html("", { url: site });
  eleventyConfig.addTransform("absolve", function (content) {
    const { outputPath, url: path } = this.page;
    const type = typeOf[extensionOf(outputPath)];
    if (!type || !isDocument(content, type)) return content;
    const page = rewriter.document(content, type, { url: pageUrl(site, path) });
    report(outputPath, page.findings);
    return page.content;
  });
}

/** Returns the URL of the site, which is a folder. */
function siteOf(url) {
  if (url === undefined) throw new AbsolveError("invalid-url", "url must be the URL of the site, such as https://example.org/");
  const text = String(url);
  return text.endsWith("/") ? text : `${text}/`;
}

/** Returns the URL of a page, whose path in the site begins with a slash. */
function pageUrl(site, path) {
  return new URL(path.replace(/^\/+/, ""), site).href;
}

/** Returns the extension of a path; nothing of a page that is not written. */
function extensionOf(outputPath) {
  return outputPath ? outputPath.slice(outputPath.lastIndexOf(".") + 1).toLowerCase() : "";
}

/** Returns whether content is what its extension says: not all JSON is a feed. */
function isDocument(content, type) {
  return type !== "json-feed" || /"https?:\\?\/\\?\/jsonfeed\.org\\?\/version\\?\//.test(content);
}

/** Prints what was found in a page. */
function report(outputPath, findings) {
  for (const { line, column, code, message } of findings) {
    const place = line === null ? "" : `:${line}:${column}`;
    console.warn(`[absolve] ${outputPath}${place}: ${code}: ${message}`);
  }
}
