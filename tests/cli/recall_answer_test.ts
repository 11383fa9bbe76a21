import assert from "node:assert/strict";
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileToolCache } from "../../src/cache/file_tool_cache.ts";
import { FRESH_MS } from "../../src/cache/freshness.ts";
import { launchFacts } from "../../src/cache/launch_facts.ts";
import { answerPlace, answersFolder } from "../../src/cli/answer_file.ts";
import { type GivenAnswer, keepAnswer } from "../../src/cli/keep_answer.ts";
import { recallAnswer } from "../../src/cli/recall_answer.ts";
import type { Machine } from "../../src/model/machine.ts";
import { loadAllMCPConfigs } from "../../src/plan/discover.ts";
import { hotplugFolders } from "../../src/platform/folders.ts";
import { inPlace, memoryOutput, type Place, type Ran, type RunOptions } from "./in_memory.ts";
import { madeEntry } from "../cache/made.ts";
import { tool } from "./views.ts";

/** How a question differs from the usual one: the whole command line, machine, time, terminal. */
interface Question {
  readonly args?: readonly string[];
  readonly machine?: Machine;
  readonly now?: number;
  readonly terminal?: boolean;
}

/** A project with one approved server whose list is cached, and its files. */
interface Project extends Place {
  readonly files: Record<"config" | "program" | "script" | "envFile" | "trust" | "entry", string>;
  /** Answers in the ordinary way and keeps the answer, as if no file had changed of late. */
  keep(question?: Question): Promise<Ran>;
  /** Answers from what was kept, or not at all. */
  recall(question?: Question): Promise<Ran | null>;
}

const USUAL = ["tools"];

async function inProject(test: (project: Project) => Promise<void>): Promise<void> {
  await inPlace(async (place) => {
    const folders = hotplugFolders(place.machine);
    const bin = join(place.home, "bin");
    await mkdir(bin);
    const [program, script, envFile] = ["server", "server.mjs", "vars"].map((name) =>
      join(bin, name)
    ) as [string, string, string];
    await writeFile(program, "#!/bin/sh\n", { mode: 0o755 });
    await writeFile(script, "// a server\n");
    await writeFile(envFile, "A_SETTING=1\n");
    const it = { command: program, args: [script, "--quiet"], envFile };
    await place.write(".mcp.json", JSON.stringify({ mcpServers: { it } }));
    assert.equal((await place.run(["trust", "--yes"])).code, 0);
    const machine = place.machine;
    const { configs, sources, plan } = await loadAllMCPConfigs({ machine });
    const [config, source] = [configs["it"], sources["it"]];
    assert.ok(config !== undefined && source !== undefined, "the server may run");
    const { workspacePath } = plan;
    const launched = await launchFacts({
      name: "it",
      config,
      source,
      machine,
      folders,
      workspacePath,
    });
    assert.ok(launched.ok);
    const { fingerprint } = launched.facts;
    const tools = [{ ...tool("echo"), description: "Gives its text back" }, tool("add")];
    await fileToolCache(folders.cache).set(
      fingerprint,
      madeEntry({ tools, readAt: Date.now() - 60_000 }),
    );
    await test({
      ...place,
      files: {
        config: join(place.workspace, ".mcp.json"),
        program,
        script,
        envFile,
        trust: join(folders.state, "trust.json"),
        entry: join(folders.cache, "servers", `${fingerprint}.json`),
      },
      async keep({ args = USUAL, terminal = false, ...more } = {}): Promise<Ran> {
        const given: GivenAnswer[] = [];
        const options: RunOptions = {
          ...more,
          terminal,
          given: (answer) => {
            given.push(answer);
          },
        };
        const ran = await place.run(args, options);
        const [answer] = given;
        if (answer !== undefined) {
          const { output } = memoryOutput(terminal);
          const request = { args, machine: more.machine ?? machine, folders, output };
          const found = await answerPlace(request);
          const older = { ...answer, begunAt: answer.begunAt + 60_000 };
          if (found !== null) await keepAnswer(found, older);
        }
        return ran;
      },
      async recall(question = {}): Promise<Ran | null> {
        const { args = USUAL, now = Date.now() } = question;
        const { output, text } = memoryOutput(question.terminal ?? false);
        const request = { args, machine: question.machine ?? machine, folders, output };
        const found = await answerPlace(request);
        const code = found === null ? null : recallAnswer(found, output, now);
        const ran = { code: code ?? 0, stdout: text("stdout"), stderr: text("stderr") };
        if (code === null) assert.equal(ran.stdout + ran.stderr, "", "a miss prints nothing");
        return code === null ? null : ran;
      },
    });
  });
}

