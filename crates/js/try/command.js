// The command line that does the same.
import { argumentsOf } from "./options.js";
import { typeOfName } from "./types.js";

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** Returns an argument as a POSIX shell reads it. */
export const quoted = (argument) => (PLAIN.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`);

/** Returns the name of the output for that of an input. */
export const outputName = (name) => {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? `${name.slice(0, dot)}-absolute${name.slice(dot)}` : `${name}-absolute`;
};

/** Returns a path that is not read as an option. */
const path = (name) => (name.startsWith("-") ? `./${name}` : name);

/** Returns whether a text declares another charset than UTF-8, in which it is saved. The page does not read what it declares. */
const declaresCharset = (text) => [...text.matchAll(/(?:charset|encoding)\s*=\s*["']?([\w.:-]+)/gi)].some(([, label]) => !/^utf-?8$/i.test(label));

/** Returns what keeps the command line from reading the marks of programs that save pages; the engine has no such marks. */
const withoutMarks = (type) => (type === "html" ? ["--discover", "nothing"] : []);

/** Returns the arguments for a job: what stands behind the name of the program. */
export const commandArguments = ({ name, type, url, given, text }) => {
  const typed = typeOfName(name) === type ? [] : ["--type", type];
  const charset = text !== undefined && declaresCharset(text) ? ["--charset", "utf-8"] : [];
  const retrieved = url ? [url.startsWith("-") ? `--url=${url}` : "--url", ...(url.startsWith("-") ? [] : [url])] : [];
  return ["rewrite", path(name), ...retrieved, ...typed, ...charset, ...withoutMarks(type), ...argumentsOf(given), "-o", path(outputName(name))];
};

/** Returns the arguments for a file that is not read here: it has documents of many types and URLs. */
const containerArguments = ({ name, given }) => ["rewrite", path(name), ...argumentsOf(given), "-o", path(outputName(name))];

/** Returns the command line for a job. */
export const commandLine = (job) => ["absolve", ...(job.refusal ? containerArguments(job) : commandArguments(job))].map(quoted).join(" ");
