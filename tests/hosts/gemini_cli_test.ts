import assert from "node:assert/strict";
import type { Agent } from "./agents.ts";
import { hostTest } from "./host_test_case.ts";

const VERSION = "0.61.0";

/** Gemini CLI. In a folder that it does not trust it replaces the project's settings. */
const AGENT: Agent = {
  name: "gemini-cli",
  version: VERSION,
  packages: [`@google/gemini-cli@${VERSION}`],
  command: ["node", "@google/gemini-cli/bundle/gemini.js"],
  env: { GEMINI_CLI_TRUST_WORKSPACE: "true", GEMINI_CLI_NO_RELAUNCH: "true" },
};

hostTest("what Gemini CLI's own command adds is read as it was meant", AGENT, async (host) => {
  const add = (...args: readonly string[]): Promise<unknown> => host.run(["mcp", "add", ...args]);
  const key = ["-H", "X-Api-Key: made up"];
  await add("mine", "-s", "user", "tool", "-e", "A=x", "-e", "B=b c", "--", "--in", "a b");
  await add("web", "-s", "user", "-t", "http", "https://h.invalid/m", ...key);
  await add("ours", "tool", "x", "-e", "A=1");
  await add("old", "-t", "sse", "https://h.invalid/s", ...key);
  const headers = { "X-Api-Key": "made up" };
  const user = { source: "gemini-cli", scope: "user" };
  const project = { source: "gemini-cli", scope: "project" };
  assert.deepEqual(await host.found(), [
    {
      name: "mine",
      ...user,
      type: "stdio",
      command: "tool",
      args: ["--in", "a b"],
      env: { A: "x", B: "b c" },
    },
    { name: "old", ...project, type: "sse", url: "https://h.invalid/s", headers },
    { name: "ours", ...project, type: "stdio", command: "tool", args: ["x"], env: { A: "1" } },
    { name: "web", ...user, type: "streamable_http", url: "https://h.invalid/m", headers },
  ]);
});
