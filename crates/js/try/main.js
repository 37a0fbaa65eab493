// The page: what is given, when the engine runs, what is shown.
import { commandLine, outputName } from "./command.js";
import { announce, byId, copy, count, element, shown, size } from "./dom.js";
import { request, stop } from "./engine.js";
import { EXAMPLES } from "./examples.js";
import { buildForm, givenOptions, numberOfFolded, setOptions } from "./form.js";
import { packageOptions, withNames } from "./options.js";
import { showBases, showCounts, showFindings, showSummary } from "./results.js";
import { showComparison, showLinks } from "./tables.js";
import { TYPES, guess, markedCharset } from "./types.js";

const TYPING = 250, PATIENCE = 150;

/** The file that was dropped or chosen; nothing if the text counts. `start` has its first bytes as text. */
let file;

/** The URL of the example that is shown, until another document takes its place. */
let exampleUrl;

/** The number of the last run; what belongs to an earlier one is not shown. */
let run = 0;

/** The file whose results are shown, or `text`. Those of another one are hidden as long as nothing new is there. */
let shownSource;
let timer = 0, clock = 0, blobUrl = "";

/** Returns what the form gives: the document, its type, its URL, and the options. */
const job = () => {
  const source = file ? "file" : "text", text = byId("text").value;
  const found = guess(file?.name ?? "", file ? file.start : text.slice(0, 2048));
  const type = byId("type").value || found.type || "html";
  const name = file?.name ?? `pasted.${TYPES[type].extension}`;
  const refusal = byId("type").value ? undefined : found.refusal;
  const data = file?.content ?? text;
  return { data, text: file ? undefined : text, name, type, found, refusal, url: byId("url").value.trim(), given: givenOptions(source) };
};

const showType = ({ type, found, refusal }) => {
  const isChosen = byId("type").value !== "";
  byId("type-note").textContent = isChosen ? "as you chose" : refusal ? "not read here" : `Read as ${TYPES[type].title}, ${found.why}.`;
};

const showCommand = (now) => {
  byId("command").textContent = commandLine(now);
  byId("command-note").textContent = `for sh, bash and zsh, ${file ? "in the folder of the file" : `with the text in the file ${now.name}`}`;
  const folded = numberOfFolded(now.given);
  byId("folded").textContent = folded ? `${count(folded, "option")} set` : "";
};

const showState = (state, message) => {
  document.body.dataset.state = state;
  byId("state").textContent = message ?? "";
  byId("cancel").hidden = state !== "busy";
  byId("again").hidden = state !== "stopped";
  byId("results").inert = state !== "done";
  byId("results").hidden = shownSource !== (file ?? "text");
};

/** Shows the stage of the work and the seconds since it began, once it takes longer than one notices. */
const beginClock = () => {
  const began = performance.now();
  let stage = "Starting";
  const show = () => {
    const seconds = Math.floor((performance.now() - began) / 1000);
    showState("busy", `${stage}… ${seconds ? `${seconds} s` : ""}`);
  };
  clearInterval(clock);
  clock = setTimeout(() => {
    show();
    announce("Working");
    clock = setInterval(show, 500);
  }, PATIENCE);
  return (next) => {
    stage = next;
    if (document.body.dataset.state === "busy") show();
  };
};

const endClock = () => {
  clearTimeout(clock);
  clearInterval(clock);
};

const showDownload = (result, name) => {
  URL.revokeObjectURL(blobUrl);
  blobUrl = URL.createObjectURL(result.blob);
  Object.assign(byId("download"), { href: blobUrl, download: outputName(name) });
  byId("download").textContent = `Download ${shown(outputName(name))}`;
};

const showFailure = (error) => {
  endClock();
  const message = withNames(error.message);
  showState("stopped", message);
  announce(message);
};

/** Runs the engine on what the form gives, and shows what became of it. */
const start = async () => {
  clearTimeout(timer);
  const own = ++run, isCurrent = () => own === run;
  if (document.body.dataset.running === "yes") stop();
  try {
    const now = job();
    showType(now);
    showCommand(now);
    if (now.refusal) throw new Error(`${now.refusal} Choose a type to read it nevertheless.`);
    if (now.data === "") throw new Error("Nothing is given yet: paste a document, drop a file, or take an example.");
    const details = { data: now.data, type: now.type, url: now.url, options: packageOptions(now.given) };
    const onStage = beginClock();
    document.body.dataset.running = "yes";
    const result = await request("rewrite", details, onStage);
    if (!isCurrent()) return;
    document.body.dataset.running = "no";
    endClock();
    showSummary(result);
    showCounts(result);
    showBases(result);
    showFindings(result);
    showDownload(result, now.name);
    await Promise.all([showComparison(result, isCurrent), showLinks(result, now, isCurrent)]);
    if (!isCurrent()) return;
    shownSource = file ?? "text";
    showState("done");
    document.body.dataset.shown = own;
    announce(byId("lead").textContent);
  } catch (error) {
    if (!isCurrent()) return;
    document.body.dataset.running = "no";
    showFailure(error);
  }
};

