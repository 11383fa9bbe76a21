import assert from "node:assert/strict";
import { DEFAULT_SETTINGS, parseSettings } from "../../src/plan/settings.ts";

const SOURCES = ["store", "cline", "claude-code"];

Deno.test("an empty file sets nothing", () => {
  assert.deepEqual(parseSettings({}, SOURCES), { settings: DEFAULT_SETTINGS, warnings: [] });
});

Deno.test("settings are read as they are written", () => {
  const root = {
    enableProjectConfig: false,
    filterExa: false,
    sources: { enabled: ["store"], disabled: ["cline"] },
    naming: "bare",
    watch: true,
  };
  assert.deepEqual(parseSettings(root, SOURCES), {
    settings: {
      enableProjectConfig: false,
      filterExa: false,
      watch: true,
      onlySources: ["store"],
      offSources: ["cline"],
    },
    warnings: [],
  });
});

Deno.test("what cannot be meant is said and leaves the default", () => {
  const root = { enableProjectConfig: "false", sources: { enabled: "store", disabled: ["x"] } };
  const { settings, warnings } = parseSettings(root, SOURCES);
  assert.deepEqual(settings, { ...DEFAULT_SETTINGS, offSources: ["x"] });
  assert.equal(warnings.length, 3);
  assert.match(warnings[0] ?? "", /must be true or false, found a string/);
});

Deno.test("a misspelt setting is told with the one that was meant", () => {
  const { warnings } = parseSettings({ filterExo: true, constructor: 1 }, SOURCES);
  assert.match(warnings[0] ?? "", /did you mean "filterExa"/);
  assert.equal(warnings.length, 2);
});
