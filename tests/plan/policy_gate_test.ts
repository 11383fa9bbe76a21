import assert from "node:assert/strict";
import type { RunCandidate } from "../../src/model/run_candidate.ts";
import { PolicyGate } from "../../src/plan/policy_gate.ts";
import { recordLooks } from "../../src/platform/looks.ts";
import { inPlace, type Place } from "./made.ts";

/** A remote server as it is about to be called. */
function remote(url: string): RunCandidate {
  const [source, command, program] = [undefined, null, null];
  return { name: "x", source, transport: "remote", command, args: [], program, url };
}

/** A gate over the policy of a place; its file is as old as `ageMs`. */
function gateOf(place: Place, ageMs: number): PolicyGate {
  const path = `${place.root}/etc/managed.json`;
  return new PolicyGate(
    place.machine,
    { path, ownerUid: Deno.uid() },
    () => Date.now() + ageMs,
  );
}

const URL = "https://a.example/mcp";
const DENIED = { deniedServers: [{ url: "https://a.example/*" }] };

/** Milliseconds after which a file's times are surely others. */
const LATER = 60_000;

for (const [ageMs, words] of [[0, "just written"], [LATER, "old"]] as const) {
  Deno.test(`a policy that appears, changes, breaks or goes is seen at the next question: ${words}`, () =>
    inPlace(async (place) => {
      const gate = gateOf(place, ageMs);
      const asked = remote(URL);
      assert.equal(await gate.check(asked), null);
      const path = await place.write("etc/managed.json", DENIED);
      assert.match((await gate.check(asked))?.message ?? "", /deniedServers\[0\] \(line 3\): /);
      assert.equal((await gate.check(asked))?.code, "blocked-by-policy");
      assert.equal(await gate.check(remote("https://b.example/")), null);
      await place.write("etc/managed.json", { deniedServers: [] });
      assert.equal(await gate.check(asked), null);
      await place.write("etc/managed.json", { allowedServers: [] });
      assert.match((await gate.check(asked))?.message ?? "", /no rule of "allowedServers"/);
      await place.write("etc/managed.json", "{ torn");
      assert.match((await gate.check(asked))?.message ?? "", /cannot be used/);
      await place.write("etc/managed.json", "{}");
      assert.equal(await gate.check(asked), null);
      await Deno.chmod(path, 0o666);
      assert.match((await gate.check(asked))?.message ?? "", /others than its owner/);
      await Deno.remove(path);
      assert.equal(await gate.check(asked), null);
    }));
}

Deno.test("a change that leaves size and times as they were is seen while the file is young", () =>
  inPlace(async (place) => {
    const gate = gateOf(place, 0);
    for (let time = 0; time < 50; time++) {
      const host = time % 2 === 0 ? "a" : "b";
      await place.write("etc/managed.json", {
        deniedServers: [{ url: `https://${host}.example/*` }],
      });
      assert.equal(await gate.check(remote(URL)) !== null, host === "a", `time ${time}`);
    }
  }));

Deno.test("a file that has not changed is looked at once a question and not read again", () =>
  inPlace(async (place) => {
    const path = await place.write("etc/managed.json", DENIED);
    const gate = gateOf(place, LATER);
    await gate.check(remote(URL));
    const ended = recordLooks();
    for (let time = 0; time < 10; time++) assert.notEqual(await gate.check(remote(URL)), null);
    const looks = ended().looks.filter((look) => look.path === path);
    assert.equal(looks.length, 10);
  }));

Deno.test("processes are judged by the program that starts", () =>
  inPlace(async (place) => {
    await place.write("etc/managed.json", { allowedServers: [{ command: ["true"] }] });
    const gate = gateOf(place, LATER);
    const process = (program: string | null): RunCandidate => ({
      ...remote(URL),
      transport: "stdio",
      command: "true",
      program,
      url: null,
    });
    const fake = await place.write("home/bin/true", "#!/bin/sh\n");
    await Deno.chmod(fake, 0o755);
    const [usual] = ["/usr/bin/true", "/bin/true"].filter((path) => {
      try {
        return Deno.statSync(path).isFile;
      } catch {
        return false;
      }
    });
    assert.equal(await gate.check(process(usual ?? "")), null);
    assert.notEqual(await gate.check(process(fake)), null);
    assert.notEqual(await gate.check(remote(URL)), null);
  }));
