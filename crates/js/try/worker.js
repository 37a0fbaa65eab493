// The worker: it has the engine, the document, and what became of it. The page requests what it shows.
import { Rewriter } from "../package/absolve.js";
import { load } from "../package/engine.js";
import { aroundChanges, marksOf, readerOf, rowsOf, shownCharset } from "./compare.js";

/** Over the first length, only what is around changes is shown at first; over the second, always. */
const LONG = 50_000, TOO_LONG = 1_000_000;

/** The document at hand; nothing before the first. */
let current;

const bytesOf = async (data) => (data instanceof Blob ? new Uint8Array(await data.arrayBuffer()) : data);

const numbersByStatus = (links) => {
  const numbers = {};
  for (const { status } of links) numbers[status] = (numbers[status] ?? 0) + 1;
  return numbers;
};

/** Returns what became of a document, without the document. `report` gets the stages of the work. */
const rewriteDocument = async ({ data: given, type, url, options }, report) => {
  report("Reading the document");
  const data = await bytesOf(given), from = { url: url || undefined }, source = { ...from, type };
  const began = performance.now();
  report("Making links absolute");
  const rewriter = new Rewriter(options);
  const page = rewriter.document(data, type, from);
  const milliseconds = performance.now() - began;
  report("Listing links");
  const links = rewriter.links(data, source);
  report("Comparing");
  const edits = page.changed ? rewriter.edits(data, source) : [];
  const bases = rewriter.base(data, source);
  const charset = typeof data === "string" ? undefined : shownCharset(data, options.charset);
  // The links of a message are places in its decoded parts.
  const marks = marksOf(data, edits, type === "message" ? [] : links.filter(({ status }) => status !== "absolute"));
  current = { data, content: page.content, charset, links, marks };
  const { base, counts, findings, changed } = page;
  return {
    base, counts, findings, changed, bases, charset, milliseconds,
    extent: data.length > LONG ? "around" : "whole", isTooLong: data.length > TOO_LONG,
    changes: marks.length, statuses: numbersByStatus(links), length: page.content.length, blob: new Blob([page.content]),
  };
};

/**
 * Returns the next rows of the comparison: as many as were requested, fewer where they have many changes or at the end. An `extent`
 * begins it anew.
 */
const nextRows = ({ count, extent }) => {
  if (extent) {
    const all = rowsOf(current.data, current.marks, readerOf(current.data, current.charset));
    current.rows = extent === "whole" ? all : aroundChanges(all);
  }
  const rows = [];
  let isEnd = false;
  for (let left = count; left > 0 && !isEnd; ) {
    const { value, done } = current.rows.next();
    if (done) isEnd = true;
    else rows.push(value);
    left -= 1 + (value?.changes ?? 0);
  }
  return { rows, isEnd };
};

const someLinks = ({ status, from, count }) => {
  const matching = status ? current.links.filter((link) => link.status === status) : current.links;
  return { links: matching.slice(from, from + count), all: matching.length };
};

const resultText = () => {
  const { content, charset } = current;
  return { text: typeof content === "string" ? content : new TextDecoder(charset).decode(content) };
};

const ACTIONS = { start: ({ module }) => load(module), rewrite: rewriteDocument, rows: nextRows, links: someLinks, text: resultText };

self.onmessage = async ({ data: { id, action, ...request } }) => {
  try {
    const report = (stage) => postMessage({ id, stage });
    postMessage({ id, result: await ACTIONS[action](request, report) });
  } catch (error) {
    postMessage({ id, failure: { code: error.code ?? error.name, message: error.message } });
  }
};
