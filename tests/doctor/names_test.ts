import assert from "node:assert/strict";
import { duplicateFindings } from "../../src/doctor/duplicates.ts";
import { asSeen } from "../../src/doctor/lookalike.ts";
import { nameFindings } from "../../src/doctor/names.ts";
import { toolNameFindings } from "../../src/doctor/tool_names.ts";
import type { Subject } from "../../src/doctor/subject.ts";
import { messages, of, running, subject, told, tool } from "./made.ts";

/** A subject of this name, from this agent. */
function named(name: string, id = "cursor", more: Partial<Subject> = {}): Subject {
  return subject(of(id, { command: name }, {}, name), more);
}

Deno.test("names that are one to a model, or to the eye, are told on both sides", () => {
  const found = nameFindings([named("my server"), named("my.server"), named("other")]);
  assert.deepEqual(found.map(({ server }) => server), ["my server", "my.server"]);
  assert.match(
    found[0]?.message ?? "",
    /of "my\.server" have names that begin with "mcp_my_server_"/,
  );
  const alike = nameFindings([named("GitHub"), named("github"), named("gіthub")]);
  assert.equal(alike.length, 3, "a Cyrillic letter looks the same");
  assert.match(
    alike[0]?.message ?? "",
    /^The name is easily taken for that of "github" and "gіthub"/,
  );
  assert.deepEqual(
    nameFindings([named("a"), named("b"), named("a", "cline", { wins: false })]),
    [],
  );
  assert.equal(asSeen("ＦＵＬＬ"), "full");
  assert.notEqual(asSeen("a"), asSeen("b"));
});

Deno.test("names that their own agent does not take are told with a better one", () => {
  const find = (name: string, id: string): readonly string[] =>
    told(nameFindings([named(name, id)]));
  assert.deepEqual(find("my server", "codex"), [
    "warning: The agent does not take this name: Codex takes letters, digits, - and _ alone → " +
    'Rename it, for example to "my_server"',
  ]);
  assert.match(find("my_server", "gemini-cli")[0] ?? "", /for example to "my-server"$/);
  assert.equal(find("my server", "mcp-json").length, 1);
  assert.deepEqual(find("my_server", "codex"), []);
  assert.deepEqual(find("my server", "claude-desktop"), [], "it takes any name");
});

Deno.test("one connection under two names, and two servers of one name, are told", () => {
  const reason = { code: "server-not-runnable", message: "The same as x", hint: "Remove" } as const;
  const twin = named("twin", "cursor", { verdict: { state: "duplicate", reason } });
  assert.deepEqual(told(duplicateFindings([twin])), ["warning: The same as x → Remove"]);
  const winner = running(of("store", { command: "a" }));
  const same = { ...running(of("cursor", { command: "a", args: [] })), wins: false };
  const other = { ...running(of("cline", { command: "b" })), wins: false };
  assert.deepEqual(duplicateFindings([winner, same]), []);
  const [finding, ...more] = duplicateFindings([winner, same, other]);
  assert.equal(
    finding?.message,
    "This definition stands for the name, and another server of this name is defined in cline " +
      "(/home/me/.claude.json:7)",
  );
  assert.match(finding?.remedy ?? "", /mcp explain one$/);
  assert.deepEqual(more, []);
  const unread = subject(of("cline", { command: "a", description: "x" }), { wins: false });
  assert.deepEqual(duplicateFindings([winner, unread]), [], "compared as it is written");
});

Deno.test("however many define other servers of a name, it is told once, with five places", () => {
  const at = (id: string): Subject => ({
    ...running(of(id, { command: id }, { path: `/${id}` })),
    wins: id === "store",
  });
  const ids = ["store", "a", "b", "c", "d", "e", "f", "g"];
  const [finding, ...more] = duplicateFindings(ids.map(at));
  assert.deepEqual(more, []);
  assert.deepEqual([finding?.server, finding?.path], ["one", "/store"]);
  assert.match(
    finding?.message ?? "",
    / servers of this name are defined in a \(\/a:7\), b \(\/b:7\), .*, e \(\/e:7\) and 2 more$/,
  );
  const few = duplicateFindings(ids.slice(0, 4).map(at));
  assert.match(few[0]?.message ?? "", / in a \(\/a:7\), b \(\/b:7\) and c \(\/c:7\)$/);
});

Deno.test("tools whose public names are cut or clash are told from the cached lists", () => {
  const tools = (...names: readonly string[]): Partial<Subject> => ({
    tools: { tools: names.map((name) => tool(name)), ageMs: 0 },
  });
  const long = "a".repeat(70);
  const found = toolNameFindings([
    named("a b", "cursor", tools("x", "fine", long)),
    named("a.b", "cursor", tools("x")),
    named("c", "cursor", tools("x")),
    named("none"),
  ]);
  assert.deepEqual(messages(found), [
    `Names over 64 characters are cut for models: "${long}"`,
    'These tools share a name with others and get a suffix: "x"',
    'These tools share a name with others and get a suffix: "x"',
  ]);
  assert.deepEqual(found.map(({ server }) => server), ["a b", "a b", "a.b"]);
});
