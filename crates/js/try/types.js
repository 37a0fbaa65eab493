// What a document is: by the extension of its name, else by its first bytes.

/** The types of documents: their names on the command line, in words, and the extension that pasted text gets. */
export const TYPES = {
  html: { title: "HTML", extension: "html" },
  css: { title: "CSS", extension: "css" },
  xml: { title: "XML (XHTML, SVG, RSS, Atom)", extension: "xml" },
  markdown: { title: "Markdown", extension: "md" },
  text: { title: "plain text", extension: "txt" },
  "json-feed": { title: "JSON Feed", extension: "json" },
  message: { title: "message (.eml, MHTML)", extension: "eml" },
};

/** The extensions by which the command line knows a type. */
export const EXTENSIONS = {
  html: ["html", "htm", "shtml", "shtm", "phtml"],
  css: ["css"],
  xml: ["xhtml", "xht", "svg", "xml", "rss", "atom", "rdf", "opml", "owl", "mml"],
  markdown: ["md", "markdown", "mdown", "mkd"],
  text: ["txt"],
  message: ["eml", "emlx", "mht", "mhtml"],
};

/** What only the command line reads. */
const CONTAINERS = [
  { extensions: ["mbox", "mbx", "mmdf", "babyl"], start: /^From \S+ .*\d{4}/, title: "a mailbox" },
  { extensions: ["warc", "arc"], start: /^(WARC\/\d|filedesc:\/\/)/, title: "a web archive" },
  { extensions: ["wacz"], start: /^(?!)/, title: "a web archive" },
  { extensions: ["gz", "bz2", "xz", "zst", "lz4"], start: /^(\x1f\x8b|BZh|\xfd7zXZ|\x28\xb5\x2f\xfd)/, title: "a compressed file", advice: "Unpack it first." },
  { extensions: ["zip", "tar", "tgz"], start: /^PK\x03\x04/, title: "an archive of files" },
];

const MARKUP = /^<(!doctype html|html|head|body|title|meta|base|link|script|style|iframe|h[1-6]|div|font|table|a|b|br|p|img|ul|ol|span|!--)[\s>]/i;
const FIELD = /^(mime-version|(snapshot-)?content-[a-z-]+|received|return-path|delivered-to|message-id|from|to|subject|date|list-[a-z]+|x-[a-z-]+):/i;

/** Returns the charset that a byte order mark declares; `undefined` without one. */
export const markedCharset = (bytes) => {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? "utf-8" : undefined;
};

/** Returns the extension of a name in lower case; empty if it has none. */
export const extensionOf = (name) => /[^/]\.([^./]+)$/.exec(name)?.[1].toLowerCase() ?? "";

/** Returns the type that the command line takes from a name; `undefined` if it takes none. */
export const typeOfName = (name) => {
  if (/^llms(-full)?\.txt$/.test(name)) return "markdown";
  return Object.keys(EXTENSIONS).find((type) => EXTENSIONS[type].includes(extensionOf(name)));
};

const typeOfStart = (start) => {
  const begin = start.replace(/^\ufeff/, "").trimStart();
  if (/^<\?xml|^<(rss|feed|svg|rdf:rdf|opml|math)[\s>]/i.test(begin) || /^<html[^>]+xmlns=/i.test(begin)) return "xml";
  if (MARKUP.test(begin) || begin.startsWith("<")) return "html";
  if (/^\{/.test(begin) && /jsonfeed\.org\/version/.test(begin)) return "json-feed";
  if (FIELD.test(begin)) return "message";
  if (/^(@[a-z-]+\b|\/\*|[.#:*]?[a-z][^<>\n{}]*\{)/i.test(begin) && /\{|;/.test(begin)) return "css";
  if (/^#{1,6} |^---\n|\]\([^)\s]+\)|^\[[^\]]+\]: /m.test(begin)) return "markdown";
  if (/<url:/i.test(begin)) return "text";
  return undefined;
};

/** Returns the type of a document and why, or what it is that cannot be read here. `start` has its first bytes as text. */
export const guess = (name, start) => {
  // A compressed mailbox or archive is read as one; its name says what is in it.
  const plain = name.replace(/\.(gz|bz2|xz|zst|lz4)$/i, "");
  const container = CONTAINERS.find(({ extensions }) => extensions.includes(extensionOf(plain))) ??
    CONTAINERS.find(({ extensions, start: begins }) => extensions.includes(extensionOf(name)) || begins.test(start));
  if (container) return { refusal: `This is ${container.title}. ${container.advice ?? "Only the command line reads it."}` };
  const byName = typeOfName(name);
  if (byName) return { type: byName, why: `by its extension .${extensionOf(name)}` };
  if (/^(\x89PNG|GIF8|\xff\xd8\xff|%PDF|\x7fELF)/.test(start)) return { refusal: "This is an image, a PDF or a program, which is not read." };
  const byStart = typeOfStart(start);
  return byStart ? { type: byStart, why: "by how it begins" } : { type: "html", why: "because nothing in its beginning shows another type" };
};