/** A text without its ages. */
function ageless(text: string): string {
  return text.replace(/read \S+ ago/g, "read some time ago")
    .replace(/"cachedAgeMs": \d+/g, '"cachedAgeMs": 1');
}

/** The files of kept answers. */
async function kept(project: Place): Promise<readonly string[]> {
  const folder = answersFolder(hotplugFolders(project.machine));
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith(".json")).map((name) => join(folder, name));
}

for (
  const question of [
    { args: ["tools"] },
    { args: ["tools", "--json"] },
    { args: ["tools", "it", "--json"] },
    { args: ["tools"], terminal: true },
  ]
) {
  const { args } = question;
  Deno.test(`"${args.join(" ")}" prints the same from memory, a terminal or not: ${"terminal" in question}`, async () => {
    await inProject(async (project) => {
      // Something for stderr, too.
      await writeFile(join(project.home, ".claude.json"), "{ torn");
      const first = await project.keep(question);
      assert.match(first.stderr, /claude\.json/);
      assert.match(first.stdout, /echo/);
      const second = await project.recall(question);
      assert.ok(second !== null, "it was kept");
      assert.deepEqual(
        { ...second, stdout: ageless(second.stdout) },
        { ...first, stdout: ageless(first.stdout) },
      );
    });
  });
}

Deno.test("ages grow in what is printed from memory", async () => {
  await inProject(async (project) => {
    await project.keep();
    await project.keep({ args: ["tools", "--json"] });
    const now = Date.now() + 120_000;
    assert.match((await project.recall({ now }))?.stdout ?? "", /\(2 tools, read 3m0\ds ago\)/);
    const json = await project.recall({ now, args: ["tools", "--json"] });
    const age = JSON.parse(json?.stdout ?? "").servers[0].cachedAgeMs;
    assert.ok(age >= 180_000 && age < 190_000, String(age));
  });
});

Deno.test("a kept answer is private and holds no variable's value", async () => {
  await inProject(async (project) => {
    const machine = { ...project.machine, env: { ...project.machine.env, TOKEN: "s3cr3t-v4lue" } };
    await project.keep({ machine });
    assert.ok(await project.recall({ machine }) !== null, "it was kept");
    const [path = ""] = await kept(project);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.doesNotMatch(await readFile(path, "utf8"), /s3cr3t-v4lue|TOKEN/);
  });
});

