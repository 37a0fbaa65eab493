/** The functions of the package; `absolve.d.ts` documents them. */

import { AbsolveError, call, check, targetOf } from "./engine.js";

export { AbsolveError };

/** The options of no options. */
const NONE = "{}";

/** What a function takes besides options: where the data are from, and what they are. */
const SOURCE = ["url", "type"];

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
  const { source, rest } = divided("options", options, SOURCE);
  const content = call("rewrite", optionsOf(rest), checked(data), typeOf(source.type), urlOf(source.url));
  return content === undefined ? data : alike(data, content);
}

export function links(data, options) {
  const { source, rest } = divided("options", options, SOURCE);
  return list("links", optionsOf(rest), data, source);
}

export function unpack(data, options) {
  const { source: { url }, rest } = divided("options", options, ["url"]);
  return unpacked(optionsOf(rest), data, { url });
}

export function resolve(reference, base, options) {
  const { standard = "whatwg" } = taken("options", options, ["standard"]);
  if (typeof reference !== "string") throw new AbsolveError("invalid-data", `reference must be a string, not ${kindOf(reference)}`);
  if (typeof standard !== "string") throw new AbsolveError("invalid-option", `standard must be a string, not ${kindOf(standard)}`);
  const url = urlOf(base, "base");
  if (url === undefined) throw new AbsolveError("invalid-url", `base must be a string or a URL, not ${kindOf(base)}`);
  return targetOf(wellFormed("the reference", reference), url, wellFormed("standard", standard)) ?? null;
}

function page(options, data, type, source) {
  const { url } = taken("source", source, ["url"]);
  const [content, report] = call("page", options, checked(data), typeOf(type), urlOf(url));
  const changed = content !== undefined;
  return { content: changed ? alike(data, content) : data, changed, ...JSON.parse(report) };
}

function list(method, options, data, source) {
  const { url, type } = taken("source", source, SOURCE);
  return JSON.parse(call(method, options, checked(data), typeOf(type), urlOf(url)));
}

function unpacked(options, data, source) {
  const { url } = taken("source", source, ["url"]);
  const [about, ...contents] = call("unpack", options, checked(data), urlOf(url));
  const { document, files, findings } = JSON.parse(about);
  return { document, files: files.map((file, index) => ({ ...file, content: contents[index] })), findings };
}

/** Returns what a function reads from what was passed. If that throws, as a proxy can, the error is one of ours. */
function given(code, name, read) {
  try {
    return read();
  } catch (error) {
    throw isOurs(error) ? error : new AbsolveError(code, `${name} cannot be read: reading it throws an error, which is the cause`, { cause: error });
  }
}

/** Returns the data, if they are a string or bytes. */
function checked(data) {
  if (typeof data === "string") return wellFormed("the data", data);
  if (!ArrayBuffer.isView(data) || !isA(data, "Uint8Array")) {
    throw new AbsolveError("invalid-data", `the data must be a string or a Uint8Array, not ${kindOf(data)}`);
  }
  return attached(data);
}

/** Returns bytes, if they are still there: what walks over them throws if they are not. */
function attached(data) {
  try {
    Uint8Array.prototype.keys.call(data);
    return data;
  } catch (error) {
    const why = "it was passed on to a worker or a stream, or made shorter";
    throw new AbsolveError("invalid-data", `the buffer of the data is detached: ${why}`, { cause: error });
  }
}

/** Returns a string without lone surrogates, which no encoding has. */
function wellFormed(what, text) {
  if (text.isWellFormed?.() ?? !/\p{Surrogate}/u.test(text)) return text;
  const at = text.search(/\p{Surrogate}/u);
  throw new AbsolveError("invalid-data", `${what} must be well-formed: there is a lone surrogate at ${at}`);
}

/** Returns new content as the data are: a Buffer for a Buffer of Node. */
function alike(data, content) {
  const { Buffer } = globalThis;
  return Buffer?.isBuffer(data) ? Buffer.from(content.buffer, content.byteOffset, content.length) : content;
}

