import assert from "node:assert/strict";
import { inPlace } from "./made.ts";
import { row, states, under, userServers } from "./policy_made.ts";

Deno.test("a blocked row names the policy and the rule", () =>
  inPlace(async (place) => {
    await userServers(place, { a: { command: "true" }, b: { command: "false" } });
    const denied = await under(place, {
      deniedServers: [{ name: "x" }, { name: "y" }, { command: ["true"] }],
    });
    const path = `${place.root}/etc/managed.json`;
    assert.deepEqual(row(denied, "a").verdict, {
      state: "blocked",
      reason: {
        code: "blocked-by-policy",
        message: `Blocked by the policy "${path}": deniedServers[2] (line 9): command true`,
        hint: "Ask whoever manages this machine",
      },
    });
    assert.equal(row(denied, "a").launch, null);
    assert.deepEqual(Object.keys(denied.configs), ["b"]);
    const allowed = await under(place, { allowedServers: [{ command: ["false"] }] });
    const { verdict } = row(allowed, "a");
    assert.ok(verdict.state === "blocked");
    assert.equal(
      verdict.reason?.message,
      `Blocked by the policy "${path}": no rule of "allowedServers" matches`,
    );
    assert.deepEqual(Object.keys(allowed.configs), ["b"]);
  }));

Deno.test("what is denied stays denied though it is allowed, and an empty list allows nothing", () =>
  inPlace(async (place) => {
    await userServers(place, { a: { url: "https://a.example/mcp" }, b: { command: "true" } });
    const both = await under(place, {
      allowedServers: [{ url: "*" }, { command: ["*"] }],
      deniedServers: [{ name: "A" }],
    });
    assert.deepEqual(states(both), { a: "blocked", b: "run" });
    assert.deepEqual(states(await under(place, { allowedServers: [] })), {
      a: "blocked",
      b: "blocked",
    });
    assert.deepEqual(states(await under(place, {})), { a: "run", b: "run" });
  }));

Deno.test("a name alone allows nothing; with an address it narrows", () =>
  inPlace(async (place) => {
    const url = "https://a.example/mcp";
    await userServers(place, { a: { url }, b: { url: `${url}/b` } });
    const alone = await under(place, { allowedServers: [{ name: "a" }] });
    assert.deepEqual(states(alone), { a: "blocked", b: "blocked" });
    const report = alone.plan.sources.find(({ id }) => id === "policy");
    assert.match(report?.warnings[0] ?? "", /allows nothing/);
    const both = await under(place, {
      allowedServers: [{ name: "a", url: "https://a.example/*" }],
    });
    assert.deepEqual(states(both), { a: "run", b: "blocked" });
  }));

Deno.test("a rule for addresses allows no process, and one for commands no address", () =>
  inPlace(async (place) => {
    const url = "https://a.example/mcp";
    await userServers(place, {
      remote: { url },
      local: { command: "true" },
      // As the connection chooses, and not as it looks.
      both: { type: "streamable_http", command: "true", url: "https://evil.example/" },
      twice: { type: "stdio", command: "false", url },
    });
    const urls = await under(place, { allowedServers: [{ url: "https://a.example/*" }] });
    assert.deepEqual(
      urls.plan.servers.filter(({ verdict }) => verdict.state !== "blocked")
        .map(({ name }) => name),
      ["remote"],
    );
    const commands = await under(place, { allowedServers: [{ command: ["true"] }] });
    assert.deepEqual(Object.keys(commands.configs), ["local"]);
    const bridge = await under(place, { deniedServers: [{ url: "https://evil.example/*" }] });
    assert.equal(row(bridge, "both").verdict.state, "blocked");
  }));

Deno.test("a bridge to a denied address is denied with it", () =>
  inPlace(async (place) => {
    await userServers(place, {
      a: { command: "npx", args: ["-y", "mcp-remote", "https://EVIL.example:443/sse"] },
      b: { command: "npx", args: ["bridge", "--url=https://evil.example"] },
      c: { command: "npx", args: ["bridge", "https://good.example/evil.example"] },
    });
    const loaded = await under(place, { deniedServers: [{ url: "https://evil.example/*" }] });
    assert.deepEqual(states(loaded), { a: "blocked", b: "blocked", c: "run" });
  }));

Deno.test("rules hold for what placeholders expand to", () =>
  inPlace(async (place) => {
    await userServers(place, {
      evil: { url: "https://${HOST}/mcp" },
      good: { url: "https://${OTHER:-good.example}/mcp" },
      tool: { command: "${TOOL}", args: ["${FLAG:-x}"] },
    });
    const denied = await under(place, {
      deniedServers: [{ url: "https://evil.example/*" }, { command: ["false", "x"] }],
    });
    assert.deepEqual(states(denied), { evil: "blocked", good: "run", tool: "blocked" });
    const allowed = await under(place, {
      allowedServers: [{ url: "https://good.example/*" }, { command: ["false", "x*"] }],
    });
    assert.deepEqual(states(allowed), { evil: "blocked", good: "run", tool: "run" });
    const literal = await under(place, { allowedServers: [{ url: "https://$*/mcp" }] });
    assert.deepEqual(states(literal), { evil: "blocked", good: "blocked", tool: "blocked" });
  }, { HOST: "evil.example", TOOL: "false" }));

Deno.test("what may not be evaluated is held against the rules as it is written, and judged again", () =>
  inPlace(async (place) => {
    await place.write("repo/.mcp.json", {
      mcpServers: {
        plain: { command: "true" },
        open: { url: "https://${HOST}/mcp" },
        named: { url: "https://evil.example/${V}" },
      },
    });
    const policy = {
      allowedServers: [{ url: "https://good.example/*" }],
      deniedServers: [{ url: "https://evil.example/*" }],
    };
    // What no rule can allow is blocked at once; what an expansion may change waits for approval.
    const waiting = { plain: "blocked", open: "untrusted", named: "blocked" };
    assert.deepEqual(states(await under(place, policy)), waiting);
    const trusted = await under(place, policy, { trust: "all" });
    assert.deepEqual(states(trusted), { plain: "blocked", open: "blocked", named: "blocked" });
    const good = await under(place, policy, {
      trust: () => true,
      machine: { ...place.machine, env: { ...place.machine.env, HOST: "good.example" } },
    });
    assert.deepEqual(Object.keys(good.configs), ["open"]);
  }, { HOST: "evil.example", V: "v" }));

Deno.test("a definition's own PATH cannot bring another program under an allowed name", () =>
  inPlace(async (place) => {
    const fake = await place.write("home/evil/true", "#!/bin/sh\n");
    await Deno.chmod(fake, 0o755);
    await userServers(place, {
      honest: { command: "true" },
      path: { command: "true", env: { PATH: `${place.home}/evil:/usr/bin` } },
      absolute: { command: fake },
    });
    const loaded = await under(place, { allowedServers: [{ command: ["true"] }] });
    assert.deepEqual(states(loaded), { honest: "run", path: "blocked", absolute: "blocked" });
  }));

Deno.test("a link does not hide a denied program", () =>
  inPlace(async (place) => {
    const target = await place.write("home/real/denied", "#!/bin/sh\n");
    await Deno.chmod(target, 0o755);
    await Deno.mkdir(`${place.home}/bin`);
    await Deno.symlink(target, `${place.home}/bin/mild`);
    await userServers(place, { a: { command: `${place.home}/bin/mild` } });
    assert.deepEqual(states(await under(place, { deniedServers: [{ command: ["denied"] }] })), {
      a: "blocked",
    });
  }));
