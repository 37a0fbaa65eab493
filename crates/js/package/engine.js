/** The WebAssembly module: one instance, the engines in it, and what becomes of its errors. */

import { __wbg_reset_state as renew, Engine, initSync, Input, resolve, version } from "./glue.js";

/** How many sets of options are kept ready. */
const READY = 32;

/** The memory of an instance in bytes above which the next call gets a new one: memory of WebAssembly never shrinks. */
const MEMORY = 1 << 28;

/** The length of a document in bytes up to which its memory is kept for the next one. */
const KEPT = 1 << 20;

/** Why a call fails. The message says what to do. */
export class AbsolveError extends Error {
  /** @param {string} code @param {string} message @param {ErrorOptions} [options] */
  constructor(code, message, options) {
    super(message, options);
    this.code = code;
  }
}
Object.defineProperty(AbsolveError.prototype, "name", { value: "AbsolveError" });

/** The engines by the JSON of their options, the one used last at the end. */
const engines = new Map();

let exports;

/** The memory for documents. */
let input;

/** Loads the module, once.
 * @param {WebAssembly.Module} module */
export function load(module) {
  exports ??= initSync({ module });
  input ??= new Input();
}

/** Returns what a function returns that uses the instance; what it throws is an {@link AbsolveError}. */
function guarded(use) {
  try {
    return use();
  } catch (error) {
    throw translated(error);
  } finally {
    if (exports.memory.buffer.byteLength > MEMORY) restart();
  }
}

/** Drops the instance with all that is in it. */
function restart() {
  engines.clear();
  renew();
  exports = initSync();
  input = new Input();
}

/** Returns the error for what the instance threw. */
function translated(error) {
  if (error instanceof AbsolveError) return error;
  if (typeof error === "string") {
    const space = error.indexOf(" ");
    return new AbsolveError(error.slice(0, space), error.slice(space + 1));
  }
  // It stopped in the middle of something.
  restart();
  const text = String(error?.message ?? error);
  // A panic has a message; without one it is memory that could not be had.
  return /^unreachable|memory|allocat|capacity overflow|string longer|string length|too large|array length/i.test(text)
    ? new AbsolveError("too-large", `the data are too large: ${text}`, { cause: error })
    : new AbsolveError("internal", `the program failed on this document, which is a bug; please report it: ${text}`, { cause: error });
}

/** Returns the engine of options. */
function engineOf(options) {
  let engine = engines.get(options);
  if (engine === undefined) {
    engine = new Engine(options);
    if (engines.size >= READY) {
      const [oldest, first] = engines.entries().next().value;
      engines.delete(oldest);
      first.free();
    }
  } else {
    engines.delete(options);
  }
  engines.set(options, engine);
  return engine;
}

/** Checks options, as JSON. */
export function check(options) {
  guarded(() => engineOf(options));
}

/** Returns what a method of the engine returns for data. */
export function call(method, options, data, ...rest) {
  return guarded(() => {
    const engine = engineOf(options);
    const length = typeof data === "string" ? writeText(data) : writeBytes(data);
    const result = engine[method](input, ...rest);
    if (length > KEPT) {
      input.free();
      input = new Input();
    }
    return result;
  });
}

/** Returns the target of a reference; undefined if there is none. */
export function targetOf(reference, base, standard) {
  return guarded(() => resolve(reference, base, standard));
}

/** Returns the version of the module. */
export function moduleVersion() {
  return guarded(version);
}

function writeBytes(bytes) {
  viewOf(input.ofBytes(bytes.length), bytes.length).set(bytes);
  return bytes.length;
}

const encoder = new TextEncoder();

/** Writes a string in UTF-8. Most are ASCII, and need as many bytes as code units; others get more room on the way. */
function writeText(text) {
  let room = text.length;
  let { read, written } = encoder.encodeInto(text, viewOf(input.ofText(room), room));
  while (read < text.length) {
    // Three bytes hold any code unit.
    room = written + 3 * (text.length - read);
    const more = encoder.encodeInto(text.slice(read), viewOf(input.ofText(room), room).subarray(written));
    read += more.read;
    written += more.written;
  }
  if (written < room) input.ofText(written);
  return written;
}

function viewOf(pointer, length) {
  return new Uint8Array(exports.memory.buffer, pointer >>> 0, length);
}
