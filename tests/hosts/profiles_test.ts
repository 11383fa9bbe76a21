import assert from "node:assert/strict";
import { HOST_PROFILES, hostProfile } from "../../src/hosts/profiles.ts";
import { SOURCES } from "../../src/sources/registry.ts";

Deno.test("every host profile names sources that there are, and each kind stands once", () => {
  const known = new Set(SOURCES.map(({ id }) => id));
  for (const { id, loads } of HOST_PROFILES) {
    for (const source of loads) assert.ok(known.has(source), `${id} loads ${source}`);
  }
  const ids = HOST_PROFILES.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
});

Deno.test("a host is found by its id and by the name of its source, in any case", () => {
  assert.equal(hostProfile("claude-code")?.label, "Claude Code");
  assert.equal(hostProfile("Gemini-CLI")?.id, "gemini");
  assert.equal(hostProfile(" oh-my-pi ")?.id, "omp");
  assert.equal(hostProfile("constructor"), null);
  assert.equal(hostProfile("nobody"), null);
  const sources = HOST_PROFILES.flatMap(({ loads }) => loads[0] ?? []);
  for (const source of sources) assert.ok(hostProfile(source) !== null, source);
});

Deno.test("hosts that were seen to ignore the notice of new tools are not said to heed it", () => {
  for (const id of ["cline", "continue", "qwen"]) assert.equal(hostProfile(id)?.refreshes, false);
  for (const id of ["claude-code", "opencode", "gemini", "pi", "omp"]) {
    assert.deepEqual([hostProfile(id)?.refreshes, hostProfile(id)?.asksAgain], [true, "at-once"]);
  }
  for (const id of ["codex", "copilot"]) {
    assert.deepEqual([hostProfile(id)?.refreshes, hostProfile(id)?.asksAgain], [
      true,
      "next-request",
    ]);
  }
});
