import assert from "node:assert/strict";
import { until } from "../../harness/until.ts";
import { LIMIT_MS } from "./agent_process.ts";
import type { HostDriver } from "./host_driver.ts";
import { killHotplug, killServer } from "./hook_deaths.ts";
import { type Lab, labServer, type LabSession, labTest, toolEnds } from "./lab_test_case.ts";

/** Ends of the public names of the tools that each server of the scenario has. */
export const TOOLS = {
  one: ["one_echo", "one_wait"],
  two: ["two_echo"],
  three: ["three_echo"],
} as const;

const BEFORE = [...TOOLS.one, ...TOOLS.two];
const AFTER = [...TOOLS.one, ...TOOLS.three];
const EVERY = [...BEFORE, ...TOOLS.three];

/**
 * What hooks promise, in a real host with a scripted model: two servers of Hotplug's store are
 * there from the start, a reload exchanges one for a third within the running session, and neither
 * the death of a server nor that of `mcp` ends it.
 */
export function hookTest(driver: HostDriver, possible: boolean = true): void {
  const habits = { ...driver.habits, ...driver.withHook };
  const refreshes = habits.listChanged === "refreshes";
  labTest("has the tools of Hotplug by its hook [G07] [G17] [G18]", driver, async (lab) => {
    const { step } = lab;
    await Promise.all([addServer(lab, "one", ["echo", "wait"]), addServer(lab, "two", ["echo"])]);
    await lab.mcp(["hooks", "install", driver.kind]);
    // Else the session would follow the files before it is told to.
    await lab.home.write(`${lab.home.config}/settings.json`, { watch: false });
    const session = await lab.start();
    let process = "";
    await step("the model has and calls the tools of two servers", async () => {
      await has(session, BEFORE);
      const requests = await session.turn(
        { tool: "one_echo", args: { text: "hello" } },
        { tool: "two_echo", args: { text: "there" } },
      );
      const [hello, there] = requests.at(-1)?.results ?? [];
      process = /echo of one, (process \d+): hello/.exec(`${hello}`)?.[1] ?? "";
      assert.notEqual(process, "", hello);
      assert.match(`${there}`, /echo of two, process \d+: there/);
    });
    await addServer(lab, "three", ["echo"]);
    await lab.mcp(["remove", "two"]);
    await reload(lab);
    const kept = habits.forgets ? AFTER : EVERY;
    if (refreshes) {
      await step("a reload changes the tools of the running session", async () => {
        assert.deepEqual(await offered(session), kept);
        await callsNew(session);
      });
    } else {
      await step(
        "the doctor says that the host keeps its tools, and how it gets others",
        () => keepsTools(lab, session),
      );
    }
    await step("a server that a reload does not touch goes on [G07]", async () => {
      const [, last] = await session.turn({ tool: "one_echo", args: { text: "same" } });
      assert.match(`${last?.results}`, new RegExp(`echo of one, ${process}: same`));
    });
    await step(
      "a server that is killed in the middle of a turn does not end the session",
      () => killServer(lab, session, refreshes ? "three" : "one"),
    );
    if (refreshes && habits.restartsServers) {
      await step("a killed mcp comes back", async () => {
        await killHotplug(lab, session);
        assert.deepEqual(await offered(session), kept);
      });
    }
    if (!refreshes) {
      await step(
        "the tools after the reload are there when the host is told or starts anew",
        () => renewed(lab, session),
      );
    }
    await step("the hook can be taken away again", async () => {
      const removal = await lab.mcp(["hooks", "uninstall", driver.kind, "--json"]);
      const { hooks } = removal.json<{ readonly hooks: readonly { readonly done: string }[] }>();
      assert.deepEqual(hooks.map(({ done }) => done), ["removed"], removal.stdout);
    });
  }, possible);
}

/** Adds a server to the store and enables it here. */
async function addServer({ mcp }: Lab, name: string, tools: readonly string[]): Promise<void> {
  const { command, args, env } = labServer(name, tools);
  const pairs = Object.entries(env).flatMap(([key, value]) => ["--env", `${key}=${value}`]);
  await mcp(["add", name, ...pairs, "--enable", "--", command, ...args]);
}

/** Ends of the names of the tools that the next request has. */
async function offered({ turn }: LabSession): Promise<readonly string[]> {
  return toolEnds((await turn())[0], EVERY);
}

/** Waits until requests have these tools: servers that were never seen may come a moment late. */
async function has(session: LabSession, tools: readonly string[]): Promise<void> {
  await until(async () => `${await offered(session)}` === `${tools}`, LIMIT_MS);
}

/** What `mcp reload --json` tells, in part. */
interface Reloaded {
  readonly sessions: readonly {
    readonly session: { readonly host: string };
    readonly report: { readonly added: readonly string[]; readonly removed: readonly string[] };
  }[];
}

/** Reloads as the user does in another terminal; the report names each session of the host. */
async function reload({ mcp, driver }: Lab): Promise<void> {
  const { sessions } = (await mcp(["reload", "--json"])).json<Reloaded>();
  assert.ok(sessions.length > 0, "no session was reloaded");
  for (const { session, report } of sessions) {
    assert.equal(session.host, driver.kind);
    const ends = (names: readonly string[]): string => names.map(withoutPrefix).join();
    assert.equal(ends(report.added), TOOLS.three.join());
    assert.equal(ends(report.removed), TOOLS.two.join());
  }
}

/** A public name without the prefix that some hooks' tools have. */
function withoutPrefix(name: string): string {
  return name.replace(/^mcp_/, "");
}

/** Calls the tool of the new server, and the one of the removed, which nobody answers. */
async function callsNew({ turn }: LabSession): Promise<void> {
  const requests = await turn(
    { tool: "three_echo", args: { text: "new" } },
    { tool: "two_echo", args: { text: "old" } },
  );
  const [called, refused] = requests.at(-1)?.results ?? [];
  assert.match(`${called}`, /echo of three, process \d+: new/);
  assert.doesNotMatch(`${refused}`, /echo of two/);
}

/** A host that keeps the tools of its start: its doctor says so. */
async function keepsTools({ mcp, driver }: Lab, session: LabSession): Promise<void> {
  const { stdout } = await mcp(["hooks", "doctor", driver.kind]);
  assert.match(stdout, /keeps the tools of its start/);
  assert.deepEqual(await offered(session), BEFORE);
  const requests = await session.turn({ tool: "two_echo", args: { text: "old" } });
  assert.doesNotMatch(`${requests.at(-1)?.results}`, /echo of two/);
}

/** Such a host has the new tools when it is told by its own protocol, else in a new session. */
async function renewed({ driver, start }: Lab, session: LabSession): Promise<void> {
  await driver.renew?.(session.host);
  if (driver.renew === undefined) await session.host.close();
  const next = driver.renew === undefined ? await start() : session;
  await has(next, AFTER);
  await callsNew(next);
}
