import assert from "node:assert/strict";
import { pendingApprovals } from "../../src/plan/approve.ts";
import { loadAllMCPConfigs, type LoadOptions } from "../../src/plan/discover.ts";
import { given, inPlace, made, USER } from "./made.ts";
import { row, states, under, userServers } from "./policy_made.ts";

Deno.test("no kind of trust gets round a policy, and what is blocked asks for no approval", () =>
  inPlace(async (place) => {
    await place.write("repo/.mcp.json", { mcpServers: { theirs: { command: "true" } } });
    const policy = { deniedServers: [{ command: ["true"] }] };
    const asked: string[] = [];
    const options: readonly LoadOptions[] = [
      { trust: "all" },
      {
        trust: (definition) => {
          asked.push(definition.name);
          return true;
        },
      },
      { machine: { ...place.machine, env: { ...place.machine.env, HOTPLUG_TRUST: "all" } } },
    ];
    for (const option of options) {
      assert.deepEqual(states(await under(place, policy, option)), { theirs: "blocked" });
    }
    assert.deepEqual(asked, []);
    const { machine, folders } = place;
    const { pending } = await pendingApprovals({
      machine,
      folders,
      policy: { path: `${place.root}/etc/managed.json`, ownerUid: Deno.uid() },
    });
    assert.deepEqual(pending, []);
  }));

Deno.test("a policy covers every source: store, managed files, and what a host brings", () =>
  inPlace(async (place) => {
    await place.write("home/.config/hotplug/mcp.json", {
      mcpServers: { stored: { command: "true" } },
    });
    await place.write("repo/.hotplug/workspace.json", { enabledMcpServers: ["stored"] });
    const session = { ...USER, id: "acp", scope: "session", path: null } as const;
    const managed = { ...USER, id: "claude-managed", scope: "managed" } as const;
    const extraSources = [given({
      definitions: [
        made("session", { command: "true" }, session),
        made("managed", { command: "true" }, managed),
      ],
    })];
    const loaded = await under(place, { deniedServers: [{ command: ["true"] }] }, {
      extraSources,
      trust: "all",
    });
    assert.deepEqual(new Set(Object.values(states(loaded))), new Set(["blocked"]));
    assert.equal(loaded.plan.servers.length, 3);
  }));

Deno.test("what is blocked leaves its name to others, as what is filtered does", () =>
  inPlace(async (place) => {
    const [strong, weak] = [{ ...USER, rank: 90 }, { ...USER, rank: 10 }];
    const extraSources = [given({
      definitions: [
        made("x", { command: "false" }, strong),
        made("x", { command: "true" }, weak),
      ],
    })];
    const loaded = await under(place, { deniedServers: [{ command: ["false"] }] }, {
      extraSources,
    });
    const { verdict, launch, others } = row(loaded, "x");
    assert.equal(verdict.state, "run");
    assert.equal(launch?.command, "true");
    assert.equal(others[0]?.state, "blocked");
    assert.match(others[0]?.of ?? "", /deniedServers\[0\]/);
  }));

Deno.test("what is blocked stands before what is switched off, and gives no key away", () =>
  inPlace(async (place) => {
    await userServers(place, {
      off: { command: "true", enabled: false },
      exa: { url: "https://mcp.exa.ai/mcp?exaApiKey=key-1234" },
      open: { url: "https://mcp.exa.ai/mcp?exaApiKey=${KEY}" },
    });
    const loaded = await under(place, { allowedServers: [] });
    assert.deepEqual(states(loaded), { off: "blocked", exa: "blocked", open: "blocked" });
    assert.deepEqual(loaded.exaApiKeys, []);
    const other = await under(place, { allowedServers: [{ url: "https://a.example/*" }] });
    assert.equal(row(other, "open").verdict.state, "blocked");
    assert.deepEqual(other.exaApiKeys, []);
  }, { KEY: "key-5678" }));

Deno.test("a policy that cannot be used blocks everything and says what is wrong with it", () =>
  inPlace(async (place) => {
    await userServers(place, { a: { command: "true" }, b: { url: "https://b.example/" } });
    const broken = [
      ["{ torn", "malformed"],
      ["", "malformed"],
      [{ allowed: [] }, "malformed"],
      [{ deniedServers: [{ nam: "x" }] }, "malformed"],
    ] as const;
    for (const [content, state] of broken) {
      const loaded = await under(place, content, { trust: "all" });
      assert.deepEqual(states(loaded), { a: "blocked", b: "blocked" });
      assert.deepEqual(loaded.configs, {});
      const report = loaded.plan.sources.find(({ id }) => id === "policy");
      assert.deepEqual(
        { ...report, error: null },
        {
          id: "policy",
          label: "Policy",
          scope: "managed",
          path: `${place.root}/etc/managed.json`,
          state,
          servers: 0,
          error: null,
          warnings: [],
        },
      );
      const { verdict } = row(loaded, "a");
      assert.ok(verdict.state === "blocked");
      assert.equal(
        verdict.reason?.message,
        `Blocked, as a policy cannot be used: ${report?.error?.message}`,
      );
      assert.match(verdict.reason?.hint ?? "", /^Correct that file, as root; /);
    }
    const path = await place.write("etc/managed.json", "{}");
    await Deno.chmod(path, 0o666);
    const { machine, folders } = place;
    for (const ownerUid of [Deno.uid(), 4242]) {
      const loaded = await loadAllMCPConfigs({ machine, folders, policy: { path, ownerUid } });
      assert.deepEqual(states(loaded), { a: "blocked", b: "blocked" });
      assert.equal(loaded.plan.sources.find(({ id }) => id === "policy")?.state, "unreadable");
    }
  }));

Deno.test("without a policy nothing is blocked, and its place is listed as absent", () =>
  inPlace(async (place) => {
    await userServers(place, { a: { command: "true" } });
    const { machine, folders } = place;
    const policy = { path: `${place.root}/etc/managed.json`, ownerUid: Deno.uid() };
    const loaded = await loadAllMCPConfigs({ machine, folders, policy });
    assert.deepEqual(states(loaded), { a: "run" });
    const report = loaded.plan.sources.find(({ id }) => id === "policy");
    assert.deepEqual([report?.state, report?.path], ["absent", policy.path]);
  }));
