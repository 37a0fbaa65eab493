// The form of options.
import { byId, element } from "./dom.js";
import { GROUPS, OPTIONS } from "./options.js";

const idOf = ({ key }) => `option-${key}`;

const choice = (option) => {
  const [first, ...others] = option.values;
  const initial = option.mail ? "default" : `${first} (default)`;
  const values = option.mail ? option.values : others;
  return element("select", { id: idOf(option) }, new Option(initial, ""), values.map((value) => new Option(value, value)));
};

const set = (option) =>
  element("div", { id: idOf(option), className: "set", role: "group", ariaLabel: option.name },
    option.values.map((value) => element("label", {}, element("input", { type: "checkbox", value }), value)));

const CONTROLS = {
  choice,
  set,
  flag: (option) => element("input", { type: "checkbox", id: idOf(option) }),
  url: (option) => element("input", { type: "text", inputMode: "url", id: idOf(option), spellcheck: false, autocomplete: "off" }),
  text: (option) => element("input", { type: "text", id: idOf(option), spellcheck: false, autocomplete: "off" }),
  lines: (option) => element("textarea", { id: idOf(option), rows: 2, spellcheck: false, placeholder: option.example }),
};

const field = (option) => {
  const control = CONTROLS[option.kind](option), help = element("span", { className: "help", id: `${idOf(option)}-help` }, option.help);
  control.setAttribute("aria-describedby", help.id);
  const name = element("code", {}, option.name);
  const label = option.kind === "set" ? element("span", { className: "name" }, name) : element("label", { htmlFor: idOf(option) }, name);
  return element("div", { className: `field ${option.kind}` }, label, control, help);
};

/** Builds the form. */
export const buildForm = () => {
  byId("options").append(...OPTIONS.filter(({ group }) => !group).map(field));
  for (const group of GROUPS) {
    const fields = OPTIONS.filter((option) => option.group === group).map(field);
    byId("more-options").append(element("fieldset", { className: group.toLowerCase() }, element("legend", {}, group), fields));
  }
};

const READERS = {
  choice: (control) => control.value || undefined,
  text: (control) => control.value.trim() || undefined,
  url: (control) => control.value.trim() || undefined,
  flag: (control, { value }) => (control.checked ? value : undefined),
  set: (control) => {
    const checked = [...control.querySelectorAll(":checked")].map(({ value }) => value);
    return checked.length ? checked : undefined;
  },
  lines: (control) => {
    const lines = control.value.split("\n").filter(Boolean);
    return lines.length ? lines : undefined;
  },
};

/** Returns what the form gives, by the keys of options; only what is not the default. `source` is `text` or `file`. */
export const givenOptions = (source) => {
  const given = {};
  for (const option of OPTIONS) {
    const control = byId(idOf(option)), value = READERS[option.kind](control, option);
    const isOff = (option.bytes && source === "text") || (option.needs && given[option.needs] === undefined);
    if (option.bytes || option.needs) control.disabled = isOff;
    if (value !== undefined && !isOff) given[option.key] = value;
  }
  return given;
};

/** Sets the form: what is not among the values gets its default. */
export const setOptions = (values) => {
  for (const option of OPTIONS) {
    const control = byId(idOf(option)), value = values[option.key];
    if (option.kind === "flag") control.checked = value !== undefined;
    else if (option.kind === "set") control.querySelectorAll("input").forEach((box) => (box.checked = value?.includes(box.value) ?? false));
    else control.value = option.kind === "lines" ? (value ?? []).join("\n") : (value ?? "");
  }
};

/** Returns how many options of the folded groups are set. */
export const numberOfFolded = (given) => OPTIONS.filter(({ group, key }) => group && given[key] !== undefined).length;
