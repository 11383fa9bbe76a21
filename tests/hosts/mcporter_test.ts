import assert from "node:assert/strict";
import type { Agent } from "./agents.ts";
import { hostTest } from "./host_test_case.ts";

const VERSION = "0.12.3";

/** mcporter. */
const AGENT: Agent = {
  name: "mcporter",
  version: VERSION,
  packages: [`mcporter@${VERSION}`],
  command: ["node", "mcporter/dist/cli.js"],
  // It brings a bundler for a command that is not used here.
  lean: true,
};

hostTest("what mcporter's own command adds is read as it was meant", AGENT, async (host) => {
  const add = (...args: readonly string[]): Promise<unknown> =>
    host.run(["config", "add", ...args]);
  const key = ["--header", "X-Api-Key=made up"];
  await add("mine", "--scope", "home", "--command", "tool", "--arg", "a b", "--env", "A=x=y");
  await add("web", "https://h.invalid/m", "--scope", "home", ...key);
  await add("ours", "--command", "tool", "--arg", "x", "--env", "A=1");
  await add("wide", "https://h.invalid/w", ...key);
  const user = { source: "mcporter", scope: "user" };
  const project = { source: "mcporter", scope: "project" };
  const headers = { "X-Api-Key": "made up" };
  assert.deepEqual(await host.found(), [
    { name: "mine", ...user, type: "stdio", command: "tool", args: ["a b"], env: { A: "x=y" } },
    { name: "ours", ...project, type: "stdio", command: "tool", args: ["x"], env: { A: "1" } },
    { name: "web", ...user, type: "streamable_http", url: "https://h.invalid/m", headers },
    { name: "wide", ...project, type: "streamable_http", url: "https://h.invalid/w", headers },
  ]);
});
