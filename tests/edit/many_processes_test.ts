import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { fromRepository } from "../harness/repository.ts";
import { inEditPlace, STORE } from "./made.ts";

const PROCESSES = 8;
/** Adds of each process, every second of which is followed by a removal: 200 edits in all. */
const ADDS = 18;

Deno.test("two hundred edits of eight processes at once lose nothing", async () => {
  await inEditPlace(async ({ path, write }) => {
    await write(STORE, '{\n  // first\n  "mcpServers": { "kept": { "command": "k" } }\n}\n');
    const runs = Array.from(
      { length: PROCESSES },
      (_, number) =>
        new Deno.Command(Deno.execPath(), {
          args: [
            ...["run", "--quiet", "--no-check", "--allow-all", "--config"],
            fromRepository("deno.json"),
            fromRepository("tests/edit/programs/many_edits.ts"),
            ...[path("home"), String(number), String(ADDS)],
          ],
          stdout: "null",
          stderr: "piped",
        }).output(),
    );
    for (const { code, stderr } of await Promise.all(runs)) {
      assert.equal(code, 0, new TextDecoder().decode(stderr));
    }
    const text = await readFile(path(STORE), "utf8");
    assert.ok(text.startsWith("{\n  // first\n"));
    const names = Object.keys(JSON.parse(text.replace("// first", "")).mcpServers).sort();
    const expected = Array.from(
      { length: PROCESSES },
      (_, number) =>
        Array.from({ length: ADDS }, (_, index) => index).filter((index) => index % 2 === 1)
          .map((index) => `p${number}-${index}`),
    ).flat();
    assert.deepEqual(names, ["kept", ...expected].sort());
    assert.deepEqual(await readdir(path("home/.config/hotplug")), ["mcp.json"]);
  });
});
