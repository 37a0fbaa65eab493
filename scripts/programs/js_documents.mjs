// The documents of fixtures/ of every type that the npm package reads, and options as the package and the command line have them.

import fs from "node:fs";
import path from "node:path";

/** The types of the package, with the extension by which the command line knows each. */
export const EXTENSIONS = { html: "html", css: "css", xml: "xml", text: "txt", markdown: "md", "json-feed": "json", message: "mht" };

const TYPES = { ...Object.fromEntries(Object.entries(EXTENSIONS).map(([type, extension]) => [extension, type])), htm: "html", xhtml: "xml", svg: "xml", mhtml: "message" };

/** Folders whose files have no extension: what fuzzing found. */
const FUZZED = { html: "html", css: "css", xml: "xml", message: "message", emlx: "message", unpack: "message", quoted_printable: "message" };

/** Files that hold cases, each with a document in it. */
const CASES = ["links/documents", "mail/edits", ...["documents", "edits", "feeds", "json-feeds", "markdown", "objects", "peers", "places", "urls", "xml"].map((name) => `rewrite/${name}`),
  ...["eleventy", "ghost-url-utils", "posthtml-base-url", "posthtml-urls"].map((name) => `javascript/${name}`)];

/** Returns all documents of a folder of fixtures: `name`, `type` and `bytes`. */
export function fixtureDocuments(fixtures) {
  const files = fs.readdirSync(fixtures, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name)).sort();
  const whole = files.flatMap((file) => {
    const name = path.relative(fixtures, file).split(path.sep).join("/");
    const type = typeOf(name);
    return type ? [{ name, type, bytes: fs.readFileSync(file) }] : [];
  });
  return [...whole, ...CASES.flatMap((name) => casesOf(name, JSON.parse(fs.readFileSync(path.join(fixtures, `${name}.json`), "utf8"))))];
}

/** Returns the type of a file; nothing if the package does not read it. JSON holds cases here, not feeds. */
function typeOf(name) {
  const [, fuzzed] = name.match(/^fuzz\/(\w+)\//) ?? [];
  if (fuzzed) return FUZZED[fuzzed];
  const extension = path.extname(name).slice(1).toLowerCase();
  return extension === "json" ? undefined : TYPES[extension];
}

function casesOf(name, content) {
  return (content.cases ?? content).flatMap((one, index) => {
    const text = one.document ?? one.input ?? one.before?.join("\r\n");
    const type = one.before ? "message" : name === "rewrite/json-feeds" ? "json-feed" : one.type ?? "html";
    return typeof text === "string" && type in EXTENSIONS ? [{ name: `${name}#${index}`, type, bytes: Buffer.from(text) }] : [];
  });
}

const GROUPS = ["core", "legacy", "social", "lazy", "plugins", "rdfa", "amp", "mjml", "front-matter"];

/** Options of the package, and the arguments of the command line that mean the same. */
export const OPTION_SETS = [
  [{}, []],
  [{ standard: "rfc3986", spelling: "ascii" }, ["--standard", "rfc3986", "--spelling", "ascii"]],
  [{ purpose: "mail" }, ["--for", "mail"]],
  [{ baseElement: "remove", sameDocument: "absolute", feedBase: "item" }, ["--base-element", "remove", "--same-document", "absolute", "--feed-base", "item"]],
  [{ groups: GROUPS, attributes: ["p@title=url", "*@data-x=srcset"], keep: ["^a", "x$"] },
    ["--groups", GROUPS.join(","), "--attr", "p@title=url", "--attr", "*@data-x=srcset", "--keep", "^a", "--keep", "x$"]],
  [{ map: { "http://h/": "https://new.example/" }, relativeLinks: "keep" }, ["--map", "http://h/=https://new.example/", "--map-only"]],
  [{ root: "https://root.example/app/", imagesUrl: "https://images.example/raw/", headers: "absolute", signatures: "break", messageUrl: "https://list.example/1" },
    ["--root", "https://root.example/app/", "--images-url", "https://images.example/raw/", "--headers", "--break-signatures", "--message-url", "https://list.example/1"]],
  [{ precedence: "browser", charset: "windows-1252" }, ["--precedence", "browser", "--charset", "windows-1252"]],
  [{ precedence: "rfc2557", standard: "rfc1808", baseElement: "comment", signatures: "keep-all" },
    ["--precedence", "rfc2557", "--standard", "rfc1808", "--base-element", "comment", "--keep-dkim"]],
];
