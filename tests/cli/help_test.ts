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
      "  mcp reload <server>...",
      "  mcp tools <server>...",
      "  mcp call <argument>...",
      "  mcp resources <server>...",
      "  mcp prompts <server>...",
      "  mcp add <word>...",
      "  mcp remove <server>",
      "  mcp enable <server>",
      "  mcp disable <server>",
      "  mcp import <agent>...",
      "  mcp export (--to agent) <server>...",
      "  mcp pause <server>",
      "  mcp resume <server>",
      "  mcp retry <server>",
      "  mcp serve",
      "  mcp trust <server>...",
      "  mcp untrust <server>...",
      "  mcp sources",
      "  mcp explain <server>",
      "  mcp doctor <server>...",
      "  mcp logs <server>...",
      "  mcp hooks list|install|uninstall|print|doctor ...",
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
      "  reload     Let changes take effect in every live session",
      "  tools      List the tools of every server",
      "  call       Call one tool and print its answer",
      "  resources  List the resources and resource templates of every server",
      "  prompts    List the prompts of every server",
      "  add        Define a server",
      "  remove     Take a definition out of its file",
      "  enable     Switch a server on in this workspace",
      "  disable    Switch a server off in this workspace",
      "  import     Copy an agent's servers to the store",
      "  export     Write servers into an agent's file",
      "  pause      Take a server away from live sessions for now",
      "  resume     Give live sessions a paused server back",
      "  retry      Connect live sessions to a server anew",
      "  serve      Be one MCP server with all that the servers offer",
      "  trust      Approve what a project wants to run",
      "  untrust    Withdraw approvals of this workspace",
      "  sources    List every path that is looked at for definitions",
      "  explain    Tell why a server runs here, or does not",
      "  doctor     Tell what keeps servers from working, and what to do",
      "  logs       Show what servers wrote, and when they started and ended",
      "  hooks      Give host agents the tools of your servers, refreshed while they run",
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
      "  mcp status [--wait 5s] [--cached] [--tokens] [--json | --plain] [<server>...]",
      "  mcp status --session [<id>] [--json | --plain]",
      "  mcp status --help",
      "",
      "Starts every server that may run, shows its state, and stops it again. A server",
      'that has not answered within --wait is shown as "connecting". Live sessions of the',
      "workspace, which have servers of their own, stand below; --session shows these.",
      "--tokens adds about how many tokens the tools of each server take of a model's",
      'context; "mcp serve --lazy" lists three tools in the place of all.',
      "Exit status: 0 also when servers failed, 1 with --strict then.",
      "",
      "FLAGS",
      "     [--json]        Print one JSON document on stdout",
      "     [--cwd]         Folder to work in [default: the current one]",
      "     [--home]        Home folder whose agents' files are read [default: yours]",
      "     [--trust]       Run what the project defines without approval, this once",
      "     [--no-project]  Leave out what the project defines",
      "     [--exa]         Keep Exa servers, which are left out by default",
      "  -v [--verbose]     Say more: every path looked at, causes, a log on stderr",
      "     [--trace]       File that gets every message from and to servers; - is stderr",
      "     [--wait]        Longest time to wait for servers, as 5s or 250ms [default: 5s]",
      "     [--cached]      Start nothing; show what is remembered",
      "     [--tokens]      Show what the tools of each server cost a model's context, estimated",
      "     [--strict]      Exit with 1 when a server failed",
      "     [--plain]       One line of words per server, for scripts",
      "     [--session]     Start nothing; show live sessions, or the one with this id",
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
      reload: "[--all] [--restart] [--strict] [--wait 30s] [--json | --plain] [<server>...]",
      pause: "[--session <id>] [--json | --plain] <server>",
      resume: "[--session <id>] [--json | --plain] <server>",
      retry: "[--session <id>] [--json | --plain] <server>",
      tools: "[--refresh] [--wait 10s] [--json] [<server>...]",
      call: "[--json] [--output <folder>] <server> <tool> [<key>=<value>... | <json> | -]",
      resources: "[--refresh] [--wait 10s] [--json] [<server>...]",
      prompts: "[--refresh] [--wait 10s] [--json] [<server>...]",
      trust: "[--folder] [--hooks] [--yes] [<server>...]",
      untrust: "[--folder] [--hooks] [<server>...]",
      sources: "[--found] [--json]",
      explain: "[--json] <server>",
      logs: "[-f] [--since 10m] [--level error] [--json] [<server>...]",
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

Deno.test("help of an edit shows each form in which it is given", async () => {
  await inPlace(async ({ run }) => {
    const expected = [
      "USAGE",
      "  mcp add <name> [--env <NAME=value>] -- <command> [<argument>...]",
      '  mcp add <name> --url <url> [--header <"Name: value">]',
      "  mcp add --transport http|sse|stdio <name> <url or command>",
      "  mcp add [<name>] - < snippet.json",
      "  mcp add [--scope store|user|project] [--host <agent>] <name> ...",
      "  mcp add --help",
      "",
      "Writes a definition to the store, or to the file of an agent in that agent's own",
      "words. What is added to the store runs where it is enabled. On stdin it takes what a",
      "README shows for any agent: JSON, TOML or YAML, whole or in part.",
      "",
      "FLAGS",
      "     [--json]       Print one JSON document on stdout",
      "     [--dry-run]    Show what would be written, write nothing",
      "  -s [--scope]      Whose file [default: store; user with --host]            [store|user|project]",
      "     [--host]       Agent whose file is meant, such as cursor",
      "  -t [--transport]  How it is reached [default: told by the other words]     [stdio|http|sse]",
      "     [--url]        Address of a remote server",
      "  -e [--env]...     NAME=value for its environment; may be given again",
      '  -H [--header]...  "Name: value" for its requests; may be given again',
      "     [--cwd]        Folder that it works in",
      "     [--enable]     Enable in this workspace, too",
      "     [--replace]    Replace another entry of the name",
      "  -h  --help        Print this help",
      "      --            All subsequent inputs should be interpreted as arguments",
      "",
      "ARGUMENTS",
      "  word...  Name, then the command with its arguments or the url; - reads stdin",
      "",
    ].join("\n");
    assert.deepEqual(await run(["add", "--help"]), { code: 0, stdout: expected, stderr: "" });
    const usages: Readonly<Record<string, string>> = {
      remove: "[--scope <scope>] [--host <agent>] [--dry-run] <server>",
      enable: "[--in-place] [--dry-run] <server>",
      disable: "[--in-place] [--dry-run] <server>",
      import: "<agent> [<server>...] [--enable] [--dry-run]",
      export: "--to <agent> [<server>...] [--scope user|project] [--dry-run]",
    };
    for (const [command, usage] of Object.entries(usages)) {
      const { code, stdout } = await run([command, "--help"]);
      assert.equal(code, 0);
      assert.equal(stdout.split("\n")[1], `  mcp ${command} ${usage}`);
      assert.match(stdout, /\[--json\].*\n.*\[--dry-run\]/);
      const [, , , ...text] = stdout.split("FLAGS")[0]?.split("\n") ?? [];
      assert.ok(text.every((line) => line.length <= 84), "lines of a help text fit a terminal");
    }
  });
});
