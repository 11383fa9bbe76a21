/**
 * One MCP server over stdio, written by hand so that it can break every rule:
 * `trap.ts <behaviour> [argument…]`. Without a known behaviour it lists them.
 * Nothing but `node:` built-ins, so that it starts at once.
 * @module
 */
import process from "node:process";
import { calls } from "./trap/calls.ts";
import { lists } from "./trap/lists.ts";
import { modern } from "./trap/modern.ts";
import { processes } from "./trap/processes.ts";
import type { Behaviour } from "./trap/raw_server.ts";
import { results } from "./trap/results.ts";
import { starts } from "./trap/starts.ts";

const behaviours = new Map<string, Behaviour>(
  Object.entries({ ...starts, ...processes, ...lists, ...calls, ...results, ...modern }),
);
const [name = "", ...args] = process.argv.slice(2);
const behave = behaviours.get(name);
if (behave === undefined) {
  process.stderr.write(
    `Unknown behaviour "${name}"; known: ${[...behaviours.keys()].join(", ")}\n`,
  );
  process.exitCode = 2;
} else {
  behave(...args);
}
