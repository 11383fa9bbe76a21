import assert from "node:assert/strict";
import { type Control, startControl } from "../../src/control/start_control.ts";
import type { ControlledSession } from "../../src/control/session_methods.ts";
import type { StatusDocument } from "../../src/cli/documents.ts";
import type { ReloadDocument, SteerDocument } from "../../src/cli/session_documents.ts";
import { HotplugError } from "../../src/model/errors.ts";
import { silentLogger } from "../../src/model/log.ts";
import type { RefreshReport, ReloadedServer, SessionInfo } from "../../src/model/session_view.ts";
import { hotplugFolders } from "../../src/platform/folders.ts";
import { report, steered } from "../control/steered.ts";
import { inPlace, type Place } from "./in_memory.ts";
import { row } from "./views.ts";

/** A place in which sessions can be live. */
interface LivePlace extends Place {
  /** Lets a session be found until the test ends. */
  live(session: ControlledSession, slowestMs?: number): Promise<void>;
  /** A session of this workspace. */
  here(part?: Parameters<typeof steered>[0], id?: string): ReturnType<typeof steered>;
}

function withSessions(name: string, test: (place: LivePlace) => Promise<void>): void {
  Deno.test(name, async () => {
    await inPlace(async (place) => {
      const open: Control[] = [];
      try {
        await test({
          ...place,
          async live(session, slowestMs = 0): Promise<void> {
            const { machine } = place;
            const folders = hotplugFolders(machine);
            const options = { session, machine, folders, log: silentLogger };
            open.push(await startControl({ ...options, slowestMs: () => slowestMs }));
          },
          here: (part = {}, id = "first"): ReturnType<typeof steered> => {
            const info: Partial<SessionInfo> = {
              id,
              workspacePath: place.workspace,
              host: "pi",
              pid: 42,
              startedAt: Date.now() - 65_000,
              ...part.info,
            };
            return steered({ ...part, info });
          },
        });
      } finally {
        await Promise.all(open.map((control) => control.close()));
      }
    });
  });
}

const server = (part: Partial<ReloadedServer>): ReloadedServer => ({
  name: "a",
  action: "kept",
  state: "connected",
  tools: 2,
  error: null,
  ...part,
});

const DEAD = {
  code: "server-exited",
  message: "Server exited\u001b[31m with 3",
  hint: "Look at its log",
} as const;

const CHANGED: RefreshReport = report({
  before: 3,
  after: 4,
  added: ["mcp_b_x", "mcp_b_y"],
  removed: ["mcp_c_z"],
  changed: ["mcp_a_q"],
  host: "refreshed",
  servers: [
    server({ name: "a" }),
    server({ name: "b", action: "started" }),
    server({ name: "bad", action: "restarted", state: "error", tools: null, error: DEAD }),
    server({ name: "c", action: "stopped", state: "disconnected", tools: null }),
  ],
  errors: [
    { path: "mcp:bad", error: DEAD },
    { path: "/w/.mcp.json", error: { code: "config-malformed", message: "No JSON", hint: null } },
  ],
});

withSessions("reload tells of each session who it is, its tools and its servers", async (place) => {
  await place.live(place.here({ reload: () => Promise.resolve(CHANGED) }));
  const { code, stdout, stderr } = await place.run(["reload"]);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  assert.equal(
    stdout.replace(/for 1m0\ds/, "for 1m05s"),
    [
      "session first: pi, pid 42, for 1m05s",
      "  tools: 3 → 4 (+2 -1 ~1); its host has them",
      "  + mcp_b_x",
      "  + mcp_b_y",
      "  - mcp_c_z",
      "  ~ mcp_a_q",
      "  SERVER  ACTION     STATE         TOOLS",
      "  a       kept       connected         2",
      "  b       started    connected         2",
      "  bad     restarted  error             -",
      "    Server exited\\x1b[31m with 3",
      "      hint: Look at its log",
      "  c       stopped    disconnected      -",
      "  /w/.mcp.json: No JSON",
      "",
    ].join("\n"),
  );
  assert.equal((await place.run(["reload", "--strict"])).code, 1);
});

withSessions(
  "reload passes on what is asked for and prints documents and plain lines",
  async (place) => {
    const session = place.here({ reload: () => Promise.resolve(CHANGED) });
    await place.live(session);
    const json = await place.run(["reload", "a", "b", "--restart", "--json"]);
    assert.equal(json.code, 0);
    assert.deepEqual(JSON.parse(json.stdout), {
      schemaVersion: 1,
      workspacePath: place.workspace,
      sessions: [{ session: session.info, report: CHANGED, error: null }],
      direct: null,
    });
    assert.deepEqual(session.asked, ['reload {"servers":["a","b"],"restart":true}']);
    const plain = await place.run(["reload", "--plain"]);
    assert.deepEqual(plain.stdout.split("\n"), [
      "refreshed session=first before=3 after=4 host=refreshed",
      "added session=first tool=mcp_b_x",
      "added session=first tool=mcp_b_y",
      "removed session=first tool=mcp_c_z",
      "changed session=first tool=mcp_a_q",
      "kept session=first server=a state=connected tools=2",
      "started session=first server=b state=connected tools=2",
      "restarted session=first server=bad state=error tools=- error=Server exited\\x1b[31m with 3",
      "stopped session=first server=c state=disconnected tools=-",
      "failed session=first path=/w/.mcp.json error=No JSON",
      "",
    ]);
    assert.equal((await place.run(["reload", "--plain", "--json"])).code, 2);
  },
);

