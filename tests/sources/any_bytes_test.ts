import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { extname, relative } from "node:path";
import fc from "fast-check";
import { stringify } from "smol-toml";
import { auggie } from "../../src/sources/auggie.ts";
import { avelinoMcp } from "../../src/sources/avelino_mcp.ts";
import { cursor } from "../../src/sources/cursor.ts";
import { deepagents } from "../../src/sources/deepagents.ts";
import { factoryDroid } from "../../src/sources/factory_droid.ts";
import { fiveIre } from "../../src/sources/five_ire.ts";
import { hermes } from "../../src/sources/hermes.ts";
import { inspector } from "../../src/sources/inspector.ts";
import { kimi } from "../../src/sources/kimi.ts";
import { mcpCli } from "../../src/sources/mcp_cli.ts";
import { mcpHub } from "../../src/sources/mcp_hub.ts";
import { mcporter } from "../../src/sources/mcporter.ts";
import { muse } from "../../src/sources/muse.ts";
import { pi } from "../../src/sources/pi.ts";
import { qoder } from "../../src/sources/qoder.ts";
import { readSources } from "../../src/sources/read_all.ts";
import { reasonix } from "../../src/sources/reasonix.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { rovoDev } from "../../src/sources/rovo_dev.ts";
import { sema4 } from "../../src/sources/sema4.ts";
import type { HostSource } from "../../src/sources/host_writer.ts";
import type { SourceReading } from "../../src/sources/source.ts";
import { writeEntry } from "../../src/sources/written_entry.ts";
import { TempMachine } from "./temp_machine.ts";

/** Every source, whether discovery asks it by itself or not. */
const ALL: readonly HostSource[] = [
  ...new Map(
    [
      auggie,
      avelinoMcp,
      deepagents,
      factoryDroid,
      fiveIre,
      hermes,
      inspector,
      kimi,
      mcpCli,
      mcpHub,
      mcporter,
      muse,
      pi,
      qoder,
      reasonix,
      rovoDev,
      sema4,
      ...SOURCES,
    ].map((source) => [source.id, source]),
  ).values(),
];

/** A file that takes the place of another of its host's as soon as it is there, whatever it holds. */
const REPLACES = ".claude/.config.json";

/** Pieces of what people write, in any order. */
const PIECES: readonly string[] = [
  "{",
  "}",
  "[",
  "]",
  '"mcpServers"',
  '"servers"',
  ":",
  ",",
  '{ "mcpServers": { "x": { "command": "a" } } }',
  "null",
  "mcp_servers",
  "[[plugins]]\n",
  "[mcp]\n",
  "=",
  "- a\n",
  "  b: c\n",
  '"',
  "'",
  "\\",
  "\n",
  "\r",
  "\t",
  "#",
  "//",
  "*x",
  "&x ",
  "\u0000",
  "\ufeff",
  "é",
  "1e999",
];

const BYTES: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 12 })
    .map((pieces) => new TextEncoder().encode(pieces.join(""))),
);

/** Keys that some host or other looks into. */
const KEYS: readonly string[] = [
  "args",
  "auth",
  "autoApprove",
  "bearerTokenEnv",
  "bearerTokenEnvVar",
  "command",
  "cwd",
  "disabledTools",
  "enabled",
  "env",
  "env_vars",
  "headers",
  "name",
  "oauth",
  "requestInit",
  "timeout",
  "tools",
  "transport",
  "type",
  "url",
];

/** Entries of which only the keys make sense. */
const ENTRIES: fc.Arbitrary<readonly object[]> = fc.array(
  fc.dictionary(
    fc.constantFrom(...KEYS),
    fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom("$A", "${A}", "!a", "~/a", "-y 'a")),
    { maxKeys: 6 },
  ),
  { maxLength: 3 },
);

/** A file of a source that holds such entries where its servers stand. */
function withEntries(source: HostSource, path: string, entries: readonly object[]): Uint8Array {
  const { key = ["mcpServers"], list } = source.writer?.format ?? {};
  const servers = list === undefined ? Object.fromEntries(Object.entries(entries)) : entries;
  const root = key.reduceRight<unknown>((value, step) => ({ [step]: value }), servers);
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  if (!path.endsWith(".toml")) return encode(JSON.stringify(root));
  try {
    return encode(stringify(root));
  } catch {
    // TOML has no word for some of what JSON has.
    return encode("");
  }
}

