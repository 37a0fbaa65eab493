"use strict";
// Without this script, the table shows all rows in the order of the input.
(() => {
  const STEP = 200;
  const table = document.getElementById("rows"), body = table.tBodies[0];
  const form = document.querySelector(".controls"), status = document.getElementById("count");
  const more = document.getElementById("more");
  const all = [...body.rows];
  body.classList.add("ready");
  const heads = [...table.tHead.rows[0].cells];
  const names = heads.map((head) => head.textContent);
  const text = (row, column) => row.cells[column]?.textContent ?? "";
  const name = (row) => (row.cells[0].querySelector("summary") ?? row.cells[0]).textContent;
  const columns = { type: names.indexOf("Type"), source: names.indexOf("Source"), finding: names.length - 1 };
  // Each code stands once, with its number if it is over 1: "no-base, relative × 80".
  const codes = (row) => text(row, columns.finding).split(", ").map((code) => code.split(" × ")[0]);
  let matching = all, shown = STEP;

  const value = (row, column) => (column === 0 ? name(row) : text(row, column));
  const fill = (control, values) => {
    if (!control) return;
    for (const value of [...new Set(values)].filter(Boolean).sort()) control.add(new Option(value, value));
  };
  fill(form.elements.type, all.map((row) => text(row, columns.type)));
  if (columns.source > 0) fill(form.elements.source, all.map((row) => text(row, columns.source)));
  fill(form.elements.finding, all.flatMap(codes));

  const show = () => {
    body.replaceChildren(...matching.slice(0, shown));
    const number = (amount) => amount.toLocaleString("en");
    const seen = Math.min(shown, matching.length);
    const found = matching.length === all.length ? `${number(all.length)}` : `${number(matching.length)} of ${number(all.length)}`;
    status.textContent = `${found} ${all.length === 1 ? "row" : "rows"}` + (seen < matching.length ? `, the first ${number(seen)} shown` : "");
    more.hidden = seen >= matching.length;
    more.textContent = `Show ${number(Math.min(STEP * 5, matching.length - seen))} more`;
  };
  const filter = () => {
    const control = form.elements, sought = control.text.value.trim().toLowerCase();
    const type = control.type.value, source = control.source?.value ?? "", finding = control.finding.value;
    shown = STEP;
    matching = all.filter((row) =>
      (!type || text(row, columns.type) === type) &&
      (!source || text(row, columns.source) === source) &&
      (!finding || codes(row).includes(finding)) &&
      (!sought || heads.some((_, column) => value(row, column).toLowerCase().includes(sought))));
    show();
  };
  const order = (column, isNumber, direction) => {
    const keys = new Map(all.map((row) => [row, isNumber ? Number(text(row, column)) : value(row, column)]));
    const collator = new Intl.Collator("en", { numeric: true });
    const compare = isNumber ? (one, other) => one - other : collator.compare;
    all.sort((one, other) => direction * compare(keys.get(one), keys.get(other)));
    filter();
  };
  heads.forEach((head, column) => {
    const button = document.createElement("button"), isNumber = "number" in head.dataset;
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const was = head.getAttribute("aria-sort");
      // Of numbers the largest are sought first.
      const next = was === null ? (isNumber ? "descending" : "ascending") : was === "ascending" ? "descending" : "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", next);
      order(column, isNumber, next === "ascending" ? 1 : -1);
    });
  });
  let timer = 0;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(filter, all.length > 5000 ? 150 : 0);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter, 0));
  more.addEventListener("click", () => {
    shown += STEP * 5;
    show();
  });
  document.addEventListener("click", (event) => {
    const code = event.target.closest?.("a[data-find]")?.dataset.find;
    if (!code) return;
    form.reset();
    form.elements.finding.value = code;
    filter();
  });
  form.hidden = false;
  show();
})();
