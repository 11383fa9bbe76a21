import assert from "node:assert/strict";
import { hookFileText } from "../../src/hosts/hook/hook_text.ts";
import { leftoversOfHome } from "../harness/living_processes.ts";
import { fromRepository } from "../harness/repository.ts";
import { program, runCli } from "../harness/run_cli.ts";
import { trap } from "../harness/servers.ts";
import { makeTempHome, type TempHome } from "../harness/temp_home.ts";
import { inEveryRuntime } from "./run_scenario.ts";

/** A server with the tools `echo` and `add`. */
const GOOD = trap("good");

/** Adds servers to the store and enables them in the project. */
async function add(home: TempHome, servers: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, behaviour] of Object.entries(servers)) {
    const command = [GOOD.command, ...GOOD.args.slice(0, -1), behaviour];
    const { code, stderr } = await runCli(["add", name, "--enable", "--", ...command], {
      cwd: home.project,
      env: home.env,
    });
    assert.equal(code, 0, stderr);
  }
}

Deno.test("mcp reload changes the tools of a running agent, and a call goes on through it [G07]", async () => {
  interface Answer {
    readonly [key: string]: unknown;
    readonly report: string;
    readonly gone: { readonly text: string; readonly isError: boolean };
    readonly states: readonly string[];
    readonly servers: readonly { readonly server: string; readonly state: string }[];
  }
  const tools = (server: string, ...names: readonly string[]): readonly (readonly string[])[] =>
    names.map((name) => [`mcp_${server}_${name}`, server]);
  await inEveryRuntime<Answer>("reload", {
    input: { mcp: program(), server: [GOOD.command, ...GOOD.args.slice(0, -1)] },
    async prepare(home): Promise<void> {
      await add(home, { one: "late", two: "good" });
      // So that it is the reload that does it.
      await home.write(`${home.config}/settings.json`, { watch: false });
    },
  }, ({ report, gone, states, servers, ...answer }) => {
    const one = tools("one", "echo", "add", "go");
    assert.deepEqual(answer, {
      before: [...one, ...tools("two", "echo", "add")],
      echoed: "hi",
      after: [...one, ...tools("three", "echo", "add")],
      new: "hi",
      same: "hi",
      waited: "late but here",
      generation: 2,
      diffs: [{
        added: ["mcp_three_echo", "mcp_three_add"],
        removed: ["mcp_two_echo", "mcp_two_add"],
        changed: [],
      }],
    });
    const { sessions: [session] } = JSON.parse(report) as {
      readonly sessions: readonly { readonly report: { readonly host: string } }[];
    };
    assert.equal(session?.report.host, "refreshed", report);
    assert.match(gone.text, /^MCP error: .*"two"/);
    assert.ok(gone.isError);
    assert.ok(states.includes("three connected"), `${states}`);
    const connected = servers.filter(({ state }) => state === "connected");
    assert.deepEqual(connected.map(({ server }) => server), ["one", "three"]);
  });
});

Deno.test("the example for an agent of one's own runs", async () => {
  const home = await makeTempHome();
  try {
    await add(home, { one: "good" });
    const hook = hookFileText("module", { program: program(), version: "0.1.0" });
    await home.write("project/.hotplug/hooks/mcp_tools.mjs", hook);
    const child = new Deno.Command("node", {
      args: [fromRepository("examples/module_hook/agent.mjs")],
      cwd: home.project,
      clearEnv: true,
      env: { ...home.env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode('mcp_one_echo {"text":"hi there"}\n'));
    await writer.close();
    const { code, stdout, stderr } = await child.output();
    const text = new TextDecoder();
    assert.equal(code, 0, text.decode(stderr));
    assert.match(text.decode(stdout), /^mcp_one_echo {2}Gives its text back$/m);
    assert.match(text.decode(stdout), /Done: \[ \{ type: 'text', text: 'hi there' \} \]/);
    assert.deepEqual(await leftoversOfHome(home.home), []);
  } finally {
    await home.remove();
  }
});

Deno.test("a killed gateway comes back with its servers at the next call", async () => {
  interface Answer {
    readonly [key: string]: unknown;
    readonly lost: string;
  }
  await inEveryRuntime<Answer>("killed gateway", {
    prepare: (home) => add(home, { one: "late" }),
  }, ({ lost, ...answer }) => {
    assert.match(lost, /^MCP error: the mcp process was ended by SIGKILL during the call/);
    assert.deepEqual(answer, {
      kept: ["mcp_one_echo", "mcp_one_add", "mcp_one_go"],
      again: { text: "back", isError: false },
    });
  });
});

Deno.test("a server that fails does not keep the start waiting", async () => {
  interface Answer {
    readonly ms: number;
    readonly tools: readonly string[];
    readonly states: readonly (readonly [string, string])[];
  }
  await inEveryRuntime<Answer>("first look", {
    prepare: (home) => add(home, { good: "good", bad: "dead" }),
  }, ({ ms, tools, states }) => {
    assert.ok(ms < 8_000, `${ms} ms`);
    assert.deepEqual(tools, ["mcp_good_echo", "mcp_good_add"]);
    assert.equal(states.find(([server]) => server === "good")?.[1], "connected");
  });
});
