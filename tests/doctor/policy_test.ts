import assert from "node:assert/strict";
import { type Examination, examine } from "../../src/doctor/examine.ts";
import type { Finding } from "../../src/doctor/finding.ts";
import { inPlace, type Place } from "../plan/made.ts";
import { userServers } from "../plan/policy_made.ts";
import { told } from "./made.ts";

/** Examines the user's servers `a` and `b` under a policy. */
async function under(
  { machine, folders, write }: Place,
  policy: unknown,
  servers: readonly string[] = [],
): Promise<Examination> {
  return await examine({
    machine,
    folders,
    servers,
    policy: { path: await write("etc/managed.json", policy), ownerUid: Deno.uid() },
    now: Date.now(),
  });
}

/** What was found of policies, and of the files that may define servers. */
function about({ findings }: Examination): readonly Finding[] {
  return findings.filter(({ check }) => check === "policy" || check === "files");
}

Deno.test("a server that a policy blocks is found, with the rule and whom to ask", () =>
  inPlace(async (place) => {
    await userServers(place, { a: { command: "true" }, b: { command: "false" } });
    const policy = { deniedServers: [{ name: "b" }] };
    const found = about(await under(place, policy));
    const [finding] = found;
    assert.deepEqual(told(found), [
      `warning: Blocked by the policy "${place.root}/etc/managed.json": deniedServers[0] ` +
      "(line 3): name b → Ask whoever manages this machine",
    ]);
    assert.deepEqual([finding?.server, finding?.path], ["b", `${place.home}/.claude.json`]);
    assert.deepEqual(about(await under(place, policy, ["a"])), []);
    assert.deepEqual(about(await under(place, {})), []);
  }));

Deno.test("a policy that cannot be used is one error, whichever servers are asked about", () =>
  inPlace(async (place) => {
    await userServers(place, { a: { command: "true" }, b: { command: "false" } });
    for (const servers of [[], ["a"]]) {
      const found = about(await under(place, '{\n  "allowed": [] }', servers));
      assert.equal(found.length, 1);
      assert.match(
        told(found)[0] ?? "",
        /^error: Cannot use the policy ".*": "allowed" is no key .* → Correct that file, as root; /,
      );
      assert.deepEqual(
        [found[0]?.check, found[0]?.server, found[0]?.path, found[0]?.line],
        ["policy", null, `${place.root}/etc/managed.json`, 2],
      );
    }
  }));

Deno.test("what is odd in a policy is told as a note, with whom to ask", () =>
  inPlace(async (place) => {
    await userServers(place, { a: { command: "true" } });
    const found = about(await under(place, { allowManagedMcpServersOnly: true }));
    assert.deepEqual(told(found), [
      'info: "allowManagedMcpServersOnly" (line 2) is ignored: no file but this one says what may ' +
      "run → Ask whoever manages this machine, who may correct that file",
    ]);
  }));