withSessions("many changed tools are told by some names and a count", async (place) => {
  const added = Array.from({ length: 30 }, (_, index) => `mcp_s_${index}`);
  await place.live(place.here({ reload: () => Promise.resolve(report({ after: 30, added })) }));
  const { stdout } = await place.run(["reload"]);
  assert.match(stdout, /tools: 0 → 30 \(\+30\)$/m);
  assert.match(stdout, /mcp_s_19\n {2}… and 10 more \(--json names all\)\n/);
});

withSessions("a failing discovery exits with 1, whatever other sessions say", async (place) => {
  await place.live(place.here());
  const error = new HotplugError("discovery-failed", "Cannot discover", { hint: "Do this" });
  await place.live(place.here({ reload: () => Promise.reject(error) }, "second"));
  const { code, stdout } = await place.run(["reload"]);
  assert.equal(code, 1);
  assert.match(stdout, /tools: 0, as before/);
  assert.match(stdout, /session second: .*\n {2}Cannot discover\n {4}hint: Do this\n/);
});

withSessions("a server that no session knows exits with 2 and a suggestion", async (place) => {
  const strange = new HotplugError("unknown-server", 'Cannot find server "x"', {
    hint: "Known: a",
  });
  await place.live(place.here({ reload: () => Promise.reject(strange) }));
  const { code, stdout, stderr } = await place.run(["reload", "x"]);
  assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
  assert.equal(stderr, 'Error: Cannot find server "x"\n  hint: Known: a\n');
  // One that knows it is enough, such as a session with its client's own servers.
  await place.live(place.here({}, "second"));
  assert.equal((await place.run(["reload", "x"])).code, 0);
});

withSessions("a hung session is named, and is a failure when it is the only one", async (place) => {
  await place.live(place.here({ reload: () => new Promise(() => {}) }, "hung"));
  const alone = await place.run(["reload", "--wait", "100ms"]);
  assert.equal(alone.code, 1);
  assert.match(
    alone.stdout,
    /session hung: .*\n {2}Cannot reload session "hung": no answer within/,
  );
  assert.match(alone.stdout, /hint: Its process 42 may be stopped or hung/);
  await place.live(place.here({}, "fine"));
  const both = await place.run(["reload", "--wait", "100ms", "--json"]);
  assert.equal(both.code, 0);
  const { sessions } = JSON.parse(both.stdout) as ReloadDocument;
  assert.deepEqual(
    sessions.map(({ session, error }) => [session.id, error?.code ?? null]).sort(),
    [["fine", null], ["hung", "session-silent"]],
  );
  assert.equal((await place.run(["reload", "--wait", "100ms", "--strict"])).code, 1);
});

withSessions(
  "only sessions of the workspace are reached, with --all every one [G18]",
  async (place) => {
    const other = place.here({ info: { workspacePath: `${place.home}/other` } }, "other");
    await place.live(other);
    const alone = await place.run(["reload"]);
    assert.equal(alone.code, 0);
    assert.match(alone.stderr, /note: 1 session is live in other workspaces: mcp reload --all/);
    assert.match(alone.stdout, /No session is live here/);
    assert.deepEqual(other.asked, []);
    const mine = place.here({}, "mine");
    await place.live(mine);
    await place.run(["reload"]);
    assert.deepEqual([mine.asked.length, other.asked.length], [1, 0]);
    const all = await place.run(["reload", "--all"]);
    assert.deepEqual([mine.asked.length, other.asked.length], [2, 1]);
    assert.match(all.stdout, /session other: pi, pid 42, for 1m0\ds, ~\/other\n/);
  },
);

