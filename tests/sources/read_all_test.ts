import assert from "node:assert/strict";
import { readSources } from "../../src/sources/read_all.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import type { Source, SourceReading } from "../../src/sources/source.ts";
import { store } from "../../src/sources/store.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const throwing: Source = {
  id: "broken",
  label: "Broken",
  userFiles: () => {
    throw new Error("no paths");
  },
  read: () => Promise.reject(new Error("a defect")),
};

Deno.test("a source that throws costs only itself", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.config/hotplug/mcp.json", { mcpServers: { x: { command: "x" } } });
  const reading = await readSources(machine.context(), [throwing, store]);
  assert.equal(only(reading, "x").source.id, "store");
  const broken = reading.reports.filter(({ id }) => id === "broken");
  assert.deepEqual(broken.map(({ state, error }) => [state, error?.message]), [
    ["unreadable", `Cannot read the servers of "Broken": a defect`],
  ]);
});

Deno.test("readings come in the order of the sources, whichever ends first", async () => {
  await using machine = await TempMachine.create();
  const later = Promise.withResolvers<void>();
  const named = (id: string, before: Promise<void>, after: () => void): Source => ({
    id,
    label: id,
    async read(): Promise<SourceReading> {
      await before;
      after();
      const facts = { id, label: id, scope: "user", path: `/${id}`, state: "absent" } as const;
      const reports = [{ ...facts, servers: 0, error: null, warnings: [] }];
      return { definitions: [], reports, switches: [] };
    },
  });
  const reading = await readSources(machine.context(), [
    named("slow", later.promise, () => {}),
    named("fast", Promise.resolve(), () => later.resolve()),
  ]);
  assert.deepEqual(reading.reports.map(({ id }) => id), ["slow", "fast"]);
});

Deno.test("no source lists a path twice, and an empty machine has no servers", async () => {
  await using machine = await TempMachine.create();
  const reading = await readSources(machine.context());
  assert.deepEqual(reading.definitions, []);
  assert.ok(reading.reports.every(({ state }) => state === "absent"));
  const looks = reading.reports.map(({ id, path }) => `${id} ${path}`);
  assert.equal(new Set(looks).size, looks.length);
  const paths = reading.reports.map(({ path }) => path);
  const shared = paths.filter((path, index) => paths.indexOf(path) !== index);
  // Amp sits in the editors whose settings these are.
  assert.ok(shared.every((path) => path.endsWith("User/settings.json")), shared.join());
  assert.deepEqual(
    new Set(reading.reports.map(({ id }) => id)),
    new Set(SOURCES.map(({ id }) => id)),
  );
  assert.equal(report(reading, ".claude.json").label, "Claude Code");
});

Deno.test("each source has an id and a label of its own", () => {
  assert.equal(new Set(SOURCES.map(({ id }) => id)).size, SOURCES.length);
  assert.equal(new Set(SOURCES.map(({ label }) => label)).size, SOURCES.length);
});
