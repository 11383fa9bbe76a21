import assert from "node:assert/strict";
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { e2e } from "../../harness/e2e.ts";
import { HAS_NGINX, Nginx } from "../../harness/nginx.ts";
import { trap } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { Served } from "./served.ts";

// Without nginx these count as ignored: apt-get install nginx.

e2e(
  "two gateways behind nginx serve the modern era in turn, without sticky sessions [C30]",
  async (world) => {
    await world.userServers({
      t: trap("good"),
      who: trap("env-dump"),
      steps: trap("progress", "5", "100"),
    });
    await using first = await Served.start(world, { env: { INSTANCE: "first" } });
    await using second = await Served.start(world, { env: { INSTANCE: "second" } });
    assert.equal(first.token, second.token);
    await using nginx = await Nginx.start([first.port, second.port]);
    let changes = 0;
    const client = new ModernClient({ name: "behind", version: "1.0.0" }, {
      capabilities: {},
      versionNegotiation: { mode: "auto" },
      listChanged: {
        tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void changes++ },
      },
    });
    await client.connect(
      new ModernTransport(new URL(`http://localhost:${nginx.port}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${first.token}` } },
      }),
    );
    try {
      assert.equal(client.getNegotiatedProtocolVersion(), "2026-07-28");
      const wanted = ["t_echo", "who_env", "steps_go"];
      await until(async () => {
        const lists = await Promise.all(Array.from({ length: 4 }, () => client.listTools()));
        return lists.every(({ tools }) =>
          wanted.every((tool) => tools.some(({ name }) => name === tool))
        );
      }, 20_000);
      const answered = await Promise.all(Array.from({ length: 40 }, async (_, index) => {
        const result = await client.callTool({ name: "t_echo", arguments: { text: `${index}` } });
        return (result["content"] as { text: string }[])[0]?.text;
      }));
      assert.deepEqual(answered, answered.map((_, index) => `${index}`));
      // What a server says of itself tells through which gateway it was asked.
      const instances = new Set<string | undefined>();
      for (let turn = 0; turn < 8; turn++) {
        const result = await client.callTool({ name: "who_env", arguments: {} });
        const [said] = result["content"] as { readonly text: string }[];
        instances.add((JSON.parse(said?.text ?? "{}") as Record<string, string>)["INSTANCE"]);
      }
      assert.deepEqual([...instances].toSorted(), ["first", "second"]);
      // Reports come when they are made, not when nginx has enough of them.
      const times: number[] = [];
      await client.callTool({ name: "steps_go", arguments: {} }, {
        onprogress: () => times.push(performance.now()),
      });
      assert.ok(times.length >= 4, `${times}`);
      assert.ok((times.at(-1) ?? 0) - (times[0] ?? 0) > 200, `${times}`);
      await world.userServers({
        t: trap("good"),
        added: { ...trap("good"), env: { ...trap("good").env, INSTANCE: "other" } },
      });
      await until(() => changes > 0, 20_000);
    } finally {
      await client.close();
    }
  },
  HAS_NGINX,
);
