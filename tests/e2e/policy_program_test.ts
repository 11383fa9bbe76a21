import assert from "node:assert/strict";
import { join } from "node:path";
import type { DoctorDocument, StatusDocument } from "../../src/cli/documents.ts";
import { e2e, row } from "../harness/e2e.ts";
import { program } from "../harness/run_cli.ts";
import { trap } from "../harness/servers.ts";

/** Runs the program with a folder of its own as `/etc`, which nobody else sees. */
function underEtc(etc: string, args: readonly string[]): readonly [string, ...string[]] {
  const script = `mount --bind "$0" /etc && exec "$@"`;
  return ["unshare", "--map-root-user", "--mount", "sh", "-c", script, etc, ...args];
}

/** Whether this machine lets a test have an `/etc` of its own. */
async function canHaveEtc(): Promise<boolean> {
  if (Deno.build.os !== "linux") return false;
  const [command, ...args] = underEtc("/tmp", ["true"]);
  const options = { args, stdout: "null", stderr: "null" } as const;
  return await new Deno.Command(command, options).output().then(
    ({ success }) => success,
    () => false,
  );
}

e2e(
  "the program shows blocked rows with their rule, whatever the environment says",
  async (world) => {
    const mark = join(world.root, "ran");
    await world.userServers({ good: trap("good"), denied: trap("marker", mark) });
    const etc = join(world.root, "etc");
    const path = await world.write("etc/hotplug/managed.json", {
      deniedServers: [{ name: "denied" }],
    });
    await Deno.chmod(path, 0o644);
    const codes: number[] = [];
    const run = async (
      ...args: readonly string[]
    ): Promise<Record<"stdout" | "stderr", string>> => {
      const [command, ...rest] = underEtc(etc, [...program(), ...args]);
      const variables = {
        HOTPLUG_TRUST: "all",
        HOTPLUG_POLICY: "/nowhere",
        PROGRAMDATA: "/nowhere",
      };
      const { code, stdout, stderr } = await new Deno.Command(command, {
        args: rest,
        cwd: world.project,
        clearEnv: true,
        env: { ...world.env, ...variables },
      }).output();
      const text = new TextDecoder();
      codes.push(code);
      return { stdout: text.decode(stdout), stderr: text.decode(stderr) };
    };
    const status = await run("status", "--json");
    const document = JSON.parse(status.stdout) as StatusDocument;
    assert.equal(row(document, "good").state, "connected");
    const blocked = row(document, "denied");
    assert.equal(blocked.state, "blocked");
    assert.deepEqual(blocked.error, {
      code: "blocked-by-policy",
      message:
        'Blocked by the policy "/etc/hotplug/managed.json": deniedServers[0] (line 3): name denied',
      hint: "Ask whoever manages this machine",
    });
    const table = await run("status");
    assert.match(table.stdout, /^denied\s.*\sblocked\s/m);
    assert.match(table.stdout, /deniedServers\[0\] \(line 3\): name denied/);
    const call = await run("call", "denied", "echo");
    assert.deepEqual(codes, [0, 0, 1], call.stderr);
    assert.match(call.stderr, /blocked by a policy: .*deniedServers\[0\]/);
    const doctor = await run("doctor", "--json");
    const { findings } = JSON.parse(doctor.stdout) as DoctorDocument;
    const told = findings.filter(({ check }) => check === "policy");
    assert.deepEqual(told.map(({ severity, server, message }) => [severity, server, message]), [
      ["warning", "denied", blocked.error?.message],
    ]);
    assert.equal(await Deno.stat(mark).then(() => true, () => false), false);
  },
  await canHaveEtc(),
);