/** What makes an answer wrong or doubtful, by name. */
const CHANGES: Readonly<Record<string, (project: Project) => Promise<unknown>>> = {
  "the config was edited": async ({ files }) => {
    await writeFile(files.config, (await readFile(files.config, "utf8")).replace('"it"', '"is"'));
  },
  "the config is gone": ({ files }) => rm(files.config),
  "another config file appeared": ({ home }) => writeFile(join(home, ".claude.json"), "{}"),
  "settings appeared": async ({ home }) => {
    await mkdir(join(home, ".config", "hotplug"), { recursive: true });
    await writeFile(join(home, ".config", "hotplug", "settings.json"), `{"filterExa":false}`);
  },
  "the approvals were replaced": async ({ files }) => {
    await writeFile(`${files.trust}.new`, await readFile(files.trust, "utf8"));
    await rename(`${files.trust}.new`, files.trust);
  },
  "the approvals are gone": ({ files }) => rm(files.trust),
  "the program was replaced": async ({ files }) => {
    await writeFile(`${files.program}.new`, "#!/bin/sh\n", { mode: 0o755 });
    await rename(`${files.program}.new`, files.program);
  },
  "the program may not be run": ({ files }) => chmod(files.program, 0o644),
  "a file among the arguments was written": ({ files }) => writeFile(files.script, "// a newer\n"),
  "an argument became a file": ({ workspace }) => writeFile(join(workspace, "--quiet"), ""),
  "the envFile was written": ({ files }) => writeFile(files.envFile, "A_SETTING=2\n"),
  "the cache entry was written": async ({ files }) => {
    await writeFile(files.entry, `${await readFile(files.entry, "utf8")} `);
  },
  "the cache entry is gone": ({ files }) => rm(files.entry),
  "the key of digests is another": async ({ machine }) => {
    const path = join(hotplugFolders(machine).state, "cache-key");
    await writeFile(path, `${"0".repeat(64)}\n`);
  },
  "the repository is gone": ({ workspace }) => rm(join(workspace, ".git"), { recursive: true }),
  "what was kept is torn": async (project) => {
    for (const path of await kept(project)) {
      await writeFile(path, (await readFile(path, "utf8")).slice(0, -20));
    }
  },
  "what was kept has another shape": async (project) => {
    for (const path of await kept(project)) {
      const { printed: _, ...rest } = JSON.parse(await readFile(path, "utf8"));
      await writeFile(path, JSON.stringify({ ...rest, printed: { answer: [], remarks: [] } }));
    }
  },
  "what was kept is of another version": async (project) => {
    for (const path of await kept(project)) {
      const whole = JSON.parse(await readFile(path, "utf8"));
      await writeFile(path, JSON.stringify({ ...whole, format: 99 }));
    }
  },
  "lines of what was kept are no lines": async (project) => {
    for (const path of await kept(project)) {
      const whole = JSON.parse(await readFile(path, "utf8"));
      const printed = { ...whole.printed, answer: [null] };
      await writeFile(path, JSON.stringify({ ...whole, printed }));
    }
  },
  "what was kept looked in no known way": async (project) => {
    for (const path of await kept(project)) {
      const whole = JSON.parse(await readFile(path, "utf8"));
      await writeFile(path, JSON.stringify({ ...whole, looks: [["trust me", "/", "-"]] }));
    }
  },
};

for (const [name, change] of Object.entries(CHANGES)) {
  Deno.test(`nothing is printed from memory when ${name}`, async () => {
    await inProject(async (project) => {
      await project.keep();
      assert.ok(await project.recall() !== null, "it was kept");
      await change(project);
      assert.equal(await project.recall(), null);
    });
  });
}

Deno.test("a repository that appears in a nearer folder is a new question's", async () => {
  await inProject(async (project) => {
    const machine = { ...project.machine, cwd: join(project.workspace, "a", "b") };
    await mkdir(machine.cwd, { recursive: true });
    await project.keep({ machine });
    assert.ok(await project.recall({ machine }) !== null, "it was kept");
    await mkdir(join(project.workspace, "a", ".git"));
    assert.equal(await project.recall({ machine }), null);
    assert.doesNotMatch((await project.keep({ machine })).stdout, /echo/);
  });
});

Deno.test("a project that lost its approval is not listed from memory", async () => {
  await inProject(async (project) => {
    await project.keep();
    assert.ok(await project.recall() !== null, "it was kept");
    assert.equal((await project.run(["untrust"])).code, 0);
    assert.equal(await project.recall(), null);
    const { stdout, stderr } = await project.keep();
    assert.doesNotMatch(stdout, /echo/);
    assert.match(stderr, /not approved: it/);
    assert.doesNotMatch((await project.recall())?.stdout ?? "", /echo/);
  });
});

