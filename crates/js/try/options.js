// The options: their names on the command line, and what they are in JavaScript. The form, the call and the command line are made of them.

/** The groups of options that the form shows folded. */
export const GROUPS = ["Base", "Links", "Messages", "Input"];

/**
 * All options. `kind` says what the control is: `choice` of values of which the first is the default, `url`, `flag`, `set` of names, or
 * `lines`, one value each. `flags` are the flags of the command line that stand for a value; `mail` is the default for mail; an option
 * that `needs` another stands behind it.
 */
export const OPTIONS = [
  { name: "--for", key: "purpose", kind: "choice", values: ["any", "mail"], flags: { mail: ["--for", "mail"] },
    help: "For mail: targets in ASCII, no BASE; placeholders of mail services stay" },
  { name: "--same-document", key: "sameDocument", kind: "choice", values: ["keep", "absolute"], help: "What becomes of #top and empty references" },
  { name: "--precedence", key: "precedence", kind: "choice", values: ["layered", "drafts", "rfc2557", "browser"], group: "Base",
    help: "Which declarations of a base count" },
  { name: "--root", key: "root", kind: "url", group: "Base", help: "What references that begin with one slash resolve below" },
  { name: "--images-url", key: "imagesUrl", kind: "url", group: "Base", help: "What embedded images resolve against" },
  { name: "--feed-base", key: "feedBase", kind: "choice", values: ["feed", "item"], group: "Base", help: "What items of feeds are read at" },
  { name: "--standard", key: "standard", kind: "choice", group: "Links",
    values: ["whatwg", "rfc1630", "rfc1808", "draft1996", "rfc2396", "rfc3986"], help: "The rules by which references resolve" },
  { name: "--base-element", key: "baseElement", kind: "choice", values: ["keep", "remove", "comment"], mail: "remove", group: "Links",
    help: "What becomes of the BASE element: keep; for mail, remove" },
  { name: "--spelling", key: "spelling", kind: "choice", values: ["as-written", "ascii"], mail: "ascii", group: "Links",
    help: "How targets are spelled: as-written; for mail, ascii" },
  { name: "--groups", key: "groups", kind: "set", group: "Links",
    values: ["core", "legacy", "social", "lazy", "plugins", "rdfa", "front-matter", "amp", "mjml"],
    help: "Where links are looked for. None checked: core, legacy, social; for mail amp and mjml, too" },
  { name: "--attr", key: "attributes", kind: "lines", group: "Links", example: "amp-img@srcset=srcset", help: "More places, one in each line" },
  { name: "--keep", key: "keep", kind: "lines", group: "Links", example: "^~", help: "References that stay: a regular expression in each line" },
  { name: "--map", key: "map", kind: "lines", group: "Links", example: "https://old.example=https://new.example",
    help: "Where links lead instead: FROM=TO in each line" },
  { name: "--map-only", key: "relativeLinks", kind: "flag", value: "keep", group: "Links", needs: "map",
    help: "Change only what --map covers. Needs --map" },
  { name: "--message-url", key: "messageUrl", kind: "url", group: "Messages", help: "The URL of a message that declares no base, or archived-at" },
  { name: "--headers", key: "headers", kind: "flag", value: "absolute", group: "Messages", help: "Make references in header fields absolute" },
  { name: "--keep-dkim, --break-signatures", key: "signatures", kind: "choice", values: ["keep", "keep-all", "break"], group: "Messages",
    flags: { "keep-all": ["--keep-dkim"], break: ["--break-signatures"] },
    help: "keep: signed parts stay; keep-all: messages with DKIM, too; break: all change" },
  { name: "--charset", key: "charset", kind: "text", group: "Input", bytes: "only",
    help: "The charset of a file, where HTTP declared it. Pasted text has none" },
];

const SCHEME = /^\s*[a-z0-9+.-]*:\/\//i;

/** Returns FROM and TO, cut where the command line cuts them: before the first TO that begins like a URL. */
const pairOf = (line) => {
  for (let at = line.indexOf("="); at >= 0; at = line.indexOf("=", at + 1)) {
    if (SCHEME.test(line.slice(at + 1))) return [line.slice(0, at), line.slice(at + 1)];
  }
  throw new Error(`--map: ${line} has to be FROM=TO, two URLs with a scheme and a host`);
};

/** Returns the map of URLs in lines. */
const mapOf = (lines) => {
  const map = {};
  for (const [from, to] of lines.map(pairOf)) {
    if (Object.hasOwn(map, from) && map[from] !== to) throw new Error(`--map: ${from} leads to both ${map[from]} and ${to}`);
    map[from] = to;
  }
  return map;
};

/** Returns the options of the package for what the form gives. It throws an error if a map is none. */
export const packageOptions = (given) =>
  Object.fromEntries(OPTIONS.filter(({ key }) => given[key] !== undefined).map(({ key }) => [key, key === "map" ? mapOf(given[key]) : given[key]]));

/** Returns the arguments of the command line for what the form gives. */
export const argumentsOf = (given) =>
  OPTIONS.filter(({ key }) => given[key] !== undefined).flatMap(({ name, key, kind, flags }) => {
    const value = given[key];
    if (flags) return flags[value] ?? [];
    if (kind === "flag") return [name];
    if (kind === "set") return [name, value.join(",")];
    return (kind === "lines" ? value : [value]).flatMap((one) => (one.startsWith("-") ? [`${name}=${one}`] : [name, one]));
  });

/** Returns what the package says with the names of the command line in place of its own, which only a colon shows if they are words. */
export const withNames = (text) =>
  OPTIONS.reduce((said, { name, key }) => said.replace(new RegExp(/[A-Z]/.test(key) ? `\\b${key}\\b` : `^${key}(?=:)`, "g"), name), text);
