import assert from "node:assert/strict";
import { inPlace } from "./in_memory.ts";

/** Lines that every command's help ends its flags with. */
const COMMON = [
  "  -h  --help         Print this help",
  "      --             All subsequent inputs should be interpreted as arguments",
];

Deno.test("help without a command lists every command", async () => {
  await inPlace(async ({ run }) => {
    const expected = [
      "USAGE",
      "  mcp status <server>...",
      "  mcp tools <server>...",
      "  mcp call <argument>...",
      "  mcp resources <server>...",
      "  mcp prompts <server>...",
      "  mcp trust <server>...",
      "  mcp untrust <server>...",
      "  mcp sources",
      "  mcp --help",
      "",
      "Finds, starts and shows the MCP servers of this machine and this project.",
      'Start with "mcp status". "mcp <command> --help" tells more; "mcp --version" the version.',
      "",
      "FLAGS",
      "  -h --help  Print this help",
      "     --      All subsequent inputs should be interpreted as arguments",
      "",
      "COMMANDS",
      "  status     Start every server, show its state, stop it again",
      "  tools      List the tools of every server",
      "  call       Call one tool and print its answer",
      "  resources  List the resources and resource templates of every server",
      "  prompts    List the prompts of every server",
      "  trust      Approve what a project wants to run",
      "  untrust    Withdraw approvals of this workspace",
      "  sources    List every path that is looked at for definitions",
      "",
    ].join("\n");
    for (const args of [[], ["--help"], ["-h"], ["help"], ["help", "help"]]) {
      assert.deepEqual(await run(args), { code: 0, stdout: expected, stderr: "" });
    }
  });
});

Deno.test("help of a command shows its usage, flags and arguments", async () => {
  await inPlace(async ({ run }) => {
    const expected = [
      "USAGE",
      "  mcp status [--wait 5s] [--cached] [--json | --plain] [<server>...]",
      "  mcp status --help",
      "",
      "Starts every server that may run, shows its state, and stops it again. A server",
      'that has not answered within --wait is shown as "connecting".',
      "Exit status: 0 also when servers failed, 1 with --strict then.",
      "",
      "FLAGS",
      "     [--json]        Print one JSON document on stdout",
      "     [--cwd]         Folder to work in [default: the current one]",
      "     [--trust]       Run what the project defines without approval, this once",
      "     [--no-project]  Leave out what the project defines",
      "     [--exa]         Keep Exa servers, which are left out by default",
      "  -v [--verbose]     Say more: every path looked at, causes, a log on stderr",
      "     [--wait]        Longest time to wait for servers, as 5s or 250ms [default: 5s]",
      "     [--cached]      Start nothing; show what is remembered",
      "     [--strict]      Exit with 1 when a server failed",
      "     [--plain]       One line of words per server, for scripts",
      ...COMMON,
      "",
      "ARGUMENTS",
      "  server...  Servers to show; all by default",
      "",
    ].join("\n");
    for (const args of [["status", "--help"], ["help", "status"], ["status", "x", "-h"]]) {
      assert.deepEqual(await run(args), { code: 0, stdout: expected, stderr: "" });
    }
  });
});

Deno.test("every command has help of its own", async () => {
  await inPlace(async ({ run }) => {
    const usages: Readonly<Record<string, string>> = {
      tools: "[--refresh] [--wait 10s] [--json] [<server>...]",
      call: "[--json] [--output <folder>] <server> <tool> [<key>=<value>... | <json> | -]",
      resources: "[--refresh] [--wait 10s] [--json] [<server>...]",
      prompts: "[--refresh] [--wait 10s] [--json] [<server>...]",
      trust: "[--folder] [--yes] [<server>...]",
      untrust: "[--folder] [<server>...]",
      sources: "[--found] [--json]",
    };
    for (const [command, usage] of Object.entries(usages)) {
      const { code, stdout, stderr } = await run([command, "--help"]);
      assert.deepEqual([code, stderr], [0, ""]);
      assert.equal(stdout.split("\n")[1], `  mcp ${command} ${usage}`);
      assert.match(stdout, /\[--json\]/);
      assert.match(stdout, /\[--cwd\]/);
      const [, , , ...text] = stdout.split("FLAGS")[0]?.split("\n") ?? [];
      assert.ok(text.every((line) => line.length <= 84), "lines of a help text fit a terminal");
    }
  });
});
