import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

import { newMark } from "../../src/platform/live_groups.ts";
import { markMaker } from "../../src/platform/orphans.ts";
import { eventually, isRunning, processesMarked } from "./real_processes.ts";

/** A stubborn server with a grandchild, and one that left the group; prints the three ids. */
const SERVER = `trap "" TERM
deno eval --quiet '
  const { spawn } = await import("node:child_process");
  const child = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
  console.log(Deno.env.get("LEADER"), child.pid);
  child.unref();
  Deno.exit();'
sh -c 'trap "" TERM; echo grandchild $$; while :; do sleep 60; done'`;

/** A host that starts the server and, once it is complete, ends in its own way. */
function hostScript(ending: string): string {
  const source = (file: string): string =>
    JSON.stringify(fileURLToPath(new URL(`../../src/platform/${file}`, import.meta.url)));
  return `
    import { newMark } from ${source("live_groups.ts")};
    import { endGroup } from ${source("end_group.ts")};
    import { spawnGroup } from ${source("process_group.ts")};
    const mark = newMark();
    const group = await spawnGroup({
      program: "/bin/sh",
      args: ["-c", Deno.args[0]],
      cwd: "/",
      env: { PATH: Deno.env.get("PATH") },
      mark,
    });
    let text = "";
    group.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.includes("grandchild")) void complete();
    });
    async function complete() {
      await Deno.stdout.write(new TextEncoder().encode(JSON.stringify({ mark, pid: group.pid, text })));
      ${ending}
    }`;
}

for (
  const [how, ending, status] of [
    ["process.exit()", "process.exit(3);", 3],
    ["Deno.exit()", "Deno.exit(3);", 3],
    ["an uncaught error", 'setTimeout(() => { throw new Error("on purpose"); });', 1],
    ["an unhandled rejection", 'throw new Error("on purpose");', 1],
  ] as const
) {
  Deno.test(`what runs when the process ends by ${how} is killed [B12]`, async () => {
    const { code, report } = await runHost(`import process from "node:process";`, ending);
    assert.equal(code, status);
    const { mark, pid, text } = report;
    const [, runaway, , grandchild] = text.split(/\s+/).map(Number);
    assert.ok(runaway && grandchild, `the server said ${text}`);
    await eventually(() => ![pid, runaway, grandchild].some(isRunning));
    assert.deepEqual(processesMarked(mark), []);
  });
}

Deno.test("nothing keeps a process alive that has ended its servers [B13]", async () => {
  const { code, report } = await runHost(
    "",
    "await endGroup(group, mark, { stdinGraceMs: 20, termGraceMs: 20 });",
  );
  assert.equal(code, 0);
  assert.deepEqual(processesMarked(report.mark), []);
});

Deno.test("every mark is another one and names this process", () => {
  const [first, second] = [newMark(), newMark()];
  assert.notEqual(first, second);
  assert.equal(markMaker(first)?.pid, Deno.pid);
});

Deno.test("the threads of one process make different marks, so that none ends another's servers", async () => {
  const file = new URL("../../src/platform/live_groups.ts", import.meta.url);
  const program = `import { newMark } from "${file}"; self.postMessage(newMark());`;
  const marks = await Promise.all([1, 2].map(() =>
    new Promise<string>((resolve, reject) => {
      const source = `data:text/javascript,${encodeURIComponent(program)}`;
      const worker = new Worker(source, { type: "module" });
      worker.onmessage = ({ data }): void => {
        worker.terminate();
        resolve(data);
      };
      worker.onerror = ({ message }): void => reject(new Error(message));
    })
  ));
  assert.equal(new Set(marks).size, 2, marks.join());
  for (const mark of marks) assert.equal(markMaker(mark)?.pid, Deno.pid);
});

Deno.test("a mark made under a mark begins with that", async () => {
  const file = new URL("../../src/platform/live_groups.ts", import.meta.url);
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", `import { newMark } from "${file}"; console.log(newMark());`],
    env: { HOTPLUG_SERVER: "outer" },
  }).output();
  assert.match(new TextDecoder().decode(stdout), /^outer\/.+-\d+-\d+-[\da-f]{8}\.1\n$/);
});

interface HostReport {
  readonly mark: string;
  readonly pid: number;
  readonly text: string;
}

/** Runs a host to its end, for which it gets 20 s. */
async function runHost(
  imports: string,
  ending: string,
): Promise<{ readonly code: number; readonly report: HostReport }> {
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, imports + hostScript(ending));
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", "--no-config", "--allow-all", file, SERVER],
      stdin: "null",
      signal: AbortSignal.timeout(20_000),
    }).output();
    const said = new TextDecoder().decode(stdout);
    assert.notEqual(said, "", new TextDecoder().decode(stderr));
    return { code, report: JSON.parse(said) };
  } finally {
    await Deno.remove(file);
  }
}
