import assert from "node:assert/strict";
import { painter } from "../../src/cli/colour.ts";
import { statusPlain } from "../../src/cli/status_plain.ts";
import { statusTable } from "../../src/cli/status_table.ts";
import { displayWidth } from "../../src/tools/display_width.ts";
import { row } from "./views.ts";

const options = { workspacePath: "/w", home: "/h", paint: painter(false), verbose: false };

const rows = [
  row({ name: "good", transport: "stdio", state: "connected", tools: 12, elapsedMs: 340 }),
  row({
    name: "web",
    type: "streamable_http",
    transport: "sse",
    state: "connecting",
    tools: 3,
    cachedAgeMs: 125_000,
    source: {
      id: "claude-code",
      label: "Claude Code",
      scope: "user",
      path: "/h/.claude.json",
      line: 7,
    },
  }),
  row({
    name: "bad",
    state: "error",
    elapsedMs: 1_500,
    error: {
      code: "server-exited",
      message: "It exited with code 1",
      hint: "Install it",
      stderr: "boom",
    },
  }),
  row({ name: "gone", type: null, state: "missing", workspace: "disabled", source: null }),
];

Deno.test("status shows one line a row, with error, stderr and hint below it [I03]", () => {
  assert.deepEqual(statusTable(rows, options), [
    "NAME  TYPE   STATE       WORKSPACE  PAUSED  TOOLS  SOURCE            TIME",
    "good  stdio  connected   enabled    no         12  .mcp.json:3       340ms",
    "web   sse    connecting  enabled    no          3  ~/.claude.json:7  cached 2m05s ago",
    "bad   stdio  error       enabled    no          -  .mcp.json:3       1.5s",
    "  It exited with code 1",
    "    | boom",
    "    hint: Install it",
    "gone  -      missing     disabled   no          -  -",
  ]);
});

Deno.test("what several rows warn of stands once below all of them", () => {
  const shared = "Starts in the home folder";
  const lines = statusTable([
    row({ name: "a", warnings: [shared, "own"] }),
    row({ name: "b", warnings: [shared] }),
  ], options);
  assert.deepEqual(lines.slice(2).map((line) => line.replace(/^[ab] .*/, "row")), [
    "  warning: own",
    "row",
    "warning: a, b: Starts in the home folder",
  ]);
});

Deno.test("an error without a hint gets the command that tells more, unless it is running", () => {
  const error = { code: "protocol-error", message: "It refused", hint: null } as const;
  const view = row({ name: "mute one", state: "error", error });
  assert.equal(
    statusTable([view], options)[3],
    "    hint: To see more: mcp status 'mute one' --verbose",
  );
  assert.equal(statusTable([view], { ...options, verbose: true }).length, 3);
});

/** What the tools of two servers cost. */
const COSTS = {
  servers: new Map([["good", 3_200], ["web", 0], ["bad", null]]),
  listed: 3_200,
  lazy: 480,
};

Deno.test("costs stand beside the tools, in the table and in plain rows", () => {
  const drawn = statusTable(rows, { ...options, costs: COSTS });
  assert.deepEqual(drawn.slice(0, 4), [
    "NAME  TYPE   STATE       WORKSPACE  PAUSED  TOOLS  TOKENS  SOURCE            TIME",
    "good  stdio  connected   enabled    no         12    3200  .mcp.json:3       340ms",
    "web   sse    connecting  enabled    no          3       0  ~/.claude.json:7  cached 2m05s ago",
    "bad   stdio  error       enabled    no          -       -  .mcp.json:3       1.5s",
  ]);
  assert.match(drawn.at(-1) ?? "", /^gone .* - +- +-$/);
  const paths = { store: "/s", workspaceConfig: "/w" };
  assert.deepEqual(statusPlain(rows.slice(0, 3), paths, COSTS).slice(0, 3), [
    "good stdio connected workspace=enabled paused=no tools=12 tokens=3200",
    "web sse connecting workspace=enabled paused=no tools=3 tokens=0",
    "bad stdio error workspace=enabled paused=no tools=- tokens=- error=It exited with code 1",
  ]);
  for (const width of [120, 80, 60]) {
    for (const line of statusTable(rows.slice(0, 2), { ...options, costs: COSTS, width })) {
      assert.ok(displayWidth(line) <= width, `${width}: ${line}`);
    }
  }
});

Deno.test("a narrow terminal gets the columns that matter, and no line that wraps", () => {
  const long = row({
    name: "文件系统服务器",
    type: "streamable_http",
    state: "needs-auth",
    source: {
      id: "cline",
      label: "Cline",
      scope: "user",
      path: "/h/.cline/data/settings/cline_mcp_settings.json",
      line: 12,
    },
  });
  const drawn = (width: number): readonly string[] =>
    statusTable([...rows, long], { ...options, width });
  for (const width of [120, 100, 80, 60, 40]) {
    for (const line of drawn(width).filter((line) => !line.startsWith(" "))) {
      assert.ok(displayWidth(line) <= width, `${width}: ${line}`);
    }
  }
  assert.equal(drawn(200)[0], statusTable([...rows, long], options)[0]);
  assert.match(drawn(80)[0] ?? "", /^NAME +STATE +TOOLS +SOURCE +TIME$/);
  assert.match(drawn(80).at(-1) ?? "", /…\S*cline_mcp_settings\.json:12/);
  assert.match(drawn(40)[0] ?? "", /^NAME +STATE +TOOLS$/);
});

Deno.test("warnings are shown escaped below their row [I06]", () => {
  const lines = statusTable(
    [row({ name: "noisy", warnings: ['skipped 3 lines on stdout, first: "\x1b[1mHi\n"'] })],
    options,
  );
  assert.equal(lines[2], '  warning: skipped 3 lines on stdout, first: "\\x1b[1mHi "');
});

Deno.test("verbose lists the definitions that lost", () => {
  const other = {
    source: { id: "store", label: "Hotplug store", scope: "user", path: "/h/s.json", line: null },
    state: "shadowed",
    of: "the definition in .mcp.json",
  } as const;
  const view = row({ name: "x", others: [other] });
  assert.equal(
    statusTable([view], options)[2],
    "note: defined more than once: x (--verbose shows where)",
  );
  assert.equal(
    statusTable([view], { ...options, verbose: true })[2],
    "  shadowed: ~/s.json (the definition in .mcp.json)",
  );
});

Deno.test("a name cannot forge a row", () => {
  const lines = statusTable([row({ name: "a\nb  stdio  connected" })], options);
  assert.equal(lines.length, 2);
});

Deno.test("plain rows are words, then the two paths", () => {
  const paths = { store: "/h/mcp.json", workspaceConfig: "/w/.hotplug/workspace.json" };
  const spaced = row({ name: "two words", paused: true, state: "paused", tools: 0 });
  assert.deepEqual(statusPlain([...rows, spaced], paths), [
    "good stdio connected workspace=enabled paused=no tools=12",
    "web sse connecting workspace=enabled paused=no tools=3",
    "bad stdio error workspace=enabled paused=no tools=- error=It exited with code 1",
    "gone - missing workspace=disabled paused=no tools=-",
    '"two words" stdio paused workspace=enabled paused=yes tools=0',
    "store=/h/mcp.json",
    "workspaceConfig=/w/.hotplug/workspace.json",
  ]);
});
