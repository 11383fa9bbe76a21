import assert from "node:assert/strict";

import { chooseTools } from "../../src/tools/choose_tools.ts";
import { offeredTool } from "./made.ts";

const TOOLS = [
  offeredTool("mcp_git_status", {}, { server: "git" }),
  offeredTool("mcp_git_push", {}, { server: "git" }),
  offeredTool("mcp_git_hub_search", {}, { server: "git hub" }),
  offeredTool("mcp_mail_send", {}, { server: "mail" }),
];

function chosen(...patterns: readonly string[]): readonly string[] {
  const { tools, unknown } = chooseTools(TOOLS, patterns);
  assert.deepEqual(unknown, []);
  return tools.map(({ name }) => name);
}

Deno.test("tools are chosen by name, by server and by globs, in the order of the set (O15)", () => {
  assert.deepEqual(chosen("mcp_mail_send", "mcp_git_push"), ["mcp_git_push", "mcp_mail_send"]);
  assert.deepEqual(chosen("mcp:git"), ["mcp_git_status", "mcp_git_push"]);
  assert.deepEqual(chosen("mcp:git hub"), ["mcp_git_hub_search"]);
  assert.deepEqual(chosen("mcp:git*"), ["mcp_git_status", "mcp_git_push", "mcp_git_hub_search"]);
  assert.deepEqual(chosen("*_s*"), ["mcp_git_status", "mcp_git_hub_search", "mcp_mail_send"]);
  assert.deepEqual(chosen(" mcp_git_pus? "), ["mcp_git_push"]);
  assert.equal(chosen("*").length, TOOLS.length);
});

Deno.test("what is denied is not chosen, whatever else names it and wherever it stands", () => {
  assert.deepEqual(chosen("!mcp_git_push", "mcp:git"), ["mcp_git_status"]);
  assert.deepEqual(chosen("mcp_git_push", "!*_push", "mcp:mail"), ["mcp_mail_send"]);
});

Deno.test("with denials alone all other tools are chosen, with no pattern none", () => {
  assert.deepEqual(chosen("!mcp:git*"), ["mcp_mail_send"]);
  assert.deepEqual(chosen("! mcp_mail_send", "!mcp:git"), ["mcp_git_hub_search"]);
  assert.deepEqual(chosen(), []);
});

Deno.test("patterns that fit nothing are reported as they were written", () => {
  const patterns = ["mcp_git_status", "mcp_git_pull", "!mcp:none", "x*", "", "!", "mcp:"];
  const { tools, unknown } = chooseTools(TOOLS, patterns);
  assert.deepEqual(tools.map(({ name }) => name), ["mcp_git_status"]);
  assert.deepEqual(unknown, patterns.slice(1));
  assert.deepEqual(chooseTools([], ["*"]), { tools: [], unknown: ["*"] });
});

Deno.test("other signs of regular expressions and paths mean themselves", () => {
  const { tools } = chooseTools(TOOLS, ["mcp_git_.*", "mcp_git_[sp]*", "mcp_{git,mail}_*"]);
  assert.deepEqual(tools, []);
});
