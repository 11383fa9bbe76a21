import assert from "node:assert/strict";
import { relative } from "node:path";
import { stringify } from "smol-toml";
import type { ServerConfig } from "../../src/model/definition.ts";
import type { Machine } from "../../src/model/machine.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { HostSource } from "../../src/sources/host_writer.ts";
import { writeEntry } from "../../src/sources/written_entry.ts";
import { only, TempMachine } from "./temp_machine.ts";

/** Where a round trip goes. */
export interface RoundTripOptions {
  /** Whose file. Default `user`. */
  readonly scope?: "user" | "project";
  /** The system. Default `linux`. */
  readonly platform?: Machine["platform"];
  /** What comes back where the host cannot tell all of it apart. Default: what was written. */
  readonly expected?: ServerConfig;
}

/**
 * Writes a server as a host has it, reads the host's file, and checks that the same server comes
 * back without a word. Gives the entry as it was written.
 */
export async function roundTrip(
  source: HostSource,
  config: ServerConfig,
  options: RoundTripOptions = {},
): Promise<JsonObject> {
  const { scope = "user", platform = "linux" } = options;
  await using machine = await TempMachine.create();
  const { writer } = source;
  assert.ok(writer !== undefined);
  const file = writer.fileFor(machine.context({ platform }), scope);
  assert.ok(file !== null);
  const format = { ...writer.format, ...file.format };
  const { raw, problems, warnings } = writeEntry("x", config, format);
  assert.deepEqual({ problems, warnings }, { problems: [], warnings: [] });
  const servers = format.list === undefined ? { x: raw } : [{ [format.list]: "x", ...raw }];
  const root = (file.key ?? format.key).reduceRight<object>(
    (value, key) => ({ [key]: value }),
    servers,
  );
  // YAML is read from JSON, too.
  const text = file.path.endsWith(".toml") ? stringify(root) : JSON.stringify(root);
  await machine.write(relative(machine.root, file.path), text);
  const read = only(await machine.read(source, { platform }), "x");
  assert.deepEqual([read.problems, read.warnings], [[], []]);
  assert.equal(read.source.scope, scope);
  assert.deepEqual(read.config, options.expected ?? config);
  return raw;
}
