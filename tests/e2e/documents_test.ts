import assert from "node:assert/strict";
import { e2e, type World } from "../harness/e2e.ts";
import { npmServer, trap } from "../harness/servers.ts";

/** Keys whose values are as a server or the user wrote them. */
const FREE = new Set([
  "inputSchema",
  "outputSchema",
  "annotations",
  "item",
  "result",
  "details",
]);

/**
 * The shape of a document: keys in their order, types for values. Items of a list are merged, so
 * that one shape stands for all of them; a key that only some have ends in `?`, and `or` says what
 * stands in an object's place.
 */
function shape(value: unknown): unknown {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? [] : [value.map(shape).reduce(merged)];
  if (typeof value !== "object") return typeof value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, FREE.has(key) ? "free" : shape(part)]),
  );
}

/** One shape for two values. */
function merged(one: unknown, other: unknown): unknown {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  if (isShape(one) && isShape(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return Object.fromEntries(keys.map((key) => {
      if (key in one && key in other) return [key, merged(one[key], other[key])];
      if (key === "or") return [key, one[key] ?? other[key]];
      return [`${key.replace(/\?$/, "")}?`, one[key] ?? other[key]];
    }));
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    const items = [...one, ...other];
    return items.length === 0 ? [] : [items.reduce(merged)];
  }
  if (typeof one === "object" || typeof other === "object") {
    const [part, rest] = typeof one === "object" ? [one, other] : [other, one];
    return isShape(part) ? { ...part, or: rest } : part;
  }
  return [...new Set([...String(one).split("|"), ...String(other).split("|")])].sort().join("|");
}

function isShape(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const SOURCE = {
  id: "string",
  label: "string",
  scope: "string",
  path: "string",
  line: "number",
};
const ERROR = { code: "string", message: "string", hint: "string" };
const ROW_ERROR = { ...ERROR, "causes?": ["string"], or: "null" };
const FAILURE = { ...ERROR, details: "free" };
const REPORT = {
  id: "string",
  label: "string",
  scope: "string",
  path: "string",
  state: "string",
  servers: "number",
  error: "null",
  warnings: [],
  "confirmed?": "boolean",
};
const LISTED = { name: "string", state: "string", cachedAgeMs: "null|number" };
const ENTRY = {
  server: "string",
  key: "string",
  name: "string",
  description: "string",
  item: "free",
};

/** A user's server that works, one that fails, and a project's that waits. */
async function servers(world: World): Promise<void> {
  await world.userServers({ all: npmServer("everything"), lost: { command: "no-such-program" } });
  await world.projectServers({ theirs: trap("good"), all: trap("good") });
}

e2e("the documents of the commands that list have the pinned shape", async (world) => {
  await servers(world);
  const json = async (...args: readonly string[]): Promise<unknown> =>
    shape((await world.mcp([...args, "--json"])).json());
  assert.deepEqual(await json("status", "--wait", "30s"), {
    schemaVersion: "number",
    workspacePath: "string",
    store: "string",
    workspaceConfig: "string",
    servers: [{
      name: "string",
      type: "string",
      transport: "null|string",
      state: "string",
      since: "null|number",
      workspace: "string",
      paused: "boolean",
      tools: "null|number",
      resources: "null|number",
      prompts: "null|number",
      source: SOURCE,
      others: [{ source: SOURCE, state: "string", of: "string" }],
      server: { name: "string", version: "string", or: "null" },
      protocol: { era: "string", version: "string", or: "null" },
      pid: "null|number",
      elapsedMs: "null|number",
      cachedAgeMs: "null",
      attempt: "null|number",
      nextAttemptAt: "null",
      error: ROW_ERROR,
      warnings: ["string"],
    }],
    sources: [REPORT],
    summary: {
      connected: "number",
      failed: "number",
      waiting: "number",
      off: "number",
      tools: "number",
    },
    sessions: [],
  });
  const costs = await json("status", "--wait", "30s", "--tokens") as {
    readonly servers: readonly Readonly<Record<string, unknown>>[];
    readonly summary: unknown;
  };
  assert.equal(costs.servers[0]?.["tokens"], "null|number");
  assert.deepEqual(costs.summary, {
    connected: "number",
    failed: "number",
    waiting: "number",
    off: "number",
    tools: "number",
    tokens: "number",
    lazyTokens: "number",
  });
  assert.deepEqual(await json("reload"), {
    schemaVersion: "number",
    workspacePath: "string",
    sessions: [],
    direct: {
      added: [],
      removed: [],
      changed: [],
      generation: "number",
      before: "number",
      after: "number",
      host: "null",
      servers: [{
        name: "string",
        action: "string",
        state: "string",
        tools: "null|number",
        error: ROW_ERROR,
      }],
      errors: [{ path: "string", error: { ...ERROR, causes: ["string"] } }],
      elapsedMs: "number",
    },
  });
  assert.deepEqual(await json("tools"), {
    schemaVersion: "number",
    tools: [{
      publicName: "string",
      server: "string",
      name: "string",
      title: "string",
      description: "string",
      inputSchema: "free",
      outputSchema: "free",
      annotations: "free",
      autoApprove: "boolean",
    }],
    servers: [{
      name: "string",
      state: "string",
      tools: "null|number",
      cachedAgeMs: "null|number",
      error: ROW_ERROR,
      warnings: ["string"],
    }],
  });
  const entryServers = [{
    ...LISTED,
    error: ROW_ERROR,
    warnings: ["string"],
  }];
  assert.deepEqual(await json("resources"), {
    schemaVersion: "number",
    resources: [ENTRY],
    resourceTemplates: [ENTRY],
    servers: entryServers,
  });
  assert.deepEqual(await json("prompts"), {
    schemaVersion: "number",
    prompts: [ENTRY],
    servers: entryServers,
  });
  assert.deepEqual(await json("sources"), {
    schemaVersion: "number",
    workspacePath: "string",
    sources: [REPORT],
  });
});

e2e("the documents of calls, approvals and failures have the pinned shape", async (world) => {
  await servers(world);
  const json = async (...args: readonly string[]): Promise<unknown> =>
    shape((await world.mcp([...args, "--json"])).json());
  assert.deepEqual(await json("call", "all", "echo", "message=x"), {
    schemaVersion: "number",
    server: "string",
    tool: "string",
    isError: "boolean",
    result: "free",
    files: [],
  });
  const failure = { schemaVersion: "number", error: FAILURE };
  assert.deepEqual(await json("call", "all", "ehco"), failure);
  assert.deepEqual(await json("call", "lost", "echo"), failure);
  assert.deepEqual(await json("status", "--nonsense"), failure);
  assert.deepEqual(await json("status", "nobody"), failure);
  const trust = (await world.mcp(["trust", "theirs", "--yes", "--json"])).json<
    Record<string, readonly Record<string, unknown>[]>
  >();
  assert.deepEqual(Object.keys(trust), [
    "schemaVersion",
    "workspacePath",
    "folder",
    "approved",
    "pending",
  ]);
  const [approved] = trust["approved"] ?? [];
  for (const key of ["kind", "name", "source", "runs", "digest", "repositoryFiles", "variables"]) {
    assert.ok(key in (approved ?? {}), key);
  }
  assert.deepEqual(await json("untrust", "theirs"), {
    schemaVersion: "number",
    workspacePath: "string",
    withdrawn: ["string"],
    folder: "boolean",
    hooks: "boolean",
  });
});

e2e("the documents of edits, explanations and findings have the pinned shape", async (world) => {
  await servers(world);
  const json = async (command: string, ...args: readonly string[]): Promise<unknown> =>
    shape((await world.mcp([command, "--json", ...args])).json());
  const edited = (error: unknown, diff: string, effective: readonly unknown[]): unknown => ({
    schemaVersion: "number",
    dryRun: "boolean",
    servers: [{ name: "string", done: "string", path: "string", error, warnings: [] }],
    files: diff === "" ? [] : [{ path: "string", created: "boolean", diff }],
    effective,
  });
  const effective = [{
    name: "string",
    state: "string",
    reason: ERROR,
    source: SOURCE,
    others: "number",
  }];
  const added = ["add", "new", "--", "npx"] as const;
  assert.deepEqual(await json("add", "--dry-run", ...added.slice(1)), edited("null", "string", []));
  assert.deepEqual(await json(...added), edited("null", "null", effective));
  assert.deepEqual(await json("add", "new", "--", "other"), edited(ERROR, "", []));
  assert.deepEqual(await json("disable", "all"), edited("null", "null", effective));
  // The row is one of `mcp status`, whose shape is pinned there.
  const { server: _row, ...explained } = await json("explain", "theirs") as Record<string, unknown>;
  assert.deepEqual(explained, {
    schemaVersion: "number",
    workspacePath: "string",
    definitions: [{
      name: "string",
      source: SOURCE,
      rank: "number",
      wins: "boolean",
      rule: "string",
      steps: [{ check: "string", result: "free", detail: "null|string" }],
      launch: {
        written: "string",
        expanded: "null",
        cwd: "null",
        env: ["string"],
        headers: [],
        inherits: "string",
        reads: [],
      },
      warnings: [],
    }],
    twins: [],
    next: ERROR,
  });
  assert.deepEqual(await json("doctor"), {
    schemaVersion: "number",
    workspacePath: "string",
    servers: ["string"],
    checks: ["string"],
    findings: [{
      check: "string",
      severity: "string",
      server: "string",
      path: "null|string",
      line: "null|number",
      message: "string",
      remedy: "string",
    }],
    summary: { errors: "number", warnings: "number", infos: "number" },
  });
});

e2e("the documents of hooks have the pinned shape", async (world) => {
  const json = async (...args: readonly string[]): Promise<unknown> =>
    shape((await world.mcp(["hooks", ...args, "--json"])).json());
  assert.deepEqual(await json(), {
    schemaVersion: "number",
    workspacePath: "string",
    hooks: [{
      kind: "string",
      label: "string",
      found: "boolean",
      scope: "string",
      installed: "boolean",
      changed: "boolean",
      version: "null",
      refresh: "string",
      paths: ["string"],
      problem: "null",
    }],
  });
  const changed = (diff: string, next: string, error: unknown = "null"): unknown => [{
    kind: "string",
    scope: "string",
    done: "string",
    files: [{ path: "string", created: "boolean", removed: "boolean", diff }],
    warnings: [],
    error,
    next,
  }];
  const edited = { schemaVersion: "number", dryRun: "boolean", program: ["string"] };
  const kinds = ["codex", "claude-code"];
  assert.deepEqual(await json("install", ...kinds, "--dry-run"), {
    ...edited,
    hooks: changed("string", "string"),
  });
  assert.deepEqual(await json("install", ...kinds), {
    ...edited,
    hooks: changed("null", "string"),
  });
  assert.deepEqual(await json("print", "codex"), {
    schemaVersion: "number",
    kind: "string",
    scope: "string",
    files: [{ path: "string", text: "string" }],
  });
  assert.deepEqual(await json("doctor"), {
    schemaVersion: "number",
    hooks: [{ kind: "string", scope: "string" }],
    findings: [{
      kind: "string",
      check: "string",
      severity: "string",
      path: "null|string",
      message: "string",
      remedy: "string",
    }],
    summary: { errors: "number", warnings: "number", infos: "number" },
  });
  assert.deepEqual(await json("uninstall", ...kinds), {
    ...edited,
    program: "null",
    hooks: changed("null", "null"),
  });
});
