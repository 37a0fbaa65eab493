/** What the tests of the package share: the package itself, npm packages of others, folders to run programs in. */

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** The folder of the package under test. */
export const PACKAGE = path.resolve(process.env.ABSOLVE_PACKAGE ?? path.join(ROOT, "target/js/package"));

/** The folder with the npm packages of others in its node_modules. */
const NPM = path.resolve(process.env.ABSOLVE_NPM ?? ROOT);

if (!fs.existsSync(path.join(PACKAGE, "absolve.wasm"))) {
  throw new Error(`${PACKAGE} holds no package: scripts/build_js.sh makes it, and ABSOLVE_PACKAGE names another folder`);
}

/** Returns the exports of a file of the package. */
export const fileOfPackage = (name) => import(pathToFileURL(path.join(PACKAGE, name)));

export const absolve = await fileOfPackage("node.js");

/** Returns whether a package of npm is there. */
export const hasPackage = (name) => fs.existsSync(path.join(NPM, "node_modules", name, "package.json"));

const newer = path.join(NPM, "node_modules/node/bin/node");

/** The Node that runs examples: that of the npm package `node`, which others may need, else the one that runs the tests. */
export const NODE = fs.existsSync(newer) ? newer : process.execPath;

let imported;

/** Returns the exports of a package of npm, as a module of a project that has it. */
export async function npmPackage(name) {
  imported ??= workshop();
  const file = path.join(imported, "import.js");
  fs.writeFileSync(file, "export default (name) => import(name);\n");
  return (await import(pathToFileURL(file))).default(name);
}

/** Returns why a test cannot run, for its option `skip`; false if all packages are there. */
export const lacks = (...names) => {
  const absent = names.filter((name) => !hasPackage(name));
  return absent.length > 0 && `without ${absent.join(", ")} (ABSOLVE_NPM names a folder that has them in node_modules)`;
};

const workshops = [];
process.on("exit", () => workshops.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true })));

/** Makes a folder in which programs find the package and those of npm, and returns its path. It goes when the process ends. */
export function workshop() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "absolve-js-"));
  workshops.push(folder);
  const modules = path.join(folder, "node_modules"), others = path.join(NPM, "node_modules");
  // The packages that are versions of Node are not to run the programs of the others.
  linkAll(others, modules, ["absolve", ".bin"]);
  linkAll(path.join(others, ".bin"), path.join(modules, ".bin"), ["node"]);
  fs.symlinkSync(PACKAGE, path.join(modules, "absolve"));
  fs.writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }\n');
  return folder;
}

/** Makes a folder with links to all in another but some names; an empty one if there is no other. */
function linkAll(from, to, without) {
  fs.mkdirSync(to, { recursive: true });
  const names = fs.existsSync(from) ? fs.readdirSync(from).filter((name) => !without.includes(name)) : [];
  for (const name of names) fs.symlinkSync(path.join(from, name), path.join(to, name));
}
