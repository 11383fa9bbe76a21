import assert from "node:assert/strict";
import fc from "fast-check";

import { NameTable, serverKey, type ToolAddress } from "../../src/tools/public_name.ts";

const VALID = /^[A-Za-z0-9_-]{1,64}$/;

function namesOf(table: NameTable, ...pairs: readonly (readonly [string, string])[]): string[] {
  return [...table.assign(pairs.map(([server, tool]) => ({ server, tool }))).keys()];
}

Deno.test("a tool is called mcp_<server>_<tool>", () => {
  assert.deepEqual(namesOf(new NameTable(), ["github", "create-issue"]), [
    "mcp_github_create-issue",
  ]);
});

Deno.test("a long name is cut and ends in eight digits of the hash of server NUL tool [D01]", () => {
  const server = "Cloudflare_Developer_Platform_Documentation";
  const tool = "search_cloudflare_documentation_pages";
  const [name = ""] = namesOf(new NameTable(), [server, tool]);
  assert.equal(name.length, 64);
  assert.match(
    name,
    /^mcp_Cloudflare_Developer_Platform_Documentation_search_[a-z_]*_[0-9a-f]{8}$/,
  );
});

Deno.test("the hash of a cut name is the documented one", async () => {
  const [server, tool] = ["s".repeat(40), "t".repeat(40)];
  const digest = await crypto.subtle.digest(
    "SHA-256",
    new TextEncoder().encode(`${server}\0${tool}`),
  );
  const hex = Array.from(
    new Uint8Array(digest).slice(0, 4),
    (b) => b.toString(16).padStart(2, "0"),
  );
  const plain = `mcp_${server}_${tool}`;
  assert.deepEqual(namesOf(new NameTable(), [server, tool]), [
    `${plain.slice(0, 55)}_${hex.join("")}`,
  ]);
});

Deno.test("other characters become underscores, and a part without any letter gets a hash [D02]", () => {
  const table = new NameTable();
  const [spaced, russian = ""] = namesOf(
    table,
    ["Atlassian Rovo", "admin.tools/list"],
    ["srv", "получить_данные"],
  );
  assert.equal(spaced, "mcp_Atlassian_Rovo_admin_tools_list");
  assert.match(russian, /^mcp_srv_tool_[0-9a-f]{8}$/);
  assert.deepEqual(table.lookup(russian), { server: "srv", tool: "получить_данные" });
});

Deno.test("the same tool of two servers has two names [D04]", () => {
  assert.deepEqual(
    namesOf(new NameTable(), ["a", "send_email"], ["b", "send_email"]),
    ["mcp_a_send_email", "mcp_b_send_email"],
  );
});

Deno.test("names that clash all get the hash, whatever the order", () => {
  const pairs = [["a_b", "c"], ["a", "b_c"]] as const;
  const forward = namesOf(new NameTable(), ...pairs);
  const backward = namesOf(new NameTable(), ...pairs.toReversed());
  assert.ok(forward.every((name) => /^mcp_a_b_c_[0-9a-f]{8}$/.test(name)));
  assert.deepEqual(forward, backward.toReversed());
});

Deno.test("a late newcomer gives both tools the hash, and the old name still calls the old tool", () => {
  const table = new NameTable();
  assert.deepEqual(namesOf(table, ["a", "b_c"]), ["mcp_a_b_c"]);
  const later = namesOf(table, ["a", "b_c"], ["a_b", "c"]);
  assert.ok(later.every((name) => /^mcp_a_b_c_[0-9a-f]{8}$/.test(name)));
  assert.deepEqual(later, namesOf(new NameTable(), ["a", "b_c"], ["a_b", "c"]));
  assert.deepEqual(table.lookup("mcp_a_b_c"), { server: "a", tool: "b_c" });
});

Deno.test("a name keeps its meaning after its tool is gone", () => {
  const table = new NameTable();
  namesOf(table, ["a", "b_c"]);
  const [taken = ""] = namesOf(table, ["a_b", "c"]);
  assert.notEqual(taken, "mcp_a_b_c");
  assert.deepEqual(table.lookup("mcp_a_b_c"), { server: "a", tool: "b_c" });
});