/** What a file of a source holds when it holds one server, as the host itself would have it. */
function oneServer(
  source: HostSource,
  machine: TempMachine,
  scope: "user" | "project",
): { readonly path: string; readonly text: string } | null {
  const { writer } = source;
  const file = writer?.fileFor(machine.context(), scope) ?? null;
  if (writer === undefined || file === null) return null;
  const format = { ...writer.format, ...file.format };
  if (format.spelling === undefined) return null;
  const { raw } = writeEntry("kept", { command: "kept-mcp" }, format);
  const servers = format.list === undefined ? { kept: raw } : [{ [format.list]: "kept", ...raw }];
  const root = (file.key ?? format.key).reduceRight<object>(
    (value, key) => ({ [key]: value }),
    servers,
  );
  const text = file.path.endsWith(".toml") ? stringify(root) : JSON.stringify(root);
  return { path: file.path, text };
}

/** Checks a reading in which one file holds whatever it holds. */
function check(reading: SourceReading, path: string, kept: number): void {
  const paths = reading.reports.map((report) => report.path);
  assert.equal(new Set(paths).size, paths.length, "a path is reported twice");
  for (const { state, error } of reading.reports) {
    if (error?.code === "config-malformed") {
      assert.equal(state, "malformed");
      assert.match(error.message, /line \d+, column \d+/);
    } else if (state === "malformed" || state === "unreadable") assert.ok(error !== null);
  }
  const own = reading.reports.find((report) => report.path === path);
  if (own?.state === "malformed") assert.ok(own.error?.message.includes(path));
  const found = reading.definitions.filter(({ name, source }) =>
    name === "kept" && source.path !== path
  );
  assert.equal(found.length, kept, "a server of another file is lost");
}

for (const source of ALL) {
  Deno.test(`any bytes in a file of ${source.label} cost only that file [A05] [A10]`, async () => {
    await using machine = await TempMachine.create();
    const others = [source, cursor].filter((one, index, all) => all.indexOf(one) === index);
    const neighbour = await machine.write("home/.cursor/mcp.json", {
      mcpServers: { kept: { command: "kept-mcp" } },
    });
    const valid = (["user", "project"] as const).flatMap((scope) =>
      oneServer(source, machine, scope) ?? []
    );
    for (const { path, text } of valid) await machine.write(relative(machine.root, path), text);
    // A file of the host's may keep others of its files from being read.
    const reading = await readSources(machine.context(), [source]);
    // What an administrator puts elsewhere is out of a test's reach; folders have no extension.
    const paths = reading.reports.map(({ path }) => path)
      .filter((path) => path.startsWith(`${machine.root}/`) && !path.endsWith(REPLACES))
      .filter((path) => extname(path) !== "" && !path.endsWith(".devcontainer"));
    assert.notEqual(paths.length, 0);
    const entriesIn = (path: string): fc.Arbitrary<Uint8Array> =>
      ENTRIES.map((entries) => withEntries(source, path, entries));
    for (const path of paths) {
      await fc.assert(
        fc.asyncProperty(fc.oneof(BYTES, entriesIn(path)), async (bytes) => {
          await machine.write(relative(machine.root, path), bytes);
          const reading = await readSources(machine.context(), others);
          const files = new Set([neighbour, ...valid.map((one) => one.path)]);
          files.delete(path);
          check(reading, path, files.size);
          assert.ok(reading.reports.some((report) => report.path === path));
        }),
        { numRuns: 25 },
      );
      await rm(path);
      const before = valid.find((one) => one.path === path)?.text;
      if (before !== undefined) await machine.write(relative(machine.root, path), before);
      if (path === neighbour) {
        await machine.write("home/.cursor/mcp.json", {
          mcpServers: { kept: { command: "kept-mcp" } },
        });
      }
    }
  });
}
