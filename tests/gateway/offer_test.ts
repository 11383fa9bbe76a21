import assert from "node:assert/strict";
import { join } from "node:path";
import { e2e } from "../harness/e2e.ts";
import { npmServer, offeringServer, sdkServer, trap } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { EraHost, HOST_ERAS } from "./era_host.ts";
import type { Message } from "./raw_host.ts";

/** What a list says of each server. */
function outcomes(result: Message): Record<string, Message> {
  return (result["_meta"] as Message)["dev.hotplug/servers"] as Record<string, Message>;
}

/** The URIs of what was read, and the text of the first. */
function readOf(result: Message): readonly unknown[] {
  const contents = result["contents"] as readonly Message[];
  return [contents[0]?.["text"], ...contents.map(({ uri }) => uri)];
}

for (const era of HOST_ERAS) {
  e2e(`a ${era} host has the prompts and resources of servers of both eras`, async (world) => {
    await world.userServers({
      a: offeringServer("legacy", "a"),
      b: offeringServer("modern", "b"),
      tools_only: trap("good"),
      dead: { command: "/nonexistent/program" },
    });
    await using host = await EraHost.open(world, era);
    assert.deepEqual(await host.list("prompts/list", "prompts", "name"), ["a_ask", "b_ask"]);
    assert.deepEqual(await host.list("resources/list", "resources", "uri"), [
      "shared:note",
      "a:only",
      "mcp+b:shared:note",
      "b:only",
    ]);
    const templates = await host.result("resources/templates/list");
    assert.deepEqual(
      (templates["resourceTemplates"] as readonly Message[]).map(({ uriTemplate }) => uriTemplate),
      ["shared://{id}", "a://item/{id}", "mcp+b:shared://{id}", "b://item/{id}"],
    );
    const counts = Object.entries(outcomes(templates)).map((
      [name, { state, resourceTemplates }],
    ) => [name, state, resourceTemplates]);
    assert.deepEqual(counts, [
      ["a", "connected", 2],
      ["b", "connected", 2],
      ["tools_only", "connected", 0],
      ["dead", "error", null],
    ]);
    assert.equal((outcomes(templates)["dead"]?.["error"] as Message)["code"], "program-not-found");
    if (era === "modern") {
      const { resultType, ttlMs, cacheScope } = templates;
      assert.deepEqual([resultType, ttlMs, cacheScope], ["complete", 0, "private"]);
    }
  });

  e2e(
    `a ${era} host reads each resource from its server, under the URI that it knows`,
    async (world) => {
      await world.userServers({
        a: offeringServer("legacy", "a"),
        b: offeringServer("modern", "b"),
      });
      await using host = await EraHost.open(world, era);
      await host.result("resources/list");
      await host.result("resources/templates/list");
      const read = async (uri: string): Promise<readonly unknown[]> =>
        readOf(await host.result("resources/read", { uri }));
      assert.deepEqual(await read("shared:note"), ["shared:note of a", "shared:note"]);
      assert.deepEqual(await read("mcp+b:shared:note"), ["shared:note of b", "mcp+b:shared:note"]);
      assert.deepEqual(await read("a:only"), ["a:only of a", "a:only", "shared:note"]);
      assert.deepEqual(await read("b:only"), ["b:only of b", "b:only", "mcp+b:shared:note"]);
      assert.deepEqual(await read("shared://7"), ["shared://7 of a", "shared://7"]);
      assert.deepEqual(await read("mcp+b:shared://7"), ["shared://7 of b", "mcp+b:shared://7"]);
      assert.deepEqual(await read("b://item/7"), ["b://item/7 of b", "b://item/7"]);

      const { error } = await host.ask("resources/read", { uri: "nobody:has" });
      const { code, message, data } = error as Message;
      assert.equal(code, era === "legacy" ? -32002 : -32602);
      assert.match(String(message), /"nobody:has".*"a", "b"$/);
      assert.deepEqual(data, { uri: "nobody:has" });

      const linked = async (tool: string, uri: string): Promise<readonly unknown[]> => {
        const { content } = await host.result("tools/call", { name: tool, arguments: { uri } });
        const [link, embedded] = content as readonly Message[];
        return [link?.["uri"], (embedded?.["resource"] as Message)["uri"]];
      };
      assert.deepEqual(await linked("a_link", "shared:note"), ["shared:note", "shared:note"]);
      const own = "mcp+b:shared:note";
      assert.deepEqual(await linked("b_link", "shared:note"), [own, own]);
      assert.deepEqual(await linked("b_link", "free:1"), ["free:1", "free:1"]);
      assert.deepEqual(await read("free:1"), ["free:1 of b", "free:1"]);
      assert.deepEqual(await linked("a_link", "free:1"), ["mcp+a:free:1", "mcp+a:free:1"]);
      assert.deepEqual(await read("mcp+a:free:1"), ["free:1 of a", "mcp+a:free:1"]);
    },
  );

  e2e(`a ${era} host gets and completes prompts by their names`, async (world) => {
    await world.userServers({ a: offeringServer("legacy", "a"), b: offeringServer("modern", "b") });
    await using host = await EraHost.open(world, era);
    for (const [server, uri] of [["a", "shared:note"], ["b", "mcp+b:shared:note"]]) {
      const given = { name: `${server}_ask`, arguments: { what: "time" } };
      const { description, messages } = await host.result("prompts/get", given);
      assert.equal(description, 'ask {"what":"time"}');
      const [{ content } = {}] = messages as readonly Message[];
      assert.deepEqual((content as Message)["resource"], { uri, text: `embedded by ${server}` });
      const argument = { name: "what", value: "t" };
      const context = { arguments: { other: "x" } };
      for (
        const [ref, known] of [
          [{ type: "ref/prompt", name: `${server}_ask` }, { type: "ref/prompt", name: "ask" }],
          [
            { type: "ref/resource", uri: uri?.replace(":note", "://{id}") },
            { type: "ref/resource", uri: "shared://{id}" },
          ],
        ]
      ) {
        const { completion } = await host.result("completion/complete", { ref, argument, context });
        const [value] = (completion as Message)["values"] as readonly string[];
        assert.deepEqual(JSON.parse(value ?? ""), { ref: known, argument, context });
      }
    }
    const { error } = await host.ask("prompts/get", { name: "a_nothing" });
    assert.deepEqual(error, { code: -32602, message: 'Unknown prompt: "a_nothing"' });
    const ref = { type: "ref/else", name: "a_ask" };
    const refusal = await host.ask("completion/complete", { ref, argument: {} });
    assert.equal((refusal["error"] as Message)["code"], -32602);
  });

  e2e(
    `a ${era} host that asks for completions of a server without them gets none [C18]`,
    async (world) => {
      await world.userServers({ old: sdkServer("legacy"), new: sdkServer("modern") });
      await using host = await EraHost.open(world, era);
      for (const name of ["old_greet", "new_greet"]) {
        const { completion } = await host.result("completion/complete", {
          ref: { type: "ref/prompt", name },
          argument: { name: "x", value: "" },
        });
        assert.deepEqual(completion, { values: [], total: 0, hasMore: false });
      }
    },
  );

  e2e(
    `the only server with resources is asked for what it does not list, by a ${era} host`,
    async (world) => {
      await world.userServers({ everything: npmServer("everything"), other: trap("good") });
      await using host = await EraHost.open(world, era);
      assert.equal(await host.text("other_echo", { text: "up" }), "up");
      const { error } = await host.ask("resources/read", { uri: "unlisted:1" });
      // The server's own words.
      assert.match(String((error as Message)["message"]), /Resource unlisted:1 not found/);
      const uri = "demo://resource/dynamic/text/3";
      assert.deepEqual(readOf(await host.result("resources/read", { uri })).slice(1), [uri]);
    },
  );

  e2e(
    `a ${era} host is told of prompts and resources that change`,
    async (world) => {
      await world.userServers({
        a: offeringServer("legacy", "a"),
        b: offeringServer("modern", "b"),
      });
      await using host = await EraHost.open(world, era);
      await host.listen({ promptsListChanged: true, resourcesListChanged: true });
      await host.result("resources/list");
      await host.result("resources/templates/list");
      await host.result("prompts/list");
      for (const server of ["a", "b"]) {
        const before = [
          host.heard("notifications/prompts/list_changed").length,
          host.heard("notifications/resources/list_changed").length,
        ];
        await host.text(`${server}_grow`);
        await until(() =>
          host.heard("notifications/prompts/list_changed").length > (before[0] ?? 0) &&
          host.heard("notifications/resources/list_changed").length > (before[1] ?? 0)
        );
        assert.ok((await host.list("prompts/list", "prompts", "name")).includes(`${server}_new_0`));
        const uris = await host.list("resources/list", "resources", "uri");
        assert.ok(uris.includes(`${server}:new/0`), String(uris));
        assert.match(
          String(readOf(await host.result("resources/read", { uri: `${server}:new/0` }))[0]),
          new RegExp(` of ${server}$`),
        );
      }
    },
  );

  e2e(
    `a ${era} host is told of each change of what it has subscribed to, under its URI`,
    async (world) => {
      await world.userServers({
        a: offeringServer("legacy", "a"),
        b: offeringServer("modern", "b"),
      });
      await using host = await EraHost.open(world, era);
      await host.result("resources/list");
      const uris = ["shared:note", "mcp+b:shared:note"];
      const stream = await host.listen({
        resourceSubscriptions: [...uris, "nobody:has"].slice(0, era === "legacy" ? 2 : 3),
      });
      const heard = (): readonly unknown[] =>
        host.heard("notifications/resources/updated").map(({ uri }) => uri);
      for (const [index, server] of ["a", "b"].entries()) {
        await host.text(`${server}_touch`, { uri: "shared:note" });
        await until(() => heard().length > index);
      }
      assert.deepEqual(heard(), uris);
      assert.match(await host.text("a_wishes"), /\["subscribe shared:note"\]/);
      if (stream === null) {
        await host.result("resources/unsubscribe", { uri: "shared:note" });
      } else {
        const [acknowledged] = host.heard("notifications/subscriptions/acknowledged");
        assert.deepEqual(acknowledged?.["notifications"], { resourceSubscriptions: uris });
        await host.raw.notify("notifications/cancelled", { requestId: stream });
      }
      await until(async () => (await host.text("a_wishes")).includes("unsubscribe shared:note"));
      await host.text("a_touch", { uri: "shared:note" });
      assert.equal(heard().length, 2);
    },
  );
}

