import assert from "node:assert/strict";
import { inPlace } from "./made.ts";
import { row, states, under, userServers } from "./policy_made.ts";

const EXAMPLE = await Deno.readTextFile(new URL("../../examples/managed.json", import.meta.url));

Deno.test("the shipped example of a policy does what its comments say", () =>
  inPlace(async (place) => {
    const npx = (...args: string[]): { command: string; args: string[] } => ({
      command: "npx",
      args: ["-y", ...args],
    });
    const memory = "@modelcontextprotocol/server-memory";
    // Real programs, on the user's own PATH.
    for (const name of ["npx", "uvx"]) {
      await Deno.chmod(await place.write(`bin/${name}`, "#!/bin/sh\n"), 0o755);
    }
    const machine = { ...place.machine, env: { ...place.machine.env, PATH: `${place.root}/bin` } };
    await userServers(place, {
      remote: { url: "https://mcp.example.com/a" },
      tools: { url: "https://a.b.tools.example.com/mcp" },
      admin: { url: "https://a.tools.example.com/admin/mcp" },
      plain: { url: "http://mcp.example.com/a" },
      port: { url: "https://mcp.example.com:8443/a" },
      other: { url: "https://mcp.example.org/a" },
      memory: npx(`${memory}@2026.8.31`),
      newer: npx(`${memory}@9.9.9`),
      more: npx(`${memory}@2026.8.31`, "--more"),
      bridge: npx("mcp-remote", "https://mcp.example.com/a"),
      latest: npx("mcp-remote@latest", "https://mcp.example.com/a"),
      company: { command: "uvx", args: ["company-tools", "--any", "thing"] },
      "crypto-x": { command: "uvx", args: ["company-tools"] },
      else: { command: "uvx", args: ["other-tools"] },
    });
    const loaded = await under(place, EXAMPLE, { machine });
    const report = loaded.plan.sources.find(({ id }) => id === "policy");
    assert.deepEqual([report?.state, report?.warnings], ["loaded", []]);
    assert.deepEqual(states(loaded), {
      "remote": "run",
      "tools": "run",
      "admin": "blocked",
      "plain": "blocked",
      "port": "blocked",
      "other": "blocked",
      "memory": "run",
      "newer": "blocked",
      "more": "blocked",
      "bridge": "blocked",
      "latest": "blocked",
      "company": "run",
      "crypto-x": "blocked",
      "else": "blocked",
    });
    const bridge = row(loaded, "bridge").verdict;
    assert.ok(bridge.state === "blocked");
    assert.match(bridge.reason?.message ?? "", /: command mcp-remote$/);
    const { verdict } = row(loaded, "crypto-x");
    assert.ok(verdict.state === "blocked");
    assert.match(verdict.reason?.message ?? "", /deniedServers\[2\] \(line \d+\): name crypto-\*$/);
    assert.equal(verdict.reason?.hint, "Ask whoever manages this machine");
  }));

Deno.test("in the example a name narrows what a command allows", () =>
  inPlace(async (place) => {
    const program = await place.write("bin/files", "#!/bin/sh\n");
    await Deno.chmod(program, 0o755);
    await userServers(place, {
      files: { command: program, args: ["/data"] },
      same: { command: program, args: ["/data"] },
    });
    const example = EXAMPLE.replace("/opt/company/bin/files", program);
    assert.notEqual(example, EXAMPLE, "the rule is in the example");
    assert.deepEqual(states(await under(place, example)), { files: "run", same: "blocked" });
  }));
