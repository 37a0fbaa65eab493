/**
 * Makes every relative link of a document absolute, and changes no other byte.
 *
 * What is a string comes back as a string, and bytes come back as bytes (a `Buffer` as a `Buffer`); if nothing changed, you get the same
 * object. All functions throw an {@link AbsolveError}, and nothing else.
 */

/** A document: text, or bytes in the encoding that it declares. */
export type Data = string | Uint8Array;

/** What the data are. */
export type DocumentType = "html" | "css" | "xml" | "text" | "markdown" | "json-feed" | "speculation-rules" | "message";

export type Standard = "rfc1630" | "rfc1808" | "draft1996" | "rfc2396" | "rfc3986" | "whatwg";

export type Group =
  | "core"
  | "legacy"
  | "social"
  | "lazy"
  | "plugins"
  | "rdfa"
  | "amp"
  | "mjml"
  | "front-matter";

/** The options of documents. `undefined` is the default; `docs/javascript.md` explains each. */
export interface Options {
  /** By which standard references are resolved; `whatwg`. */
  standard?: Standard | undefined;
  /** Which declarations of a base count; `layered`. */
  precedence?: "layered" | "drafts" | "rfc2557" | "browser" | undefined;
  /** What becomes of the BASE element; `keep`. */
  baseElement?: "keep" | "remove" | "comment" | undefined;
  /** What references that begin with one slash resolve below, such as `https://example.org/app/`. */
  root?: string | URL | undefined;
  /** What embedded images resolve against in place of the URL of the document. */
  imagesUrl?: string | URL | undefined;
  /** Where links lead instead: an old URL prefix and the new one. */
  map?: Readonly<Record<string, string>> | ReadonlyMap<string, string> | undefined;
  /** Whether relative links become absolute; with `keep` only `map` changes links. */
  relativeLinks?: "absolute" | "keep" | undefined;
  /** What becomes of references to the document itself, such as `#top`; `keep`. */
  sameDocument?: "keep" | "absolute" | undefined;
  /** What the content of the items of feeds is read at; `feed`. */
  feedBase?: "feed" | "item" | undefined;
  /** The groups of places in which links are looked for. */
  groups?: readonly Group[] | undefined;
  /** More places, such as `amp-img@srcset=srcset`. */
  attributes?: readonly string[] | undefined;
  /** Regular expressions of references that stay, in the syntax of Rust's `regex`. */
  keep?: readonly string[] | undefined;
  /** How targets are spelled; `as-written`. */
  spelling?: "as-written" | "ascii" | undefined;
  /** What the documents are for; `any`. */
  purpose?: "any" | "mail" | undefined;
  /** What becomes of relative references in header fields of messages; `keep`. */
  headers?: "keep" | "absolute" | undefined;
  /** What becomes of signed messages and parts; `keep`. */
  signatures?: "keep" | "keep-all" | "break" | undefined;
  /** The URL of messages that declare none, or `archived-at`. */
  messageUrl?: string | URL | undefined;
  /** The charset that the transport declared for bytes. */
  charset?: string | undefined;
}

/** Where a document is from, and what it is. */
export interface Source {
  /** The URL that it was retrieved from. A base that the document declares counts before it. */
  url?: string | URL | undefined;
  /** What it is; `html`. */
  type?: DocumentType | undefined;
}

/** Which declaration a base is from. */
export type Layer =
  | "codebase"
  | "xml-base"
  | "element"
  | "item"
  | "parent-document"
  | "content-base"
  | "content-location"
  | "base"
  | "root"
  | "images-url"
  | "retrieval"
  | "none";

/** The base of a document. */
export interface Base {
  /** The URL; `null` if none is known. */
  readonly url: string | null;
  /** What declared it. */
  readonly layer: Layer;
}

/** Numbers of links, by what happened to them. */
export interface Counts {
  readonly documents: number;
  /** All links: the sum of those below. */
  readonly links: number;
  /** Links that were made absolute. */
  readonly rewritten: number;
  /** Links that were absolute, and lead elsewhere by `map`. */
  readonly mapped: number;
  /** Links that were absolute, and stayed. */
  readonly absolute: number;
  /** Links to the document itself, such as `#top`. */
  readonly sameDocument: number;
  /** Links that were left as they are on purpose, such as placeholders. */
  readonly kept: number;
  /** Relative links that could not be resolved. */
  readonly unresolved: number;
}

/** Something that was found and left unchanged, or changed with a doubt. */
export interface Finding {
  /** Its code, such as `no-base`; `docs/findings.md` explains each. */
  readonly code: string;
  /** What was found. */
  readonly message: string;
  /** The part of a message, such as `1.2`; `null` elsewhere. */
  readonly part: string | null;
  /** The line, from 1. */
  readonly line: number | null;
  /** The column in bytes of UTF-8 or of the data, from 1. */
  readonly column: number | null;
}

