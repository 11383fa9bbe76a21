import assert from "node:assert/strict";
import type {
  CallDocument,
  StatusDocument,
  StatusRow,
  ToolsDocument,
} from "../../src/cli/documents.ts";
import { endProcesses, leftoversOfHome } from "./living_processes.ts";
import { type CliOptions, type CliRun, runCli } from "./run_cli.ts";
import { makeTempHome, type TempHome } from "./temp_home.ts";

/** A run's options; folder and environment follow the temp home. */
export type McpOptions = Partial<CliOptions>;

/** What an e2e test works with. */
export interface World extends TempHome {
  /** Runs `mcp` in the project folder; `env` is added to the home's. */
  mcp(args: readonly string[], options?: McpOptions): Promise<CliRun>;
  /** `mcp status --json` and more arguments; must exit with 0. */
  status(...args: readonly string[]): Promise<StatusDocument>;
  /** `mcp tools --json` and more arguments; must exit with 0. */
  tools(...args: readonly string[]): Promise<ToolsDocument>;
  /** Text of the answer to `mcp call --json` and more arguments, all text blocks joined. */
  callText(...args: readonly string[]): Promise<string>;
  /** Writes the user's own servers: Claude Code's user file. They are on without enabling. */
  userServers(servers: Readonly<Record<string, unknown>>): Promise<string>;
  /** Writes servers of oh-my-pi's user file, in which a url needs no type. They are on. */
  ompServers(servers: Readonly<Record<string, unknown>>): Promise<string>;
  /** Writes servers of the project: its `.mcp.json`. They need trust. */
  projectServers(servers: Readonly<Record<string, unknown>>): Promise<string>;
  /** Writes servers of Hotplug's own store. They need enabling. */
  storeServers(servers: Readonly<Record<string, unknown>>): Promise<string>;
}

/** Whether a test can run where it needs Linux, whose `/proc` shows every process. */
export const ON_LINUX: boolean = Deno.build.os === "linux";

/**
 * A test of the real program in a home of its own. After it no process of that home may be alive
 * and no file may lie in its temp folder. Whatever is left is ended and removed.
 *
 * @param possible `false` counts the test as ignored: the machine has not what it needs.
 */
export function e2e(
  name: string,
  test: (world: World) => Promise<void>,
  possible: boolean = true,
): void {
  Deno.test({ name, ignore: !possible }, async () => {
    const temp = await makeTempHome();
    const mcp: World["mcp"] = (args, options = {}) =>
      runCli(args, { cwd: temp.project, ...options, env: { ...temp.env, ...options.env } });
    const world: World = {
      ...temp,
      mcp,
      status: async (...args) => succeeded(await mcp(["status", "--json", ...args])).json(),
      tools: async (...args) => succeeded(await mcp(["tools", "--json", ...args])).json(),
      callText: async (...args) => textOf((await mcp(["call", "--json", ...args])).json()),
      userServers: (mcpServers) => temp.write("home/.claude.json", { mcpServers }),
      ompServers: (mcpServers) => temp.write("home/.omp/mcp.json", { mcpServers }),
      projectServers: (mcpServers) => temp.write("project/.mcp.json", { mcpServers }),
      storeServers: (mcpServers) => temp.write(`${temp.config}/mcp.json`, { mcpServers }),
    };
    let left: Awaited<ReturnType<typeof leftoversOfHome>> = [];
    try {
      await test(world);
      left = await leftoversOfHome(temp.home);
      assert.deepEqual(left, [], "processes are left");
      assert.deepEqual(await namesIn(temp.tmp), [], "temp files are left");
    } finally {
      endProcesses(left.length > 0 ? left : await leftoversOfHome(temp.home, 0));
      await temp.remove();
    }
  });
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(folder)) names.push(name);
  return names;
}

/** The run, which must have exited with 0. */
export function succeeded(run: CliRun): CliRun {
  assert.equal(run.code, 0, `exit ${run.code}\n${run.stdout}\n${run.stderr}`);
  return run;
}

/** The row of a name; the test fails when there is none. */
export function row(document: StatusDocument, name: string): StatusRow {
  const found = document.servers.find((server) => server.name === name);
  assert.ok(found !== undefined, `no row "${name}" in ${JSON.stringify(document.servers)}`);
  return found;
}

/** State of every row, by name. */
export function states(document: StatusDocument): Readonly<Record<string, string>> {
  return Object.fromEntries(document.servers.map(({ name, state }) => [name, state]));
}

/** The server's own names of the tools of one server. */
export function toolNames(document: ToolsDocument, server: string): readonly string[] {
  return document.tools.filter((tool) => tool.server === server).map(({ name }) => name);
}

function textOf(document: CallDocument): string {
  assert.ok(document.result !== undefined, JSON.stringify(document));
  const content = document.result["content"] as readonly { readonly text?: string }[];
  return content.map(({ text = "" }) => text).join("");
}
