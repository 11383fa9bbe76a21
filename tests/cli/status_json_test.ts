import assert from "node:assert/strict";
import { statusDocument } from "../../src/cli/status_json.ts";
import { statusSummary, summaryLine } from "../../src/cli/status_summary.ts";
import { HotplugError } from "../../src/model/errors.ts";
import { plan, planned, report, row } from "./views.ts";

Deno.test("the status document has the agreed shape", () => {
  const view = row({ name: "x", state: "connected", tools: 2, transport: "stdio", pid: 7 });
  const document = statusDocument(
    plan([planned({ name: "x" })], [report({ warnings: ["odd"] })]),
    [view],
    null,
  );
  assert.deepEqual(document, {
    schemaVersion: 1,
    workspacePath: "/w",
    store: "/h/.config/hotplug/mcp.json",
    workspaceConfig: "/w/.hotplug/workspace.json",
    servers: [view],
    sources: [{
      id: "mcp-json",
      label: ".mcp.json",
      scope: "project",
      path: "/w/.mcp.json",
      state: "loaded",
      servers: 1,
      error: null,
      warnings: ["odd"],
    }],
    summary: { connected: 1, failed: 0, waiting: 0, off: 0, tools: 2 },
    sessions: [],
  });
});

Deno.test("with costs each row has its tokens, and the summary both sums", () => {
  const views = [row({ name: "x", tools: 2 }), row({ name: "y" })];
  const costs = { servers: new Map([["x", 900]]), listed: 900, lazy: 480 };
  const { servers, summary } = statusDocument(plan([]), views, null, [], costs);
  assert.deepEqual(servers, [{ ...views[0], tokens: 900 }, { ...views[1], tokens: null }]);
  assert.equal(summary.tokens, 900);
  assert.equal(summary.lazyTokens, 480);
  assert.equal(
    summaryLine(views, costs),
    "2 not started, 2 tools, about 900 tokens (480 with mcp serve --lazy)",
  );
});

Deno.test("a document that was cut short keeps its rows and says why", () => {
  const document = statusDocument(
    plan([]),
    [row({ name: "x" })],
    new HotplugError("aborted", "Aborted"),
  );
  assert.equal(document.servers.length, 1);
  assert.deepEqual(document.error, {
    code: "aborted",
    message: "Aborted",
    hint: null,
    details: {},
  });
});

Deno.test("every state falls under one count", () => {
  const states = [
    "connected",
    "error",
    "missing",
    "connecting",
    "retrying",
    "needs-auth",
    "needs-input",
    "untrusted",
    "disabled",
    "filtered",
    "blocked",
    "duplicate",
    "paused",
    "disconnected",
  ] as const;
  const views = states.map((state) => row({ name: state, state, tools: 1 }));
  const summary = statusSummary(views);
  assert.deepEqual(summary, { connected: 1, failed: 2, waiting: 6, off: 5, tools: 14 });
  assert.equal(
    summaryLine(views),
    "1 connected, 2 failed, 1 still connecting, 1 to be tried again, 1 not approved, " +
      "1 needs authorisation, 1 needs a value, 1 not started, 5 off, 14 tools",
  );
  assert.equal(summaryLine([]), "0 tools");
  assert.equal(
    summaryLine([row({ name: "x", state: "connected", tools: 1 })]),
    "1 connected, 1 tool",
  );
});

Deno.test("what only was not started is no more off than it failed; what was lost failed", () => {
  const views = ["a", "b", "c"].map((name) => row({ name, tools: 2, cachedAgeMs: 5 }));
  const all = [...views, row({ name: "d", state: "disabled" })];
  assert.deepEqual(statusSummary(all), { connected: 0, failed: 0, waiting: 3, off: 1, tools: 6 });
  assert.equal(summaryLine(all), "3 not started, 1 off, 6 tools");
  const error = { code: "server-exited", message: "It exited", hint: null } as const;
  const lost = [row({ name: "a", error, elapsedMs: 9 })];
  assert.deepEqual(statusSummary(lost), { connected: 0, failed: 1, waiting: 0, off: 0, tools: 0 });
  assert.equal(summaryLine(lost), "1 failed, 0 tools");
});
