import assert from "node:assert/strict";
import type { StatusDocument } from "../../src/cli/documents.ts";
import type { ReloadDocument } from "../../src/cli/session_documents.ts";
import { e2e, ON_LINUX, succeeded } from "../harness/e2e.ts";
import { trap } from "../harness/servers.ts";
import { startSessionHost } from "../harness/session_host.ts";
import { IS_SOAK, tell } from "./held.ts";

/** Processes that hold sessions of one workspace. */
const HOSTS = 5;

/** Sessions of each: 50 in all, or a fifth of them. */
const SESSIONS = IS_SOAK ? 10 : 2;

/** Milliseconds that a reload may take beyond the slowest server. */
const BEYOND_MS = 2_000;

e2e(
  "many sessions of one workspace are all refreshed soon after the slowest server",
  async (world) => {
    await world.userServers({ good: trap("good") });
    const hosts = await Promise.all(
      Array.from({ length: HOSTS }, () => startSessionHost(world, world.project, SESSIONS)),
    );
    try {
      await world.userServers({ good: trap("good"), slow: trap("slow", "1000") });
      const run = await world.mcp(["reload", "--json"]);
      const { sessions } = succeeded(run).json<ReloadDocument>();
      assert.equal(sessions.length, HOSTS * SESSIONS);
      for (const { report, error } of sessions) {
        assert.equal(error, null);
        assert.deepEqual(report?.added, ["mcp_slow_echo", "mcp_slow_add"]);
        assert.equal(report?.host, "refreshed");
      }
      for (const host of hosts) {
        for (let session = 0; session < SESSIONS; session++) {
          assert.equal(host.names(session).length, 4);
        }
      }
      const status = (await world.mcp(["status", "--session", "--json"])).json<StatusDocument>();
      const slowest = Math.max(
        ...status.sessions.flatMap(({ servers }) => servers.map(({ elapsedMs }) => elapsedMs ?? 0)),
      );
      tell(`reload of ${sessions.length} sessions: ${
        JSON.stringify({
          reloadMs: Math.round(run.elapsedMs),
          slowest: Math.round(slowest),
        })
      }`);
      assert.ok(slowest >= 1_000);
      assert.ok(run.elapsedMs <= slowest + BEYOND_MS, `${run.elapsedMs} ms, slowest ${slowest} ms`);
    } finally {
      await Promise.all(hosts.map((host) => host.end()));
    }
  },
  ON_LINUX,
);
