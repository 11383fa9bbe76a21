import assert from "node:assert/strict";
import type { OfferPatterns } from "../../src/gateway/offer_filter.ts";
import { previewBehind } from "../../src/gateway/open_session.ts";
import { hostProfile } from "../../src/hosts/profiles.ts";
import type { ServerView } from "../../src/model/server_view.ts";
import type { TrustMode } from "../../src/plan/discover.ts";
import { noLoops } from "./made.ts";
import { machineOf, makeTempHome, type TempHome } from "../harness/temp_home.ts";

const EVERYTHING: OfferPatterns = { only: [], except: [] };

/** Runs a test in a home whose store defines `shared`, switched on for the project. */
async function withShared(
  test: (home: TempHome, shared: (trust: TrustMode) => Promise<ServerView>) => Promise<void>,
): Promise<void> {
  const home = await makeTempHome();
  try {
    await home.write(`${home.config}/mcp.json`, { mcpServers: { shared: { command: "sh" } } });
    await home.write(`${home.project}/.hotplug/workspace.json`, { enabledMcpServers: ["shared"] });
    await test(home, async (trust) => {
      const session = { machine: machineOf(home), trust };
      const profile = hostProfile("cursor");
      const { servers } = await previewBehind({
        session,
        patterns: EVERYTHING,
        profile,
        loops: noLoops(),
      })();
      const row = servers.find(({ name }) => name === "shared");
      assert.ok(row !== undefined);
      return row;
    });
  } finally {
    await home.remove();
  }
}

Deno.test("a name that the host starts itself is not offered once more, and the row says why", async () => {
  await withShared(async (home, shared) => {
    assert.equal((await shared("all")).state, "connecting");
    const file = "home/.cursor/mcp.json";
    await home.write(file, { mcpServers: { shared: { command: "other" } } });
    const hidden = await shared("all");
    assert.equal(hidden.state, "filtered");
    assert.equal(hidden.source?.id, "store");
    assert.match(
      hidden.error?.message ?? "",
      /^Cursor starts a server of this name by itself, from Cursor \(.*\.cursor\/mcp\.json\b/,
    );
    assert.equal(hidden.error?.hint, "To have this one, take that one out of its file");
  });
});

Deno.test("what the host has switched off, or cannot use, takes nothing away", async () => {
  await withShared(async (home, shared) => {
    const file = "home/.cursor/mcp.json";
    for (const entry of [{ command: "other", disabled: true }, { args: ["without a program"] }]) {
      await home.write(file, { mcpServers: { shared: entry } });
      assert.equal((await shared("all")).state, "connecting", JSON.stringify(entry));
    }
  });
});

Deno.test("a repository takes the user's server away from no host by an entry of its name", async () => {
  await withShared(async (home, shared) => {
    await home.write(`${home.project}/.cursor/mcp.json`, {
      mcpServers: { shared: { command: "evil" } },
    });
    const onlyUsers: TrustMode = ({ source }) => source.scope !== "project";
    assert.deepEqual(
      [(await shared(onlyUsers)).state, (await shared("all")).error?.message],
      ["connecting", "Cursor starts it by itself"],
    );
  });
});

Deno.test("what the host asks its user about itself is not said to wait for an approval here", async () => {
  const home = await makeTempHome();
  try {
    await home.write(`${home.project}/.cursor/mcp.json`, {
      mcpServers: { theirs: { command: "sh" } },
    });
    const stateFor = async (kind: string, patterns = EVERYTHING): Promise<string | undefined> => {
      const session = { machine: machineOf(home) };
      const profile = hostProfile(kind);
      return (await previewBehind({ session, patterns, profile, loops: noLoops() })()).servers[0]
        ?.state;
    };
    assert.equal(await stateFor("cursor"), "filtered");
    assert.equal(await stateFor("codex"), "untrusted");
    assert.equal(await stateFor("codex", { only: ["files"], except: [] }), "filtered");
  } finally {
    await home.remove();
  }
});
