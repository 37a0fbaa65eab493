// Finds the links of documents by the parsers of a browser. `args` are documents, { body: base64, charset, type }, and what is returned
// for each is { charset, title, links: [{ place, written, base, inFrame }] } in the order of the document; `base` lists the BASE elements
// that count, from the outermost document inwards. Nothing of a document runs or loads.

const ATTRIBUTES = {
  a: ["href"], area: ["href"], link: ["href"], img: ["src", "longdesc"], script: ["src"], iframe: ["src", "longdesc"], frame: ["src", "longdesc"],
  form: ["action"], button: ["formaction"], input: ["src", "formaction"], object: ["data"], embed: ["src"], video: ["src", "poster"], audio: ["src"],
  source: ["src"], track: ["src"], blockquote: ["cite"], q: ["cite"], ins: ["cite"], del: ["cite"], body: ["background"], table: ["background"],
  td: ["background"], th: ["background"], tr: ["background"],
};
const SETS = { img: "srcset", source: "srcset", link: "imagesrcset" };
const SVG = new Set(["a", "image", "use", "feImage", "script", "pattern", "linearGradient", "radialGradient", "textPath", "mpath"]);
const XLINK = "http://www.w3.org/1999/xlink";
const STRING = String.raw`"((?:\\[^]|[^"\\\n])*)"|'((?:\\[^]|[^'\\\n])*)'`;
const CSS = new RegExp(String.raw`/\*[^]*?(?:\*/|$)|@namespace[^;]*;|url\(\s*(?:${STRING}|((?:\\[^]|[^\s"'()\\])*))\s*\)|@import\s*(?:${STRING})|${STRING}`, "gi");

const unescaped = (text) => text.replace(/\\(?:([0-9a-f]{1,6})\s?|\r?\n|([^]))/gi, (all, digits, other) =>
  digits ? String.fromCodePoint(parseInt(digits, 16)) : (other ?? ""));

const ofStyle = (text) => [...text.matchAll(CSS)]
  .map((found) => ({ written: found[1] ?? found[2] ?? found[3] ?? found[4] ?? found[5], place: found[0][0] === "@" ? "@import" : "url()" }))
  .filter(({ written }) => written !== undefined)
  .map(({ written, place }) => ({ written: unescaped(written), place }))
  .filter(({ written }) => written !== "" && !written.startsWith("#"));

// https://html.spec.whatwg.org/multipage/images.html#parse-a-srcset-attribute
const ofSet = (text) => {
  const found = [];
  for (let rest = text; ;) {
    rest = rest.replace(/^[\t\n\f\r ,]+/, "");
    if (!rest) return found;
    const [url] = rest.match(/^[^\t\n\f\r ]+/);
    rest = rest.slice(url.length);
    found.push(url.replace(/,+$/, ""));
    if (!url.endsWith(",")) {
      const [descriptors] = rest.match(/^(?:\([^)]*\)?|[^,(])*/);
      rest = rest.slice(descriptors.length);
    }
  }
};

const ofRefresh = (content) => {
  const [, rest] = content.match(/^\s*[\d.]+\s*[;,\s]\s*([^]*)$/) ?? [];
  const [, quote, url] = rest?.match(/^(?:url\s*=\s*)?(["']?)([^]*)$/i) ?? [];
  return url && (quote ? url.split(quote)[0] : url.trim());
};

const ofElement = (element, add) => {
  const name = element.localName;
  const isSvg = element.namespaceURI === "http://www.w3.org/2000/svg";
  if (isSvg && SVG.has(name)) {
    for (const written of [element.getAttribute("href"), element.getAttributeNS(XLINK, "href")]) {
      if (written !== null && (name === "a" || !written.startsWith("#"))) add(`svg ${name}@href`, written);
    }
  } else if (!isSvg) {
    for (const attribute of ATTRIBUTES[name] ?? []) {
      if (element.hasAttribute(attribute)) add(`${name}@${attribute}`, element.getAttribute(attribute), element.getAttribute("rel"));
    }
    const set = SETS[name] && element.getAttribute(SETS[name]);
    for (const written of set ? ofSet(set) : []) add(`${name}@${SETS[name]}`, written);
    if (name === "meta" && element.httpEquiv?.toLowerCase() === "refresh") {
      const written = ofRefresh(element.content);
      if (written) add("meta@content", written);
    }
  }
  for (const { written, place } of ofStyle(element.getAttribute("style") ?? "")) add(`${name}@style ${place}`, written);
  if (name === "style") for (const { written, place } of ofStyle(element.textContent)) add(`style ${place}`, written);
};

const ofTree = (tree, bases, inFrame, links) => {
  const base = [...tree.querySelectorAll("base[href]")].find((element) => element.namespaceURI === "http://www.w3.org/1999/xhtml")?.getAttribute("href");
  const mine = base === undefined || base === null ? bases : [...bases, base];
  const add = (place, written, rel) => links.push({ place: rel ? `${place} ${rel}` : place, written, base: mine, inFrame });
  for (const node of tree.childNodes) {
    const written = node.nodeType === 7 && node.target === "xml-stylesheet" && node.data.match(/href\s*=\s*["']([^"']*)/)?.[1];
    if (written) add("xml-stylesheet", written.replaceAll("&amp;", "&"));
  }
  const walk = (root) => {
    for (const element of root.querySelectorAll("*")) {
      ofElement(element, add);
      if (element.localName === "template") walk(element.content ?? element);
      if (element.localName === "iframe" && element.hasAttribute("srcdoc")) {
        ofTree(new DOMParser().parseFromString(element.getAttribute("srcdoc"), "text/html"), mine, true, links);
      }
    }
  };
  walk(tree);
};

const known = (label) => {
  try { return new TextDecoder(label).encoding; } catch { return null; }
};

const charsetOf = (bytes, header, type) => {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (header && known(header)) return known(header);
  const start = String.fromCharCode(...bytes.slice(0, 1024));
  const declared = type.endsWith("xml") ? start.match(/^<\?xml[^>]*encoding\s*=\s*["']([^"']+)/i)
    : type === "text/css" ? start.match(/^@charset "([^"]+)";/)
    : start.replace(/<!--[^]*?-->/g, "").match(/<meta\s[^>]*charset\s*=\s*["']?\s*([^\s"'>;/]+)/i);
  const declaredName = declared && known(declared[1]);
  return declaredName?.startsWith("utf-16") ? "utf-8" : declaredName;
};

return args.map(({ body, charset, type }) => {
  const bytes = Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
  const found = charsetOf(bytes, charset, type);
  let text;
  try {
    text = new TextDecoder(found ?? "utf-8", { fatal: !found }).decode(bytes);
  } catch {
    text = new TextDecoder("windows-1252").decode(bytes);
  }
  const isPlain = !bytes.some((byte) => byte >= 0x80 || byte === 0);
  if (type === "text/css") return { charset: found, isPlain, links: ofStyle(text).map((link) => ({ ...link, base: [] })) };
  const tree = new DOMParser().parseFromString(text, type);
  if (type !== "text/html" && tree.querySelector("parsererror")) return { broken: true };
  const links = [];
  ofTree(tree, [], false, links);
  return { charset: found, isPlain, title: tree.title, links };
});