function typeOf(given) {
  const type = given ?? "html";
  if (typeof type !== "string") throw new AbsolveError("invalid-option", `type must be a string, not ${kindOf(type)}`);
  return wellFormed("type", type);
}

/** Returns a URL as a string; undefined if there is none. */
function urlOf(url, name = "url") {
  if (url === undefined || url === null) return undefined;
  if (typeof url === "string") return wellFormed(name, url);
  if (isA(url, "URL")) return wellFormed(name, given("invalid-url", name, () => String(url.href)));
  throw new AbsolveError("invalid-url", `${name} must be a string or a URL, not ${kindOf(url)}`);
}

/** Divides an object, such as the options of a function, into what has these names and the rest. */
function divided(what, value, names) {
  const rest = given("invalid-option", what, () => ({ ...objectOf(what, value) }));
  const source = {};
  for (const name of names) {
    source[name] = rest[name];
    delete rest[name];
  }
  return { source, rest };
}

/** Returns an object without other names than these. */
function taken(what, value, names) {
  const { rest, source } = divided(what, value, names);
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new AbsolveError("invalid-option", `${what} has ${names.join(" and ")}, not ${JSON.stringify(unknown)}`);
  return source;
}

/** Returns options as JSON. */
function optionsOf(options) {
  const own = objectOf("options", options);
  const values = given("invalid-option", "options", () => Object.entries(own).map(([name, value]) => [name, jsonOf(name, value)]));
  return values.length === 0 ? NONE : JSON.stringify(Object.fromEntries(values));
}

/** Returns the value of an option as JSON has it: a URL is its text, a Map an object. What JSON has no form for is refused. */
function jsonOf(name, value) {
  if (value === undefined || value === null || typeof value === "boolean" || Number.isFinite(value)) return value;
  if (typeof value === "string") return wellFormed(name, value);
  if (isA(value, "URL") && typeof value.href === "string") return wellFormed(name, value.href);
  if (Array.isArray(value)) return value.map((one) => jsonOf(name, one));
  const isMap = isA(value, "Map");
  if (isMap || isPlain(value)) {
    const entries = isMap ? [...value] : Object.entries(value);
    return Object.fromEntries(entries.map(([key, one]) => [keyOf(name, key), jsonOf(name, one)]));
  }
  throw new AbsolveError("invalid-option", `${name} must not hold ${kindOf(value)}; it takes strings`);
}

function keyOf(name, key) {
  if (typeof key === "string") return wellFormed(name, key);
  throw new AbsolveError("invalid-option", `the keys of ${name} must be strings, not ${kindOf(key)}`);
}

function objectOf(name, value = {}) {
  if (isPlain(value)) return value;
  const kind = isA(value, "Object") ? "one of a class: what it inherits would not count" : kindOf(value);
  throw new AbsolveError("invalid-option", `${name} must be a plain object, not ${kind}`);
}

/** Returns whether a value is an object of any realm without a class, whose properties are all its own. */
function isPlain(value) {
  if (!isA(value, "Object")) return false;
  try {
    const prototype = Object.getPrototypeOf(value);
    return prototype === null || Object.getPrototypeOf(prototype) === null;
  } catch {
    return false;
  }
}

/** Returns what a value is, for messages. */
function kindOf(value) {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== "object") return `a ${typeof value}`;
  if (isList(value)) return "an array";
  try {
    return `an object (${Object.prototype.toString.call(value).slice("[object ".length, -1)})`;
  } catch {
    return "an object that cannot be read";
  }
}

/** Returns whether a value is an array; a revoked proxy throws instead of an answer. */
function isList(value) {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** Returns whether a value is an object of the class with this name, of any realm: test runners have classes of their own. */
function isA(value, name) {
  return kindOf(value) === `an object (${name})`;
}

/** Returns whether an error is an {@link AbsolveError}; a proxy may throw instead of an answer. */
function isOurs(error) {
  try {
    return error instanceof AbsolveError;
  } catch {
    return false;
  }
}
