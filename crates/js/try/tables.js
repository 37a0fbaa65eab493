// What is long, and comes from the worker in pieces: the comparison and the links.
import { byId, count, element, number, shown } from "./dom.js";
import { request } from "./engine.js";

const ROWS = 500, LINKS = 200;

/** The elements of stretches, by their kinds. */
const STRETCHES = {
  same: (text) => text,
  kept: (text) => element("mark", {}, text),
  changed: (text) => element("mark", { className: "changed" }, text),
  "left-out": (text) => element("span", { className: "left-out" }, ` … ${text} … `),
};

const side = (pieces, title) => element("div", { role: "cell", className: title }, pieces.map(([kind, text]) => STRETCHES[kind](shown(text))));

const comparedRow = ({ line, changes, original, result, leftOut }) => {
  if (leftOut) {
    const note = `${count(leftOut, "line")} without a change left out`;
    return element("div", { role: "row", className: "line gap" }, element("div", { role: "cell" }, note));
  }
  return element("div", { role: "row", className: changes ? "line change" : "line" },
    element("div", { role: "rowheader" }, line ? number(line) : "…"), side(original, "original"), side(result, "result"));
};

/** Returns what is to come, for the button that shows it. */
const restOf = (result, seen) => {
  if (seen < result.changes) return `Show more: ${number(seen)} of ${count(result.changes, "change")} so far`;
  return result.changes ? "Show more: all changes are shown, unchanged lines follow" : "Show more";
};

const compareNote = ({ changes, changed, isTooLong }) => {
  if (!changed) return "Nothing changed: the result is the original.";
  const all = `${count(changes, "place")} changed. What is marked in colour is new; the rest of a link that changed is underlined.`;
  const left = "The document is long: only lines around changes are shown, and of long lines what is next to a change. The download is complete.";
  return isTooLong ? `${all} ${left}` : all;
};

/** Shows the first rows of the comparison. `isCurrent` returns whether the result is still that of the page. */
export const showComparison = async (result, isCurrent) => {
  const more = byId("more-rows"), lines = byId("lines"), around = byId("around");
  let seen = 0;
  const add = async (extent) => {
    const { rows, isEnd } = await request("rows", { count: ROWS, extent });
    if (!isCurrent()) return;
    if (extent) {
      lines.replaceChildren();
      byId("compared").scrollTop = seen = 0;
    }
    lines.append(...rows.map(comparedRow));
    seen += rows.reduce((sum, row) => sum + (row.changes ?? 0), 0);
    more.hidden = isEnd;
    more.textContent = restOf(result, seen);
  };
  byId("compare-note").textContent = compareNote(result);
  Object.assign(around, { checked: result.extent === "around", disabled: result.isTooLong });
  around.onchange = () => add(around.checked ? "around" : "whole");
  more.onclick = () => add();
  await add(result.extent);
};

const linkRow = (type) => ({ reference, target, status, element: name, attribute, line, part }) =>
  element("tr", {},
    element("td", {}, element("code", {}, shown(reference))),
    element("td", {}, target === null ? element("i", { className: status }, "none") : element("code", {}, shown(target))),
    element("td", { className: `status ${status}` }, status),
    element("td", {}, [name, attribute].filter(Boolean).join("@") || "text"),
    type === "message" ? element("td", {}, part ?? "") : "",
    element("td", {}, number(line)));

/** Shows the first links, and those of one status when it is chosen. */
export const showLinks = async ({ statuses }, { type }, isCurrent) => {
  const filter = byId("status"), more = byId("more-links"), body = byId("links-body");
  const all = Object.values(statuses).reduce((sum, amount) => sum + amount, 0);
  const choices = Object.entries(statuses).map(([status, amount]) => new Option(`${status} (${number(amount)})`, status));
  filter.replaceChildren(new Option(`all (${number(all)})`, ""), ...choices);
  byId("links-total").textContent = number(all);
  byId("links-part").hidden = type !== "message";
  const add = async (from) => {
    const { links, all: matching } = await request("links", { status: filter.value, from, count: LINKS });
    if (!isCurrent()) return;
    if (from === 0) body.replaceChildren();
    body.append(...links.map(linkRow(type)));
    const left = matching - from - links.length;
    more.hidden = left === 0;
    more.textContent = `Show ${number(Math.min(LINKS, left))} of ${number(left)} more`;
    more.onclick = () => add(from + LINKS);
    const first = left > 0 ? `The first ${number(from + links.length)} of ` : "";
    byId("links-count").textContent = matching === 0 ? "No links" : first + count(matching, "link");
  };
  filter.onchange = () => add(0);
  await add(0);
};
