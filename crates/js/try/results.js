// What became of a document: the first sentence, figures, the base, findings.
import { byId, count, element, number, prose, shown, size } from "./dom.js";
import { withNames } from "./options.js";

/** What became of links, in words: the key of the count, the word, the colour of its bar. */
const FATES = [
  ["rewritten", "made absolute", "strong"],
  ["absolute", "absolute before", "plain"],
  ["mapped", "absolute before, and mapped", "strong"],
  ["sameDocument", "to the same document", "plain"],
  ["kept", "kept on purpose", "plain"],
  ["unresolved", "left relative", "warn"],
];

/** Returns the sentence that says what became of the links. */
const lead = ({ counts, changed }) => {
  const done = counts.rewritten + counts.mapped;
  if (counts.links === 0) return "There are no links in it. Nothing changed.";
  if (counts.unresolved > 0 && done === 0) return `${count(counts.unresolved, "link stays", "links stay")} relative. Nothing changed.`;
  if (!changed) return `${count(counts.links, "link stays as it is", "links stay as they are")}. Nothing changed.`;
  const mapped = counts.mapped > 0 ? `, ${number(counts.mapped)} mapped` : "";
  const left = counts.unresolved > 0 ? `; ${number(counts.unresolved)} left relative` : "";
  return `${number(counts.rewritten)} of ${count(counts.links, "link")} made absolute${mapped}${left}.`;
};

const LAYERS = {
  element: "its BASE", codebase: "a codebase", "xml-base": "xml:base", item: "the link of an item", "parent-document": "the document around it",
  "content-base": "Content-Base", "content-location": "Content-Location", base: "the header field Base", root: "--root",
  "images-url": "--images-url", retrieval: "the URL it was retrieved from",
};

const baseSentence = ({ base, bases, counts }) => {
  if (bases.length > 1) return [`${number(bases.length)} documents in it, each with its base below.`];
  if (!base.url && counts.unresolved > 0) {
    return ["No base is known. ", element("a", { href: "#url" }, "Give the URL that it was retrieved from"), "."];
  }
  if (!base.url) return ["No base is known, and none is needed."];
  return ["The base is ", element("code", {}, shown(base.url)), `, from ${LAYERS[base.layer] ?? base.layer}.`];
};

/** Shows the first sentences. */
export const showSummary = (result) => {
  byId("lead").textContent = lead(result);
  byId("lead").className = result.counts.unresolved > 0 ? "lead bad-news" : "lead";
  byId("about-base").replaceChildren(...baseSentence(result));
  const found = result.findings.length;
  const milliseconds = result.milliseconds < 1 ? "under 1 ms" : `${number(Math.round(result.milliseconds))} ms`;
  const length = result.charset ? `${size(result.length)}, shown as ${result.charset}` : count(result.length, "character");
  byId("facts").replaceChildren(`${length}, made in ${milliseconds}. `, found ? element("a", { href: "#findings" }, count(found, "finding")) : "No findings", ".");
};

const bar = (share, colour) => {
  const made = element("span", { className: "bar", ariaHidden: "true" }, element("span", { className: colour }));
  made.firstChild.style.width = `${share}%`;
  return made;
};

/** Shows how many links became what. */
export const showCounts = ({ counts }) => {
  const percent = (part) => (counts.links ? (100 * part) / counts.links : 0);
  const isListed = ([key], index) => index < 2 || counts[key] > 0;
  const rows = FATES.filter(isListed).map(([key, word, colour]) =>
    element("tr", {},
      element("th", { scope: "row" }, word),
      element("td", {}, bar(counts[key] ? Math.max(percent(counts[key]), 1) : 0, colour)),
      element("td", {}, number(counts[key])),
      element("td", {}, `${percent(counts[key]).toFixed(0)} %`)));
  byId("counts-total").textContent = `by what became of them, ${number(counts.links)} in all`;
  byId("counts").replaceChildren(...rows);
};

/** The boxes, from the inside out. */
const BOXES = ["embedded in the document", "headers around it", "URL it was retrieved from"];
const HEADERS = ["content-base", "content-location", "base"], RETRIEVAL = ["root", "images-url", "retrieval"];
const boxOf = ({ layer }) => (HEADERS.includes(layer) ? 2 : RETRIEVAL.includes(layer) ? 3 : 1);

