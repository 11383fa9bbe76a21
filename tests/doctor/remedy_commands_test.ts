import assert from "node:assert/strict";
import fc from "fast-check";
import { nameProblem } from "../../src/definitions/server_name.ts";
import { examine } from "../../src/doctor/examine.ts";
import { fileRightsFindings } from "../../src/doctor/file_rights.ts";
import { programFindings } from "../../src/doctor/program.ts";
import { loadAllMCPConfigs } from "../../src/plan/discover.ts";
import { explain } from "../../src/plan/explain.ts";
import { inPlace, type Place } from "../plan/made.ts";
import { of, program, subject } from "./made.ts";

/** Names that a shell would do something with. */
const ODD: readonly string[] = [
  "it's",
  'say "hi"',
  "$(touch x)",
  "`touch x`",
  "a b  c",
  "$HOME",
  "x; touch x",
  "x | y & z",
  "x > y",
  "*",
  "~",
  "!!",
  "#x",
  "back\\slash",
  "'",
  "''",
  "a=b",
  "=ls",
  "{a,b}",
  "[ab]",
  "mcp trust 'x'",
  "日本",
];

/** The words of each command line as a shell hands them to a program. */
async function wordsOf(lines: readonly string[]): Promise<readonly (readonly string[])[]> {
  const script = [
    `show() { printf '%s\\037' "$@"; printf '\\036'; }`,
    'mcp() { show mcp "$@"; }',
    'chmod() { show chmod "$@"; }',
    ...lines,
  ].join("\n");
  const folder = await Deno.makeTempDir();
  try {
    const { stdout, stderr, success } = await new Deno.Command("sh", {
      args: ["-c", script],
      cwd: folder,
      env: { HOME: "/wrong" },
    }).output();
    assert.equal(new TextDecoder().decode(stderr), "");
    assert.ok(success);
    for await (const { name } of Deno.readDir(folder)) assert.fail(`made by a name: ${name}`);
    return new TextDecoder().decode(stdout).split("\x1e").slice(0, -1)
      .map((line) => line.split("\x1f").slice(0, -1));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The command that a remedy ends with; `null` when it names none. */
function commandIn(remedy: string): string | null {
  // `mcp add <name> -- <command>` is to be filled in.
  const last = remedy.split("; or take it out: ").at(-1) ?? "";
  return /(?:^|: )((?:mcp [a-z]+|chmod) .*)$/s.exec(last)?.[1] ?? null;
}

/** Servers of these names in every state that a remedy is for. */
async function populate(names: readonly string[], { write }: Place): Promise<void> {
  const entries = (prefix: string, entry: unknown): Record<string, unknown> =>
    Object.fromEntries(names.map((name, index) => [prefix + name, marked(entry, index)]));
  const marked = (entry: unknown, index: number): unknown =>
    JSON.parse(JSON.stringify(entry).replaceAll("§", String(index)));
  await write("repo/.mcp.json", {
    mcpServers: entries("", { command: "sh", args: ["untrusted-§"] }),
  });
  await write("home/.config/hotplug/mcp.json", {
    mcpServers: entries("s", { command: "sh", args: ["disabled-§"] }),
  });
  await write("repo/.hotplug/workspace.json", {
    enabledMcpServers: names.map((name) => `m${name}`),
  });
  await write("home/.claude.json", {
    mcpServers: entries("d", { type: "stdio", command: "sh", args: ["one-§"] }),
  });
  await write("home/.cursor/mcp.json", {
    mcpServers: {
      ...entries("d", { command: "sh", args: ["other-§"] }),
      ...entries("o", { command: "sh", args: ["off-§"], disabled: true }),
    },
  });
}

/** Every remedy that names a command, and the server that it is about. */
async function remediesFor(
  names: readonly string[],
  place: Place,
): Promise<readonly { readonly server: string | null; readonly command: string }[]> {
  const { machine, folders } = place;
  await populate(names, place);
  const { findings } = await examine({ machine, folders, now: Date.now() });
  const told = findings.map(({ server, remedy }) => ({ server, remedy }));
  const { plan } = await loadAllMCPConfigs({ machine, folders });
  for (const { name, verdict } of plan.servers) {
    const hint = verdict.state === "run" ? null : verdict.reason?.hint ?? null;
    if (hint !== null) told.push({ server: name, remedy: hint });
  }
  for (const server of names.slice(0, 5).flatMap((name) => [name, `s${name}`, `m${name}`])) {
    const { explanation } = await explain(server, { machine, folders });
    told.push({ server, remedy: explanation?.next?.hint ?? "" });
  }
  return told.flatMap(({ server, remedy }) => {
    const command = commandIn(remedy);
    return command === null ? [] : [{ server, command }];
  });
}

Deno.test("every command of a remedy can be pasted into a shell, whatever the server's name", () =>
  inPlace(async (place) => {
    const generated = fc.sample(
      fc.string({
        unit: fc.constantFrom(..."'\"$`\\ ;|&<>(){}[]*?~!#=a-".split("")),
        maxLength: 9,
      }),
      { numRuns: 30, seed: 7 },
    );
    const names = [...new Set([...ODD, ...generated])].filter((name) => nameProblem(name) === null);
    assert.ok(ODD.every((name) => names.includes(name)) && names.length > ODD.length + 10);
    const found = await remediesFor(names, place);
    const words = await wordsOf(found.map(({ command }) => command));
    assert.equal(words.length, found.length);
    const seen = new Map<string, Set<string>>();
    found.forEach(({ server, command }, index) => {
      const [mcp, verb = "", ...args] = words[index] ?? [];
      assert.equal(mcp, "mcp");
      const given = args.filter((word) => word !== "--refresh" && word !== "--in-place");
      if (given.length === 1 && given[0] === "--folder") return;
      if (server !== null) assert.deepEqual(given, [server], command);
      for (const name of given) seen.set(verb, (seen.get(verb) ?? new Set()).add(name));
    });
    const about = (verb: string, prefix: string): void =>
      assert.ok(names.every((name) => seen.get(verb)?.has(prefix + name) === true), verb);
    about("trust", "");
    about("enable", "s");
    about("disable", "m");
    about("explain", "d");
  }));

Deno.test("the same for paths", async () => {
  const paths = ODD.map((name) => `/${name}/file`);
  const facts = { uid: 1, gid: 2, reachable: true, project: false, secret: true };
  const remedies = paths.flatMap((path) =>
    [
      ...fileRightsFindings({ ...facts, path, mode: 0o666 }),
      ...fileRightsFindings({ ...facts, path, mode: 0o664 }),
      ...programFindings(subject(of("cursor", { command: "x" }), {
        program: program({ path: null, unusable: path }),
      })),
    ].map(({ remedy }) => ({ path, command: commandIn(remedy) ?? "" }))
  );
  const words = await wordsOf(remedies.map(({ command }) => command));
  assert.equal(words.length, paths.length * 4);
  words.forEach((line, index) => {
    assert.deepEqual([line[0], line[2]], ["chmod", remedies[index]?.path]);
  });
});