const startSoon = () => {
  clearTimeout(timer);
  timer = setTimeout(start, byId("text").value.length > 200_000 ? 4 * TYPING : TYPING);
};

const cancel = () => {
  run++;
  stop();
  endClock();
  document.body.dataset.running = "no";
  showState("stopped", "Cancelled. Nothing was changed.");
  announce("Cancelled");
  byId("again").focus();
};

/** Returns the first bytes of a file as text, by its byte order mark, else byte by byte. */
const startOf = async (given) => {
  const bytes = new Uint8Array(await given.slice(0, 2048).arrayBuffer());
  return new TextDecoder(markedCharset(bytes) ?? "latin1").decode(bytes);
};

/** Removes the URL of an example: another document was not retrieved from there. */
const forgetExample = () => {
  if (byId("url").value === exampleUrl) byId("url").value = "";
  exampleUrl = undefined;
};

/** Takes a file as the document. Of several it takes the first, and says so. */
const take = async (files) => {
  const [first, ...others] = files;
  if (!first) return;
  try {
    file = { content: first, name: first.name, start: await startOf(first) };
  } catch {
    return showFailure(new Error(`${shown(first.name)} cannot be read. A folder needs the command line.`));
  }
  const left = others.length ? `; ${count(others.length, "other file")} left out, this page reads one at a time` : "";
  byId("file-name").textContent = `${shown(first.name)}, ${size(first.size)}${left}`;
  byId("type").value = "";
  forgetExample();
  showSource();
  await start();
};

const showSource = () => {
  byId("file").hidden = !file;
  byId("text").hidden = Boolean(file);
  byId("text-label").hidden = Boolean(file);
};

const useText = () => {
  file = undefined;
  showSource();
  byId("text").focus();
  start();
};

const showExample = ({ text, url, options }) => {
  file = undefined;
  showSource();
  Object.assign(byId("text"), { value: text, scrollTop: 0 });
  byId("url").value = exampleUrl = url;
  byId("type").value = "";
  setOptions(options ?? {});
  return start();
};

const buildExamples = () => {
  for (const example of EXAMPLES) {
    const button = element("button", { type: "button", className: "plain-link" }, example.title);
    button.addEventListener("click", () => showExample(example));
    byId("examples").append(element("li", {}, button));
  }
};

/** Lets files be dropped anywhere on the page. */
const acceptDrops = () => {
  const { classList } = document.body;
  const isOfFiles = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!isOfFiles(event)) return;
    event.preventDefault();
    classList.add("over");
  });
  addEventListener("dragleave", (event) => event.relatedTarget === null && classList.remove("over"));
  addEventListener("drop", (event) => {
    classList.remove("over");
    if (!isOfFiles(event)) return;
    event.preventDefault();
    take([...event.dataTransfer.files]);
  });
  byId("text").addEventListener("paste", (event) => {
    const files = [...event.clipboardData.files];
    const { selectionStart, selectionEnd, value } = event.target;
    if (files.length === 0 && selectionEnd - selectionStart === value.length) forgetExample();
    if (files.length === 0) return;
    event.preventDefault();
    take(files);
  });
};

const listen = () => {
  byId("form").addEventListener("input", (event) => {
    if (event.target.id === "choose" || event.target.id === "status") return;
    if (event.target.id === "text" && event.target.value === "") forgetExample();
    startSoon();
  });
  byId("form").addEventListener("submit", (event) => event.preventDefault());
  byId("choose").addEventListener("change", ({ target }) => {
    take([...target.files]);
    target.value = "";
  });
  byId("back").addEventListener("click", useText);
  byId("cancel").addEventListener("click", cancel);
  byId("again").addEventListener("click", start);
  byId("reset").addEventListener("click", () => {
    setOptions({});
    start();
  });
  byId("copy-command").addEventListener("click", ({ target }) => copy(target, byId("command").textContent));
  byId("copy-result").addEventListener("click", async ({ target }) => copy(target, (await request("text", {})).text));
  acceptDrops();
};

for (const [type, { title }] of Object.entries(TYPES)) byId("type").append(new Option(title, type));
buildForm();
buildExamples();
listen();
showExample(EXAMPLES[0]);
