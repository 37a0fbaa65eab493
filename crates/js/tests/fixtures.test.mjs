/** What the methods say of a document agrees, over all documents of the fixtures, as bytes and as strings. */

import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { fixtureDocuments, OPTION_SETS } from "../../../scripts/programs/js_documents.mjs";
import { absolve, ROOT } from "./support.mjs";

const { Rewriter } = absolve;
const SOURCE = { url: "https://example.org/docs/page" };
const documents = fixtureDocuments(path.join(ROOT, "fixtures"));

const decoded = (bytes) => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** The documents that are text in UTF-8. A message is bytes: its parts have encodings of their own. */
const texts = documents.filter(({ type }) => type !== "message")
  .map((one) => ({ ...one, text: decoded(one.bytes) }))
  .filter(({ text }) => text !== undefined && !text.startsWith("\ufeff"));

/** Returns bytes with edits. */
const editedBytes = (bytes, edits) => edits.reduceRight((done, { start, end, text }) => Buffer.concat([done.subarray(0, start), Buffer.from(text), done.subarray(end)]), bytes);
const editedText = (whole, edits) => edits.reduceRight((done, { start, end, text }) => done.slice(0, start) + text + done.slice(end), whole);

for (const [given] of OPTION_SETS) {
  const rewriter = new Rewriter(given);
  const name = JSON.stringify(given);

  test(`edits make of bytes what a page has: ${name}`, () => {
    for (const { name: file, type, bytes } of documents) {
      const page = rewriter.document(bytes, type, SOURCE);
      const edits = rewriter.edits(bytes, { ...SOURCE, type });
      // An edit is text; in another encoding than UTF-8 its bytes are others.
      if (decoded(bytes) !== undefined || edits.every(({ text }) => /^[\0-\x7f]*$/.test(text))) {
        assert.ok(editedBytes(bytes, edits).equals(page.content) || isWide(bytes), file);
      }
      assert.equal(page.changed, edits.length > 0, file);
      assert.equal(page.changed, page.content !== bytes, file);
    }
  });

  test(`a string is read as its UTF-8: ${name}`, () => {
    const ofBytes = new Rewriter({ ...given, charset: "utf-8" });
    const ofText = new Rewriter({ ...given, charset: undefined });
    for (const { name: file, type, bytes, text } of texts) {
      const page = ofText.document(text, type, SOURCE);
      assert.equal(page.content, decoded(ofBytes.document(bytes, type, SOURCE).content), file);
      assert.equal(editedText(text, ofText.edits(text, { ...SOURCE, type })), page.content, file);
    }
  });

  test(`links count what a page counts, and lie where they are written: ${name}`, () => {
    // Of messages, header fields are listed as well.
    for (const { name: file, type, bytes } of documents.filter(({ type }) => type !== "message")) {
      const { counts } = rewriter.document(bytes, type, SOURCE);
      const links = rewriter.links(bytes, { ...SOURCE, type });
      const number = (status) => links.filter((link) => link.status === status).length;
      const counted = [links.length, number("mapped"), number("absolute"), number("same-document"), number("unresolved")];
      assert.deepEqual(counted, [counts.links, counts.mapped, counts.absolute, counts.sameDocument, counts.unresolved], file);
      for (const { start, end, reference } of links) {
        assert.ok(start >= 0 && end >= start && end <= bytes.length, `${file}: ${reference}`);
        const written = bytes.subarray(start, end).toString("latin1");
        const isPlain = /^[\w./-]+$/.test(reference) && !/[&\\%\n]/.test(written) && !isWide(bytes);
        if (isPlain) assert.ok(written.includes(reference), `${file}: ${reference}`);
      }
    }
  });
}

/** Returns whether bytes are UTF-16. */
function isWide(bytes) {
  return bytes.subarray(0, 200).includes(0) || (bytes[0] === 0xff && bytes[1] === 0xfe);
}

test("messages unpack, whatever is in them, and bases are listed", () => {
  for (const { name: file, type, bytes } of documents) {
    const bases = new Rewriter().base(bytes, { ...SOURCE, type });
    assert.ok(bases.length > 0 || type === "message", file);
    if (type === "message") for (const one of new Rewriter().unpack(bytes).files) assert.match(one.name, /^[^/\\]+$/, file);
  }
});
