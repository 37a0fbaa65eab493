/** The functions of the package; `absolve.d.ts` documents them. */

import { AbsolveError, call, check, moduleVersion, targetOf } from "./engine.js";

export { AbsolveError };

/** The options of no options. */
const NONE = "{}";

export class Rewriter {
  #options;

  constructor(options) {
    this.#options = optionsOf(options);
    check(this.#options);
  }

  html(data, source) {
    return page(this.#options, data, "html", source);
  }

  document(data, type, source) {
    return page(this.#options, data, type, source);
  }

  message(data, source) {
    return page(this.#options, data, "message", source);
  }

  edits(data, source) {
    return list("edits", this.#options, data, source);
  }

  links(data, source) {
    return list("links", this.#options, data, source);
  }

  base(data, source) {
    return list("bases", this.#options, data, source);
  }

  unpack(data, source) {
    return unpacked(this.#options, data, source);
  }
}

export function rewrite(data, options) {
  const { source, rest } = divided(options);
  const content = call("rewrite", optionsOf(rest), checked(data), typeOf(source.type), urlOf(source.url));
  return content === undefined ? data : alike(data, content);
}

export function links(data, options) {
  const { source, rest } = divided(options);
  return list("links", optionsOf(rest), data, source);
}

export function unpack(data, options) {
  const { source, rest } = divided(options);
  return unpacked(optionsOf(rest), data, source);
}

export function resolve(reference, base, options) {
  const { standard = "whatwg" } = objectOf("options", options);
  for (const [name, value] of [["reference", reference], ["standard", standard]]) {
    if (typeof value !== "string") throw new AbsolveError("invalid-data", `${name} must be a string, not ${kindOf(value)}`);
  }
  return targetOf(wellFormed("the reference", reference), urlOf(base, "base") ?? "", standard) ?? null;
}

function page(options, data, type, source) {
  const { url } = objectOf("source", source);
  const [content, report] = call("page", options, checked(data), typeOf(type), urlOf(url));
  const changed = content !== undefined;
  return { content: changed ? alike(data, content) : data, changed, ...JSON.parse(report) };
}

function list(method, options, data, source) {
  const { url, type } = objectOf("source", source);
  return JSON.parse(call(method, options, checked(data), typeOf(type), urlOf(url)));
}

function unpacked(options, data, source) {
  const { url } = objectOf("source", source);
  const [about, ...contents] = call("unpack", options, checked(data), urlOf(url));
  const { document, files, findings } = JSON.parse(about);
  return { document, files: files.map((file, index) => ({ ...file, content: contents[index] })), findings };
}

/** Returns the data, if they are a string or bytes. */
function checked(data) {
  if (typeof data === "string") return wellFormed("the data", data);
  if (!(data instanceof Uint8Array)) {
    throw new AbsolveError("invalid-data", `the data must be a string or a Uint8Array, not ${kindOf(data)}`);
  }
  if (data.length === 0 && isDetached(data.buffer)) {
    throw new AbsolveError("invalid-data", "the buffer of the data is detached: it was passed on to a worker or a stream");
  }
  return data;
}

/** Returns a string without lone surrogates, which no encoding has. */
function wellFormed(what, text) {
  if (text.isWellFormed?.() ?? !/\p{Surrogate}/u.test(text)) return text;
  const at = text.search(/\p{Surrogate}/u);
  throw new AbsolveError("invalid-data", `${what} must be well-formed: there is a lone surrogate at ${at}`);
}

function isDetached(buffer) {
  try {
    return buffer.detached ?? new Uint8Array(buffer).length !== buffer.byteLength;
  } catch {
    return true;
  }
}

/** Returns new content as the data are: a Buffer for a Buffer of Node. */
function alike(data, content) {
  const { Buffer } = globalThis;
  return Buffer?.isBuffer(data) ? Buffer.from(content.buffer, content.byteOffset, content.length) : content;
}

function typeOf(type = "html") {
  if (typeof type !== "string") throw new AbsolveError("invalid-option", `type must be a string, not ${kindOf(type)}`);
  return type;
}

/** Returns a URL as a string; undefined if there is none. */
function urlOf(url, name = "url") {
  if (url === undefined || url === null) return undefined;
  if (typeof url === "string") return wellFormed(name, url);
  if (url instanceof URL) return url.href;
  throw new AbsolveError("invalid-url", `${name} must be a string or a URL, not ${kindOf(url)}`);
}

/** Divides the options of a function into the source of the data and the others. */
function divided(options) {
  const { url, type, ...rest } = objectOf("options", options);
  return { source: { url, type }, rest };
}

/** Returns options as JSON. */
function optionsOf(options) {
  const given = objectOf("options", options);
  return Object.keys(given).length === 0 ? NONE : JSON.stringify(given, jsonOf);
}

/** Returns a value of an option as JSON has it: a URL is its text, a Map an object. What JSON would leave out is refused. */
function jsonOf(name, value) {
  const given = this[name];
  if (given instanceof URL) return given.href;
  if (value instanceof Map) return Object.fromEntries(value);
  if (typeof value === "string") return wellFormed(name, value);
  if (["function", "symbol", "bigint"].includes(typeof value) || value instanceof RegExp) {
    throw new AbsolveError("invalid-option", `${name} must not be ${kindOf(value)}`);
  }
  return value;
}

function objectOf(name, value = {}) {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new AbsolveError("invalid-option", `${name} must be an object, not ${kindOf(value)}`);
}

/** Returns what a value is, for messages. */
function kindOf(value) {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== "object") return `a ${typeof value}`;
  return `an object (${Object.prototype.toString.call(value).slice("[object ".length, -1)})`;
}
