// Runs the command.

import { spawnSync } from "node:child_process";

// Returns a function that runs the program at a path with its arguments. A status above 1 is an error.
export function runner(program) {
  return (...words) => {
    const done = spawnSync(program, words, { encoding: "utf8", maxBuffer: 1 << 30 });
    if (done.status === null || done.status > 1) throw new Error(`absolve ${words.join(" ")}: ${done.error ?? done.stderr}`);
    return done;
  };
}
