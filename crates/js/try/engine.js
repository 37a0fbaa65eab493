// The page's side of the worker: it starts workers, and ends them to cancel.

/** The module, compiled once for all workers. */
let module;

/** The worker, and what waits for its answers. */
let worker, waiting = new Map(), number = 0;

const compiled = async () => {
  if (!globalThis.DecompressionStream) throw new Error("This browser is too old: it has no DecompressionStream.");
  const encoded = atob(document.getElementById("module").textContent.trim());
  const bytes = Uint8Array.from(encoded, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
};

const receive = ({ data: { id, stage, result, failure } }) => {
  const { onStage, resolve, reject } = waiting.get(id) ?? {};
  if (stage !== undefined) return onStage?.(stage);
  waiting.delete(id);
  if (failure) reject?.(Object.assign(new Error(failure.message), { code: failure.code }));
  else resolve?.(result);
};

const started = async () => {
  module ??= compiled();
  const ready = await module;
  const source = document.getElementById("worker").textContent;
  const url = URL.createObjectURL(new Blob([JSON.parse(source)], { type: "text/javascript" }));
  const made = new Worker(url);
  made.onmessage = receive;
  made.onerror = (event) => {
    event.preventDefault();
    stop(new Error(event.message || "The worker cannot be started."));
  };
  await send(made, "start", { module: ready });
  URL.revokeObjectURL(url);
  return made;
};

const send = (to, action, request, onStage) =>
  new Promise((resolve, reject) => {
    waiting.set(++number, { resolve, reject, onStage });
    to.postMessage({ id: number, action, ...request });
  });

/** Ends the worker. What waits for it fails with the error; without one it never ends. */
export const stop = (error) => {
  worker?.then((made) => made.terminate()).catch(() => {});
  worker = undefined;
  const left = [...waiting.values()];
  waiting = new Map();
  if (error) left.forEach(({ reject }) => reject(error));
};

/** Returns what the worker answers to a request. A worker is started if there is none. */
export const request = async (action, details, onStage) => {
  worker ??= started();
  const own = worker;
  const ready = await own.catch((error) => {
    if (worker === own) worker = undefined;
    throw error;
  });
  return send(ready, action, details, onStage);
};
