import assert from "node:assert/strict";
import { join } from "node:path";
import type { ServerCommand } from "../harness/servers.ts";
import { DENO_CACHE, fromRepository } from "../harness/repository.ts";
import { trap } from "../harness/servers.ts";
import { inEveryRuntime, type ScenarioOptions } from "./run_scenario.ts";

/** A server whose tools come and go. */
const CHANGING: ServerCommand = {
  command: Deno.execPath(),
  args: [
    ...["run", "--quiet", "--no-prompt", "--allow-all", "--no-config", "--no-lock"],
    fromRepository("tests/hook/changing_server.ts"),
  ],
  env: { DENO_DIR: DENO_CACHE },
};

/** What was shown to the user: text and kind. */
type Notices = readonly (readonly [string, string])[];

/** Plays a scenario with the extension of each host, in every runtime. */
async function inEachHost<Answer>(
  scenario: string,
  check: (answer: Answer, kind: "pi" | "omp") => void,
  { server = CHANGING, input = {} }: Partial<Pick<ScenarioOptions, "server" | "input">> = {},
): Promise<void> {
  const runs = await Promise.allSettled(
    (["pi", "omp"] as const).map((kind) =>
      inEveryRuntime<Answer>(scenario, {
        server,
        kind,
        input: { ...input, activates: kind === "pi" },
      }, (answer) => check(answer, kind))
    ),
  );
  for (const run of runs) if (run.status === "rejected") throw run.reason;
}

Deno.test("a host has the tools from the start and after each change, and runs them", async () => {
  await inEachHost("tools", (answer, kind) => {
    assert.deepEqual(answer, {
      first: ["alpha", "beta"],
      alpha: {
        ...(kind === "omp" ? { loadMode: "essential" } : {}),
        name: "alpha",
        label: "alpha",
        description: "A tool",
        parameters: { type: "object", properties: {} },
      },
      result: {
        content: [{ type: "text", text: "alpha hi" }],
        details: { server: "changing" },
      },
      exchanged: ["alpha", "gamma"],
      failed: "it did not work",
      hosts: ["read", "bash"],
      notices: [],
    });
  });
});

Deno.test("what the user switched off stays off, also when it goes and comes back", async () => {
  await inEachHost("choices", (answer) => {
    assert.deepEqual(answer, {
      gone: ["gamma"],
      back: ["gamma", "delta"],
      changed: { ours: ["gamma"], description: "Another" },
    });
  });
});

Deno.test("a process killed in a call of a host: an error, the tools stay, the next call works", async () => {
  interface Answer {
    readonly lost: string;
    readonly notices: Notices;
  }
  await inEachHost<Answer>("killed", ({ lost, notices, ...rest }) => {
    assert.match(lost, /^MCP error: the mcp process was ended by SIGKILL during the call/);
    assert.deepEqual(rest, {
      kept: ["alpha", "beta"],
      next: [{ type: "text", text: "alpha hi" }],
    });
    assert.deepEqual(notices, [
      ["MCP tools are started again: the mcp process was ended by SIGKILL", "warning"],
      ["MCP tools are back", "info"],
    ]);
  });
});

Deno.test("results of every kind become what a host can give to its model", async () => {
  await inEachHost<{ readonly length: number }>("results", ({ length, ...answer }) => {
    assert.ok(length < 50_000, `${length}`);
    assert.deepEqual(answer, {
      end: "the end",
      rest: [
        { type: "image", data: "AAAA", mimeType: "image/png" },
        { type: "text", text: "[audio: audio/wav, 3 bytes]" },
        { type: "text", text: "[a](file:///a)" },
        { type: "text", text: "text of b" },
        { type: "text", text: "[file:///c: x/y, 3 bytes]" },
      ],
      structured: [{ type: "text", text: '{"a":1}' }],
    });
  });
});

Deno.test("a user is told of servers that need something, and a host that fails there goes on", async () => {
  await inEachHost("states", (answer) => {
    assert.deepEqual(answer, { notices: [['MCP server "a": needs-auth: Log in', "warning"]] });
  });
});

Deno.test("a process that hangs at its start keeps the host waiting for 8 s at most", async () => {
  await inEachHost<{ ms: number; ours: readonly string[] }>("start", ({ ms, ours }) => {
    assert.ok(ms < 9_500, `${ms} ms`);
    assert.deepEqual(ours, []);
  }, { server: trap("hang"), input: { hang: true } });
});

Deno.test("a process that fails at its start does not keep the host waiting", async () => {
  interface Answer {
    readonly ms: number;
    readonly notices: Notices;
  }
  await inEachHost<Answer>("start", ({ ms, notices }) => {
    assert.ok(ms < 5_000, `${ms} ms`);
    assert.equal(notices.length, 1);
    assert.match(notices[0]?.[0] ?? "", /^MCP tools are not there yet: Cannot start /);
  }, { server: trap("dead") });
});

Deno.test("the tools are added when a process that failed at its start comes up", async () => {
  await inEachHost<{ readonly ours: readonly string[] }>("start", ({ ours }) => {
    assert.deepEqual(ours, ["alpha", "beta"]);
  }, {
    server: ({ root }) => {
      const [once, command] = [join(root, "once"), [CHANGING.command, ...CHANGING.args].join(" ")];
      const script = `test -e ${once} && exec ${command}; touch ${once}; exit 1`;
      return { ...CHANGING, command: "sh", args: ["-c", script] };
    },
    input: { hang: true },
  });
});

Deno.test("a session that follows another one has its own tools", async () => {
  await inEachHost("sessions one after the other", (answer) => {
    assert.deepEqual(answer, { second: ["alpha", "beta"] });
  });
});