withSessions(
  "pause, resume and retry reach every session of the workspace, or one",
  async (place) => {
    const [one, two] = [place.here({}, "one"), place.here({}, "two")];
    await place.live(one);
    await place.live(two);
    assert.equal((await place.run(["pause", "a"])).code, 0);
    assert.equal((await place.run(["resume", "a", "--session", "one"])).code, 0);
    assert.equal((await place.run(["retry", "a", "--session", "tw"])).code, 0);
    assert.deepEqual(one.asked, ["pause a", "resume a"]);
    assert.deepEqual(two.asked, ["pause a", "retry a"]);
    const json = await place.run(["pause", "a", "--session=one", "--json"]);
    assert.deepEqual(JSON.parse(json.stdout) as SteerDocument, {
      schemaVersion: 1,
      action: "pause",
      server: "a",
      sessions: [{ session: one.info, report: report(), error: null }],
    });
    const strange = await place.run(["pause", "a", "--session", "three"]);
    assert.equal(strange.code, 1);
    assert.match(strange.stderr, /"three": it is not live\n {2}hint: Live: one, two/);
  },
);

withSessions("without a live session pause, resume and retry say what to do", async (place) => {
  const hints = {
    pause: "To switch it off for good: mcp disable a",
    resume: "A pause ends with its session; a new one starts every server",
    retry: "To start it and see what it says: mcp status a",
  };
  for (const [verb, hint] of Object.entries(hints)) {
    const { code, stderr } = await place.run([verb, "a"]);
    assert.equal(code, 1);
    assert.equal(
      stderr,
      `Error: Cannot ${verb} "a": no session of this workspace is live\n  hint: ${hint}\n`,
    );
  }
  await place.live(place.here({ info: { workspacePath: "/elsewhere" } }, "other"));
  const { code, stdout } = await place.run(["pause", "a", "--json"]);
  assert.equal(code, 1);
  const { error } = JSON.parse(stdout);
  assert.equal(error.code, "no-session");
  assert.match(error.hint, /Live in other workspaces: other; name one with --session/);
});

withSessions("a retried server that is still not there decides the exit code", async (place) => {
  const codes = [
    [server({}), 0],
    [server({ state: "error", error: DEAD }), 4],
    [
      server({ state: "needs-auth", error: { code: "needs-auth", message: "x", hint: null } }),
      3,
    ],
  ] as const;
  let servers: readonly ReloadedServer[] = [];
  const steer = (): Promise<RefreshReport> => Promise.resolve(report({ servers }));
  await place.live(place.here({ steer }));
  for (const [one, code] of codes) {
    servers = [one];
    assert.equal((await place.run(["retry", "a"])).code, code);
    assert.equal((await place.run(["pause", "a"])).code, 0);
  }
});

withSessions(
  "status shows live sessions below its rows, and what they have paused",
  async (place) => {
    const servers = [
      row({ name: "a", state: "connected", tools: 2 }),
      row({ name: "m", state: "paused", paused: true }),
      row({ name: "off", state: "disabled" }),
    ];
    const session = place.here();
    const status = { session: session.info, generation: 3, tools: 2, servers };
    await place.live({ ...session, status: () => status });
    await place.write(".mcp.json", JSON.stringify({ mcpServers: { m: { command: "x" } } }));
    const text = await place.run(["status"]);
    assert.equal(text.code, 0);
    assert.match(
      text.stdout,
      new RegExp(
        "\n\nSESSION  HOST  PID  SINCE  TOOLS  SERVERS\n" +
          "first    pi     42  1m0\\ds      2  1 connected, 1 paused: m\n\nstore=",
      ),
    );
    assert.match(text.stdout, /^m +stdio +untrusted +enabled +yes /m);
    const plain = await place.run(["status", "--plain"]);
    assert.match(plain.stdout, /^m .* paused=yes /m);
    assert.match(plain.stdout, /\nsession=first host=pi pid=42 tools=2 paused=m\n$/);
    const json = JSON.parse((await place.run(["status", "--json"])).stdout) as StatusDocument;
    assert.deepEqual(json.sessions, [{ ...status, error: null }]);
  },
);

withSessions(
  "status --session shows the rows of live sessions and starts nothing",
  async (place) => {
    const servers = [row({ name: "a", state: "connected", tools: 2 }), row({ name: "b" })];
    const session = place.here();
    await place.live({
      ...session,
      status: () => ({ session: session.info, generation: 3, tools: 2, servers }),
    });
    await place.live(place.here({ info: { workspacePath: "/elsewhere" } }, "other"));
    const all = await place.run(["status", "--session"]);
    assert.match(all.stdout, /^session first: pi, pid 42, for 1m0\ds, ~\/work\nNAME .*\na .*\nb /);
    assert.match(all.stdout, /\n1 connected, 1 not started, 2 tools\n$/);
    const one = await place.run(["status", "--session", "other"]);
    assert.match(one.stdout, /^session other: .*, \/elsewhere\n0 tools\n$/);
    const named = await place.run(["status", "a", "--session", "--plain"]);
    assert.equal(named.stdout.split("\n").length, 3);
    const json = JSON.parse((await place.run(["status", "--session", "--json"])).stdout);
    assert.equal((json as StatusDocument).sessions[0]?.servers.length, 2);
    assert.equal((await place.run(["status", "--session", "nobody"])).code, 1);
  },
);
