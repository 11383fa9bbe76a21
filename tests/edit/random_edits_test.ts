import assert from "node:assert/strict";
import fc from "fast-check";
import { addServers } from "../../src/edit/add_servers.ts";
import { effectiveServers } from "../../src/edit/effective.ts";
import { removeServer } from "../../src/edit/remove_server.ts";
import { switchServer } from "../../src/edit/switch_server.ts";
import { type EditPlace, inEditPlace, STORE, SWITCHES } from "./made.ts";

/** Stores with comments, odd indentation and Windows line ends. */
const STORES: readonly string[] = [
  '{\n\t// mine\n\t"mcpServers": {\n\t\t"kept": { "command": "k", "x-own": [1, 2] }, // keep\n\t},\n}\n',
  '{ "a": 1, /* two */ "mcpServers": {\r\n      "kept": {"command":"k"}\r\n} }\r\n',
  '{\n  "mcpServers": {\n    "kept": {\n      "command": "k"\n    }\n  }\n  // the end\n}',
];

const NAMES = ["a", "b.c", "__proto__"] as const;
type Name = typeof NAMES[number];

/** One edit of a sequence. */
interface Edit {
  readonly kind: "add" | "replace" | "remove" | "enable" | "disable";
  readonly name: Name;
  readonly command: string;
}

/** What should be there, by name. */
interface Model {
  readonly defined: Map<Name, string>;
  readonly enabled: Set<Name>;
}

const edits = fc.array(
  fc.record<Edit>({
    kind: fc.constantFrom("add", "replace", "remove", "enable", "disable"),
    name: fc.constantFrom(...NAMES),
    command: fc.constantFrom("x", "y z", 'q"\\', "ü"),
  }),
  { maxLength: 9 },
);

/** Makes an edit, and the same in the model; what the model does not allow must be refused. */
async function make(edit: Edit, model: Model, { given }: EditPlace): Promise<void> {
  const { kind, name, command } = edit;
  const { defined, enabled } = model;
  const isKnown = defined.has(name) || enabled.has(name);
  if (kind === "add" || kind === "replace") {
    // The name among the arguments: the same connection under two names would be a duplicate.
    const server = { name, config: { command, args: [name] }, dialect: "literal" } as const;
    const { servers: [row] } = await addServers([server], { ...given, replace: kind !== "add" });
    const isSame = defined.get(name) === command;
    const taken = defined.has(name) && !isSame;
    const expected = isSame
      ? "unchanged"
      : !taken
      ? "added"
      : kind === "add"
      ? "refused"
      : "replaced";
    assert.equal(row?.done, expected);
    if (expected !== "refused") defined.set(name, command);
  } else if (kind === "remove") {
    if (!defined.has(name)) {
      await assert.rejects(removeServer(name, given), { code: "unknown-server" });
    } else {
      assert.equal((await removeServer(name, given)).servers[0]?.done, "removed");
      defined.delete(name);
    }
  } else if (!isKnown) {
    await assert.rejects(switchServer(name, kind === "enable", given), { code: "unknown-server" });
  } else {
    await switchServer(name, kind === "enable", given);
    if (kind === "disable") enabled.delete(name);
    else if (defined.has(name)) enabled.add(name);
  }
}

/** A fresh look gives what the model says. */
async function check({ defined, enabled }: Model, { given, text }: EditPlace): Promise<void> {
  const rows = await effectiveServers(NAMES, given);
  for (const [index, name] of NAMES.entries()) {
    const row = rows[index];
    const state = defined.has(name)
      ? enabled.has(name) ? "run" : "disabled"
      : enabled.has(name)
      ? "missing"
      : null;
    assert.equal(row?.state, state, name);
    assert.equal(row?.source?.id, defined.has(name) ? "store" : undefined);
  }
  assert.match(await text(STORE), /"kept"/);
}

Deno.test("whatever is edited in whatever order, a fresh look finds it, and undoing it gives the first bytes [A27]", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...STORES), edits, async (store, sequence) => {
      await inEditPlace(async (place) => {
        const { given, text, write } = place;
        const model: Model = { defined: new Map(), enabled: new Set() };
        await write(STORE, store);
        await write(SWITCHES, '{\n  // ours\n  "enabledMcpServers": ["other"]\n}\n');
        const switches = await text(SWITCHES);
        for (const edit of sequence) await make(edit, model, place);
        await check(model, place);
        for (const name of model.enabled) await switchServer(name, false, given);
        for (const name of model.defined.keys()) await removeServer(name, given);
        assert.equal(await text(STORE), store);
        assert.equal(await text(SWITCHES), switches);
      });
    }),
    { numRuns: 40 },
  );
});