/** A document with absolute links. */
export interface Page<T extends Data = Data> {
  /** The content: the object that was passed if nothing changed. */
  readonly content: T;
  readonly changed: boolean;
  readonly base: Base;
  readonly counts: Counts;
  readonly findings: readonly Finding[];
}

/** A change: what stands from `start` to `end` in the data is replaced by `text`. */
export interface Edit {
  /** Offsets in the data: UTF-16 code units of a string, bytes of bytes. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A link of a document. */
export interface Link {
  /** The element, such as `img`; empty in CSS, plain text and Markdown. */
  readonly element: string;
  readonly attribute: string;
  /** The reference without the escapes of the document: `a&amp;b` in HTML is `a&b`. */
  readonly reference: string;
  /** The URL that it means; `null` if it has none. */
  readonly target: string | null;
  readonly status: "absolute" | "mapped" | "relative" | "same-document" | "kept" | "unresolved";
  /** The base that applies to it. */
  readonly base: string | null;
  readonly layer: Layer;
  /** The part of a message; `null` elsewhere. */
  readonly part: string | null;
  /** `data.slice(start, end)` is the link as it is written; in a message these are bytes of the decoded part. */
  readonly start: number;
  readonly end: number;
  /** The line, from 1. */
  readonly line: number;
  /** The column in bytes of UTF-8 or of the data, from 1. */
  readonly column: number;
}

/** One declaration of a base. */
export interface Declared {
  readonly layer: Layer;
  /** The box of the drafts that it stands in: 1 the document, 2 the headers around it, 3 the URL that it was retrieved from. */
  readonly box: 1 | 2 | 3;
  /** Where it stands, such as `byte 11`, the name of a header field or `url`. */
  readonly where: string;
  /** What it says. */
  readonly value: string;
  /** The URL that it means; `null` if it means none. */
  readonly url: string | null;
  /** Whether it is the base. */
  readonly used: boolean;
  /** Why it is, or is not. */
  readonly why: string;
}

/** The base of a document, or of one part of a message, with all that was declared: the innermost first. */
export interface DeclaredBase extends Base {
  readonly part: string | null;
  readonly mediaType: string;
  readonly declared: readonly Declared[];
}

/** A file that a message holds. */
export interface UnpackedFile {
  /** A name that is safe in any folder; no other file of the message has it. */
  readonly name: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
  /** The part of the message. */
  readonly part: string;
}

/** The files of a message. */
export interface Unpacked {
  /** The name of the document that readers of the message show; `null` without one. */
  readonly document: string | null;
  /** Links between the files are local, and all others absolute. */
  readonly files: readonly UnpackedFile[];
  readonly findings: readonly Finding[];
}

/** Makes links absolute, with options that are read once. It has no state: one serves any number of documents. */
export class Rewriter {
  constructor(options?: Options);
  /** Returns HTML with absolute links. */
  html<T extends Data>(data: T, source?: Pick<Source, "url">): Page<Widened<T>>;
  /** Returns a document of any type with absolute links. */
  document<T extends Data>(data: T, type: DocumentType, source?: Pick<Source, "url">): Page<Widened<T>>;
  /** Returns a message (RFC 5322, MIME) with absolute links in all its parts. */
  message<T extends Data>(data: T, source?: Pick<Source, "url">): Page<Widened<T>>;
  /** Returns the changes that make links absolute, in their order, for editors and source maps. */
  edits(data: Data, source?: Source): Edit[];
  /** Returns the links, in the order in which they stand. */
  links(data: Data, source?: Source): Link[];
  /** Returns the base of each document in the data: one, but for messages. */
  base(data: Data, source?: Source): DeclaredBase[];
  /** Returns the files of a message. */
  unpack(data: Data, source?: Pick<Source, "url">): Unpacked;
}

/** Returns the data with absolute links. */
export function rewrite<T extends Data>(data: T, options?: Options & Source): Widened<T>;
/** Returns the links of the data. */
export function links(data: Data, options?: Options & Source): Link[];
/** Returns the files of a message. */
export function unpack(data: Data, options?: Options & Pick<Source, "url">): Unpacked;
/** Returns the URL that a reference means at a base; `null` if it means none. */
export function resolve(reference: string, base: string | URL, options?: { standard?: Standard }): string | null;

export type ErrorCode =
  /** An option has an unknown name or a wrong value; the message lists the right ones. */
  | "invalid-option"
  /** A URL cannot be a base. */
  | "invalid-url"
  /** The data are neither a string nor bytes, or a string with a lone surrogate, or a detached buffer. */
  | "invalid-data"
  /** The data or the result are too long for memory or for a string of JavaScript. */
  | "too-large"
  /** The program failed, which is a bug; the next call works. */
  | "internal";

export class AbsolveError extends Error {
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown });
  readonly name: "AbsolveError";
  readonly code: ErrorCode;
}

/** The version of the package. */
export const version: string;

type Widened<T extends Data> = T extends string ? string : T;
