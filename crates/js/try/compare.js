// Original and result as rows of lines side by side, with the changes marked in both.

import { differences } from "./differences.js";
import { markedCharset } from "./types.js";

/** Kinds of stretches: the same on both sides; the rest of a changed link; what was removed or added; what is left out. */
const SAME = "same", KEPT = "kept", CHANGED = "changed", LEFT_OUT = "left-out";

/** Lines around a change, and characters of a long line, that are shown of a large document. */
const LINES_AROUND = 2, CHARACTERS_AROUND = 240;

const DECLARED = [/charset\s*=\s*["']?([\w.:-]+)/i, /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)/i, /^@charset "([\w.:-]+)"/i];

const decoderOf = (label) => {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
};

const isUtf8 = (bytes) => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};

/** Returns the charset in which bytes are shown: that of a byte order mark, else of the transport, else the declared one, else a guess. */
export const shownCharset = (bytes, transport) => {
  const marked = markedCharset(bytes);
  if (marked) return marked;
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 1024));
  const label = transport ?? DECLARED.map((pattern) => pattern.exec(start)?.[1]).find(Boolean);
  const declared = label && decoderOf(label)?.encoding;
  if (declared) return declared.startsWith("utf-16") && !transport ? "utf-8" : declared;
  return isUtf8(bytes) ? "utf-8" : "windows-1252";
};

/** Returns a function that gives the text of a stretch; stretches of bytes have to be read in their order. */
export const readerOf = (data, charset) => {
  if (typeof data === "string") return (start, end) => data.slice(start, end);
  const decoder = new TextDecoder(charset);
  return (start, end) => decoder.decode(data.subarray(start, end), { stream: true });
};

const isDelimiter = (data, at) => {
  const unit = typeof data === "string" ? data.charCodeAt(at) : data[at];
  return Number.isNaN(unit) || unit === undefined || unit <= 32 || [34, 39, 40, 41, 60, 62].includes(unit);
};

/** Returns a stretch that reaches to the white space, quotes or brackets around it. */
const widened = (data, { start, end }) => {
  while (start > 0 && !isDelimiter(data, start - 1)) start--;
  while (!isDelimiter(data, end)) end++;
  return { start, end };
};

const touches = (range, edit) => range.start <= edit.start && edit.end <= range.end;

/** Returns the stretches to mark, each with its edits: the links that change, and edits outside links. `links` may be in any order. */
export const marksOf = (data, edits, links) => {
  const ranges = links.map(({ start, end }) => ({ start, end })).sort((one, other) => one.start - other.start || other.end - one.end);
  const marks = [];
  let next = 0;
  for (const edit of edits) {
    const last = marks.at(-1);
    if (last && (edit.start < last.end || edit.end <= last.end)) {
      last.edits.push(edit);
      last.end = Math.max(last.end, edit.end);
      continue;
    }
    while (next < ranges.length && ranges[next].end < edit.start) next++;
    const range = next < ranges.length && touches(ranges[next], edit) ? ranges[next] : links.length ? edit : widened(data, edit);
    const start = Math.max(range.start, last?.end ?? 0);
    marks.push({ start: Math.min(start, edit.start), end: Math.max(range.end, edit.end), edits: [edit] });
  }
  return marks;
};

/** Yields the stretches of a document in their order: what is the same, and each mark with both of its sides. */
function* stretches(data, marks, read) {
  let at = 0;
  for (const mark of marks) {
    if (at < mark.start) yield { text: read(at, mark.start) };
    const original = [], result = [];
    at = mark.start;
    const keep = (text) => [original, result].forEach((side) => text && side.push([KEPT, text]));
    // Of what two versions of a line have in common, only what touches a change belongs to its link.
    const inCommon = (text) => {
      const [, head, middle, tail] = /^([^\s"'<>()]*)([^]*?)([^\s"'<>()]*)$/.exec(text);
      keep(head);
      if (middle) [original, result].forEach((side) => side.push([SAME, middle]));
      keep(tail);
    };
    for (const edit of mark.edits) {
      keep(at < edit.start ? read(at, edit.start) : "");
      for (const { common, removed, added } of differences(edit.start < edit.end ? read(edit.start, edit.end) : "", edit.text)) {
        if (common) inCommon(common);
        if (removed) original.push([CHANGED, removed]);
        if (added) result.push([CHANGED, added]);
      }
      at = edit.end;
    }
    if (at < mark.end) keep(read(at, mark.end));
    at = mark.end;
    yield { original, result };
  }
  const length = data.length;
  if (at < length) yield { text: read(at, length) };
}

const BREAK = /\r\n|\n|\r/;
const breaks = (pieces) => pieces.reduce((sum, [, text]) => sum + text.split(BREAK).length - 1, 0);

/** Changes in one row; a line with more goes on in the next row. */
const MOST_CHANGES = 40;

/**
 * Yields the lines of a document as rows: `line` is the number of the line in the original, nothing where one goes on, `changes` that of
 * the marks in it. Stretches are pairs of their kind and their text. What changes over several lines is one row.
 */
export function* rowsOf(data, marks, read) {
  let line = 1, row = { line, changes: 0, original: [], result: [] };
  for (const { text, original, result } of stretches(data, marks, read)) {
    if (text === undefined) {
      if (row.changes === MOST_CHANGES) {
        yield row;
        row = { changes: 0, original: [], result: [] };
      }
      row.original.push(...original);
      row.result.push(...result);
      row.changes++;
      line += breaks(original);
      continue;
    }
    for (const [index, part] of text.split(BREAK).entries()) {
      if (index > 0) {
        yield row;
        row = { line: ++line, changes: 0, original: [], result: [] };
      }
      if (part) [row.original, row.result].forEach((side) => side.push([SAME, part]));
    }
  }
  if (row.original.length || row.result.length) yield row;
}

/** Returns a row without the middle of its long stretches. */
const clipped = (row) => {
  const clip = (side) =>
    side.flatMap(([kind, text], index) => {
      if (text.length <= 3 * CHARACTERS_AROUND) return [[kind, text]];
      const before = index > 0 ? [[kind, text.slice(0, CHARACTERS_AROUND)]] : [];
      const after = index < side.length - 1 ? [[kind, text.slice(-CHARACTERS_AROUND)]] : [];
      const left = text.length - (before.length + after.length) * CHARACTERS_AROUND;
      return [...before, [LEFT_OUT, `${left.toLocaleString("en")} characters`], ...after];
    });
  return { ...row, original: clip(row.original), result: clip(row.result) };
};

/** Yields the rows with changes and some around them; in place of others one with their number in `leftOut`. */
export function* aroundChanges(rows) {
  let before = [], after = 0, leftOut = 0;
  for (const row of rows) {
    if (row.changes > 0) {
      if (leftOut > 0) yield { leftOut };
      yield* before.map(clipped);
      yield clipped(row);
      [before, after, leftOut] = [[], LINES_AROUND, 0];
    } else if (after > 0) {
      after--;
      yield clipped(row);
    } else {
      before.push(row);
      if (before.length > LINES_AROUND) {
        before.shift();
        leftOut++;
      }
    }
  }
  if (leftOut + before.length > 0) yield { leftOut: leftOut + before.length };
}
