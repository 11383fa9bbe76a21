import assert from "node:assert/strict";
import { ToolIndex } from "../../../src/gateway/lazy/tool_index.ts";
import { findable } from "./found.ts";

const TOOLS = [
  findable("files", "read_text_file", "Read the complete contents of a file as text.", {
    path: { type: "string" },
  }),
  findable("files", "write_file", "Create a new file or overwrite one.", {
    path: { type: "string" },
    content: { type: "string" },
  }),
  findable("files", "move_file", "Move or rename files and directories."),
  findable("files", "list_directory", "List what is in a directory."),
  findable("github", "create_issue", "Create a new issue in a GitHub repository."),
  findable("github", "create_pull_request", "Create a new pull request."),
  findable("github", "search_code", "Search for code across GitHub repositories."),
  findable("github", "add_issue_comment", "Add a comment to an existing issue."),
  findable("serena", "find_symbol", "Performs a global search for symbols."),
  findable("serena", "find_referencing_symbols", "Find symbols that refer to a symbol. Find all."),
  findable("serena", "get_symbols_overview", "Find an overview of the symbols in a file."),
  findable("graph", "search_graph", "Search for nodes."),
  findable("graph", "trace_path", "Trace a path."),
  findable("web", "fetch", "Get a page of the internet.", {
    url: { type: "string", description: "Address of the website" },
  }),
  findable("shop", "lookup", "", { customerEmail: { type: "string" } }),
];

const index = new ToolIndex(TOOLS);

function first(question: string): string | undefined {
  return index.find(question)[0]?.publicName;
}

Deno.test("what is to be done finds the tool that does it", () => {
  const wanted: Readonly<Record<string, string>> = {
    "read a text file": "files_read_text_file",
    "open an issue on github": "github_create_issue",
    "list the contents of a folder": "files_list_directory",
    "rename files": "files_move_file",
    "comment on an issue": "github_add_issue_comment",
    "make a pull request": "github_create_pull_request",
    "load a website": "web_fetch",
    "find customers by email": "shop_lookup",
    "writing files": "files_write_file",
  };
  for (const [question, name] of Object.entries(wanted)) assert.equal(first(question), name);
});

Deno.test("a tool that is named always comes first, however many others fit better", () => {
  assert.equal(first("find symbol"), "serena_find_symbol");
  assert.equal(first("findSymbol"), "serena_find_symbol");
  assert.equal(first("serena_find_symbol"), "serena_find_symbol");
  assert.equal(first("fetch"), "web_fetch");
  const names = index.find("search_graph trace_path read_text_file, search issue file code")
    .slice(0, 3).map(({ name }) => name);
  assert.deepEqual(names.toSorted(), ["read_text_file", "search_graph", "trace_path"]);
});

Deno.test("a name under somebody else's prefix still finds its tool", () => {
  assert.equal(first("mcp__hotplug__files_move_file"), "files_move_file");
  assert.equal(first("mcp__github__create_issue"), "github_create_issue");
});

Deno.test("what fits nothing finds nothing, and what hardly fits is left out", () => {
  assert.deepEqual(index.find("weather"), []);
  assert.deepEqual(index.find(""), []);
  assert.deepEqual(index.find("???"), []);
  const found = index.find("create issue").map(({ publicName }) => publicName);
  assert.ok(found.length < TOOLS.length / 2, String(found));
  assert.deepEqual(new ToolIndex([]).find("anything"), []);
});

Deno.test("the same question gets the same answer, and equals stand in their order", () => {
  const twins = ["c", "a", "b"].map((server) => findable(server, "echo", "Echoes."));
  const order = new ToolIndex(twins).find("echo").map(({ server }) => server);
  assert.deepEqual(order, ["c", "a", "b"]);
  const all = JSON.stringify(index.find("file search"));
  assert.equal(JSON.stringify(new ToolIndex(TOOLS).find("file search")), all);
});

Deno.test("words that are names of objects' members are words like any other", () => {
  const odd = new ToolIndex([
    findable("s", "constructor", "__proto__ toString", { hasOwnProperty: true }),
  ]);
  for (const word of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
    assert.equal(odd.find(word).length, 1, word);
  }
});

Deno.test("endless texts and questions cost no more than long ones", () => {
  const tools = Array.from(
    { length: 300 },
    (_, at) => findable(`s${at}`, `tool_${at}`, `word${at} `.repeat(50_000)),
  );
  const large = new ToolIndex(tools);
  assert.equal(large.find(`word7 ${"filler ".repeat(100_000)}`)[0]?.server, "s7");
});
