import assert from "node:assert/strict";
import type { ServerConfig } from "../../src/model/definition.ts";
import type { Agent } from "./agents.ts";
import { type Host, hostTest } from "./host_test_case.ts";

/** A server as an agent lists it. */
export interface Listed {
  readonly name: string;
  /** Its command line or its url, as far as the agent tells. */
  readonly target: string;
  /** Whether it is on; `null`: the agent does not tell. */
  readonly on: boolean | null;
}

/** What is special about the export to an agent. */
export interface ExportCase {
  /** The agent in the words of `--to`. */
  readonly to: string;
  /** Its file, below the temp folder. */
  readonly file: string;
  /** What the file holds before: other settings, and a server "kept". */
  readonly before: string;
  /** Servers beside those of every test, or in their place, in the form of Hotplug's store. */
  readonly more?: Readonly<Record<string, ServerConfig>>;
  /** Names of those that the agent cannot be told of, beside "odd". */
  readonly refused?: readonly string[];
  /** `false`: its file has no switch, so that a server which is off is refused. Default `true`. */
  readonly switches?: boolean;
  /** `true`: its list starts the servers. Default `false`. */
  readonly starts?: boolean;
  /** `true`: the agent writes the whole file anew when it starts. Default `false`. */
  readonly restless?: boolean;
  /** What the agent lists of the servers that it has here. */
  list(host: Host): Promise<readonly Listed[]>;
  /** How the agent shows the command line or url of a server. Default: words with a blank between. */
  shown?(config: ServerConfig): string;
  /** Checks what the list does not tell, right after the export. */
  details?(host: Host): Promise<void>;
}

/** The variable that servers and headers are given. */
export const ENV = { MADE_UP: "made-up" };

/** Where nothing listens. */
const WEB = "http://127.0.0.1:9";

/** Arguments that must arrive whole. */
export const ARGS: readonly string[] = ["--in", "a b", `it's "so"`, "$5 {x}"];

/** A text without placeholders that looks as if it had some. */
export const LITERAL = `C$5 {x} 100% "q"`;

/** A program that writes down what it is given, and ends. */
const TOOL = `#!/bin/sh
printf '%s\\n' "$@" "$LITERAL" "$MADE_UP" > "$0.given"
`;

/** What every agent is given, with the path of the program. */
function storedServers(tool: string): Readonly<Record<string, ServerConfig>> {
  return {
    local: { command: tool, args: ARGS, env: { LITERAL, MADE_UP: "${MADE_UP}" } },
    // An agent has no word for taking a variable away.
    odd: { command: "tool", env: { GONE: null } },
    off: { command: "tool", args: ["off"], enabled: false },
    web: {
      type: "streamable_http",
      url: `${WEB}/m`,
      headers: { "X-Api-Key": "made up", "Authorization": "Bearer ${MADE_UP}" },
    },
    old: { type: "sse", url: `${WEB}/s` },
  };
}

/** A test that an agent lists what is exported to it, and each later edit of its file. */
export function exportTest(agent: Agent, given: ExportCase): void {
  hostTest(`${agent.name} lists what is exported to it and edited there`, agent, async (host) => {
    const known: Host = {
      ...host,
      run: (args, options) => host.run(args, { env: ENV, ...options }),
    };
    const path = await host.home.write(given.file, given.before);
    const text = (): Promise<string> => Deno.readTextFile(path);
    const tool = await host.home.write("tool", TOOL);
    await Deno.chmod(tool, 0o755);
    const stored = { ...storedServers(tool), ...given.more };
    await host.home.write(`${host.home.config}/mcp.json`, { mcpServers: stored });
    const expected = new Map<string, Listed>();
    const set = (name: string, config: ServerConfig, on: boolean): void => {
      expected.set(name, { name, target: given.shown?.(config) ?? commandLine(config), on });
    };
    const checkList = async (): Promise<void> => {
      const written = await text();
      const listed = (await given.list(known)).toSorted(byName);
      const told = [...expected.values()].toSorted(byName).map((server, index) =>
        listed[index]?.on === null ? { ...server, on: null } : server
      );
      assert.deepEqual(listed, told, written);
      if (given.restless !== true) assert.equal(await text(), written);
    };

    const unsaid = given.switches === false ? ["off"] : [];
    const refused = ["odd", ...unsaid, ...given.refused ?? []];
    for (const [name, config] of Object.entries(stored)) {
      if (refused.includes(name)) continue;
      set(name, config, config.enabled !== false);
    }
    set("kept", { command: "kept" }, true);
    const { servers } =
      (await host.cli(["export", "--json", "--to", given.to, ...Object.keys(stored)], 1))
        .json<{ readonly servers: readonly { readonly name: string; readonly done: string }[] }>();
    assert.deepEqual(
      servers.filter(({ done }) => done !== "added").map(({ name, done }) => [name, done]),
      Object.keys(stored).filter((name) => refused.includes(name)).map((name) => [name, "refused"]),
    );
    assertKept(given.before, await text());
    await checkList();
    await given.details?.(known);
    if (given.starts === true) {
      const arrived = await Deno.readTextFile(`${tool}.given`);
      assert.deepEqual(arrived.split("\n"), [...ARGS, LITERAL, ENV.MADE_UP, ""]);
    }

    const late = ["add", "--host", given.to, "late"];
    await host.cli([...late, "--", "tool", "late"]);
    set("late", { command: "tool", args: ["late"] }, true);
    if (given.switches !== false) {
      await host.cli(["disable", "--in-place", "local"]);
      set("local", stored["local"] ?? {}, false);
      await host.cli(["enable", "--in-place", "off"]);
      set("off", stored["off"] ?? {}, true);
      await checkList();
      await host.cli(["enable", "--in-place", "local"]);
      set("local", stored["local"] ?? {}, true);
    }
    await host.cli(["remove", "--host", given.to, "web"]);
    expected.delete("web");
    if (given.restless !== true) assertKept(given.before, await text());
    await checkList();
  });
}

/** A command line or url as most agents print it. */
export function commandLine({ command, args = [], url }: ServerConfig): string {
  return url ?? [command, ...args].join(" ");
}

function byName(a: Listed, b: Listed): number {
  return a.name < b.name ? -1 : 1;
}

/** Every line of a text is in another one, in the same order; a comma may follow it there. */
function assertKept(before: string, after: string): void {
  const lines = after.split("\n");
  for (const line of before.split("\n")) {
    const at = lines.findIndex((other) => other === line || other === `${line},`);
    assert.notEqual(at, -1, `The line ${JSON.stringify(line)} is gone:\n${after}`);
    lines.splice(0, at + 1);
  }
}
