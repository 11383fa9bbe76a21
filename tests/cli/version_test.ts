import assert from "node:assert/strict";
import { programName } from "../../src/cli/program_name.ts";
import { asksForVersion, versionText } from "../../src/cli/version.ts";
import { VERSION } from "../../src/model/version.ts";
import config from "../../deno.json" with { type: "json" };

Deno.test("the version is that of deno.json", () => {
  assert.equal(VERSION, config.version);
});

Deno.test("as JSON the version names the program", () => {
  assert.deepEqual(JSON.parse(versionText(true)), {
    schemaVersion: 1,
    name: "hotplug",
    version: VERSION,
  });
  assert.equal(versionText(false), `hotplug ${VERSION}\n`);
});

Deno.test("only the version alone is asked for", () => {
  assert.equal(asksForVersion(["--version"]), true);
  assert.equal(asksForVersion(["--version", "--json"]), true);
  assert.equal(asksForVersion(["-V"]), true);
  assert.equal(asksForVersion(["status", "--version"]), false);
  assert.equal(asksForVersion(["--version", "x"]), false);
  assert.equal(asksForVersion([]), false);
});

Deno.test("the program is named as it was called", () => {
  assert.equal(programName(["/usr/bin/hotplug", "/usr/bin/deno"]), "hotplug");
  assert.equal(programName(["C:\\bin\\hotplug.exe"]), "hotplug");
  assert.equal(programName([undefined, "/opt/mcp"]), "mcp");
  assert.equal(programName(["/x/cli.ts", "/usr/bin/deno"]), "mcp");
});
