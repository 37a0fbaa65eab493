// Pages that use the npm package in a browser, and a server on loopback for them.

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";

const MEDIA_TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };

/** What docs/javascript.md says that a page needs. */
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:";

/** Serves what a function returns for a path (bytes or text; nothing is 404), and returns the URL. `take` gets what is posted. */
const serve = async (contentOf, take) => {
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://127.0.0.1");
    if (request.method === "POST") {
      const pieces = [];
      request.on("data", (piece) => pieces.push(piece)).on("end", () => { take(Buffer.concat(pieces).toString()); response.end(); });
      return;
    }
    const name = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    // A browser requests the icon of the site by itself.
    const content = name === "/favicon.ico" ? "" : contentOf(decodeURIComponent(name));
    response.writeHead(content === undefined ? 404 : 200, { "Content-Type": MEDIA_TYPES[path.extname(name)] ?? "text/plain", "Content-Security-Policy": POLICY });
    response.end(content);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => { server.closeAllConnections(); server.close(); } };
};

/** Returns the content of a file below a folder; nothing if it is not there. */
const fileBelow = (folder, name) => {
  const file = path.join(folder, name);
  return file.startsWith(folder) && fs.existsSync(file) && fs.statSync(file).isFile() ? fs.readFileSync(file) : undefined;
};

const pageOf = (script) => `<!doctype html><script type="module" src="${script}"></script>`;

/** Runs all documents, and posts the hashes of what becomes of them. */
const OUTPUTS = `
import { Rewriter } from "/absolve/web.js";
const { documents, runs } = await (await fetch("/documents.json")).json();
const bytesOf = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
const data = documents.map(({ base64, ...rest }) => ({ ...rest, bytes: bytesOf(base64) }));
const hash = async (bytes) => [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const outputs = [];
for (const { url, given } of runs) {
  const rewriter = new Rewriter(given);
  outputs.push(await Promise.all(data.map(({ bytes, type, file }) => hash(rewriter.document(bytes, type, url ? { url: url + file } : {}).content))));
}
await fetch("/outputs", { method: "POST", body: JSON.stringify(outputs) });
document.title = "done";
`;

/** Serves the example as a module and in a worker, and a page that runs all documents; `outputs` is what that posts. */
export const served = async (folder, { code }, documents, runs) => {
  const example = code.replace('"absolve"', '"/absolve/web.js"');
  const sent = documents.map(({ bytes, type, file }) => ({ type, file, base64: bytes.toString("base64") }));
  const pages = {
    "/module.html": pageOf("module.js"),
    "/module.js": example.replace("console.log(", "document.title = ("),
    "/worker.html": pageOf("starts.js"),
    "/starts.js": 'new Worker("/worker.js", { type: "module" }).onmessage = ({ data }) => { document.title = data; };',
    "/worker.js": example.replace("console.log(", "postMessage("),
    "/outputs.html": pageOf("outputs.js"),
    "/outputs.js": OUTPUTS,
    "/documents.json": JSON.stringify({ documents: sent, runs: runs.map(({ url, given }) => ({ url, given })) }),
  };
  let take;
  const outputs = new Promise((done) => { take = (text) => done(JSON.parse(text)); });
  const contentOf = (name) => pages[name] ?? fileBelow(path.join(folder, "node_modules"), name);
  return { ...await serve(contentOf, take), outputs };
};

/** How each bundler builds main.js, as docs/javascript.md has it. */
const BUNDLERS = {
  "vite": (run) => {
    run("node_modules/.bin/vite", ["build", "--outDir", "out-vite"]);
    return "out-vite/index.html";
  },
  "webpack": (run, folder) => {
    fs.writeFileSync(path.join(folder, "build.mjs"), `import webpack from "webpack";
      webpack({ mode: "production", entry: "./main.js", output: { path: import.meta.dirname + "/out-webpack" } }, (error, done) => {
        if (error ?? done.hasErrors()) throw error ?? new Error(done.toString());
      });`);
    run("node", ["build.mjs"]);
    fs.writeFileSync(path.join(folder, "out-webpack/index.html"), pageOf("main.js"));
    return "out-webpack/index.html";
  },
  "esbuild": (run, folder) => {
    run("node_modules/.bin/esbuild", ["main.js", "--bundle", "--format=esm", "--outdir=out-esbuild"]);
    fs.copyFileSync(path.join(folder, "node_modules/absolve/absolve.wasm"), path.join(folder, "out-esbuild/absolve.wasm"));
    fs.writeFileSync(path.join(folder, "out-esbuild/index.html"), pageOf("main.js"));
    return "out-esbuild/index.html";
  },
};

/** Builds the example by each bundler and serves the result; `missing` and `failed` say why there is none. */
export async function* bundled(empty, modules, { code }) {
  const folder = path.join(path.dirname(empty), "bundled");
  fs.mkdirSync(path.join(folder, "node_modules"), { recursive: true });
  fs.cpSync(path.join(empty, "node_modules/absolve"), path.join(folder, "node_modules/absolve"), { recursive: true });
  const others = fs.existsSync(modules) ? fs.readdirSync(modules).filter((name) => name !== "absolve") : [];
  for (const name of others) fs.symlinkSync(path.join(modules, name), path.join(folder, "node_modules", name));
  fs.writeFileSync(path.join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  fs.writeFileSync(path.join(folder, "main.js"), code.replace("console.log(", "document.title = ("));
  fs.writeFileSync(path.join(folder, "index.html"), pageOf("./main.js"));
  const run = (program, typed) => {
    const done = spawnSync(program === "node" ? process.execPath : program, typed, { cwd: folder, encoding: "utf8" });
    if (done.status !== 0) throw new Error(`${program} ${typed.join(" ")}: ${done.stderr || done.stdout || done.error}`);
  };
  for (const [name, build] of Object.entries(BUNDLERS)) {
    if (!others.includes(name)) {
      yield { name, missing: true };
      continue;
    }
    try {
      const page = build(run, folder);
      const out = path.join(folder, path.dirname(page));
      yield { name, ...await serve((file) => fileBelow(out, file), () => {}) };
    } catch (error) {
      yield { name, failed: error.message };
    }
  }
}