e2e("a host of the modern era is offered no method of the legacy one", async (world) => {
  await world.userServers({ a: offeringServer("legacy", "a") });
  await using host = await EraHost.open(world, "modern");
  for (const method of ["resources/subscribe", "resources/unsubscribe", "logging/setLevel"]) {
    const { error } = await host.ask(method, { uri: "shared:note", level: "info" });
    assert.equal((error as Message)["code"], -32601, method);
  }
});

e2e(
  "a paused server takes its prompts and resources along, one that has failed leaves them",
  async (world) => {
    await world.userServers({
      a: offeringServer("legacy", "a"),
      b: offeringServer("legacy", "b", join(world.home, "gone")),
    });
    await using host = await EraHost.open(world, "legacy");
    const prompts = (): Promise<readonly string[]> => host.list("prompts/list", "prompts", "name");
    assert.deepEqual(await prompts(), ["a_ask", "b_ask"]);
    await host.text("b_leave");
    await until(async () =>
      outcomes(await host.result("prompts/list"))["b"]?.["state"] !== "connected"
    );
    assert.deepEqual(await prompts(), ["a_ask", "b_ask"]);
    const paused = await world.mcp(["pause", "a"]);
    assert.equal(paused.code, 0, paused.stderr);
    await until(async () => (await prompts()).length === 1);
    assert.deepEqual(await prompts(), ["b_ask"]);
    await until(() => host.heard("notifications/prompts/list_changed").length > 0);
    const { error } = await host.ask("prompts/get", { name: "a_ask", arguments: { what: "x" } });
    assert.match(String((error as Message)["message"]), /"a"/);
    assert.deepEqual((error as Message)["data"], {
      "dev.hotplug/error": { server: "a", code: "not-connected" },
    });
  },
);