const declaration = ({ layer, where, value, url, used, why }) =>
  element("p", { className: used ? "used" : "" },
    used ? element("b", {}, "used: ") : "",
    `${layer} at ${where === "url" ? "--url" : shown(withNames(where))}: `, element("code", {}, shown(value)),
    url && url !== value ? [" = ", element("code", {}, shown(url))] : [],
    used ? "" : element("i", {}, ` ${/^only for/.test(why) ? "" : "not used: "}${why}`));

/** Returns the layers of a base as nested boxes; the one that counts is marked. */
const boxes = ({ declared, layer }) => {
  const box = (inner, title, index) => {
    const here = declared.filter((one) => boxOf(one) === index + 1);
    const head = element("p", {}, `${index + 1} · ${title}${here.length ? "" : " – nothing declared"}`);
    const isUsed = here.some(({ used }) => used);
    return element("div", { className: isUsed ? "box won" : "box" }, inner ?? "", head, here.map(declaration));
  };
  const none = layer === "none" ? element("p", { className: "used" }, "nothing else declares one: each reference is taken as absolute") : "";
  return element("div", { className: "box" }, BOXES.reduce(box, undefined), element("p", {}, "4 · no base"), none);
};

const BASES = 10;

/** Shows the bases of the documents, the first ones at once. */
export const showBases = ({ bases }, from = 0) => {
  const drawn = bases.slice(from, from + BASES).map((base) =>
    element("div", { className: "base" }, base.part ? element("h3", {}, `Part ${base.part}`, element("span", {}, base.mediaType)) : "", boxes(base)));
  const left = bases.length - from - drawn.length;
  const more = element("button", { type: "button" }, `Show ${number(Math.min(left, BASES))} of ${number(left)} more`);
  more.addEventListener("click", () => showBases({ bases }, from + BASES));
  if (from === 0) byId("bases").replaceChildren();
  byId("bases").querySelector(":scope > p")?.remove();
  byId("bases").append(...drawn, ...(left > 0 ? [element("p", {}, more)] : []));
  byId("bases-total").textContent = bases.length === 1 ? "the layers that may declare it" : `of ${count(bases.length, "document")}`;
};

const PLACES = 12;

const placeOf = ({ part, line, column }) =>
  [part ? `part ${part}` : "", line ? `line ${number(line)}, column ${number(column)}` : ""].filter(Boolean).join(", ");

const explanation = (...sentences) =>
  element("details", {},
    element("summary", {}, "What it means, and what to do"),
    sentences.filter(Boolean).map((text) => element("p", {}, prose(text))));

const findingOf = ([code, all], explanations) => {
  const [sentence, more] = explanations[code] ?? ["", ""];
  const entry = ({ message, ...place }) => element("li", {}, prose(withNames(message)), element("span", {}, placeOf(place) && ` – ${placeOf(place)}`));
  const rest = all.length - PLACES;
  const list = element("ul", { className: "places" }, all.slice(0, PLACES).map(entry));
  const button = element("button", { type: "button" }, `Show the other ${number(rest)}`);
  button.addEventListener("click", () => {
    list.append(...all.slice(PLACES).map(entry));
    button.remove();
  });
  return element("div", { className: "finding" },
    element("h3", {}, element("code", {}, code), element("span", {}, all.length > 1 ? ` × ${number(all.length)}` : "")),
    list,
    rest > 0 ? button : "",
    sentence ? explanation(sentence, more) : "");
};

/** Shows the findings by code, with what each means. */
export const showFindings = ({ findings }) => {
  const explanations = JSON.parse(byId("explanations").textContent);
  const byCode = grouped(findings);
  byId("findings-total").textContent = number(findings.length);
  const none = element("p", { className: "rest" }, "Nothing to report.");
  byId("findings-list").replaceChildren(...(findings.length ? [...byCode].map((entry) => findingOf(entry, explanations)) : [none]));
};

const grouped = (findings) => {
  const groups = new Map();
  for (const finding of findings) groups.set(finding.code, [...(groups.get(finding.code) ?? []), finding]);
  return groups;
};
