/**
 * Measures how long discovery takes, after the modules are loaded: the first look of a new process
 * at the files of every source, and its next.
 *
 * `deno task bench`, or alone: `deno run --allow-all bench/discovery.ts [--runs 15]`
 *
 * Each run is a process of its own, since the first parse of a format loads its parser. Homes:
 * an empty one, one of a person with many agents, and one with a 3 MB `~/.claude.json`.
 *
 * It prints and never judges: a slow machine is no failure.
 * @module
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";

/** What one process measured, in milliseconds. */
interface Look {
  /** Its first look, which compiles the code that it runs. */
  readonly first: number;
  /** The next one, as a host that lives on pays it. */
  readonly next: number;
  readonly servers: number;
  readonly paths: number;
}

/** A home folder to look into, and how long that may take. */
interface Home {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly budgetMs: number;
}

const { values } = parseArgs({
  options: { runs: { type: "string", default: "15" }, look: { type: "string" } },
});
if (values.look !== undefined) await look(values.look);
else await measureAll(Number(values.runs));

/** Looks once at a home and prints the milliseconds. */
async function look(home: string): Promise<void> {
  const { loadAllMCPConfigs } = await import("../src/plan/discover.ts");
  const machine = {
    platform: "linux",
    env: { PATH: "/usr/bin:/bin" },
    home,
    tmp: home,
    cwd: join(home, "work"),
    uid: Deno.uid(),
  } as const;
  const started = performance.now();
  const { plan } = await loadAllMCPConfigs({ machine });
  const between = performance.now();
  await loadAllMCPConfigs({ machine });
  const ended = performance.now();
  const looked: Look = {
    first: between - started,
    next: ended - between,
    servers: plan.servers.length,
    paths: plan.sources.length,
  };
  await print(JSON.stringify(looked));
}

/** Prints one line. */
async function print(line: string): Promise<void> {
  await Deno.stdout.write(new TextEncoder().encode(`${line}\n`));
}

async function measureAll(runs: number): Promise<void> {
  await print("| home | servers | paths | first look ms | next look ms | budget |");
  await print("| --- | --- | --- | --- | --- | --- |");
  for (const { name, files, budgetMs } of homes()) {
    const home = await mkdtemp(join(tmpdir(), "hotplug-bench-"));
    try {
      await mkdir(join(home, "work", ".git"), { recursive: true });
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(home, path)), { recursive: true });
        await writeFile(join(home, path), text);
      }
      // The first process warms the caches of the machine.
      const { servers, paths } = await lookFrom(home);
      const looks: Look[] = [];
      for (let run = 0; run < runs; run++) looks.push(await lookFrom(home));
      const [first, next] = [looks.map((one) => one.first), looks.map((one) => one.next)];
      const cells = [name, servers, paths, shown(first), shown(next), budgetMs];
      await print(`| ${cells.join(" | ")} |`);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  }
}

/** The least and the middle of some times. */
function shown(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return `${(sorted[0] ?? 0).toFixed(1)} / ${median.toFixed(1)}`;
}

/** Looks at a home from a process of its own. */
async function lookFrom(home: string): Promise<Look> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "--allow-all", import.meta.url, "--look", home],
  }).output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

function homes(): readonly Home[] {
  const json = (key: string, entries: object): string => JSON.stringify({ [key]: entries });
  const servers = (agent: string): object => ({
    [`${agent}-one`]: { command: "npx", args: ["-y", `${agent}-mcp`], env: { KEY: "${KEY:-x}" } },
    [`${agent}-two`]: { type: "http", url: `https://${agent}.example/mcp` },
  });
  const many = {
    ".claude.json": json("mcpServers", servers("claude")),
    ".cursor/mcp.json": json("mcpServers", servers("cursor")),
    ".codeium/windsurf/mcp_config.json": json("mcpServers", servers("windsurf")),
    ".gemini/settings.json": json("mcpServers", servers("gemini")),
    ".config/Code/User/mcp.json": json("servers", servers("vscode")),
    ".lmstudio/mcp.json": json("mcpServers", servers("lmstudio")),
    ".config/hotplug/mcp.json": json("mcpServers", servers("store")),
    "work/.mcp.json": json("mcpServers", servers("project")),
    ".config/zed/settings.json":
      '{\n  // Zed\n  "context_servers": { "zed-one": { "command": "zed-mcp" } },\n}\n',
  };
  const codex = { ".codex/config.toml": '[mcp_servers.codex-one]\ncommand = "npx"\n' };
  const goose = {
    ".config/goose/config.yaml":
      "extensions:\n  goose-one:\n    type: stdio\n    enabled: true\n    cmd: npx\n    args: []\n",
  };
  return [
    { name: "empty", files: {}, budgetMs: 20 },
    { name: "nine agents' JSON", files: many, budgetMs: 20 },
    { name: "the same, TOML and YAML", files: { ...many, ...codex, ...goose }, budgetMs: 20 },
    { name: "3 MB ~/.claude.json", files: { ".claude.json": largeState() }, budgetMs: 60 },
  ];
}

/** Claude Code's state after some years: 200 projects with their histories. */
function largeState(): string {
  const history = Array.from({ length: 60 }, (_, index) => ({
    display: `Prompt ${index}: ${"words of a longer prompt ".repeat(9)}`,
  }));
  const projects = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`/home/me/projects/number-${index}`, {
      allowedTools: [],
      history,
      mcpServers: index % 20 === 0 ? { local: { command: "a" } } : {},
    }]),
  );
  const text = JSON.stringify({
    numStartups: 900,
    projects,
    mcpServers: { big: { command: "a" } },
  });
  return `${text.slice(0, -1)},"padding":"${"x".repeat(Math.max(0, 3_000_000 - text.length))}"}`;
}
