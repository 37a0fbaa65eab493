// Elements and texts.

/** Returns the element with an id. */
export const byId = (id) => document.getElementById(id);

/** Returns an element with properties and children. Strings become text, never markup. */
export const element = (name, properties, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== undefined && child !== ""));
  return made;
};

/** Returns a number as people read it. */
export const number = (amount) => amount.toLocaleString("en");

/** Returns a number with the word for what it counts. */
export const count = (amount, word, plural = `${word}s`) => `${number(amount)} ${amount === 1 ? word : plural}`;

/** Returns a size in bytes as people read it. */
export const size = (bytes) => {
  if (bytes < 1000) return count(bytes, "byte");
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
};

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Returns a text in which characters that turn or break the text around them are shown by their numbers. */
export const shown = (text) => text.replace(CONTROLS, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);

/** Returns words with code in them: what stands between backticks. */
export const prose = (text) => shown(text).split("`").map((piece, index) => (index % 2 ? element("code", {}, piece) : piece));

const copyBySelection = (text) => {
  const area = element("textarea", { value: text, className: "unseen", ariaHidden: "true" });
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (!isCopied) throw new Error("the browser does not allow it");
};

/** Copies a text, and says so on the button for a while. */
export const copy = async (button, text) => {
  const label = (button.dataset.label ??= button.textContent);
  try {
    await (navigator.clipboard ? navigator.clipboard.writeText(text).catch(() => copyBySelection(text)) : copyBySelection(text));
    button.textContent = "Copied";
  } catch (error) {
    button.textContent = `Not copied: ${error.message}`;
  }
  announce(button.textContent);
  setTimeout(() => (button.textContent = label), 2000);
};

/** Says a text to screen readers. */
export const announce = (text) => {
  byId("announcement").textContent = text;
};