Deno.test("another environment, folder, command line or terminal is another question", async () => {
  await inProject(async (project) => {
    const { machine, home } = project;
    await project.keep();
    const others: readonly Question[] = [
      { machine: { ...machine, env: { ...machine.env, PATH: "/bin" } } },
      { machine: { ...machine, env: { ...machine.env, NEW: "" } } },
      { machine: { ...machine, env: { ...machine.env, HOTPLUG_TRUST: "all" } } },
      { machine: { ...machine, cwd: join(machine.cwd, "..") } },
      { machine: { ...machine, home: join(home, "work") } },
      { machine: { ...machine, uid: 4242 } },
      { machine: { ...machine, platform: "freebsd" } },
      { args: ["tools", "--json"] },
      { args: ["tools", "it"] },
      { args: ["tools", "--trust"] },
      { args: ["tools", "--no-project"] },
      { terminal: true },
    ];
    for (const other of others) assert.equal(await project.recall(other), null);
    assert.ok(await project.recall() !== null, "the usual one is still answered");
  });
});

Deno.test("an answer is not printed past its time, or before it was made", async () => {
  await inProject(async (project) => {
    const before = Date.now();
    await project.keep();
    // The list was a minute old.
    assert.ok(await project.recall({ now: before + FRESH_MS - 61_000 }) !== null);
    assert.equal(await project.recall({ now: before + FRESH_MS }), null);
    assert.equal(await project.recall({ now: before - 1 }), null);
  });
});

Deno.test("an answer is not kept when a file changed just before or meanwhile", async () => {
  await inProject(async (project) => {
    const { machine, files } = project;
    const given: GivenAnswer[] = [];
    await project.run(USUAL, { given: (answer) => void given.push(answer) });
    const [answer] = given;
    assert.ok(answer !== undefined);
    const { output } = memoryOutput(false);
    const request = { args: USUAL, machine, folders: hotplugFolders(machine), output };
    const place = await answerPlace(request);
    assert.ok(place !== null);
    await keepAnswer(place, answer);
    assert.deepEqual(await kept(project), [], "the files are younger than two seconds");
    const older = { ...answer, begunAt: answer.begunAt + 60_000 };
    await writeFile(files.script, "// meanwhile\n");
    await keepAnswer(place, older);
    assert.deepEqual(await kept(project), [], "a file changed meanwhile");
  });
});

Deno.test("an answer is kept neither with --verbose or --refresh nor under HOTPLUG_TRUST", async () => {
  await inProject(async (project) => {
    await project.keep({ args: ["tools", "--verbose"] });
    const { machine } = project;
    await project.keep({ machine: { ...machine, env: { ...machine.env, HOTPLUG_TRUST: "all" } } });
    assert.deepEqual(await kept(project), []);
  });
});

Deno.test("an argument that holds a secret is never written down", async () => {
  const cases = [["--token", "s3cr3t-v4lue"], ["--token", "../s3cr3t//v4lue/"], ["${A_VALUE}"]];
  for (const args of cases) {
    await inProject(async (project) => {
      const machine = {
        ...project.machine,
        env: { ...project.machine.env, A_VALUE: "s3cr3t-v4lue" },
      };
      await writeFile(
        join(project.home, ".claude.json"),
        JSON.stringify({ mcpServers: { mine: { command: project.files.program, args } } }),
      );
      // Only what is cached is asked for, so that nothing starts.
      const { stdout } = await project.keep({ machine, args: ["tools", "it"] });
      assert.match(stdout, /echo/);
      assert.deepEqual(await kept(project), []);
    });
  }
});

Deno.test("an answer in which a program had a say is not kept: it may say something else", async () => {
  await inProject(async ({ home, keep, recall }) => {
    const folder = join(home, ".config", "hotplug");
    await mkdir(folder, { recursive: true });
    const settings = join(folder, "settings.json");
    const hooks = (event: string): string =>
      JSON.stringify({ hooks: { [event]: [{ command: "/bin/sh", args: ["-c", "echo '{}'"] }] } });
    await writeFile(settings, hooks("discover"));
    assert.equal((await keep()).code, 0);
    assert.equal(await recall(), null);
    await writeFile(settings, hooks("after-call"));
    await keep();
    assert.notEqual(await recall(), null);
  });
});