e2e(
  "prompts and resources are on offer where a pattern lets all of a server through",
  async (world) => {
    await world.userServers({
      a: offeringServer("legacy", "a"),
      b: offeringServer("legacy", "b"),
      c: offeringServer("legacy", "c"),
    });
    const args = ["--only", "a", "--only", "b/link", "--only", "c", "--except", "c"];
    await using host = await EraHost.open(world, "legacy", { args });
    assert.deepEqual(await host.list("prompts/list", "prompts", "name"), ["a_ask"]);
    assert.deepEqual(await host.list("resources/list", "resources", "uri"), [
      "shared:note",
      "a:only",
    ]);
    const { content } = await host.result("tools/call", {
      name: "b_link",
      arguments: { uri: "b:linked" },
    });
    assert.equal((content as readonly Message[])[0]?.["uri"], "b:linked");
    const linked = await host.result("resources/read", { uri: "b:linked" });
    assert.equal(readOf(linked)[0], "b:linked of b");
  },
);

e2e(
  "with --strict a list of which a server failed is an error that names it [I07]",
  async (world) => {
    await world.userServers({
      a: offeringServer("legacy", "a"),
      dead: { command: "/nonexistent/program" },
    });
    await using host = await EraHost.open(world, "legacy", { args: ["--strict"] });
    for (
      const [method, words] of [
        ["tools/list", "tools"],
        ["prompts/list", "prompts"],
        ["resources/list", "resources"],
        ["resources/templates/list", "resource templates"],
      ]
    ) {
      const { error } = await host.ask(method ?? "");
      const { code, message, data } = error as Message;
      assert.equal(code, -32603);
      assert.match(String(message), new RegExp(`^Cannot list all ${words}: "dead" has failed: `));
      assert.equal(
        (((data as Message)["dev.hotplug/servers"] as Message)["a"] as Message)["state"],
        "connected",
      );
    }
    assert.match(await host.text("a_wishes"), /calls/);
  },
);