Deno.test("a tool cannot take the hashed name of another by being called so", () => {
  const victim: ToolAddress = { server: "x", tool: "получить" };
  const [hashed = ""] = namesOf(new NameTable(), [victim.server, victim.tool]);
  const thief = { server: "x", tool: hashed.slice("mcp_x_".length) };
  const together = new NameTable();
  together.assign([thief, victim]);
  assert.equal(together.nameOf(victim), hashed);
  assert.notEqual(together.nameOf(thief), hashed);
  const thiefFirst = new NameTable();
  thiefFirst.assign([thief]);
  thiefFirst.assign([thief, victim]);
  const name = thiefFirst.nameOf(victim) ?? "";
  assert.match(name, VALID);
  assert.deepEqual(thiefFirst.lookup(name), victim);
});

Deno.test("prototype names are names like any other", () => {
  const table = new NameTable();
  const names = namesOf(table, ["__proto__", "constructor"]);
  assert.deepEqual(names, ["mcp___proto___constructor"]);
  assert.equal(table.lookup("constructor"), null);
});

Deno.test("every tool gets one valid name of its own that leads back to it", () => {
  const part = fc.oneof(
    fc.string({ minLength: 1, maxLength: 70 }),
    fc.constantFrom("a", "a_b", "b", "b_c", "_", "c"),
  );
  const pairs = fc.array(fc.tuple(part, part), { maxLength: 12 });
  const naming = fc.constantFrom(...["prefixed", "key", "server", "bare"] as const);
  fc.assert(fc.property(pairs, pairs, naming, (first, second, naming) => {
    const table = new NameTable({ naming });
    const longest = naming === "server" ? 48 : 64;
    for (const batch of [first, [...first, ...second]]) {
      const addresses = batch.map(([server, tool]) => ({ server, tool }));
      const names = table.assign(addresses);
      assert.equal(names.size, new Set(batch.map((pair) => JSON.stringify(pair))).size);
      for (const [name, address] of names) {
        assert.match(name, VALID);
        assert.ok(name.length <= longest);
        assert.deepEqual(table.lookup(name), address);
      }
    }
  }));
});

Deno.test("short keys are c and five characters, the same in every run", () => {
  assert.match(serverKey("github"), /^c[0-9a-z]{5}$/);
  assert.equal(serverKey("github"), serverKey("github"));
  assert.notEqual(serverKey("github"), serverKey("gitlab"));
  const [name] = namesOf(new NameTable({ naming: "key" }), ["a very long server name", "list"]);
  assert.equal(name, `${serverKey("a very long server name")}_list`);
});

Deno.test("long names that begin alike stay apart, and each keeps its server [A26]", () => {
  const table = new NameTable();
  const servers = ["alpha", "beta"].map((end) =>
    `marketing_automation_project_${"x".repeat(60)}_${end}`
  );
  const names = namesOf(table, ...servers.map((server): [string, string] => [server, "send"]));
  assert.equal(new Set(names).size, 2);
  assert.deepEqual(names.map((name) => table.lookup(name)?.server), servers);
});

Deno.test("the style server leaves the prefix out and keeps room for the host's own", () => {
  const table = new NameTable({ naming: "server" });
  const long = "get_everything_that_there_is_to_know_of_it";
  const [short, cut = ""] = namesOf(table, ["git hub", "create-issue"], ["github", long]);
  assert.equal(short, "git_hub_create-issue");
  assert.equal(cut.length, 48);
  assert.match(cut, /^github_get_everything_that_there_is_to__[0-9a-f]{8}$/);
});

Deno.test("the style bare gives a tool its own name in the allowed characters", () => {
  const table = new NameTable({ naming: "bare" });
  assert.deepEqual(namesOf(table, ["a", "admin.tools/list"], ["b", "read"]), [
    "admin_tools_list",
    "read",
  ]);
});
