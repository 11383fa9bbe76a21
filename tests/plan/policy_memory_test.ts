import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { answerPlace } from "../../src/cli/answer_file.ts";
import { keepAnswer } from "../../src/cli/keep_answer.ts";
import { recallAnswer } from "../../src/cli/recall_answer.ts";
import { loadAllMCPConfigs } from "../../src/plan/discover.ts";
import { policyFile } from "../../src/plan/policy_file.ts";
import { type LookRecord, recordLooks } from "../../src/platform/looks.ts";
import { memoryOutput } from "../cli/in_memory.ts";
import { inPlace, type Place } from "./made.ts";

/** What discovery looks at under a policy that lies in the place. */
async function looksUnderPolicy({ root, machine, folders }: Place): Promise<LookRecord> {
  const policy = { path: `${root}/etc/managed.json`, ownerUid: Deno.uid() };
  const ended = recordLooks();
  await loadAllMCPConfigs({ machine, folders, policy });
  return ended();
}

/** Keeps an answer that rests on these looks; gives whether it is still printed, each time. */
async function keptOver(
  { machine, folders }: Place,
  record: LookRecord,
): Promise<() => boolean> {
  await mkdir(folders.state, { recursive: true });
  await writeFile(join(folders.state, "cache-key"), "0".repeat(64));
  const { output } = memoryOutput(false);
  const place = await answerPlace({ args: ["tools"], machine, folders, output });
  assert.ok(place !== null);
  const madeAt = Date.now();
  const printed = { answer: ["echo"], remarks: [], exitCode: 0 };
  // As if no file had changed of late.
  const begunAt = madeAt + 60_000;
  await keepAnswer(place, { printed, record, begunAt, madeAt, freshUntil: null });
  return () => recallAnswer(place, memoryOutput(false).output, madeAt + 1) !== null;
}

Deno.test("a remembered answer is not printed once a policy has appeared", () =>
  inPlace(async (place) => {
    const isPrinted = await keptOver(place, await looksUnderPolicy(place));
    assert.equal(isPrinted(), true, "it was kept");
    await place.write("etc/managed.json", "{}");
    assert.equal(isPrinted(), false);
  }));

Deno.test("a remembered answer is not printed once the policy has changed or others may write it", () =>
  inPlace(async (place) => {
    const path = await place.write("etc/managed.json", "{}");
    const isPrinted = await keptOver(place, await looksUnderPolicy(place));
    assert.equal(isPrinted(), true, "it was kept");
    await Deno.chmod(path, 0o666);
    assert.equal(isPrinted(), false);
    await Deno.chmod(path, 0o644);
    await place.write("etc/managed.json", '{ "allowedServers": [] }');
    assert.equal(isPrinted(), false);
  }));

Deno.test("discovery looks for the machine's own policy, and notes that there is none", () =>
  inPlace(async ({ machine, folders }) => {
    const ended = recordLooks();
    await loadAllMCPConfigs({ machine, folders });
    const path = policyFile(machine);
    assert.ok(ended().looks.some((look) => look.how === "stat" && look.path === path));
  }));
